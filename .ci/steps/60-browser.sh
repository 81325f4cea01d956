# The app in Chromium: every screen at phone, tablet and desk size, in three languages.
set -euo pipefail
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
    echo "no Chromium here: skipped"
    exit 0
fi
.venv/bin/pip install -q -e ".[test,browser]"
COMPANION_BROWSER_PATIENCE=120 timeout 1200 .venv/bin/pytest -m browser tests/browser -q
