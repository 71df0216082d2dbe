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
# What is in the file that is kept stays, though its figures may be others; the rest is chosen anew.
awk 'BEGIN { for (i = 0; i < 48; i++) {
    printf "# game %d set %d kind %d stage %d trivial 0", i, i % 12, i % 5, i % 3
    printf " difficulty %d\nnote problem from %d 7\nnote problem difficulty %d\n---\n", i, i, i
} }' >"$folder/candidates"
"$problems" --game metro --select 8 "$folder/candidates" >"$folder/chosen" 2>/dev/null
for i in 17 18 23 31; do
    grep -q "from $i 7" "$folder/chosen" || kept="${kept:-} $i"
done
[ "$(grep -c '^---$' "$folder/chosen")" = 8 ] && [ -n "${kept:-}" ] || complain "nothing to keep"
for i in $kept; do
    printf 'note problem from %d 7\nnote problem difficulty 99\n---\n' "$i"
done >"$folder/kept"
"$problems" --game metro --select 8 --keep "$folder/kept" "$folder/candidates" \
    >"$folder/again" 2>/dev/null
[ "$(grep -c '^---$' "$folder/again")" = 8 ] || complain "another number of problems with --keep"
for i in $kept; do
    grep -A1 "from $i 7" "$folder/again" | grep -q "difficulty $i" || complain "$i is not kept"
done
exit $failed
