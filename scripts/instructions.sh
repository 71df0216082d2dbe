#!/bin/sh
# Counts the instructions of a move (an entry with its card, a tile laid and the next one dealt)
# with callgrind: the same number on every run of a binary, whatever else the machine does.
set -eu
program=${1:-build/endstation}
games=2000
if ! command -v valgrind >/dev/null 2>&1; then
    echo "instructions: not counted, valgrind is not installed"
    exit 0
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for way in verplant_sheet verplant_game metro_board metro_game; do
    bench=$(valgrind --tool=callgrind --callgrind-out-file="$out" --toggle-collect="bench_$way" \
        "$program" bench --games $games 2>/dev/null | grep "^bench ${way%_*} ")
    events=$(echo "$bench" | sed 's/.* events \([0-9]*\) .*/\1/')
    total=$(sed -n 's/^summary: //p; s/^totals: //p' "$out" | head -n 1)
    # Five passes; half of the events are moves, the others their cards or tiles.
    echo "instructions: $way $((total / (events / 2 * 5))) a move"
done
