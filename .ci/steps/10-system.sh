# Debian's packages, where this is Debian and we may install.
set -euo pipefail
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "not root on Debian: left as it is"
    exit 0
fi
apt-get update -qq
grep -v '^#' .ci/apt.txt | xargs apt-get install -y -qq --no-install-recommends >/dev/null
