# The app in Chromium: every screen at phone and desk size, in three languages.
set -euo pipefail
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    echo "no Chromium here: skipped"
    exit 0
fi
.venv/bin/pip install -q -e ".[test,browser]"
.venv/bin/pytest -m browser tests/browser -q -rP
