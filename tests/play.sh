#!/bin/sh
# Whole games in the terminal, from typed lines: play.sh PROGRAM.
. ./common.sh

# narrow: $work/out fits into 80 columns (after a prompt a terminal starts a new line).
narrow() {
    if sed 's/^.*> //' "$work/out" | LC_ALL=C.UTF-8 grep -E '^.{81,}$' | grep -v "$work"; then
        echo "wider than 80 columns"
        failed=1
    fi
}
seed=00000000000000000000000000000000000000000000000000000000000000ff

# A solo game: help, a mistake, an entry taken back, another confirmed, then left.
printf 'help\nQ3\nA9\nhepl\nstations\na\nA3\nB1\nundo\nundo\n\ne 3\n\nQuit\n' |
    "$program" play --seed $seed "$work/solo.record" >"$work/out" 2>&1 || failed=1
has out 'Write your entry like this'
has out '^ A 4/2 '
has out 'Q3: no such line'
has out 'A9: at most 4 here'
has out 'hepl: not understood'
has out ' 4 \. @ce  *Central, also B D E$'
has out 'Your entry is made: press Enter'
has out '@r1 .*Old Market on C D'
has out 'Nothing to undo'
has out 'Make an entry first'
has out 'A4 or fewer: Airfield, Orchard, West Park, Central$'
has out 'C<4 or fewer: Old Market, West Park, Water Mill,$'
has out "$program play $work/solo.record"
has out 'Anything not confirmed is dropped\|Your entry is made'
narrow
has solo.record '^1 E3$'
lacks solo.record '^1 A3$'

# Continued to the end: everything else stays in the file, and only legal entries are accepted.
cp "$work/solo.record" "$work/before.record"
printf '# a remark without newline' >>"$work/solo.record"
i=0
while [ $i -lt 40 ]; do
    printf '@r1\n@-\n\nA1\nB1\nC>1\nD1\nE1\nA0\nB0\nC0\nD0\nE0\n\n'
    i=$((i + 1))
done | "$program" play "$work/solo.record" >"$work/out" 2>&1 || failed=1
has out '^Continuing'
has out '^All windows are full'
has out ' points\. '
has solo.record '# a remark without newline$'
lines=$(wc -l <"$work/before.record")
head -n "$lines" "$work/solo.record" | cmp - "$work/before.record" || failed=1
"$program" replay "$work/solo.record" >"$work/replay" || failed=1
has replay '^over yes$'
# Every card came from the seed: another game with that seed and other entries has the same cards.
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
has out 'Ada is next; everyone else, look away'
sed -n '/Grace is next/,$p' "$work/out" >"$work/grace"
has grace 'Grace>'
lacks grace '\[4 \]' # Ada's window
printf '\nB2\n\n\n\n\nquit\n' | "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
has out 'Round 1: Ada A1, Grace B2'
has two.record '^2 B2$'

# When a game is continued, the open round is not reported, but the one before it is.
cp "$work/two.record" "$work/half.record"
printf '\nA1\n\nquit\n' | "$program" play "$work/half.record" >"$work/out" 2>&1 || failed=1
printf 'quit\n' | "$program" play "$work/half.record" >"$work/out" 2>&1 || failed=1
has out 'Round 1: Ada A1, Grace B2'
lacks out 'Round 2'
has out 'Grace is next'

# A 6 is reported once, and not when the game is over. Six players and long names fit into the
# width.
six="$work/six.record"
long=123456789012345678901234567890
printf '%s\n' '' help A1 '' '' A1 '' '' A1 '' '' A1 '' '' A1 '' '' B1 '' quit |
    "$program" play --players 6 --names $long,$long,c,${long}x,e,Ännchen --deck 6 "$six" \
        >"$work/out" 2>&1 || failed=1
has out '^123456789012345678\.\. (1) is next; everyone else'
has out '^Round 1: 123456789012345678\.\. (1) A1, 123456789012345678\.\. (2) A1, c A1,'
has out ' 1234567890123456789012\.\. A1,'
has out ' Ännchen B1\.$'
[ "$(grep -c 'all cards are shuffled' "$work/out")" = 1 ] || failed=1
narrow

# Special stations: more entries with the same card; undo goes back through all of them.
printf 'B3\nsheet\nA1\nundo\nundo\nB3\nA1\n\nquit\n' |
    "$program" play --rules special --seed $seed "$work/special.record" >"$work/out" 2>&1
has out 'Central\*'
has out 'A special station is marked: 1 more entry with this card'
events=$(sed -n '/^card/,$p' "$work/special.record" | head -n 3 | tr '\n' ' ')
[ "$events" = 'card 4 1 B3 1 A1 ' ] || failed=1

# Without a seed the cards come from the system; the setup of an existing game cannot be changed.
printf 'endstation-record 1\ngame verplant\nmap practice\nplayers 1\ndeck 6\n' >"$work/plain.record"
printf 'A0\n\nquit\n' | "$program" play "$work/plain.record" >"$work/out" 2>&1 || failed=1
has plain.record '^card 6$'
"$program" play --players 2 "$work/plain.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1

# Another player's sheet shows closed rounds only.
printf '\nsheet 1\nsheet 2\nsheet 3\nA1\n\n\nsheet 1\nquit\n' |
    "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
