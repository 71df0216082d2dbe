#!/bin/sh
# The engine protocol, as other programs speak it: engine.sh PROGRAM.
. ./common.sh
seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
"$program" new --players 2 --names Ada,Grace --seed $seed >"$work/two.record"
"$program" new --game metro --players 2 --seed $seed >"$work/metro.record"

# engine [ARGUMENTS…]: runs the engine with the dialogue on standard input; leaves $work/out,
# without its first line.
engine() {
    timeout 20 "$program" engine "$@" >"$work/all" 2>"$work/err"
    got=$?
    if [ $got != 0 ] || [ -s "$work/err" ]; then
        echo "the engine ended with status $got:"
        cat "$work/err"
        failed=1
    fi
    head -n 1 "$work/all" | grep -q '^endstation-engine 1 endstation [0-9.]*$' || {
        echo "the engine does not say its name: $(head -n 1 "$work/all")"
        failed=1
    }
    tail -n +2 "$work/all" >"$work/out"
}
# position FILE: prints the lines that set it up.
position() {
    echo position
    cat "$1"
    echo end
}
# answers LINES…: what $work/out must be.
answers() {
    printf '%s\n' "$@" >"$work/wanted"
    if ! cmp -s "$work/wanted" "$work/out"; then
        echo "the engine answered otherwise:"
        diff "$work/wanted" "$work/out"
        failed=1
    fi
}

# A dialogue to the letter, except for the time.
{
    echo isready
    position "$work/two.record"
    printf '%s\n' replay moves 'go player 2 level greedy seed 7 iterations 10' \
        'go seed 7 level greedy iterations 10 player 2' quit
    echo isready
} | engine
best=$(tail -n 1 "$work/out")
has out '^best 2 [A-E][<>]*3$'
{
    echo readyok
    echo ok
    "$program" replay "$work/two.record"
    echo end
    "$program" moves "$work/two.record"
    echo end
    printf '%s\n' 'info iterations 0 ms T' "$best" 'info iterations 0 ms T' "$best"
} >"$work/wanted"
sed 's/ ms [0-9]*$/ ms T/' "$work/out" | diff "$work/wanted" - || failed=1

# Every error leaves everything as it was.
{
    printf '%s\n' moves replay 'go player 1 level random'
    position "$work/two.record"
    printf '%s\n' position nonsense end
    printf '%s\n' position 'endstation-record 1' 'game verplant' 'map practice' 'players 1' '' \
        'card 4' '2 A1' end
    printf '%s\n' position 'endstation-record 1' 'game verplant' 'map nowhere' 'players 1' end
    printf '%s\n' position end
    printf '%s\n' nonsense 'moves 1' 'isready now' 'position x' 'quit now' go 'go player 1' \
        'go level random' 'go player 0 level random' 'go player 3 level random' \
        'go player 7 level random' 'go player -1 level random' 'go player 1 level clever' \
        'go player 1 level flat:' 'go player 1 level random ms 0' \
        'go player 1 level random ms 99999999999999999999999' \
        'go player 1 level random iterations 4294967296' 'go player 1 level random seed x' \
        'go player 1 level random seed' 'go player 1 player 1 level random' \
        'go player 1 level random depth 3' 'ms 5' end ok best
    printf 'isready\001\nis\000ready\n\377\n'
    printf '\n   \n# a remark\nstop\n  \tisready \r\n'
    printf 'go player 1 level random seed 4294967295 ms 5\nreplay'
} | engine
"$program" replay "$work/two.record" >"$work/replay"
sed 's/ ms [0-9]*$/ ms T/; s/^best 1 .*/best 1 EVENT/' "$work/out" >"$work/out2"
mv "$work/out2" "$work/out"
control='error not UTF-8 text, or a control character in it'
needs="error go needs a player and a level, like 'go player 1 level strong'"
nobody='there is no such player'
level='this game has no bot of that level'
range='the number is out of range'
number='a whole number without sign or leading zeros is expected'
extra='nothing more is expected on this line'
unknown='unknown word'
answers 'error there is no position yet' 'error there is no position yet' \
    'error there is no position yet' ok \
    "error 1: a record begins with the line 'endstation-record 1'" \
    "error 7: '2 A1': $nobody" \
    "error 3: 'nowhere': this sheet is not built in: name its file with --map" \
    "error 1: a record begins with the line 'endstation-record 1'" \
    "error 'nonsense': $unknown" "error '1': $extra" "error 'now': $extra" "error 'x': $extra" \
    "error 'now': $extra" "$needs" "$needs" "$needs" "error '0': $nobody" \
    "error player 3: $nobody" "error '7': $nobody" "error '-1': $number" \
    "error 'clever': $level" "error 'flat:': $level" "error '0': $range" \
    "error '99999999999999999999999': $range" "error '4294967296': $range" \
    "error 'x': $number" "error 'seed': something is missing at the end of this line" \
    "error 'player': may be given only once" "error 'depth': $unknown" "error 'ms': $unknown" \
    "error 'end': $unknown" "error 'ok': $unknown" "error 'best': $unknown" \
    "$control" "$control" "$control" readyok 'info iterations 0 ms T' 'best 1 EVENT' \
    "$(cat "$work/replay")" end

