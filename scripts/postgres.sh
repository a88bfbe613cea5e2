# Sourced by test.sh: starts a PostgreSQL of our own on loopback, with a throw-away data directory and a
# password, and exports SCUMBLE_POSTGRES, its address. `stop_postgres` stops it and removes all of it. Where there is
# no PostgreSQL and none can be installed, it says so and exports nothing: the tests that need one are skipped.

postgres_dir=

find_postgres() {
    if command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
        dirname "$(command -v initdb)"
        return
    fi
    { ls -d /usr/lib/postgresql/*/bin 2>/dev/null || true; } | sort -t/ -k5 -V | tail -n 1
}

# PostgreSQL refuses to run as root.
as_postgres() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

start_postgres() {
    local bin port password
    bin=$(find_postgres)
    if [ -z "$bin" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends postgresql; } \
            >/dev/null 2>&1 || true
        bin=$(find_postgres)
    fi
    if [ -z "$bin" ] || [ ! -x "$bin/initdb" ]; then
        echo "there is no PostgreSQL here: its tests are skipped"
        return 0
    fi
    if [ "$(id -u)" -eq 0 ] && ! id postgres >/dev/null 2>&1; then
        useradd --system --no-create-home --shell /usr/sbin/nologin postgres || return 0
    fi
    postgres_dir=$(mktemp -d)
    chmod 755 "$postgres_dir"
    password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
    printf '%s\n' "$password" >"$postgres_dir/password"
    mkdir "$postgres_dir/data"
    if [ "$(id -u)" -eq 0 ]; then
        chown -R postgres "$postgres_dir"
    fi
    # A port that nobody uses now; another one is tried where somebody takes it first.
    for _ in 1 2 3 4 5; do
        port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 30000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue
        if [ ! -e "$postgres_dir/data/PG_VERSION" ]; then
            as_postgres "$bin/initdb" --pgdata="$postgres_dir/data" --username=tester --pwfile="$postgres_dir/password" \
                --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$postgres_dir/initdb.log" 2>&1 || break
        fi
        if as_postgres "$bin/pg_ctl" --pgdata="$postgres_dir/data" --log="$postgres_dir/data/log" --silent --wait --options \
            "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c fsync=off" start >/dev/null 2>&1; then
            postgres_bin=$bin
            export SCUMBLE_POSTGRES="postgres://tester:$password@127.0.0.1:$port/postgres"
            return 0
        fi
    done
    echo "PostgreSQL does not start: its tests are skipped"
    stop_postgres
}

stop_postgres() {
    if [ -n "${postgres_bin:-}" ]; then
        as_postgres "$postgres_bin/pg_ctl" --pgdata="$postgres_dir/data" --silent --mode=immediate stop >/dev/null 2>&1 || true
    fi
    if [ -n "$postgres_dir" ]; then
        rm -rf "$postgres_dir"
    fi
}
