# The app in Chromium: every screen at phone and desk size, in three languages.
set -euo pipefail
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    echo "no Chromium here: left out"
    exit 0
fi
[ -d .venv ] && . .venv/bin/activate
python -c "import playwright" 2>/dev/null || python -m pip install -q "playwright>=1.48"
python -m pytest -m browser tests/browser -q -rP