# `go` for a player who cannot move: after an entry, before a card, at the end, with hidden tiles.
sed '/^card/d' "$work/two.record" >"$work/before.record"
{ cat "$work/two.record" && echo '1 A0'; } >"$work/half.record"
"$program" view --player 1 "$work/metro.record" >"$work/view.record"
{
    position "$work/half.record"
    echo 'go player 1 level random'
    position "$work/before.record"
    echo 'go player 1 level random'
    position conformance/0001.record
    echo 'go player 1 level random'
    position "$work/view.record"
    printf '%s\n' 'go player 2 level random' 'go player 1 level random seed 1'
    "$program" view --player 2 "$work/metro.record" >"$work/other.record"
    position "$work/other.record"
    echo 'go player 1 level random'
} | engine
has out '^error player 1: it is not this player.s turn$'
has out '^error player 1: a card, tile or roll must come first$'
has out '^error player 2: it is not this player.s turn$'
has out "^error player 1: this view hides the player's own tiles\$"
has out '^best 1 '

# Thinking: iterations and a seed always give the same answer, whenever the input ends; `stop` gives
# the best so far at once, and lines that came before it are answered afterwards; the end of input
# ends it.
candidates='^info 1 .* points [-0-9.]* win [01]\.[0-9]* samples [0-9]*$'
for i in 1 2; do
    {
        position "$work/metro.record"
        echo 'go player 1 level strong iterations 300 seed 9'
    } | engine
    has out "$candidates"
    grep -v ' ms ' "$work/out" >"$work/thought$i"
done
cmp "$work/thought1" "$work/thought2" || failed=1
{
    position "$work/two.record"
    echo 'go player 1 level master iterations 4294967295'
    sleep 0.1
    printf '%s\n' isready stop moves
    echo 'go player 1 level master ms 3000000 seed 2'
} | engine
has out '^best 1 '
[ "$(grep -c '^best 1 ' "$work/out")" = 2 ] || failed=1
[ "$(grep -v '^info' "$work/out" | sed -n 3p)" = readyok ] || failed=1

# A player's own sheet: all positions are on it.
sed 's/^id .*/id mine/' ../maps/practice.map >"$work/mine.map"
sed 's/^map .*/map mine/' "$work/two.record" >"$work/mine.record"
{
    position "$work/mine.record"
    position "$work/two.record"
    position "$work/metro.record"
    echo 'go player 1 level greedy'
} | engine --map "$work/mine.map"
has out '^ok$'
has out '^error 3: .*the map given does not have the id that the record names$'
has out "^error 0: '--map': this game has no map\$"
has out '^best 1 '
expect 1 engine --map /nowhere.map
expect 2 engine --map -
expect 2 engine something

# Hostile: endless lines, endless positions, rubbish, an end in the middle; then it still works.
[ "${2:-}" = sanitized ] || ulimit -v 400000
{
    head -c 1000000 /dev/zero
    printf '\n'
    head -c 70000 /dev/zero | tr '\0' x
    printf '\nposition\nendstation-record 1\nnote '
    head -c 70000 /dev/zero | tr '\0' x
    printf '\nend\nposition\n'
    yes 'note 12345678901234567890123456789012345678901234567890' | head -c 18000000
    printf '\nend\nposition\r\n'
    sed 's/$/\r/' "$work/two.record"
    printf 'end\r\nisready\r\n'
} | engine
answers 'error a line is longer than 65535 bytes' 'error a line is longer than 65535 bytes' \
    'error 2: a line is longer than 65535 bytes' 'error 0: the file is larger than 16 MiB' \
    ok readyok
head -c 100000 /dev/urandom | engine
{ echo position && head -c 100 "$work/two.record"; } | engine
: | engine
if [ -w /dev/full ]; then
    echo isready | "$program" engine >/dev/full 2>"$work/err"
    [ $? = 1 ] && [ -s "$work/err" ] || failed=1
fi
exit $failed
