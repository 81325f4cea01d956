# A study in several processes, and on a Dask cluster of two workers of which one is killed half-way: the same result.
set -euo pipefail
.venv/bin/python -m pytest -q tests/engine/test_study.py -m slow -k "processes or worker"
