#!/bin/sh
# Programs as opponents in the terminal, from typed lines: programs.sh PROGRAM. (tests/arena.sh has
# those of the arena, tests/bot_example.sh the example.)
. ./common.sh
seed=00000000000000000000000000000000000000000000000000000000000000ff
engine="exec:'$program' engine"
hello='echo endstation-engine 1 test 1'

# play LINES ARGUMENTS…: types the lines; leaves $work/out and $work/err.
play() {
    lines=$1
    shift
    # shellcheck disable=SC2059 # the lines are a format
    printf "$lines" | "$program" play "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got = "${wanted:-0}" ] || {
        echo "play $*: exit status $got instead of ${wanted:-0}"
        cat "$work/out" "$work/err"
        failed=1
    }
}

# A program and a bot beside a person. Seats have names of their own, or those of their commands;
# the hint for continuing has the command, and with it the record is not rewritten.
play 'A1\n\nquit\n' --seed $seed --bots "mine=$engine@level=greedy,Hal=random" "$work/game.record"
has game.record '^player 2 mine$'
has game.record '^bot 2 exec$'
has game.record '^player 3 Hal$'
has game.record '^bot 3 random$'
has game.record '^2 [A-E]'
has out '^Round 1: Player 1 A1, mine [A-E][<>]*[0-4], Hal '
hint=$(sed -n 's/.*Continue with: //p' "$work/out")
echo '# kept' >>"$work/game.record"
printf 'B1\n\nquit\n' | sh -c "$hint" >"$work/out" 2>&1 || failed=1
has out '^Round 2: Player 1 B1, mine '
has game.record '^# kept$'
play 'A1\n\nquit\n' --seed $seed --bots "$engine@level=random" "$work/unnamed.record"
name=$(printf '%s' "'$program' engine" | cut -c 1-60)
grep -qxF "player 2 $name" "$work/unnamed.record" || failed=1
# The program's moves are those of its level with the same seed.
play 'A1\n\nquit\n' --seed $seed --bots greedy,random "$work/own.record"
for record in own game; do
    sed -n '/^$/,/^3 /p' "$work/$record.record" >"$work/$record.events"
done
cmp "$work/own.events" "$work/game.events" || failed=1
# Metro: the program is asked again after it has drawn.
cat >"$work/draws.sh" <<SH
# Draws on every turn: the second position of a turn has its draw.
$hello
drawn=0
while read -r line; do
    case \$line in
    position) drawn=0; : >"$work/position" ;;
    *draw) drawn=1 ;;
    [0-9]*) drawn=0 ;;
    end) echo ok ;;
    go*)
        move=draw
        [ \$drawn = 0 ] ||
            move=\$('$program' moves "$work/position" | sed -n '1s/^2 //p')
        echo "best 2 \$move"
        ;;
    esac
    [ "\$line" = position ] || [ "\$line" = end ] || echo "\$line" >>"$work/position"
done
SH
play 'd1\n\nquit\n' --game metro --seed $seed --bots "exec:sh $work/draws.sh" "$work/metro.record"
has metro.record '^2 draw$'
has metro.record '^2 [a-d]\{4\} [a-h][1-8]$'

# Records do not keep commands: whoever continues is asked, or says it with --seat.
cp "$work/game.record" "$work/before.record"
wanted=1 play '' "$work/game.record"
has out '^Seat 2 was played by a program, mine\.$'
has err 'which program plays is not known; --seat 2=LEVEL, --seat 2=exec:COMMAND or --seat 2=me '
cmp "$work/game.record" "$work/before.record" || failed=1
play "clever\nexec:exit 5\n$engine@level=random\nA1\n\nquit\n" "$work/game.record"
has out 'Type a level, exec:COMMAND (without commas) for a program'
has err 'seat 2 (exec:exit 5) cannot be started: it ended with status 5; it said nothing$'
has game.record '^bot 2 exec$'
lacks game.record '^player 2 mine$' # the name was that program's
play 'Greedy\nquit\n' "$work/game.record"
has game.record '^bot 2 greedy$'
lacks game.record '^player 2'
play 'quit\n' --seat "2=me,3=two=$engine" "$work/game.record"
lacks game.record '^bot 2'
has game.record '^bot 3 exec$'
has game.record '^player 3 two$'