has out 'There are players 1 to 2'
sed -n '/Grace is next/,$p' "$work/out" >"$work/grace"
has grace '^ A 4/2    \[4 \]\[  \] '
lacks grace '^ A 4/2    \[4 \]\[3 \] '

# An unconfirmed entry does not reveal what the others have done either: the round stays open.
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
sed -n '/Player 2 is next/,$p' "$work/out" >"$work/second"
has second 'press Enter to confirm, or type undo'
has second '^ A 5/3 .* A2 or fewer: a, b; completes A$'
has second '^ A 5/3 '
lacks second 'won'
lacks second '^ A -/3 '
printf '\nB2\n\n\n\nquit\n' |
    "$program" play --map "$work/race.map" "$work/race.record" >"$work/out" 2>&1
has out 'Player 1 completes line A: 5 points, the first value'
printf '\nA0\n\n\nquit\n' |
    "$program" play --map "$work/race.map" "$work/race.record" >"$work/out" 2>&1
sed -n '/Player 2 is next/,$p' "$work/out" >"$work/second"
has second '^ A -/3 ' # the first value is gone

# Rounds that only bots play are reported one by one.
sed -e 's/^id .*/id left/' -e 's/^station a 0 0/& special/' "$work/race.map" >"$work/left.map"
printf '%s\n' 'endstation-record 1' 'game verplant' 'map left' 'players 2' 'rules special' \
    'deck 6' 'bot 2 random' '' 'card 6' '1 A1' '1 B0' '2 B0' 'card 6' '1 B0' '2 B0' 'card 6' \
    '1 A0' '2 A0' >"$work/left.record"
"$program" play --map "$work/left.map" "$work/left.record" </dev/null >"$work/out" 2>&1 || failed=1
has out '^Round 3: Player 1 A0, random (bot) A0\.$'
has out '^Round 4: random (bot) A[0-2]\.$'

# Equal points: the penalty is halved, and fewer empty stations win.
printf '\n%s\n\n' A1 A0 A0 A0 B0 B0 B0 B0 |
    "$program" play --players 2 --deck 6 --map "$work/race.map" "$work/equal.record" >"$work/out"
has out '^Player 1 -1: .* 2 empty'
has out '^Player 2 -1: .* 3 empty'
has out '^Player 1 wins: equal points, fewer empty stations\.$'

# The map shows every station of every sheet and every wagon, in Unicode and in ASCII, never mixed.
# first_map: the first one in $work/out; seen PATTERN: how often it occurs there.
first_map() {
    sed -n '/^$/,/, round [0-9]*\. Card /p' "$work/out" | sed '/, round /,$d'
}
seen() {
    first_map | LC_ALL=C.UTF-8 grep -o "$1" | wc -l
}
for id in $("$program" maps | sed -n '2,$s/ .*//p'); do
    "$program" maps "$id" >"$work/sheet.map"
    stations=$(grep -c '^station ' "$work/sheet.map")
    special=$(grep -c '^station [^:]* special' "$work/sheet.map")
    lines=$(grep -c '^line ' "$work/sheet.map")
    for locale in C C.UTF-8; do
        LC_ALL=$locale "$program" play --map "$work/sheet.map" "$work/$id-$locale.record" \
            </dev/null >"$work/out" 2>&1 || failed=1
        narrow
        if [ $locale = C ]; then
            counts="$(seen 'o') $(seen '[*]') $(seen '[[<][A-Z][]>]') $(seen '[^ -~]')"
        else
            counts="$(seen '○') $(seen '☆') $(seen '[[‹][A-Z][]›]') $(seen '[!-.:-@^-~]')"
        fi
        if [ "$counts" != "$((stations - special)) $special $lines 0" ]; then
            echo "the map of $id does not show all ($locale): $counts"
            cat "$work/out"
            failed=1
        fi
        # Without colours, letters along the lines say which is which.
        letters=$(first_map | grep -o '[A-Z]' | sort | uniq -c | awk '$1 > 1' | wc -l)
        if [ "$letters" != "$lines" ]; then
            echo "the map of $id does not name all lines on their way: $letters of $lines"
            failed=1
        fi
    done
done
# `where` finds a station, `map B` shows a single line; ? is help.
printf 'where bridge\nwhere CE\nwhere nowhere\nmap b\nmap\nmap z\n?\n' |
    LC_ALL=C "$program" play "$work/where.record" >"$work/out" 2>&1 || failed=1
narrow
[ "$(grep -c '# @' "$work/out")" = 2 ] && [ "$(grep -o '#' "$work/out" | wc -l)" = 4 ] || failed=1
has out '^# @r4: East Bridge on A C$'
has out "^.*No station's id or name is like 'nowhere'"
has out 'map z: not understood'
has out '^Other commands:$'
[ "$(grep -c '\[B\]' "$work/out")" -gt 4 ] && [ "$(grep -c '\[E\]' "$work/out")" = 4 ] || {
    echo "one map of five shows line B alone:"
    cat "$work/out"
    failed=1
}

# Accents, capitals, blanks and a leading @ do not matter; if several stations match, they are
# listed.
printf 'where  etoile\nwhere ÉTOILE\nwhere @ETO\nwhere porte de\nwhere\n' |
    LC_ALL=C "$program" play --map paris "$work/accents.record" >"$work/out" 2>&1 || failed=1
[ "$(grep -c '^# @eto: Etoile on A C D F$' "$work/out")" = 3 ] || failed=1
[ "$(grep -c '@[a-z]*: Porte de ' "$work/out")" = 3 ] || failed=1
has out "like ''; 'stations' lists them"

