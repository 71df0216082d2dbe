#!/bin/sh
# Whole games in the terminal, from typed lines: play.sh PROGRAM.
. ./common.sh
seed=00000000000000000000000000000000000000000000000000000000000000ff

# A solo game: help, a mistake, an entry taken back, another confirmed, then gone away.
printf 'help\nQ3\nA9\nhepl\nstations\na\nA3\nB1\nundo\nundo\n\ne 3\n\nQuit\n' |
    "$program" play --seed $seed "$work/solo.record" >"$work/out" 2>&1 || failed=1
has out 'Write your entry like this'
has out '^ A 4/2 '
has out 'Q3: no such line'
has out 'A9: at most 4 here'
has out 'hepl: not understood'
has out ' 4 \. @ce  *Central, also B D E$'
has out 'Your entry is made: Enter confirms it'
has out '@r1 .*Old Market on C D'
has out 'nothing to take back'
has out 'An entry is needed'
has out 'A4 or fewer: Airfield, Orchard, West Park, Central$'
has out 'C<4 or fewer: Old Market, West Park, Water Mill, South Gate'
has out "$program play $work/solo.record"
has solo.record '^1 E3$'
lacks solo.record '^1 A3$'

# Gone on with, to the end: everything else stays in the file. Only what fits is taken.
cp "$work/solo.record" "$work/before.record"
printf '# a remark without newline' >>"$work/solo.record"
i=0
while [ $i -lt 40 ]; do
    printf '@r1\n@-\n\nA1\nB1\nC>1\nD1\nE1\nA0\nB0\nC0\nD0\nE0\n\n'
    i=$((i + 1))
done | "$program" play "$work/solo.record" >"$work/out" 2>&1 || failed=1
has out '^Going on with'
has out '^All windows are full'
has out ' points\. '
has solo.record '# a remark without newline$'
lines=$(wc -l <"$work/before.record")
head -n "$lines" "$work/solo.record" | cmp - "$work/before.record" || failed=1
"$program" replay "$work/solo.record" >"$work/replay" || failed=1
has replay '^over yes$'
# … and every card came from the seed: another game from it, played otherwise, has the same.
i=0
while [ $i -lt 60 ]; do
    printf '@-\n\nE0\nD0\nC0\nB0\nA0\n\n'
    i=$((i + 1))
done | "$program" play --seed $seed "$work/other.record" >"$work/out" 2>&1 || failed=1
grep '^card' "$work/solo.record" >"$work/cards"
grep '^card' "$work/other.record" >"$work/cards2"
cards=$(cat "$work/cards" "$work/cards2" | wc -l)
[ "$cards" -gt 26 ] || failed=1
for side in cards cards2; do
    head -n 13 "$work/$side" >"$work/$side.first"
done
cmp "$work/cards.first" "$work/cards2.first" || failed=1
"$program" play "$work/solo.record" </dev/null >"$work/out" 2>&1 || failed=1
has out '^All windows are full'

# Several at one screen: nobody sees what the others entered before all have.
printf '\nA1\n\n\nsheet\nquit\n' |
    "$program" play --players 2 --names Ada,Grace --seed $seed "$work/two.record" >"$work/out" 2>&1
has out 'Now Ada; the others look away'
sed -n '/Now Grace/,$p' "$work/out" >"$work/grace"
has grace 'Grace>'
lacks grace '\[4 \]' # Ada's window
printf '\nB2\n\n\n\n\nquit\n' | "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
has out 'Round 1: Ada A1, Grace B2'
has two.record '^2 B2$'

# Special stations: more entries with the same card; undo goes back through all of them.
printf 'B3\nsheet\nA1\nundo\nundo\nB3\nA1\n\nquit\n' |
    "$program" play --rules special --seed $seed "$work/special.record" >"$work/out" 2>&1
has out 'Central\*'
has out 'A special station is marked: 1 more entry with this card'
events=$(sed -n '/^card/,$p' "$work/special.record" | head -n 3 | tr '\n' ' ')
[ "$events" = 'card 4 1 B3 1 A1 ' ] || failed=1

# Without a seed the cards come from the system; a fixed setup is not overridden.
printf 'endstation-record 1\ngame verplant\nmap practice\nplayers 1\ndeck 6\n' >"$work/plain.record"
printf 'A0\n\nquit\n' | "$program" play "$work/plain.record" >"$work/out" 2>&1 || failed=1
has plain.record '^card 6$'
"$program" play --players 2 "$work/plain.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1

