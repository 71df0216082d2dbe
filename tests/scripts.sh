#!/bin/sh
# The program as scripts call it: options as getopt reads them, formats, a reader that ends early,
# several files at once, JSON: scripts.sh PROGRAM.
. ./common.sh

seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
"$program" new --players 2 --seed $seed >"$work/game.record" || failed=1
"$program" new --game metro --players 3 --seed $seed >"$work/metro.record" || failed=1
"$program" arena --seats greedy,random --games 2 --seed 7 --records "$work/games" \
    >"$work/out" 2>&1 || failed=1
over=$work/games/0001.record

# ---- Options -------------------------------------------------------------------------------------

# A short option and its value: in one word or in two.
"$program" draw "$work/game.record" >"$work/drawn.svg" || failed=1
expect 0 draw "$work/game.record" -o "$work/two.svg"
expect 0 draw "$work/game.record" -o"$work/one.svg"
expect 0 draw "-o$work/first.svg" "$work/game.record"
for name in two one first; do
    cmp "$work/drawn.svg" "$work/$name.svg" || failed=1
done
expect 0 print --cards "-o$work/cards.pdf"
[ -s "$work/cards.pdf" ] || failed=1
expect 2 draw "$work/game.record" -o
expect 2 draw "$work/game.record" "-o$work/a.svg" -o "$work/b.svg"
has err 'given twice: -o'
expect 2 draw "$work/game.record" -x"$work/a.svg"
has err "unknown option -x"
expect 2 arena --seats greedy --solo=yes
has err 'no value is allowed for --solo'
expect 0 --version
cp "$work/out" "$work/version"
for words in -V 'replay -V' 'draw -V' 'draw --version'; do
    # shellcheck disable=SC2086 # one or two words
    expect 0 $words
    cmp "$work/out" "$work/version" || failed=1
done

# ---- A reader that ends --------------------------------------------------------------------------

# unread ARGUMENTS…: runs the program when the reader of its output has ended already: nothing is
# said. $pipe: what SIGPIPE does, - (ends it) or '' (nothing).
mkfifo "$work/ended" || exit 1
unread() {
    {
        read -r _ <"$work/ended"
        trap "$pipe" PIPE
        "$program" "$@" 2>"$work/err" </dev/null
        echo $? >"$work/status"
    } | {
        exec <&-
        echo >"$work/ended"
    }
    if [ "$(cat "$work/status")" != 141 ] || [ -s "$work/err" ]; then
        echo "endstation $* to a reader that has ended ('$pipe'): status $(cat "$work/status")"
        cat "$work/err"
        failed=1
    fi
}
for pipe in - ''; do
    for command in replay view verify analyse stats draw 'perft --depth 2' hindsight; do
        # shellcheck disable=SC2086 # a command and its options
        unread $command "$over"
    done
    unread moves "$work/game.record"
    for command in maps 'maps practice' 'maps --check --games 1 practice' new 'print --cards' \
        --help --version 'draw --help' engine 'bench --games 10'; do
        # shellcheck disable=SC2086
        unread $command
    done
done
# A game is left as with `quit`: without a move it leaves no file.
for pipe in - ''; do
    unread play "$work/never.record"
    [ ! -e "$work/never.record" ] || { echo "play to a reader that has ended: a file"; failed=1; }
done
# The arena heeds no SIGPIPE, since its programs may end; it speaks on standard error.
{
    read -r _ <"$work/ended"
    "$program" arena --seats greedy --games 1 2>"$work/err"
    echo $? >"$work/status"
} | {
    exec <&-
    echo >"$work/ended"
}
[ "$(cat "$work/status")" = 141 ] || { echo "arena: status $(cat "$work/status")"; failed=1; }
lacks err 'cannot write'

# ---- Formats -------------------------------------------------------------------------------------

for format in svg png pdf; do
    expect 0 draw --format $format -o - "$work/game.record"
    cp "$work/out" "$work/drawn"
    case $format in
    svg) head -c 5 "$work/drawn" | grep -q '^<svg ' || failed=1 ;;
    png) head -c 4 "$work/drawn" | grep -aq 'PNG$' || failed=1 ;;
    pdf) head -c 5 "$work/drawn" | grep -q '^%PDF-$' || failed=1 ;;
    esac
    expect 0 draw --format=$format "$work/game.record" -o "$work/any"
    expect 0 draw "$work/game.record" -o "$work/any.$format"
    if [ $format != pdf ]; then # which has the time in it
        cmp "$work/drawn" "$work/any" && cmp "$work/drawn" "$work/any.$format" || failed=1
    fi