# The same where stations overlap, or everything does.
cat >"$work/heap.map" <<'MAP'
endstation-map 1
id heap
title Heap
paper ffffff
station a 0 0
station b 0.1 0
station c 0 0.1
station d 9 9
line A ff0000 windows 2 points 5 3 wagon 0 0 : a b c
line B 00ff00 windows 8 points 4 2 wagon 0 0 : d c
MAP
LC_ALL=C "$program" play --map "$work/heap.map" "$work/heap.record" </dev/null >"$work/out"
[ "$(seen o) $(seen "[[][A-Z][]]")" = '4 2' ] || failed=1

# Marks appear where they are entered: first as planned, then as made.
cat >"$work/row.map" <<'MAP'
endstation-map 1
id row
title Row
paper ffffff
station a 1 0
station b 2 0 special
station c 3 0
station d 3 1
line A ff0000 windows 2 points 5 3 wagon 0 0 : a b c
line B 00ff00 windows 2 points 4 2 wagon 3 2 : d c
MAP
printf 'A2\n\nquit\n' |
    LC_ALL=C "$program" play --deck 6 --map "$work/row.map" "$work/row.record" >"$work/out" 2>&1
has out '^ \[A\][A-]*o[A-]*\*[A-]*o[A|]*$'
has out '^ \[A\][A-]*X[A-]*X[A-]*o[A|]*$'
has out '^ \[A\][A-]*x[A-]*x[A-]*o[A|]*$'
[ "$(grep -c '^ *o$' "$work/out")" = 3 ] || failed=1 # d stays empty

# The last player with free windows still gets a report of every round.
sed -e 's/^id .*/id alone/' -e 's/^station a 0 0/& special/' -e 's/windows 2/windows 1/' \
    "$work/race.map" >"$work/alone.map"
printf '\nA1\nB0\n\n\nB0\n\nA2\n\n' |
    "$program" play --players 2 --deck 6 --rules special --map "$work/alone.map" \
        "$work/alone.record" >"$work/out" 2>&1 || failed=1
has out 'Round 1: Player 1 A1, Player 1 B0, Player 2 B0'
has out 'Round 2: Player 2 A2'
has out 'Player 2 completes line A: 5 points'
has out '^All windows are full after 2 rounds'
lacks out '1 empty stations'
[ "$(grep -c 'all cards are shuffled' "$work/out")" = 1 ] || failed=1 # not after the last round

# A disk that gets full in the middle of a line (here: a limit on the file's size): the file remains
# a valid record, with everything confirmed before.
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

# A player's own sheet, here with the id of a built-in one: the hint for continuing names its file.
"$program" maps practice | sed 's/windows 2/windows 1/' >"$work/mine.map"
printf 'A1\n\n' | "$program" play --seed $seed --map "$work/mine.map" "$work/mine.record" \
    >"$work/out" 2>&1 || failed=1
has out "play --map $work/mine.map $work/mine.record"
"$program" play "$work/mine.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out ":3: '[0-9a-f]\{32\}, 3c88349a7438c422786680fe3c0dc9a6': .*--map$"

# Only one process can play a game at a time.
mkfifo "$work/keys"
rm "$work/out"
"$program" play "$work/mine.record" --map "$work/mine.map" <"$work/keys" >"$work/out" 2>&1 &
exec 3>"$work/keys"
while [ ! -s "$work/out" ] && kill -0 $! 2>/dev/null; do sleep 0.05; done
has out '^Continuing '
"$program" play "$work/mine.record" --map "$work/mine.map" </dev/null >"$work/out2" 2>&1
[ $? = 1 ] || failed=1
has out2 'is locked by another process'
exec 3>&-
wait

# Bots sit after the people, move after them, and are recognised when the game is continued. One
# person alone with them hands nothing over.
printf 'A1\n\nA0\n\nquit\n' |
    "$program" play --bots greedy,random,greedy --seed $seed "$work/bots.record" \
        >"$work/out" 2>&1 || failed=1
has bots.record '^players 4$'
has bots.record '^bot 2 greedy$'
has bots.record '^bot 3 random$'
has bots.record '^bot 4 greedy$'
lacks bots.record '^player '
has out '^Round 1: Player 1 A1, greedy (bot) [A-E][<>]*[0-4], random (bot) '
has out '^Round 2: Player 1 A0, '
lacks out 'look away'
lacks out 'thinking'
narrow
[ "$(grep -c '^[234] ' "$work/bots.record")" = 6 ] || failed=1
printf 'B1\n\n' | "$program" play "$work/bots.record" >"$work/out" 2>&1 || failed=1
has out '^Round 2: Player 1 A0, '
has out '^Round 3: Player 1 B1, greedy (bot) '
[ "$(grep -c '^[234] ' "$work/bots.record")" = 9 ] || failed=1
"$program" replay "$work/bots.record" >"$work/replay" || failed=1
# Several people and a bot: the device is handed round among the people.
printf '\nd1\n\n\nd2\n\n\nquit\n' |
    "$program" play --game metro --players 3 --bots random --names Ada,Grace --seed $seed \
        "$work/three.record" >"$work/out" 2>&1 || failed=1
