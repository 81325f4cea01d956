# A wheel, installed alone into an empty environment, works from any folder.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.venv/bin/pip wheel -q --no-deps -w "$work" .
ls -l "$work"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q "$work"/*.whl
photo=$PWD/examples/table.jpg
cd "$work"
venv/bin/companion --version
venv/bin/companion hint "$photo" --json >hint.json
venv/bin/python -c 'import json; assert json.load(open("hint.json"))["moves"]'
