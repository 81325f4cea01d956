# The README's second command: installs with the extras of the tests, and runs them.
set -euo pipefail
bash -euo pipefail -c "$(.ci/readme test)"