has out '^Ada is next; everyone else, look away'
has out 'Grace is next; everyone else, look away'
lacks out 'random is next'
has out '^random (bot) lays '
# Play to the end, also when only bots still have turns.
i=0
while [ $i -lt 60 ]; do
    printf '@-\n\nE0\nD0\nC0\nB0\nA0\n\n'
    i=$((i + 1))
done | "$program" play "$work/bots.record" >"$work/out" 2>&1 || failed=1
has out '^All windows are full'
has out '(bot.*) wins\.$\|(bot.*) share the win\.$\|1 wins\.$'
# Bad options are errors; people may have any name.
refused() {
    "$program" play "$@" "$work/no.record" </dev/null >"$work/out" 2>&1
    [ $? = 2 ] && [ ! -e "$work/no.record" ] || failed=1
}
refused --bots clever
has out "'clever' in verplant: no such level: random, greedy, casual, strong, master (programs: "
refused --bots ''
printf 'A0\n\n' | "$program" play --bots greedy --names 'greedy (bot)' --seed $seed \
    "$work/named.record" >"$work/out" 2>&1 || failed=1
has named.record '^player 1 greedy (bot)$'
has out '^greedy (bot) (1)> '
# Without --players there is a seat for each name and each bot; with it, names are for people.
printf '\nA0\n\nquit\n' | "$program" play --bots greedy --names Ada,Hal --seed $seed \
    "$work/three-seats.record" >"$work/out" 2>&1 || failed=1
has three-seats.record '^players 3$'
has three-seats.record '^player 2 Hal$'
has three-seats.record '^bot 3 greedy$'
refused --bots greedy --names Ada,Hal --players 2
has out 'names is for people'
refused --bots greedy,greedy --players 2
has out '--bots leaves no seat'
refused --bots random,random,random,random,random,random
"$program" play --bots greedy "$work/bots.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1
# A bot that does not exist: replaced by another level or a person, with an option or when asked.
"$program" new --players 3 --names Ada --seed $seed |
    sed '/^players/a bot 2 wizard\nbot 3 greedy\nnote kept' >"$work/wizard.record"
cp "$work/wizard.record" "$work/before.record"
"$program" play "$work/wizard.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] && cmp -s "$work/before.record" "$work/wizard.record" || failed=1
has out "no bot of that level; --seat 2=LEVEL, --seat 2=exec:COMMAND or --seat 2=me"
printf 'QUIT\nrandom\nA1\n\nquit\n' | "$program" play "$work/wizard.record" >"$work/out" 2>&1
[ $? = 1 ] && cmp -s "$work/before.record" "$work/wizard.record" || failed=1
printf 'witch\nRandom\nA1\n\nquit\n' | "$program" play "$work/wizard.record" >"$work/out" 2>&1 ||
    failed=1
has out "Seat 2 is for a bot of the level 'wizard'"
has wizard.record '^bot 2 random$'
has wizard.record '^bot 3 greedy$'
has wizard.record '^note kept$'
has out '^Round 1: Ada A1, random (bot) '
[ "$(grep -c '^[23] ' "$work/wizard.record")" = 2 ] || failed=1
cp "$work/before.record" "$work/wizard.record"
printf 'me\nquit\n' | "$program" play "$work/wizard.record" >"$work/out" 2>&1 || failed=1
lacks wizard.record '^bot 2'
has out 'or me> Ada is next; everyone else, look away'
cp "$work/before.record" "$work/wizard.record"
printf 'A1\n\nquit\n' | "$program" play --seat 2=greedy "$work/wizard.record" >"$work/out" 2>&1 ||
    failed=1
has out '^Round 1: Ada A1, greedy (bot) .*, greedy (bot 2) '
# All seats are bots': a person may take one.
sed '/^players/a bot 1 random' "$work/before.record" | sed 's/wizard/random/' >"$work/none.record"
"$program" play "$work/none.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out 'only bots would play'
cp "$work/none.record" "$work/before.record"
printf 'QUIT\n2\nquit\n' | "$program" play "$work/none.record" >"$work/out" 2>&1
[ $? = 1 ] && cmp -s "$work/before.record" "$work/none.record" || failed=1
has out 'only bots would play'
printf '4\n2\nquit\n' | "$program" play "$work/none.record" >"$work/out" 2>&1 || failed=1
has out '^Which seat do you take, 1 to 3> Type the number of a seat'
lacks none.record '^bot 2'
has none.record '^bot 1 random$'
printf 'quit\n' | "$program" play --seat 1=me,2=casual "$work/none.record" >"$work/out" 2>&1 ||
    failed=1
