# Servers as processes of their own: killed in the middle of a round, and under a short load.
set -euo pipefail
.venv/bin/python -m pytest -q tests/serve -m slow
