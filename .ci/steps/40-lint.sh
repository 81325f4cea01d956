# Style, types, and no path of a machine in what is committed.
set -euo pipefail
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
if git grep -InE '/(work|root|home)/[a-z]' -- ':!.ci'; then
    echo "a path of one machine is committed"
    exit 1
fi