lacks none.record '^bot 1'
has none.record '^bot 2 casual$'
# A finished game is shown, whoever played it, and stays as it is.
"$program" arena --map practice --seats random --games 1 --records "$work/arena" >/dev/null 2>&1
sed 's/^bot 1 random/bot 1 exec/' "$work"/arena/*.record >"$work/over.record"
cp "$work/over.record" "$work/kept.record"
"$program" play "$work/over.record" </dev/null >"$work/out" 2>&1 || failed=1
has out 'over'
"$program" play --seat 1=me "$work/over.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1
cmp "$work/over.record" "$work/kept.record" || failed=1
for seat in 2 2= 2=wizard 2=me, 4=me 0=me me=2; do
    "$program" play --seat $seat "$work/none.record" </dev/null >"$work/out" 2>&1
    [ $? = 2 ] || failed=1
done
refused --seat 1=me
"$program" play --seat 3=strong "$work/two.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1
has out 'there are seats 1 to 2, and no seat 3 for 3=strong'

# Long lines, binary, the end of input: nothing is lost, nothing crashes.
{
    head -c 100000 /dev/zero | tr '\0' 'A'
    printf '\n\377\376\001\nA0\n\n'
} | "$program" play "$work/plain.record" >"$work/out" 2>&1 || failed=1
[ "$(grep -c '^1 A0$' "$work/plain.record")" = 2 ] || failed=1

# metro: mistakes are explained, a move is taken back, another confirmed.
metro() {
    LC_ALL=C.UTF-8 "$program" play --game metro --names Ada,Grace --seed $seed "$@"
}
printf '%s\n' '' help z9 b2 d4 A1 'why a1' 'why d1' 'why x' 'line 5' 'line 99' tiles bbbb D1 d2 \
    'why e1' undo e1 '' quit |
    metro "$work/metro.record" >"$work/out" 2>&1 || failed=1
has out 'Write your move like this'
has out 'z9: not understood'
has out 'aacb b2: that square is neither at the edge of the board nor next to a tile'
has out 'd4: no tile can be laid on the central stations'
has out 'aacb a1: not allowed: a line would run from station to station over this'
has out 'aacb d1: allowed, and finishes no line'
has out 'Squares are a1 to h8'
has out 'Line 5 (you) is open after 0 tiles; it goes on at d1'
has out 'Stations are 1 to 32'
has out '3 aacb' # one of the four is in the hand
has out 'Laid, not yet confirmed'
has out 'Your move is made: press Enter'
has out 'Your move is made: press Enter to confirm it' # why, after a move
has out 'Ada lays aacb e1'
has out '^1  *×    b1    c1    d1    e1' # a1 is open, but forbidden to this tile
has out '╔ ↓ ╗'
has metro.record '^1 aacb e1$'
lacks metro.record '^1 aacb d1$'

# Only Enter reveals a hand, and only a complete move can be played.
printf 'help\nd1\nQUIT\n' | "$program" play "$work/metro.record" >"$work/out" 2>&1 || failed=1
lacks out 'Your tile'
has out 'Write your move like this' # help is for everybody
has out "Enter shows this player.s own view"
narrow
"$program" view --player 2 "$work/metro.record" >"$work/view.record"
"$program" play "$work/view.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out 'hides tiles'

# With several tiles, or turned ones, what is missing is asked for.
printf '%s\n' '' help D1 /1 'cccc d1' 'aacb d1' quit |
    metro --rules hand2 "$work/hand.record" >"$work/out" 2>&1 || failed=1
has out 'Which tile? [a-d]* d1 [a-d]* d1$'
has out '/1: not understood'
has out "free for one of your tiles; 'aacb' shows"
has out 'Anything not confirmed is dropped'
narrow
has out 'cccc d1: this tile is not in the player'
printf '%s\n' '' a1 '/2 a1' aacb/1 undo '/1 a1' '' quit |
    metro --rules rotate "$work/rotate.record" >"$work/out" 2>&1 || failed=1
has out 'Here it may lie turned: aacb/1'
has rotate.record '^1 aacb/[123] a1$'

# Grace continues: she learns what Ada did, but not which tile Ada drew.
tile=$(sed -n 's/^deal 1 //p' "$work/metro.record" | tail -n 1)
printf '\nboard\ndraw\n\nundo\na2\n\nquit\n' |
    LC_ALL=C "$program" play "$work/metro.record" >"$work/out" 2>&1 || failed=1
has out '^Ada lays aacb e1'
lacks out "$tile"
has out 'You draw the top tile of the stock and must lay it'
has out 'Nothing to undo'
has out 'You drew this tile and must lay it'
has out '^Grace draws a tile'
has out 'v' # ASCII arrows where the terminal does not say that it has others
lacks out '↓'
has metro.record '^2 draw$'
tail -n 1 "$work/metro.record" >"$work/last"
has last '^2 [a-d]* a2$' # no tile is dealt for one that was drawn
printf '\nboard 2\nquit\n' | "$program" play "$work/metro.record" >"$work/out" 2>&1 || failed=1
has out 'There is one board for all'
has out '^Grace draws a tile' # the whole turn is reported again
has out "^Grace lays $(sed 's/^2 //' "$work/last")"

# Whole games, also with larger hands and turned tiles: the first move that fits is made.
squares=$(for row in 1 2 3 4 5 6 7 8; do printf "%s$row\\n" a b c d e f g h; done)
whole_game() {
    turn=0
    while [ $turn -lt 60 ]; do
        printf '\n%s\n\n' "$1"
        turn=$((turn + 1))
    done
}
whole_game "$squares" | "$program" play "$work/metro.record" >"$work/out" 2>&1 || failed=1
has out '^All tiles are laid'
has out '^P1 Ada: [0-9]* points, the best with line [0-9]*: [0-9]*$'
has out ' wins\.$'
"$program" replay "$work/metro.record" >"$work/replay" || failed=1
has replay '^over yes$'
for kind in aaaa aacb acba accd adad adbb baac badb bbad bbbb bcbc bcdd cbaa cbcb cccc ccda cdac \
    cddb dacc dada dbba dbcd ddbc dddd; do
    for square in $squares; do
        printf '%s\n' "$kind/1 $square" "$kind $square" "$kind/2 $square" "$kind/3 $square"
    done
done >"$work/everything"
whole_game "$(cat "$work/everything")" |
    metro --rules 'rotate hand3' --players 2 "$work/turned.record" >"$work/out" 2>&1 || failed=1
has out '^All tiles are laid'
has turned.record '^[12] [a-d]*/1 '
for record in metro turned; do # the same tiles in the same order, from the seed
    sed -n 's/^deal [12] //p' "$work/$record.record" >"$work/$record.tiles"
