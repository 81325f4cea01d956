# On a real PostgreSQL, started here for as long as they run: the store's tests again, and two servers that
# share a club's rounds.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$bin" ]; then
    echo "no PostgreSQL here: skipped"
    exit 0
fi
.venv/bin/pip install -q -e ".[test,postgres]"
data=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
    chown postgres "$data"
    as=(runuser -u postgres --)
fi
stop() {
    "${as[@]}" "$bin/pg_ctl" -D "$data/db" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$data"
}
trap stop EXIT
cd "$data"
"${as[@]}" "$bin/initdb" -D "$data/db" -U club -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
port=$((20000 + $$ % 20000))
"${as[@]}" "$bin/pg_ctl" -D "$data/db" -w -l "$data/log" \
    -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=$data -c fsync=off" start >/dev/null
cd "$OLDPWD"
export COMPANION_TEST_POSTGRES=postgresql://club@127.0.0.1:$port/postgres
.venv/bin/python -m pytest -q tests/store
.venv/bin/python -m pytest -q tests/serve/test_club.py -m "slow or not slow"
