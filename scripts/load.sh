#!/bin/sh
# Measures the server with rooms as docs/performance.md states it, each time with a fresh folder of
# data: sh scripts/load.sh [steady|reconnect|curve|ceiling …] (default: all of them).
# `sh scripts/load.sh curve | sh scripts/load-plot.sh >docs/pictures/load.svg` draws the picture.
#
# Nothing else should run on the machine. Needs build/endstation; builds the rest.
set -eu
cd "$(dirname "$0")/.."
ulimit -n "$(ulimit -H -n)"
cmake --build build --target load bench_store -- --no-print-directory -s >/dev/null
folder=$(mktemp -d)
server=
# stop: ends the server of this script, if one runs.
stop() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
    server=
}
trap 'stop; rm -rf "$folder"' EXIT

# start PROGRAM …: starts a server and sets `port` to what it prints last on its first line.
start() {
    stop
    : >"$folder/out"
    "$@" >"$folder/out" 2>"$folder/err" &
    server=$!
    until grep -q '[0-9]$' "$folder/out"; do sleep 0.1; done
    port=$(sed -n '1s/.*[^0-9]//;1p' "$folder/out")
}

# load OPTIONS: a server with nothing in it, and bench/load.c beside it.
load() {
    rm -rf "$folder/data"
    start build/endstation serve --port 0 --data "$folder/data" --no-open
    build/load "$port" --pid "$server" "$@"
    stop # here, since a pipe runs this in a shell of its own
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
    *) echo "load.sh: there is no '$1'" >&2 && exit 2 ;;
    esac
    stop
}

[ $# -gt 0 ] || set -- steady reconnect curve ceiling
for part; do measure "$part"; done