done
[ "$(wc -l <"$work/metro.tiles")" = 60 ] && cmp "$work/metro.tiles" "$work/turned.tiles" || failed=1

# What people see, to the letter: screen NAME compares $work/out with screens/NAME.txt; UPDATE=1
# rewrites it.
screen() {
    narrow
    sed -e "s|$work|WORK|g" -e "s|$program|endstation|g" "$work/out" >"$work/screen"
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/screen" "screens/$1.txt"
    else
        diff -u "screens/$1.txt" "$work/screen" || failed=1
    fi
}
cp ../docs/pictures/metro.record "$work/two.record"
printf '%s\n' '' 'line 31' 'line 11' 'line 20' 'why g6' 'why h4' aacb tiles g6 '' '' board draw \
    undo quit |
    LC_ALL=C.UTF-8 "$program" play "$work/two.record" >"$work/out" 2>&1 || failed=1
screen metro-two
cp screens/three.record "$work/three.record"
printf '%s\n' '' 'why c1' 'why h8' cbaa/2 'cbaa/2 c1' '' '' draw 'why h8' '' quit |
    LC_ALL=C.UTF-8 "$program" play "$work/three.record" >"$work/out" 2>&1 || failed=1
screen metro-three-rotate-hand2
whole_game "$(cat "$work/everything")" | LC_ALL=C.UTF-8 "$program" play "$work/three.record" |
    sed -n '/lays .*\.$/h; //!H; ${ g; p; }' >"$work/out" # from the last move on
screen metro-end
for locale in C C.UTF-8; do
    printf '%s\n' help B3 A1 '' C0 '' a quit |
        LC_ALL=$locale "$program" play --rules special --seed $seed "$work/sheet-$locale.record" \
            >"$work/out" 2>&1 || failed=1
    screen verplant-$locale
done
# A transfer's number, a free ride, and the end, solo and with others.
LC_ALL=C.UTF-8 "$program" play "$work/solo.record" </dev/null >"$work/out" 2>&1 || failed=1
screen verplant-end
turn=0
while [ $turn -lt 40 ]; do
    printf '\n@-\nA0\nB0\nC0\nD0\nE0\n\n'
    turn=$((turn + 1))
done | LC_ALL=C.UTF-8 "$program" play --players 2 --seed $seed "$work/pair.record" |
    sed -n '/^All windows/,$p' >"$work/out"
screen verplant-end-two
has out 'share the win'
lacks out '\[A\]' # no maps: too large for a screen

# On a terminal the screen is cleared before the device is handed over, also on an interrupt, and
# nothing typed ahead reveals a hand. on_terminal COMMAND: starts it, with fd 4 as the keyboard.
on_terminal() {
    rm -f "$work/typed"
    mkfifo "$work/typed"
    : >"$work/tty"
    script -qefc "$1" /dev/null <"$work/typed" >"$work/tty" 2>&1 &
    terminal=$!
    exec 4>"$work/typed"
}
# wait_for TEXT: waits until the terminal shows it.
wait_for() {
    rounds=0
    while ! grep -q "$1" "$work/tty"; do
        rounds=$((rounds + 1))
        if [ $rounds -gt 2400 ] || ! kill -0 "$terminal" 2>/dev/null; then
            echo "the terminal does not show '$1':"
            cat "$work/tty"
            failed=1
            return
        fi
        sleep 0.05
    done
}
# closed WIPES: ends it, and checks how often the screen was cleared.
closed() {
    exec 4>&-
    wait "$terminal"
    tr -d '\r' <"$work/tty" >"$work/out"
    [ "$(grep -c "$(printf '\033\[2J\033\[3J')" "$work/out")" = "$1" ] || failed=1
    sed -n "/$(printf '\033\[2J')/,\$p" "$work/out" >"$work/wiped" # from the first wipe on
}
if command -v script >/dev/null 2>&1; then
    cp ../docs/pictures/metro.record "$work/tty.record"
    TERM=xterm NO_COLOR=1 on_terminal "stty rows 24; $program play $work/tty.record"
    wait_for 'look away'
    printf '\n' >&4
    wait_for 'finish lines'
    printf 'g6\n' >&4
    wait_for 'Laid, not'
    printf '\n\n\n' >&4 # one to confirm, two too many
    wait_for 'Ada is next'
    printf 'quit\n' >&4
    wait_for 'The game is saved'
    closed 1
    has wiped 'Ada is next'
    lacks wiped 'Your tile'
    has out 'This terminal has 24 lines'
    lacks out "$(printf '\033\[0;')" # no colour was wanted

    TERM=linux NO_COLOR='' on_terminal \
        "stty rows 50; echo \$\$ >$work/pid; exec $program play $work/tty.record"
    wait_for 'look away'
    printf '\n' >&4
    wait_for 'Your tile'
    kill -TERM "$(cat "$work/pid")" # the shell lets its jobs ignore Ctrl-C
    wait "$terminal"
    closed 1
    lacks wiped 'Your tile'
    has out "$(printf '\033\[0;33m')" # player 1 in yellow
    lacks out 'This terminal has'

    # The sheet on a terminal: letters in their line's colour, highlighted marks; or none of it.
    for no in '' 1; do
        "$program" new --seed $seed >"$work/ttysheet.record"
        TERM=xterm-256color NO_COLOR=$no LC_ALL=C.UTF-8 on_terminal \
            "stty rows 24; exec $program play $work/ttysheet.record"
        wait_for 'Your move> '
        printf 'A2\n' >&4
        wait_for 'press Enter to confirm'
        printf '\n' >&4
        wait_for 'round 2'
        printf 'quit\n' >&4
        closed 0
        has out 'This terminal has 24 lines and [0-9]* columns; the map'
        if [ -z "$no" ]; then
            has out "$(printf '\033\[0;1;48;5;[0-9]*;38;5;[0-9]*m A ')"
            has out "$(printf '\033\[0;1;48;5;[0-9]*;38;5;[0-9]*m⊗')"
            has out "$(printf '\033\[0;1;38;5;[0-9]*m×')"
        else
            has out '\[A\].*⊗.*⊗'
            lacks out "$(printf '\033\[')[0-9;]*m"
        fi
    done

    TERM=dumb on_terminal "$program play $work/tty.record"
    wait_for 'look away'
    printf '\nquit\n' >&4
    closed 0
    lacks out "$(printf '\033')"
