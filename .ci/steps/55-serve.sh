# Servers as processes of their own: killed in the middle of a round, two on one store. The load program
# (`python -m bench.load`) is timed and needs a quiet machine, so it is not run here.
set -euo pipefail
.venv/bin/python -m pytest -q tests/serve -m slow --ignore=tests/serve/test_load.py