# Another player's sheet shows closed rounds only.
printf '\nsheet 1\nsheet 2\nsheet 3\nA1\n\n\nsheet 1\nquit\n' |
    "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
has out 'There are players 1 to 2'
sed -n '/Now Grace/,$p' "$work/out" >"$work/grace"
has grace '^ A 4/2    \[4 \]\[  \] '
lacks grace '^ A 4/2    \[4 \]\[3 \] '

# Nor does an entry that is not confirmed show what the others have done: the round stays open.
cat >"$work/race.map" <<'MAP'
endstation-map 1
id race
title Race
paper ffffff
station a 0 0
station b 1 0
station c 2 0
line A ff0000 windows 2 points 5 3 wagon 0 0 : a b
line B 00ff00 windows 2 points 4 2 wagon 0 0 : b c
MAP
printf '\nA2\n\n\nB2\nquit\n' |
    "$program" play --players 2 --deck 6 --map "$work/race.map" "$work/race.record" >"$work/out"
sed -n '/Now Player 2/,$p' "$work/out" >"$work/second"
has second 'Enter confirms, undo takes back'
has second '^ A 5/3 '
lacks second 'won'
lacks second '^ A -/3 '
printf '\nB2\n\n\n\nquit\n' |
    "$program" play --map "$work/race.map" "$work/race.record" >"$work/out" 2>&1
has out 'Player 1 completes line A: 5 points'
printf '\nA0\n\n\nquit\n' |
    "$program" play --map "$work/race.map" "$work/race.record" >"$work/out" 2>&1
sed -n '/Now Player 2/,$p' "$work/out" >"$work/second"
has second '^ A -/3 ' # the first value is gone

# A disk that is full in the middle of a line (here: a limit on the file's size): the file stays a
# record, with all that was confirmed before.
limited() {
    (
        trap '' XFSZ
        ulimit -f 2
        "$@"
    )
}
limited head -c 9999 /dev/zero >"$work/probe" 2>/dev/null
limit=$(wc -c <"$work/probe")
"$program" new --seed $seed >"$work/full.record"
printf '#' >>"$work/full.record"
size=$(wc -c <"$work/full.record")
{ head -c $((limit - size - 10)) /dev/zero | tr '\0' x && echo; } >>"$work/full.record"
printf 'A1\n\nA1\n\n' | limited "$program" play "$work/full.record" 2>&1 | cat >"$work/out"
has out 'cannot save'
has full.record '^1 A1$'
"$program" replay "$work/full.record" >/dev/null || failed=1
printf 'quit\n' | "$program" play "$work/full.record" >"$work/out" 2>&1 || failed=1
has full.record '^card 3$'

# A sheet of one's own: it needs an id of its own, and going on names its file.
"$program" maps practice | sed 's/windows 2/windows 1/' >"$work/mine.map"
"$program" play --map "$work/mine.map" "$work/mine.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] && [ ! -e "$work/mine.record" ] || failed=1
has out 'give yours one of its own'
sed -i 's/^id .*/id mine/' "$work/mine.map"
"$program" play --map "$work/mine.map" "$work/mine.record" </dev/null >"$work/out" 2>&1 || failed=1
has out "play --map=$work/mine.map $work/mine.record"

# One game, one process.
mkfifo "$work/keys"
"$program" play "$work/mine.record" --map "$work/mine.map" <"$work/keys" >"$work/out" 2>&1 &
exec 3>"$work/keys"
while ! grep -q 'Going on' "$work/out" 2>/dev/null && kill -0 $! 2>/dev/null; do
    printf '\n' >&3
done
"$program" play "$work/mine.record" --map "$work/mine.map" </dev/null >"$work/out2" 2>&1
[ $? = 1 ] || failed=1
has out2 'is being played elsewhere'
exec 3>&-
wait

# Long lines, binary, the end of input: nothing is lost, nothing crashes.
{
    head -c 100000 /dev/zero | tr '\0' 'A'
    printf '\n\377\376\001\nA0\n\n'
} | "$program" play "$work/plain.record" >"$work/out" 2>&1 || failed=1
[ "$(grep -c '^1 A0$' "$work/plain.record")" = 2 ] || failed=1

# A default place, and a place that cannot be written.
for game in 1 2 3; do # several within a second
    XDG_DATA_HOME=$work/data "$program" play </dev/null >"$work/out" 2>&1 || failed=1
done
[ "$(ls "$work/data/endstation" | wc -l)" = 3 ] || failed=1
"$program" play "$work/no/such/folder/x.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
exit $failed
