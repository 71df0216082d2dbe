#!/bin/sh
# Bots as others write them, in the arena: examples/bot.py, whose game is the transcript of
# docs/bots.md, and one in another language, from the documents alone: bot_example.sh PROGRAM.
. ./common.sh
cd .. || exit 1
unset ENDSTATION # the arena sets it
lines=$(wc -l <examples/bot.py)
[ "$lines" -le 60 ] || {
    echo "examples/bot.py has $lines lines, at most 60"
    failed=1
}

# plays ARGUMENTS…: a match without lost games, however busy the machine is; leaves $work/out.
plays() {
    "$program" arena --grace 60000 "$@" >"$work/out" 2>"$work/err" || failed=1
    if [ -s "$work/out" ] && ! grep '^result' "$work/out" | grep -qv ' lost 0 '; then
        return
    fi
    echo "arena $*:"
    cat "$work/err" "$work/out"
    failed=1
}
example="mine=exec:python3 examples/bot.py"
other="other=exec:$(command -v node || command -v nodejs) tests/bot.mjs"
plays --seats "greedy,$example,$other" --games 3
plays --rules special --map paris --seats "$example,$other" --games 2 --threads 2
plays --game metro --rules 'rotate hand2' --seats "$example,$other" --games 2
# It is better than chance: with ten groups of the same cards on each side that is certain.
for game in verplant metro; do
    plays --game $game --seats "random,$example" --games 20
    has out '^result 2 mine games 20 mean [0-9.]* sd [0-9.]* wins \(1\.00\|0\.9.\) lost 0 '
done
# A sheet that is not built in.
sed 's/^title .*/title Mine/' maps/practice.map >"$work/mine.map"
plays --map "$work/mine.map" --seats "random,$example --map $work/mine.map" --games 2

# The transcript, but for what was left out.
plays --game metro --seats "greedy,$example" --games 2 --seed 1 --log "$work/log"
python3 - "$work/log/seat2-thread1.log" <<'PYTHON' || failed=1
import sys
log = [line.rstrip() for line in open(sys.argv[1], encoding='utf-8')]
block = next(block for block in open('docs/bots.md', encoding='utf-8').read().split('```')
             if block.startswith('\n# started'))
at = 0
for part in block.strip().split('\n…\n'):
    lines = [line.rstrip() for line in part.split('\n')]
    while log[at:at + len(lines)] != lines:
        at += 1
        if at > len(log):
            sys.exit('docs/bots.md: the log has no such lines, or not in this order:\n' + part)
    at += len(lines)
if at != len(log):
    sys.exit('docs/bots.md: the log goes on after the transcript')
PYTHON
# The first test of a bot that docs/bots.md suggests.
"$program" new --players 2 >"$work/game.record"
(
    echo position
    "$program" view --player 1 "$work/game.record"
    echo end
    echo go player 1 level master ms 1000 seed 1
) | ENDSTATION=$program python3 examples/bot.py >"$work/out" || failed=1
[ "$(sed 's/^best 1 [A-E@].*/best EVENT/' "$work/out" | tr '\n' ,)" = \
    'endstation-engine 1 example 1,ok,best EVENT,' ] || failed=1
# In the terminal. (The seed's first tile can go to d1.)
printf 'd1\n\nquit\n' | "$program" play --game metro --seed "$(printf '%064x' 255)" \
    --bots "$example" "$work/metro.record" >"$work/out" 2>&1 || failed=1
has out '^mine lays\|^mine draws'
exit $failed
