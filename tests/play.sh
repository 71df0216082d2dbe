#!/bin/sh
# Whole games in the terminal, from typed lines: play.sh PROGRAM.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
seed=00000000000000000000000000000000000000000000000000000000000000ff

has() {
    if ! grep -q -e "$2" "$work/$1"; then
        echo "expected '$2' in $1:"
        cat "$work/$1"
        failed=1
    fi
}
lacks() {
    if grep -q -e "$2" "$work/$1"; then
        echo "did not expect '$2' in $1"
        failed=1
    fi
}

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
# … and every card came from the seed.
"$program" new --seed $seed >"$work/new.record"
grep '^card' "$work/solo.record" | head -n 1 >"$work/first"
grep '^card' "$work/new.record" | cmp - "$work/first" || failed=1
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
