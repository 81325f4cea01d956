# Servers as processes of their own: killed in the middle of a round, sent hostile photos, under load. How fast
# `python -m bench.load` finds them is no part of it: that needs a quiet machine.
set -euo pipefail
.venv/bin/python -m pytest -q tests/serve -m slow