# A program that cannot be started: no game is made, an existing one stays as it is.
wanted=3 play '' --bots 'exec:./no-such-program' "$work/none.record"
has err '^endstation play: seat 2 (exec:./no-such-program) cannot be started: it ended with status '
[ ! -e "$work/none.record" ] || failed=1
cp "$work/game.record" "$work/before.record"
wanted=3 play '' --seat 3=exec:false "$work/game.record"
cmp "$work/game.record" "$work/before.record" || failed=1
for bots in exec: 'a b=exec:cat' strong@ms=5 x=strong@iterations=5 exec:cat@ms=0; do
    wanted=2 play '' --bots "$bots" "$work/none.record"
    [ ! -e "$work/none.record" ] || failed=1
done
wanted=2 play '' --seat 2=exec: "$work/game.record"

# One that fails during the game: nothing is lost, and the person decides what to do. It can be
# asked again, replaced, or the game left.
cat >"$work/fails.sh" <<SH
$hello
echo start >>"$work/starts"
read -r line
echo '# no more'
exit 7
SH
fails="flop=exec:sh $work/fails.sh"
play 'A1\n\n\nQUIT\nrandom\n' --seed $seed --bots "$fails" "$work/fails.record"
fault='it ended with status 7; its last line: # no more'
[ "$(grep -c "flop has failed: $fault\$" "$work/out")" = 2 ] || failed=1
[ "$(wc -l <"$work/starts")" = 2 ] || failed=1
has out "Continue with: .* --seat '2=flop=exec:sh $work/fails.sh' "
has fails.record '^1 A1$'
lacks fails.record '^bot 2 random$'
play '' --seat "2=$fails" "$work/fails.record" # the end of input leaves too
play 'nobody\nrandom\nquit\n' --seat "2=$fails" "$work/fails.record"
has fails.record '^bot 2 random$'
has fails.record '^2 [A-E]'
[ "$(grep -c '^1 A1$' "$work/fails.record")" = 1 ] || failed=1
"$program" replay "$work/fails.record" >/dev/null || failed=1
play 'A0\n\nme\n\nA1\n\nquit\n' --seat "2=$fails" "$work/fails.record"
lacks fails.record '^bot 2'
has fails.record '^1 A0$'
[ "$(grep -c '^2 ' "$work/fails.record")" = 2 ] || failed=1
play 'quit\n' "$work/fails.record"
cat >"$work/illegal.sh" <<SH
$hello
while read -r line; do
    case \$line in end) echo ok ;; go*) echo best 2 Q9 ;; esac
done
SH
play 'A1\n\n' --seed $seed --bots "exec:sh $work/illegal.sh" "$work/illegal.record"
has out 'has failed: an illegal event: no such line; its last line: best 2 Q9$'

# A program that hangs is gone when the game is left or interrupted.
cat >"$work/hangs.sh" <<SH
$hello
sleep 600 &
echo \$! >>"$work/children"
trap '' TERM
wait
wait
SH
"$program" play --seed $seed --bots "exec:sh $work/hangs.sh@ms=600000" "$work/hangs.record" \
    >"$work/out" 2>&1 <<KEYS &
A1

KEYS
playing=$!
while ! grep -q '^1 A1$' "$work/hangs.record" 2>/dev/null && kill -0 $playing 2>/dev/null; do
    sleep 0.05
done
kill -TERM $playing
wait $playing 2>/dev/null
[ $? = 143 ] || failed=1
play 'quit\n' --seat "2=me" "$work/hangs.record"
play 'quit\n' --bots "exec:sh $work/hangs.sh" "$work/hangs2.record"
[ "$(wc -l <"$work/children")" = 2 ] || failed=1
while read -r child; do
    gone "$child"
done <"$work/children"
exit $failed
