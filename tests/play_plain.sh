#!/bin/sh
# Games without a terminal.c in the terminal: play_plain.sh PROGRAM, where the program has the games
# for tests.
. ./common.sh
seed=00000000000000000000000000000000000000000000000000000000000000ff

# screen NAME: $work/out is screens/NAME.txt to the letter; UPDATE=1 rewrites it.
screen() {
    sed -e "s|$work|WORK|g" -e "s|$program|endstation|g" "$work/out" >"$work/screen"
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/screen" "screens/$1.txt"
    else
        diff -u "screens/$1.txt" "$work/screen" || failed=1
    fi
}

# depot hides nothing: nobody has to look away, and the players take turns on one screen.
printf 'a1\n\nc3\nundo\nb1\n\nz9\nquit\n' |
    "$program" play --game depot --seed $seed --names Ada,Grace "$work/two.record" >"$work/out" \
        2>&1 || failed=1
screen plain-two
lacks out 'look away'

# When the game is continued, the latest moves are reported again, and no others.
printf 'quit\n' | "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
has out '^Grace: b1$'
lacks out '^Ada: '

# One person against a bot: everything is reported in order, except the person's own move.
printf 'a1\n\nquit\n' |
    "$program" play --game depot --bots random --seed $seed "$work/bot.record" >"$work/out" 2>&1 ||
    failed=1
screen plain-bot
lacks out '^Player 1: a1'

# Calls of the null game are hidden until all have called; then the game is over.
printf '\nheads\n\n\nshow\ntails\n\n' |
    "$program" play --game null --players 2 --seed $seed "$work/null.record" >"$work/out" 2>&1 ||
    failed=1
screen plain-null
has out 'Player 2 is next; everyone else, look away'
printf 'heads\n\n' | "$program" play --game null "$work/solo.record" >"$work/out" 2>&1 || failed=1
has out '^toss '
lacks out '^Player 1: heads'
exit $failed