done
expect 0 draw --format png "$work/game.record"
expect 2 draw --format gif "$work/game.record"
has err "format is svg, png or pdf, not gif"
expect 2 draw -o "$work/any" "$work/game.record"
has err 'name a --format'
# Not onto a terminal, unless that is wanted.
python3 - "$program" "$work/game.record" >"$work/out" <<'PYTHON' || failed=1
import os, pty, sys
def status(*words):
    return os.waitstatus_to_exitcode(pty.spawn([sys.argv[1], 'draw', sys.argv[2], *words],
                                               lambda terminal: os.read(terminal, 1 << 16)))
assert status('--format', 'png') == 2
assert status('--format', 'png', '-o', '-') == 0
assert status('--format', 'svg') == 0
PYTHON

# ---- Several files -------------------------------------------------------------------------------

# Each is headed by its name; one alone is not. $more: options.
second=$work/games/0002.record
for command in replay moves verify analyse 'hindsight --width 20' 'maps --games 1 --check'; do
    first=$over
    [ "$command" != moves ] || first=$work/game.record
    case $command in maps*) first=berlin second=practice ;; esac
    # shellcheck disable=SC2086 # a command and its options
    {
        echo "==> $first <=="
        "$program" $command "$first"
        echo
        echo "==> $second <=="
        "$program" $command "$second"
    } >"$work/wanted"
    # shellcheck disable=SC2086
    expect 0 $command "$first" "$second"
    cmp "$work/wanted" "$work/out" || { echo "$command: two files"; failed=1; }
    # A bad file between them is reported, and the others go on.
    # shellcheck disable=SC2086
    "$program" $command "$first" /nowhere.file "$second" >"$work/out" 2>"$work/err"
    [ $? = 1 ] || { echo "$command: a bad file: not status 1"; failed=1; }
    has err '^/nowhere.file:0: '
    [ "$(wc -l <"$work/err")" = 1 ] || failed=1
    cmp "$work/wanted" "$work/out" || { echo "$command: two files and a bad one"; failed=1; }
    # If there is only one good one, it is headed, too.
    # shellcheck disable=SC2086
    "$program" $command /nowhere.file "$first" >"$work/out" 2>"$work/err"
    [ $? = 1 ] && [ "$(head -n 1 "$work/out")" = "==> $first <==" ] || failed=1
done
second=$work/games/0002.record
# Standard input can be one of them, once.
"$program" replay "$over" - <"$second" >"$work/out" || failed=1
has out '^==> - <==$'
"$program" replay - "$over" - <"$second" >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has err '^-:0: standard input has been read already$'
[ "$(grep -c '^==>' "$work/out")" = 2 ] || failed=1
# A fault of the command line is one: nothing is done.
expect 2 replay "$over" "$second" --nonsense
expect 2 analyse "$over" "$second" --threads 0
# Statistics go on without a file that is not there, or damaged.
printf 'nonsense\n' >"$work/bad.record"
for bad in /nowhere.record "$work/bad.record"; do
    for more in '' --csv --json; do
        "$program" stats $more --name greedy "$over" "$bad" "$second" >"$work/out" 2>"$work/err"
        [ $? = 1 ] || { echo "stats $more with $bad: not status 1"; failed=1; }
        cat "$work/out" >>"$work/err"
        has err '^2 games; left out: 0 not over, 0 without you, 1 unreadable$'
        has err "^$bad:[0-9]*: "
    done
done
"$program" stats --name greedy "$over" /nowhere.map >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has out '^1 game; '
has err '^/nowhere.map:0: '

# ---- JSON ----------------------------------------------------------------------------------------

# An object a line, its file first; what it says is what the text says.
odd=$work/$(printf 'odd\377\302\205"name.record')
cp "$over" "$odd"
set -- "$work/game.record" "$over"
for record in conformance/*.record; do
    base=${record%.record}
    [ ! -f "$base.replay" ] || [ -f "$base.map" ] || set -- "$@" "$record"
done
"$program" replay "$@" "$odd" >"$work/replay" || failed=1
"$program" replay --json "$@" "$odd" >"$work/replay.json" || failed=1
for record in conformance/00[0-4]?.record; do
    base=${record%.record}
    if [ -f "$base.replay" ] && [ -f "$base.map" ]; then
        echo "==> $record <==" >>"$work/replay"
        "$program" replay --map "$base.map" "$record" >>"$work/replay"
        "$program" replay --map "$base.map" --json "$record" >>"$work/replay.json"
    fi
done
"$program" moves "$@" >"$work/moves" || failed=1
"$program" moves --json "$@" >"$work/moves.json" || failed=1
"$program" verify --json "$work/game.record" "$over" >"$work/verify.json" || failed=1
"$program" analyse --json "$over" "$second" >"$work/analyse.json" || failed=1
"$program" maps >"$work/maps" || failed=1
"$program" maps --json >"$work/maps.json" || failed=1
"$program" maps practice | sed 's/^title .*/title Other/' >"$work/other.map"
"$program" maps --json practice "$work/other.map" >"$work/other.json" || failed=1
python3 - "$work" "$over" "$second" >"$work/faults" <<'PYTHON' || failed=1
import json, sys
work, over, second = sys.argv[1:]