fi

# With standard output or error closed, nothing is written into the game by mistake.
"$program" new --game metro --seed $seed >"$work/shut.record"
cp "$work/shut.record" "$work/shut2.record"
printf '\nquit\n' | "$program" play "$work/shut.record" >&- 2>"$work/err"
printf '\nquit\n' | "$program" play "$work/shut.record" >/dev/null 2>&-
cmp "$work/shut.record" "$work/shut2.record" || failed=1

# The default path, and a path that cannot be written.
for game in 1 2 3; do # several within a second
    printf 'A1\n\n' | XDG_DATA_HOME=$work/data "$program" play --seed $seed >"$work/out" 2>&1 ||
        failed=1
done
[ "$(ls "$work/data/endstation" | wc -l)" = 3 ] || failed=1
"$program" play "$work/no/such/folder/x.record" </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
: >"$work/taken"
HOME=$work/taken XDG_DATA_HOME='' "$program" play </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out "cannot save to $work/taken/.local/share/endstation/verplant-.*; name a FILE to save it in"

# The record says on which day it begins, where it is played.
for zone in UTC-14 UTC+12; do
    before=$(TZ=$zone date +%F)
    printf 'A1\n\n' | TZ=$zone "$program" play --seed $seed "$work/date-$zone.record" \
        >"$work/out" 2>&1
    grep -q "^date \($before\|$(TZ=$zone date +%F)\)$" "$work/date-$zone.record" || failed=1
done
cmp -s "$work/date-UTC-14.record" "$work/date-UTC+12.record" && failed=1

# How to go on can be typed as it stands, wherever the program is.
mkdir "$work/a b"
ln -s "$(realpath "$program")" "$work/a b/it's"
"$program" new >"$work/open.record"
"$work/a b/it's" play "$work/open.record" </dev/null >"$work/out" 2>&1 || failed=1
line=$(sed -n 's/^.*Continue with: //p' "$work/out")
sh -c "$line" </dev/null >"$work/out" 2>&1 || failed=1
has out "^Continuing $work/open.record$"

# A game without a move leaves no file, and says so. A game that was there stays.
printf 'help\nA1\nquit\n' | "$program" play --seed $seed "$work/unmoved.record" >"$work/out" 2>&1 ||
    failed=1
[ ! -e "$work/unmoved.record" ] || failed=1
has out '^Nobody has made a move, so there is no game to save\.$'
lacks out 'The game is saved. Continue'
"$program" new >"$work/unmoved.record"
"$program" play "$work/unmoved.record" </dev/null >"$work/out" 2>&1 || failed=1
[ -e "$work/unmoved.record" ] || failed=1
has out "The game is saved. Continue with: $program play $work/unmoved.record"

