#!/bin/sh
# examples/random.c: compiled by the line in its comment, it plays games that the program accepts:
# random_example.sh PROGRAM LIBRARY.
. ./common.sh
library=$2
lines=$(wc -l <../examples/random.c)
[ "$lines" -le 60 ] || {
    echo "examples/random.c has $lines lines, at most 60"
    failed=1
}
mkdir "$work/build" || exit 1
ln -s "$(realpath ../include)" "$work/include"
ln -s "$(realpath ../examples)" "$work/examples"
ln -s "$library" "$work/build/libendstation.a"
line=$(sed -n 's/^ \*  *\(cc .*\)/\1/p' ../examples/random.c)
(cd "$work" && sh -c "$line") || {
    echo "this line of examples/random.c fails: $line"
    exit 1
}
games=$("$program" new --help | sed -n 's/^  \([a-z]*\)\( (default)\)*, .* players; bots.*/\1/p')
[ "$(echo "$games" | wc -l)" -ge 2 ] || failed=1
for game in $games; do
    "$work/random" "$game" 4711 >"$work/one.record" || failed=1
    "$work/random" "$game" 4711 | cmp - "$work/one.record" || failed=1
    "$work/random" "$game" 4712 | cmp -s - "$work/one.record" && failed=1
    has one.record "^game $game\$"
    expect 0 verify "$work/one.record"
    has out '^verified [1-9][0-9]* of [1-9][0-9]* chance events from the seed$'
    expect 0 replay "$work/one.record"
    has out '^over yes$'
done
"$work/random" >"$work/usual.record" || failed=1
expect 0 verify "$work/usual.record"
"$work/random" chess >"$work/out" 2>"$work/err"
[ $? = 2 ] || failed=1
has err '^random: no such game: chess$'
if [ -w /dev/full ]; then
    "$work/random" >/dev/full && failed=1
fi
exit $failed
