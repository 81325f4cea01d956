# The README's first command: installs, and does the main job.
set -euo pipefail
bash -euo pipefail -c "$(.ci/readme run)"
