# The training code runs from decks to weights, in an environment of its own with the `train` extra.
set -euo pipefail
# torch takes 6 GB with what it depends on; half installed it only says that a disk is full
free=$(df --output=avail -m . | tail -n 1)
if [ ! -d .venv-train ] && [ "$free" -lt 8000 ]; then
    echo "train: the environment needs 8,000 MB of disk, $((free)) MB are free" >&2
    exit 1
fi
python3 -m venv .venv-train
.venv-train/bin/pip install -q -e ".[train]" pytest pytest-asyncio hypothesis
.venv-train/bin/python -m pytest -q tests/training -m "slow or not slow"
# nothing after this step uses it
[ -z "${CI:-}" ] || rm -rf .venv-train
