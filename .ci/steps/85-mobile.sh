# What `flet build` would package for a phone, rehearsed on each Python that Flet bundles and that is here.
set -euo pipefail
python3 -m venv .venv-mobile
.venv-mobile/bin/pip install -q "flet-cli==1.0.5"
.venv-mobile/bin/python mobile/rehearse.py