# `play --continue` takes the latest game that is not over, where games without a FILE are.
export XDG_DATA_HOME="$work/data"
rm -r "$work/data"
"$program" play --continue </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out "^endstation play: $work/data/endstation has no game to continue$"
mkdir "$work/data" "$work/data/endstation"
"$program" new --names old >"$work/data/endstation/b.record"
"$program" new --names new >"$work/data/endstation/a.record"
cp "$work/solo.record" "$work/data/endstation/over.record"
"$program" new --names note >"$work/data/endstation/note"
touch -d 2026-01-01 "$work/data/endstation/b.record"
touch -d 2026-01-02 "$work/data/endstation/a.record"
touch -d 2026-01-03 "$work/data/endstation/over.record"
"$program" play --continue </dev/null >"$work/out" 2>&1 || failed=1
has out "^Continuing $work/data/endstation/a.record$"
touch -d 2026-01-02 "$work/data/endstation/b.record" # the same moment: by name
"$program" play --continue --seat 1=me </dev/null >"$work/out" 2>&1 || failed=1
has out "^Continuing $work/data/endstation/b.record$"
"$program" play --continue "$work/no.record" </dev/null >"$work/out" 2>&1
[ $? = 2 ] && [ ! -e "$work/no.record" ] || failed=1
"$program" play --continue --players 2 </dev/null >"$work/out" 2>&1
[ $? = 2 ] || failed=1
# Records that cannot be read, or are on a sheet of one's own, are named and skipped.
printf 'endstation-record 1\ngame nothing\n' >"$work/data/endstation/damaged.record"
touch -d 2026-01-05 "$work/data/endstation/damaged.record"
"$program" new --map "$work/mine.map" --names own >"$work/data/endstation/own.record"
touch -d 2026-01-04 "$work/data/endstation/own.record"
"$program" play --continue </dev/null >"$work/out" 2>&1 || failed=1
has out "^$work/data/endstation/damaged.record:2: "
has out "^endstation play: skipping $work/data/endstation/damaged.record$"
has out "^endstation play: skipping $work/data/endstation/own.record$"
has out "^Continuing $work/data/endstation/b.record$"
"$program" play --continue --map "$work/mine.map" </dev/null >"$work/out" 2>&1 || failed=1
has out "^Continuing $work/data/endstation/own.record$"
rm "$work/data/endstation/a.record" "$work/data/endstation/b.record"
"$program" play --continue </dev/null >"$work/out" 2>&1
[ $? = 1 ] || failed=1
has out "has no other game to continue; games on a sheet of your own need --map$"
"$program" play --continue --map "$work/no.map" </dev/null >"$work/out" 2>&1
[ $? = 1 ] && [ "$(grep -c . "$work/out")" = 1 ] || failed=1
unset XDG_DATA_HOME

# A file that is removed or changed in the meantime: the game goes on in another one beside it, or,
# if the folder has gone too, where games without a FILE are. meanwhile COMMAND FOLDER [KEYS
# [STATUS]]: plays in it, with the command between two moves.
meanwhile() {
    rm -f "$work/keys2" "$work/out"
    mkdir -p "$2"
    mkfifo "$work/keys2"
    XDG_DATA_HOME=$work/data "$program" play --seed $seed "$2/x.record" <"$work/keys2" \
        >"$work/out" 2>&1 &
    playing=$!
    exec 3>"$work/keys2"
    printf 'A1\n\n' >&3
    # The second card is the last that is saved until the next keys come.
    while ! grep -qs '^card 3$' "$2/x.record" && kill -0 $playing; do sleep 0.05; done
    eval "$1"
    printf '%b' "${3:-B1\n\nquit\n}" >&3
    exec 3>&-
    wait $playing
    [ $? = "${4:-0}" ] || failed=1
}
meanwhile 'rm "$work/gone/x.record"' "$work/gone"
has out "^$work/gone/x.record was removed by another program\.$"
has out "^The game is now saved in $work/gone/x-2.record$"
has out "Continue with: $program play $work/gone/x-2.record$"
has gone/x-2.record '^1 A1$'
has gone/x-2.record '^1 B1$'
has gone/x-2.record '^date '
[ ! -e "$work/gone/x.record" ] || failed=1
: >"$work/gone/x-3.record"
meanwhile 'echo mine >"$work/gone/y"; mv "$work/gone/y" "$work/gone/x.record"' "$work/gone" 'quit\n'
has out "^$work/gone/x.record was changed by another program\.$"
has out "Continue with: $program play $work/gone/x-4.record$"
has gone/x.record '^mine$'
has gone/x-4.record '^1 A1$'
meanwhile ': >"$work/cut/x.record"' "$work/cut"
has out "^The game is now saved in $work/cut/x-2.record$"
has cut/x-2.record '^1 B1$'
[ ! -s "$work/cut/x.record" ] || failed=1
meanwhile 'rm -r "$work/lost"' "$work/lost"
has out "^The game is now saved in $work/data/endstation/verplant-.*\.record$"
grep -q '^1 B1$' "$work"/data/endstation/verplant-*.record || failed=1
# Another record written over it, which is longer; a remark without a line end; as long as before.
"$program" new --names other,one --seed $seed >"$work/longer"
printf '%01000d\n' 0 | sed 's/^/#/' >>"$work/longer"
meanwhile 'cp "$work/longer" "$work/over/x.record"' "$work/over"
has out "^$work/over/x.record was changed by another program\.$"
cmp "$work/longer" "$work/over/x.record" || failed=1
has over/x-2.record '^1 B1$'
meanwhile 'printf "# remark" >>"$work/remark/x.record"' "$work/remark"
[ "$(tail -n 1 "$work/remark/x.record")" = '# remark' ] || failed=1
has remark/x-2.record '^1 B1$'
meanwhile 'sed "s/^1 A1/1 A2/" "$work/same/x.record" >"$work/y"
    cat "$work/y" >"$work/same/x.record"' "$work/same"
lacks same/x.record '^1 B1$'
has same/x-2.record '^1 A1$'
# Where it can be saved nowhere, the record is printed, and can be copied from there.
rm -r "$work/data"
meanwhile 'rm -r "$work/lost"; : >"$work/data"' "$work/lost" '' 1
has out "endstation play: cannot save to $work/data/endstation/verplant-"
has out "^$work/lost/x.record was removed by another program\.$"
sed -n '/^endstation-record 1$/,$p' "$work/out" >"$work/copied.record"
has copied.record '^1 B1$'
"$program" replay "$work/copied.record" >/dev/null || failed=1
exit $failed
