#!/bin/sh
# Plays a game between two of examples/room.py over a server: tests/example.sh PROGRAM. With the
# variable ES_CLUSTER that is several processes (scripts/cluster.sh); 77: they cannot be started.
set -eu
program=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/endstation-example-XXXXXX")
server=
stop() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap stop EXIT

# Waits until a file has a line with that pattern, and prints the line; the process writes it.
line_of() {
    while ! grep -m 1 "$2" "$1" 2>/dev/null; do
        grep -q '^State:[[:space:]]*[^ZX]' "/proc/$3/status" 2>/dev/null || {
            echo "example: it ended without '$2':" >&2
            cat "$1" >&2
            exit 1
        }
        sleep 0.1
    done
}

lines=$(wc -l <../examples/room.py)
[ "$lines" -le 150 ] || {
    echo "example: examples/room.py has $lines lines, at most 150" >&2
    exit 1
}
chmod 711 "$folder" # a database may run as another user
scatter=
[ "${ES_CLUSTER:-}" != scatter ] || scatter=--scatter
# The same as "$program" serve ….
serve() {
    if [ -n "${ES_CLUSTER:-}" ]; then
        exec sh ../scripts/cluster.sh "$program" "$@" $scatter
    fi
    exec "$program" serve "$@"
}
serve --port 0 --data "$folder/data" --no-open >"$folder/server" 2>"$folder/log" &
server=$!
url=$(line_of "$folder/server" 'Endstation is at' "$server" | sed 's/.* at \([^ ,]*\).*/\1/')
[ -n "$url" ] || {
    cat "$folder/log" >&2
    wait "$server" || exit $?
    exit 1
}
export ENDSTATION="$program"
python3 ../examples/room.py "$url" --make 'game metro/players 2' >"$folder/first" 2>&1 &
first=$!
code=$(line_of "$folder/first" '^room' "$first" | sed 's/.* code //')
python3 ../examples/room.py "$url" --code "$code" >"$folder/second" 2>&1 || {
    cat "$folder/second" >&2
    exit 1
}
wait "$first" || {
    cat "$folder/first" >&2
    exit 1
}
cmp "$folder/first" "$folder/second"
grep -q '^commit, words and seed fit' "$folder/first"
grep -q '^over yes' "$folder/first"
echo "example: two clients have played a game, and its shuffle was checked"
