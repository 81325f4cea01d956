# The training code runs from decks to weights, in an environment of its own with the `train` extra.
set -euo pipefail
python3 -m venv .venv-train
.venv-train/bin/pip install -q -e ".[train]" pytest pytest-asyncio hypothesis
.venv-train/bin/python -m pytest -q tests/training -m "slow or not slow"