def objects(name):
    return [json.loads(line) for line in open(f'{work}/{name}.json', encoding='utf-8')]

def texts(name):
    """The lines of each file, below its heading."""
    found = []
    for line in open(f'{work}/{name}', encoding='utf-8', errors='surrogateescape'):
        if line.startswith('==> '):
            found.append([line[4:-5]])
        elif line.strip():
            found[-1].append(line.rstrip('\n'))
    return found

def words(values):
    return ' '.join(map(str, values)) or '-'

def report(o):
    """What `replay` prints, from its JSON."""
    yield f"game {o['game']}"
    if 'map' in o:
        yield f"map {o['map']['id']}"
    yield f"players {len(o['players'])}"
    if 'map' in o:
        yield f"round {o['round']}"
        yield f"card {o['card']['code'] if 'card' in o else '-'}"
    else:
        yield f"placed {o['placed']}"
    yield f"over {'yes' if o['over'] else 'no'}"
    if 'map' not in o:
        yield f"stock {o['stock']}"
    yield f"to-act {'chance' if o['chance'] else words(o['turn'])}"
    if 'map' not in o:
        yield f"drawn {o['drawn'] or '-'}"
        for p in o['players']:
            yield f"hand {p['player']} {words(sorted(p['hand']))}"
    for p in o['players']:
        if 'map' not in o:
            yield f"player {p['player']} total {p['score']}"
            continue
        n, s = p['player'], p['sum']
        yield (f"player {n} lines {s['lines']} transfers {s['transfers']} empty {s['empty']} "
               f"penalty {s['penalty']} total {s['total']}")
        yield f"windows {n} " + ' '.join(
            line['letter'] + ':' + ','.join(card['code'] for card in line['written'])
            for line in p['lines'])
        yield f"marks {n} " + words(f"{mark['station']}={mark['framed'] or 'x'}"
                                    for mark in p['marks'])
        yield f"done {n} " + words(f"{line['letter']}={line['won']}" for line in p['lines']
                                   if line['done'])
    for s in o.get('stations', []):
        if s['end']:
            yield (f"line {s['station']} owner {s['owner'] or '-'} tiles {s['tiles']} "
                   f"end {s['end']} points {s['points']}")
    yield f"winner {words(o['winners'])}"

replays = objects('replay')
assert len(replays) > 50 and len(replays) == len(texts('replay'))
for o, (name, *lines) in zip(replays, texts('replay')):
    assert next(iter(o)) == 'file' and not {'cursor', 'undo', 'back', 'decisions'} & set(o)
    if '\udcff' in name:
        assert o['file'] == f'{work}/odd' + '\ufffd' * 3 + '"name.record', o['file']
    else:
        assert o['file'] == name, (o['file'], name)
    assert list(report(o)) == lines, (name, list(report(o)), lines)
assert replays[0]['map']['built_in'] and not replays[-1]['map']['built_in']
assert [(o['file'], o['moves']) for o in objects('moves')] == [
    (name, lines) for name, *lines in texts('moves')]
assert objects('verify') == [
    {'file': f'{work}/game.record', 'chances': 1, 'proved': False, 'missing': []},
    {'file': over, 'chances': objects('verify')[1]['chances'], 'proved': False, 'missing': []}]
assert [(o['file'], o['player'], o['unit']) for o in objects('analyse')] == [
    (over, 1, 'win'), (second, 1, 'win')]
lists = [line.split() for line in open(f'{work}/maps', encoding='utf-8')][1:]
for o, line in zip(objects('maps'), lists, strict=True):
    windows = sum(one['windows'] for one in o['lines'])
    rings = sum(one['ring'] for one in o['lines'])
    assert o['built_in'] and 'file' not in o
    assert list(map(str, [o['id'], o['stations'], len(o['lines']), windows, rings, o['special'],
                          o['hash']])) == line[:1] + line[-6:], line
