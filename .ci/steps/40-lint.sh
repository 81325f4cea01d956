# Style and types.
set -euo pipefail
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
