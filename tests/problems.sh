#!/bin/sh
# Tests the program that finds problems: it finds the first ones of the shipped files again, to the
# letter, and notices one that is different; the same candidates with two threads.
#     tests/problems.sh PROBLEMS PROGRAM
set -u
problems=$1 program=$2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0
complain() {
    echo "problems.sh: $1"
    failed=1
}

for game in verplant metro; do
    file=../web/games/$game/problems.records
    "$problems" --game $game --check 1-2 "$file" || complain "$game: the file is out of date"
    sed '/^---$/q' "$file" >"$folder/first"
    sed '$d' "$folder/first" | "$program" replay - >/dev/null || complain "$game: replay fails"
    sed 's/^\(note problem best . \).*/\1other/' "$folder/first" >"$folder/changed"
    "$problems" --game $game --check 1-1 "$folder/changed" 2>/dev/null &&
        complain "$game: a change is not noticed"
done
"$problems" --game metro --games 3-4 >"$folder/one"
"$problems" --game metro --games 3-4 --threads 2 >"$folder/two"
[ -s "$folder/one" ] || complain "two games have no candidate"
cmp -s "$folder/one" "$folder/two" || complain "two threads find something else"
exit $failed
