#!/bin/sh
# Kills and restarts servers and their PostgreSQL under load, and checks the whole history after it.
# Then plants faults in copies of that history, all of which the checker must find.
#     sh scripts/chaos.sh [whole|short|sqlite] [SEED] [BUILD]
# whole: three processes on PostgreSQL, every fault of bench/chaos.c, about 7 minutes; people must
# be back within 3 s after a process was killed, and have all answers 3 s after PostgreSQL is back.
# short: the same with a few faults, without limits of time. sqlite: one process with SQLite.
# 77: PostgreSQL is not installed. ES_PROCESSES: another number of processes. What is needed is in
# BUILD, or it is built in build/.
set -eu
part=${1:-whole}
seed=${2:-1}
build=${3:-build}
scripts=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 3 ]; then
    cmake --build "$build" --target program chaos history -- --no-print-directory -s >/dev/null
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/chaos-XXXXXX") # the names of sockets are short
chmod 711 "$folder"
mkdir "$folder/work"
postgres=
stop() {
    [ -z "$postgres" ] || sh "$scripts/postgres.sh" stop "$postgres" immediate || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM

# chaos OPTIONS: prints the end of what the servers said if something was wrong.
failed=0
chaos() {
    "$build/chaos" --serve "$build/endstation" --folder "$folder/work" --seed "$seed" "$@" || {
        failed=1
        tail -n 20 "$folder"/work/server-*.log
    }
}

start_postgres() {
    sh "$scripts/postgres.sh" start "$folder/postgres" >"$folder/address" || exit $?
    postgres=$folder/postgres
    address=$(cat "$folder/address")
}

# plant WHAT WORDS SQL: in a copy of the database, the SQL makes a fault in the room `r`, whose last
# move is its entry `m`; the checker must find it, with these words.
planted=0
plant() {
    planted=$((planted + 1))
    copy=$(sh "$scripts/postgres.sh" database "$postgres" planted$planted postgres)
    "$build/history" "$copy" --sql "SET search_path = endstation;
        CREATE TEMP TABLE place AS SELECT room AS r, max(number) AS m FROM entry
            WHERE kind = ascii('e') GROUP BY room ORDER BY max(number) DESC, room LIMIT 1;
        $3"
    if "$build/history" "$copy" "$folder/work/log" >"$folder/found" ||
        ! grep -q "$2" "$folder/found"; then
        echo "a planted $1 was not found:"
        cat "$folder/found"
        exit 1
    fi
    echo "a planted $1 is found: $(grep -m 1 "$2" "$folder/found")"
}

plant_all() {
    plant loss "was acknowledged and is lost" \
        "DELETE FROM entry USING place WHERE room = r AND number = m;
        UPDATE entry SET number = -number FROM place WHERE room = r AND number > m;
        UPDATE entry SET number = -number - 1 FROM place WHERE room = r AND number < 0;
        UPDATE room SET next = next - 1 FROM place WHERE n = r;"
    plant double "was acknowledged once and is there 2 times" \
        "DROP INDEX entry_decision;
        INSERT INTO entry (room, number, time, kind, seat, decision, guest, key, text)
            SELECT room, next, time, kind, seat, decision, guest, key, text
            FROM entry, place, room WHERE room = r AND number = m AND n = r;
        UPDATE room SET next = next + 1 FROM place WHERE n = r;"
    plant alteration "was acknowledged as" \
        "UPDATE entry SET text = (SELECT text FROM entry, place
            WHERE room = r AND kind = ascii('e') ORDER BY number LIMIT 1)
        FROM place WHERE room = r AND number = m;"
    plant gap "there is a gap" \
        "UPDATE entry SET number = -number FROM place WHERE room = r AND number >= m;
        UPDATE entry SET number = -number + 1 FROM place WHERE room = r AND number < 0;
        UPDATE room SET next = next + 1 FROM place WHERE n = r;"
}

# cluster OPTIONS: chaos on PostgreSQL.
cluster() {
    start_postgres
    chaos --postgres "$postgres" --script "$scripts/postgres.sh" \
        --processes "${ES_PROCESSES:-3}" "$@"
}

case $part in
whole)
    cluster --rooms 60 --watchers 1 --rate 150 --kills 50 --drains 5 --halts 5 --restarts 10 \
        --crashes 5 --sessions 40 --breaks 5 --cuts 40 --storm 60 --calm 10 --within 3000
    ;;
short)
    cluster --rooms 6 --watchers 1 --rate 80 --kills 3 --restarts 1 --crashes 1 --sessions 1 \
        --cuts 1 --calm 0
    ;;
sqlite) chaos --rooms 8 --rate 100 --kills 5 --calm 0 ;;
*) echo "chaos.sh: there is no '$part'" >&2 && exit 2 ;;
esac
[ "$part" != sqlite ] || address=$folder/work/data/rooms.db
"$build/history" "$address" "$folder/work/log" || failed=1
[ $failed = 0 ] || exit 1
[ "$part" = sqlite ] || plant_all
