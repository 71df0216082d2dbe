#!/bin/sh
# Every game of a program through every command: any_game.sh PROGRAM. The program is the one that
# also has the games for tests.
. ./common.sh
seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff

# `bench` measures every game, with the same signature each time.
for file in bench again; do
    "$program" bench --games 10 >"$work/$file" || failed=1
    sed -n 's/^bench \(.*\) ns.event [0-9.]*/\1/p' "$work/$file" >"$work/$file.lines"
done
cmp "$work/bench.lines" "$work/again.lines" || failed=1
games=$(sed -n 's/^bench \([a-z]*\) games .*/\1/p' "$work/bench")
[ "$(echo "$games" | wc -l)" -ge 4 ] || failed=1
"$program" bench --pictures >"$work/out" || failed=1
"$program" new --help >"$work/help" || failed=1

for game in $games; do
    has help "^  $game\b"
    record=$work/$game.record
    expect 0 new --game "$game" --seed $seed
    cp "$work/out" "$record"
    has out "^game $game\$"
    expect 0 new --game "$game" --seed $seed
    cmp "$work/out" "$record" || failed=1
    expect 0 replay "$record"
    has out "^game $game\$"
    expect 0 moves "$record"
    has out '^1 '
    move=$(head -n 1 "$work/out")
    expect 0 perft --depth 2 "$record"
    has out '^perft 2 [1-9]'
    expect 0 view --player 1 "$record"
    has out "^game $game\$"
    expect 0 draw --player 1 --preview "$move" "$record"
    has out '</svg>$'
    expect 0 draw --theme dark -o "$work/$game.png" --size 200 "$record"
    [ -s "$work/$game.png" ] || failed=1
    # Games without an evaluation say so.
    "$program" analyse "$record" >"$work/out" 2>"$work/err"
    case $? in
    0) has out '^Player 1: values are ' ;;
    1) has err "^endstation analyse: $record: games of this kind cannot be analysed\$" ;;
    *) failed=1 ;;
    esac
    { echo position && cat "$record" && printf 'end\ngo player 1 level random seed 1\nquit\n'; } |
        "$program" engine >"$work/out" || failed=1
    has out '^best 1 '

    # A game of bots in the arena; then its moves typed by people, with the same seed, give the same
    # record.
    "$program" arena --game "$game" --seats random,random --games 2 --seed 1 \
        --records "$work/$game" >"$work/out" 2>"$work/err" || failed=1
    has out '^result 2 random games 2 '
    sed '/^bot /d' "$work/$game/0001.record" >"$work/arena.record"
    expect 0 replay "$work/arena.record"
    expect 0 moves "$work/arena.record"
    [ -s "$work/out" ] && failed=1
    # Its picture after some moves, if there is a golden file; UPDATE=1 rewrites it.
    if [ -f "screens/$game.svg" ]; then
        sed '/^$/,$!d' "$work/arena.record" | sed '12q' >"$work/events"
        sed '/^$/,$d' "$work/arena.record" | cat - "$work/events" >"$work/some.record"
        expect 0 draw --player 1 "$work/some.record"
        [ -z "${UPDATE:-}" ] || cp "$work/out" "screens/$game.svg"
        if ! cmp "$work/out" "screens/$game.svg"; then
            echo "$game is drawn differently"
            failed=1
        fi
    fi
    setup=$(sed -n 's/^map \([^ ]*\).*/--map \1/p' "$work/arena.record")
    # Enter takes the device, and confirms a move.
    # shellcheck disable=SC2086 # no words, or two
    sed '1,/^$/d' "$work/arena.record" | sed -n 's/^[0-9]* \(.*\)/\n\1\n/p' |
        "$program" play --game "$game" --players 2 $setup \
            --seed "$(sed -n 's/^seed //p' "$work/arena.record")" "$work/typed.record" \
            >"$work/out" 2>&1 || failed=1
    has typed.record '^date '
    sed -i '/^date /d' "$work/typed.record"
    if ! cmp -s "$work/typed.record" "$work/arena.record"; then
        echo "$game: the typed game differs"
        diff "$work/typed.record" "$work/arena.record"
        failed=1
    fi
    rm -f "$work/typed.record"

    # Against a bot, leaving after a move.
    # shellcheck disable=SC2086
    "$program" new --game "$game" --players 2 --seed $seed $setup >"$work/first.record" || failed=1
    first=$("$program" moves "$work/first.record" | sed -n '1s/^1 //p')
    printf '%s\n\nquit\n' "$first" | "$program" play --game "$game" --players 2 --bots random \
        --seed $seed $setup "$work/bots.record" >"$work/out" 2>&1 || failed=1
    has bots.record '^bot 2 random$'
    rm -f "$work/bots.record"
done
exit $failed