practice, other = objects('other')
assert practice['file'] == practice['id'] == other['id'] == 'practice'
assert practice['built_in'] and not other['built_in'] and other['title'] == 'Other'
PYTHON
cat "$work/faults"
expect 2 maps --check --json practice
expect 1 replay --json "$work/bad.record"
# A shuffle that is proved; a word that is missing.
secret=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
commit=1883d35c3935512588d362d26ab50446494036d8522586915e57f51e94a2b23e
word1=404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f
hash1=ca2a4fe727faaecf16ecd130a86e0885c5540c05375340445071c0657555fd42
hash3=82d86408530b765e46ebf47807095027e807bc08674b0de77ee5ef2fae7d0492
"$program" new --game metro --players 3 --rules 'rotate hand2' \
    --seed 8229687db22b7d55e6e677f469d9a286b6a2aa5c1da483f4869a6031717e646d >"$work/fair.record"
sed -i "s/^seed/bot 2 strong\ncommit $commit k7m2x9\nword 1 $word1 $hash1\nword 3 - $hash3\n&/" \
    "$work/fair.record"
sed -i "s/^seed/secret $secret\n&/" "$work/fair.record"
expect 0 verify --json "$work/fair.record"
has out '"chances":6,"proved":true,"missing":\[3\]}$'

# The arena: the same figures as its lines.
set -- --seats greedy,mine=random --games 6 --seed 3
"$program" arena "$@" >"$work/arena" 2>/dev/null || failed=1
"$program" arena "$@" --json >"$work/arena.json" 2>/dev/null || failed=1
"$program" arena --seats greedy --games 1 --json >"$work/one.json" 2>/dev/null || failed=1
"$program" arena --seats random,greedy --games 40 --json >"$work/won.json" 2>/dev/null || failed=1
python3 - "$work" <<'PYTHON' || failed=1
import json, re, sys
work = sys.argv[1]
o, one, won = (json.load(open(f'{work}/{name}.json', encoding='utf-8'))
               for name in ('arena', 'one', 'won'))
assert (o['game'], o['solo'], o['games'], len(o['seats'])) == ('verplant', False, 6, 2)
assert [seat['name'] for seat in o['seats']] == ['greedy', 'mine']
table = open(f'{work}/arena', encoding='utf-8').read()
for seat in o['seats']:
    line = (f"result {seat['seat']} {seat['name']} games {seat['games']} mean {seat['mean']:.2f} "
            f"sd {seat['sd']:.2f} wins {seat['wins']:.2f} lost {seat['lost']} ms/move ")
    assert line in table, (line, table)
    half = (seat['meanInterval'][1] - seat['meanInterval'][0]) / 2
    assert f"{seat['mean']:.2f} ± {half:.2f}" in table, (half, table)
assert o['seats'][1]['bot'] == 'mine=random' and 'toFirst' not in o['seats'][0]
assert 'toFirstInterval' in o['seats'][1]
assert one['seats'][0]['games'] == 1 and 'meanInterval' not in one['seats'][0]
for seat in won['seats']:
    low, high = seat['winsInterval']
    assert low <= seat['wins'] <= high and 0 <= low and high <= 1, seat
PYTHON

# ---- Statistics of bots --------------------------------------------------------------------------

"$program" arena --seats greedy,mine=random,random --games 6 --seed 5 --records "$work/bots" \
    >"$work/out" 2>&1 || failed=1
mean=$(sed -n 's/^result 1 .* mean \([0-9.-]*\) .*/\1/p' "$work/out")
expect 0 stats --name greedy "$work"/bots/*.record
has out '^6 games; left out: 0 not over, 0 without you, 0 unreadable$'
has out "^  mean $mean, "
has out '^  against random: '
expect 0 stats --csv --name mine "$work"/bots/*.record
[ "$(grep -c ',mine,' "$work/out")" = 6 ] || failed=1
expect 0 stats --csv --name 'nobody
random' "$work"/bots/*.record
[ "$(wc -l <"$work/out")" = 7 ] || failed=1
# Two bots of that name: nobody can tell. Where people play, bots are nobody's.
expect 0 stats --name random "$over" "$second"
has out '^2 games; '
"$program" arena --seats random,random --games 2 --records "$work/same" \
    >"$work/out" 2>&1 || failed=1
expect 0 stats --name random "$work"/same/*.record
has out '^0 games; left out: 0 not over, 2 without you, 0 unreadable$'
sed '/^bot [12] /d; /^player /d; s/^players .*/&\nplayer 1 Ada\nplayer 2 Bea/' \
    "$work/bots/0001.record" >"$work/ada.record"
expect 0 stats --name random "$work/ada.record"
has out ' 1 without you, '
exit $failed
