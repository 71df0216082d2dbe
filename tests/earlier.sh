#!/bin/sh
# Earlier versions of built-in sheets (maps/earlier): nobody is offered them, but records that name
# their hash go on with them. earlier.sh PROGRAM
. ./common.sh
old=7489d4756c6cb1924e7d9964d2ab1bcd
sheet=../maps/earlier/amsterdam.$old.map

# The game in earlier/ was recorded, and replayed, when Amsterdam had other values.
record=earlier/amsterdam.record
grep -q "^map amsterdam $old\$" $record || failed=1
expect 0 replay $record
cmp "$work/out" earlier/amsterdam.replay || failed=1
has out '^done 1 A=5 '
expect 0 verify $record
has out '^verified '

# It is drawn and analysed on the sheet that it names.
expect 0 draw -o "$work/it.svg" $record
expect 0 draw --map $sheet -o "$work/named.svg" $record
cmp "$work/it.svg" "$work/named.svg" || failed=1
sed '/^1 E3$/q' $record >"$work/begun.record"
expect 0 analyse --json "$work/begun.record"
cp "$work/out" "$work/it.json"
expect 0 analyse --json --map $sheet "$work/begun.record"
cmp "$work/out" "$work/it.json" || failed=1

# It is played on, and keeps its hash.
printf '\nI4\n\n' | "$program" play "$work/begun.record" >"$work/out" 2>&1 || failed=1
has begun.record "^map amsterdam $old\$"
has begun.record '^1 I4$'
has out ' A 5/3 '

# It is counted apart from games on the sheet of today, and compared with bots on its own.
today=$("$program" maps | sed -n 's/^amsterdam .* //p')
[ -n "$today" ] && [ "$today" != $old ] || failed=1
sed "s/ $old\$/ $today/" $record >"$work/today.record"
expect 0 stats $record "$work/today.record"
has out '^verplant amsterdam (earlier version), alone: 1 game$'
has out '^verplant amsterdam, alone: 1 game$'
has out '^  mean 49\.00, '
has out '^  mean 50\.00, '
[ "$(grep -c '^  greedy .* of 2000 games' "$work/out")" = 2 ] || failed=1
expect 0 stats --json $record "$work/today.record"
has out "\"hash\":\"$old\",\"title\":\"Amsterdam\",\"built_in\":true,\"earlier\":true"
has out "\"hash\":\"$today\",\"title\":\"Amsterdam\",\"built_in\":true,\"rules\""
expect 0 stats --csv $record "$work/today.record"
has out ",amsterdam,$old,Amsterdam,"

# A record without a hash means the sheet of today, whatever was read before it.
sed "s/ $old\$//" $record >"$work/bare.record"
expect 0 replay "$work/bare.record"
has out ' total 50$'
expect 0 stats --csv $record "$work/bare.record"
has out ",amsterdam,$today,Amsterdam,.*,50,"

# A hash that no version has is refused, and so is one of another sheet.
sed "s/ $old\$/ $(printf %032d 0)/" $record >"$work/strange.record"
expect 1 replay "$work/strange.record"
sed "s/^map amsterdam /map berlin /" $record >"$work/strange.record"
expect 1 replay "$work/strange.record"

# It is not offered.
expect 0 maps
lacks out $old
expect 0 new --map amsterdam
has out "^map amsterdam $today\$"
exit $failed
