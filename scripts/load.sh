#!/bin/sh
# Measures the server with rooms as docs/performance.md states it, each time with a fresh folder of
# data: sh scripts/load.sh [steady|reconnect|curve|ceiling|cluster|notify …] (default: all of them).
# `sh scripts/load.sh curve | sh scripts/load-plot.sh >docs/pictures/load.svg` draws the picture.
#
# Nothing else should run on the machine. Needs build/endstation; builds the rest.
set -eu
cd "$(dirname "$0")/.."
ulimit -n "$(ulimit -H -n)"
cmake --build build --target load bench_store -- --no-print-directory -s >/dev/null
folder=$(mktemp -d)
chmod 711 "$folder" # PostgreSQL may be another user's
servers=
postgres=
# stop: ends the servers of this script, if any run, and their PostgreSQL.
stop() {
    for server in $servers; do
        kill "$server" 2>/dev/null && wait "$server" || true
    done
    servers=
    [ -z "$postgres" ] || sh scripts/postgres.sh stop "$postgres"
    postgres=
}
trap 'stop; rm -rf "$folder"' EXIT

# begin PROGRAM …: starts one more server; sets `port` to what it prints last on its first line.
begin() {
    : >"$folder/out"
    "$@" >"$folder/out" 2>"$folder/err" &
    server=$!
    servers="$servers $server"
    until grep -q '[0-9]$' "$folder/out"; do sleep 0.1; done
    port=$(sed -n '1s/.*[^0-9]//;1p' "$folder/out")
}

# start PROGRAM …: the same, as the only one.
start() {
    stop
    begin "$@"
}

# load OPTIONS: a server with nothing in it, and bench/load.c beside it.
load() {
    rm -rf "$folder/data"
    start build/endstation serve --port 0 --data "$folder/data" --no-open
    build/load "$port" --pid "$server" "$@"
    stop # here, since a pipeline runs this in a subshell
}

# cluster PROCESSES: that many servers on one PostgreSQL; sets `ports` and `processes`.
cluster() {
    stop
    rm -rf "$folder/postgres"
    address=$(sh scripts/postgres.sh start "$folder/postgres")
    postgres=$folder/postgres
    ports=
    processes=
    for _ in $(seq "$1"); do
        begin build/endstation serve --port 0 --store "$address" --no-open
        ports=$ports${ports:+,}$port
        processes=$processes${processes:+,}$server
    done
}

insert="INSERT INTO simple (room, text) VALUES (:room, '1 aacb d8');"

# simple: makes a table for pgbench.
simple() {
    bench="$(sh scripts/postgres.sh find)/pgbench -h $postgres -U endstation -n"
    echo 'CREATE TABLE simple (n bigserial PRIMARY KEY, room bigint, text text);' \
        >"$folder/create.sql"
    $bench -t 1 -f "$folder/create.sql" postgres >/dev/null 2>&1
}

# commits CONNECTIONS SQL …: how many such transactions a second PostgreSQL does by itself.
commits() {
    connections=$1
    shift
    printf '%s\n' '\set room random(1, 1000)' "$@" >"$folder/commit.sql"
    $bench -M prepared -c "$connections" -j 2 -T 5 -f "$folder/commit.sql" postgres 2>/dev/null |
        sed -n 's/^tps = \([0-9]*\).*/\1 a second/p'
}

# inserts: transactions of one row.
inserts() {
    simple
    for connections in 1 8 32; do
        printf 'pgbench, inserts by %s connections: ' $connections
        commits $connections "$insert"
    done
}

# notices PROCESSES: transactions of two rows by ten connections, without and with a NOTIFY that so
# many processes hear.
notices() {
    cluster "$1"
    simple
    notify="SELECT pg_notify('endstation', E'nobody\\nz aaaaaaaaaaaaaaaa 7\\n');"
    printf 'processes that listen: %s; without NOTIFY: ' "$1"
    commits 10 'BEGIN;' "$insert" "$insert" 'COMMIT;'
    printf '  NOTIFY in a transaction of its own: '
    commits 10 'BEGIN;' "$insert" "$insert" 'COMMIT;' \
        "SELECT set_config('synchronous_commit', 'off', true), ${notify#SELECT }"
    printf '  NOTIFY in the same one: '
    commits 10 'BEGIN;' "$insert" "$insert" "$notify" 'COMMIT;'
}

# many PROCESSES WHAT OPTIONS: a cluster with nothing in it, and bench/load.c beside it.
many() {
    what=$2
    cluster "$1"
    shift 2
    printf '%s: ' "$what"
    main=$(head -n 1 "$postgres/data/postmaster.pid")
    build/load "$ports" --pid "$processes" --postgres "$main" --watchers 0 "$@" |
        sed -n 's/^steady: //p'
}

measure() {
    echo "== $1"
    case $1 in
    steady) load --rooms 500 --seats 4 --watchers 16 --rate 500 --seconds 30 ;;
    reconnect) load --rooms 500 --seats 4 --watchers 16 --rate 500 --seconds 30 --reconnect ;;
    curve)
        for rate in 100 500 1000 1500 2000 2500 3000 3500 4000; do
            printf '%s wanted, ' $rate
            load --rooms 1000 --seats 4 --watchers 0 --rate $rate --seconds 10 |
                sed -n 's/^steady: //p'
        done
        ;;
    ceiling)
        build/bench_store "$folder" 5
        start build/tests/echo_server
        printf 'echo: ' && build/load "$port" --echo --rooms 100 --seconds 5
        for seats in 1 4; do
            printf '%s recipients: ' $seats
            load --rooms $((4000 / seats)) --seats $seats --watchers 0 --rate 100000 --seconds 5 |
                sed -n 's/^steady: //p'
        done
        ;;
    cluster)
        for count in 1 2 3; do
            echo "processes: $count"
            many $count 'rooms whole, 500 wanted' --rooms 500 --rate 500 --seconds 15
            many $count 'rooms spread, 500 wanted' --rooms 500 --rate 500 --seconds 15 --spread
            many $count 'rooms whole' --rooms 1000 --rate 100000 --seconds 8
            many $count 'rooms spread' --rooms 1000 --rate 100000 --seconds 8 --spread
            inserts
        done
        ;;
    notify)
        notices 1
        notices 10
        ;;
    *) echo "load.sh: there is no '$1'" >&2 && exit 2 ;;
    esac
    stop
}

[ $# -gt 0 ] || set -- steady reconnect curve ceiling cluster notify
for part; do measure "$part"; done
