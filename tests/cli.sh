#!/bin/sh
# The program as people and other programs call it: cli.sh PROGRAM.
. ./common.sh

# Help and version of every command.
expect 0 --help
has out '^usage: endstation COMMAND'
expect 0 --version
has out '^endstation [0-9]'
for command in serve backup check export import manage play new replay moves view verify draw \
    print maps engine arena analyse stats hindsight perft bench
do
    expect 0 $command --help
    has out "^usage: endstation $command"
    expect 0 $command --version
    expect 2 $command --nonsense
    has err "endstation $command --help"
done
expect 0 help new
has out '^usage: endstation new'
expect 0 new -h
expect 2
expect 2 nonsense
expect 2 help nonsense

# New games: the header asked for, a seed, the first card; the same seed gives the same game.
seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
expect 0 new --players 2 --rules special --deck 15 --names 'Ada,Grace Hopper' --seed $seed
cp "$work/out" "$work/new.record"
has out '^map practice 3c88349a7438c422786680fe3c0dc9a6$'
has out '^players 2$'
has out '^rules special$'
has out '^deck 3 3 3 4 4 4 5 5 6 x2 x2 x3 + + o$'
has out '^player 2 Grace Hopper$'
has out "^seed $seed\$"
has out '^card '
expect 0 replay "$work/new.record"
has out '^to-act 1 2$'
expect 0 new --players 2 --rules special --deck 15 --names 'Ada,Grace Hopper' --seed $seed
cmp "$work/out" "$work/new.record" || failed=1
expect 0 new
cp "$work/out" "$work/a.record"
expect 0 new
if cmp -s "$work/out" "$work/a.record"; then
    echo "two new games have the same seed"
    failed=1
fi
# The optional rules are off in every game, on every sheet, unless they are asked for.
for game in 'verplant --map amsterdam' 'verplant --map berlin' 'verplant --map paris' \
    'verplant --map madrid' 'verplant --map practice' verplant 'metro --players 2'; do
    # shellcheck disable=SC2086 # words
    expect 0 new --game $game
    has out '^game '
    lacks out '^rules'
    # shellcheck disable=SC2086 # words
    printf '\n' | "$program" play --game $game "$work/rules.record" >/dev/null 2>&1
    [ ! -e "$work/rules.record" ] || lacks rules.record '^rules'
    rm -rf "$work/rules.record" "$work/rules"
    # shellcheck disable=SC2086 # words
    "$program" arena --game ${game%% --players*} --seats random,random --games 2 --seed 1 \
        --records "$work/rules" >/dev/null 2>&1 || failed=1
    cat "$work"/rules/*.record >"$work/all"
    has all '^game '
    lacks all '^rules'
done
expect 2 new --players 7
# Games for tests are not in the program that people get.
expect 2 new --game null
expect 2 new --game depot
expect 2 new --rules rotate
expect 2 new --deck '3 4'
expect 2 new --seed 12
expect 2 new --game chess
expect 0 new --names A,B
has out '^players 2$'
expect 0 new --game metro --names A,B,C
has out '^players 3$'
has out '^player 3 C$'
expect 2 new --names A,B --players 1
has err 'more names than players: A,B;'
expect 2 new --names A,B,C,D,E,F,G
has err 'more names than players'
for number in 0 7 x ''; do
    expect 2 new --players "$number"
    has err '^endstation new: --players takes a whole number from 1 to 6, not'
done
expect 2 new --game metro --players 1
has err 'takes a whole number from 2 to 6, not 1'
expect 2 manage close ROOM
has err 'an id is 16 letters a to z and digits 2 to 7, not ROOM'
expect 2 manage show x
has err 'an id is 16 letters a to z and digits 2 to 7, not x'
expect 2 manage rooms --after x
has err 'an id is 16 letters'
expect 2 manage rooms --guest x
has err 'an id is 16 letters'
expect 2 manage rooms --game x
has err 'there is no game x'
expect 2 manage rooms --phase x
has err '--phase takes waiting, words, playing, over, closed or unreadable, not x'
expect 2 manage blocks --after x
has err '--after takes what the list says at its end, not x'
expect 2 manage done aaaaaaaaaaaaaaaa x
has err 'an id is 16 letters'
expect 2 manage done --room x
has err 'an id is 16 letters'
expect 2 manage rooms --open --invited
has err '--open and --invited cannot be combined'
expect 2 new --names 'A
seed'
expect 1 new --map /nowhere.map
has err '^/nowhere.map:0: '
expect 1 new --map nowhere
has err '^nowhere:0: .*built-in'

# An empty name, as of a variable that is not set, is no file.
for command in play replay view draw verify stats export import backup perft; do
    expect 2 $command ''
    has err "^endstation $command: an argument is empty;"
done
expect 2 replay -- ''
has err 'an argument is empty'

# metro: hands dealt round the table, two players by default, its own rules and no sheet or deck.
expect 0 new --game metro --players 3 --rules 'rotate hand2' --seed $seed
cp "$work/out" "$work/metro.record"
has out '^rules rotate hand2$'
[ "$(grep '^deal' "$work/out" | cut -d ' ' -f 2 | tr '\n' ' ')" = '1 2 3 1 2 3 ' ] || failed=1
expect 0 new --game metro
has out '^players 2$'
# The test values of docs/shuffle.md.
expect 0 new --game metro --players 4 \
    --seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
[ "$(sed -n 's/^deal [1-4] //p' "$work/out" | tr '\n' ' ')" = 'dbba ccda bbad accd ' ] || failed=1
expect 2 new --game metro --map practice
expect 2 new --game metro --deck 14
expect 2 new --game metro --players 1
expect 2 new --game metro --rules special
expect 2 new --game metro --rules 'hand2 hand3'
has err 'cannot be combined'
expect 0 replay "$work/metro.record"
has out '^stock 54$'
expect 2 replay --map practice "$work/metro.record"
expect 0 moves "$work/metro.record"
has out '^1 draw$'
LC_ALL=C sort -c "$work/out" || failed=1
move=$(grep -v draw "$work/out" | tail -n 1)
printf '%s\n' "$move" >>"$work/metro.record"
expect 0 view --player 2 "$work/metro.record"
lacks out seed
[ "$(grep -c '^deal [13] ?$' "$work/out")" = 4 ] || failed=1
[ "$(grep -c '^deal 2 [a-d]' "$work/out")" = 2 ] || failed=1
cp "$work/out" "$work/view.record"
expect 0 replay "$work/view.record" # a view is a record
has out '^hand 1 ?$'
has out '^to-act chance$'
expect 0 view "$work/view.record" # a spectator's view of a player's view hides more
[ "$(grep -c '^deal [123] ?$' "$work/out")" = 6 ] || failed=1
expect 0 perft --depth 2 "$work/metro.record"
has out '^perft 1 2[0-9]$'

# Reading: files, standard input, built-in sheets, a player's own sheets.
"$program" replay - <"$work/new.record" >"$work/out2" 2>&1 || failed=1
"$program" replay "$work/new.record" | cmp - "$work/out2" || failed=1
expect 0 replay --map practice "$work/new.record"
expect 0 replay --map=practice "$work/new.record"
"$program" maps practice >"$work/practice.map" || failed=1
cmp "$work/practice.map" ../maps/practice.map || failed=1
expect 0 replay --map "$work/practice.map" "$work/new.record"
"$program" maps "$work/practice.map" >"$work/uniform.map"
"$program" maps "$work/uniform.map" | cmp - "$work/uniform.map" || failed=1
sed 's/^id .*/id other/' "$work/practice.map" >"$work/other.map"
expect 1 replay --map "$work/other.map" "$work/new.record"
has err "^$work/new.record:3: "
sed 's/^map .*/map elsewhere/' "$work/new.record" >"$work/elsewhere.record"
expect 1 replay "$work/elsewhere.record"
has err "^$work/elsewhere.record:3: .*--map"
# Versions of one sheet are told apart by their hashes; the error names both.
sed 's/^title .*/title Other/' "$work/practice.map" >"$work/version.map"
expect 0 new --map "$work/version.map" --seed $seed
cp "$work/out" "$work/version.record"
hash=$(sed -n 's/^map practice //p' "$work/out")
expect 0 maps --check --games 1 "$work/version.map"
has out "^hash $hash$"
expect 0 replay --map "$work/version.map" "$work/version.record"
for map in '' --map=practice; do
    expect 1 replay $map "$work/version.record"
    has err "^$work/version.record:3: '$hash, 3c88349a7438c422786680fe3c0dc9a6': "
done
expect 1 replay --map "$work/version.map" "$work/new.record"
has err "^$work/new.record:3: '3c88349a7438c422786680fe3c0dc9a6, $hash': "
sed 's/^map .*/map practice/' "$work/version.record" >"$work/nameless.record"
expect 0 replay "$work/nameless.record"
expect 0 replay --map "$work/version.map" "$work/nameless.record"
# Other header lines survive; views have those that they may.
sed '/^players/a note 1\nsecret 2\nbot 1 strong\ncommit 3\nword 4\ndate 5' "$work/new.record" \
    >"$work/notes.record"
expect 0 view "$work/notes.record"
grep -E '^(note|secret|bot|commit|word|date|player) ' "$work/out" >"$work/seen"
printf 'player 1 Ada\nplayer 2 Grace Hopper\nbot 1 strong\ncommit 3\ndate 5\n' |
    cmp - "$work/seen" || failed=1
expect 1 replay /nowhere.record
has err '^/nowhere.record:0: '
expect 1 replay "$work" # a folder
has err ':0: '
expect 1 replay --map "$work" "$work/new.record"
has err "^$work:0: "
expect 2 replay
expect 1 replay a b
has err '^a:0: '
has err '^b:0: '
expect 2 view a b
expect 2 replay --map
expect 2 replay --map - -
expect 2 replay --map a --map b "$work/new.record"
expect 0 moves "$work/new.record"
has out '^1 A0$'
LC_ALL=C sort -c "$work/out" || failed=1

# Views.
printf '1 A0\n' >>"$work/new.record"
expect 0 view --player 2 "$work/new.record"
lacks out '^1 A0'
lacks out seed
expect 0 view --player 1 "$work/new.record"
has out '^1 A0$'
expect 2 view --player 3 "$work/new.record"

# Sheets, counting, the bench.
expect 0 maps
has out '^practice '
expect 1 maps /nowhere.map
expect 0 perft --depth 2 "$work/a.record"
has out '^perft 2 [1-9]'
expect 2 perft --depth 0 "$work/a.record"
expect 2 perft --depth x "$work/a.record"
expect 0 bench --games 1000
grep '^bench ' "$work/out" | sed 's/events .* signature //' | cmp - ../bench/signature || failed=1
has out '^bench verplant games 1000 events [0-9]* ns/event [0-9.]* signature [0-9a-f]\{16\}$'
has out '^bench metro games 1000 events 120000 ns/event [0-9.]* signature [0-9a-f]\{16\}$'
has out '^metro: on average 17\.5 choices, 60\.0 moves and 19[78]\.[0-9] points a game$'
expect 2 bench --games 0
expect 0 bench --pictures
has out '^practice .* ms .* ms  *[0-9]*$'
expect 2 bench --pictures --games 5

# Hindsight: what every player got and could have got, and the entries that lead there.
expect 0 new --players 2 --rules special --seed $seed
cp "$work/out" "$work/game.record"
expect 1 hindsight "$work/game.record"
has err "^endstation hindsight: $work/game.record: the game is not over\$"
[ "$(wc -l <"$work/err")" = 1 ] || failed=1
"$program" arena --game verplant --map practice --seats greedy,random --games 2 \
    --seed 7 --records "$work/games" >"$work/out" 2>&1 || failed=1
game=$(ls "$work"/games/*.record | head -n 1)
expect 0 replay "$game"
got1=$(sed -n 's/^player 1 .* total //p' "$work/out")
got2=$(sed -n 's/^player 2 .* total //p' "$work/out")
expect 0 hindsight --width 50 "$game"
cp "$work/out" "$work/hindsight"
[ "$(wc -l <"$work/out")" = 2 ] || failed=1
has out "^player 1 points $got1 hindsight [0-9]*\$"
has out "^player 2 points $got2 hindsight [0-9]*\$"
"$program" hindsight --width 50 - <"$game" | cmp - "$work/hindsight" || failed=1
expect 0 hindsight --width 50 --map practice --play "$game"
grep '^player' "$work/out" | cmp - "$work/hindsight" || failed=1
sed -n '/^player 2/,$p' "$work/out" | grep '^1 ' && failed=1 # only after the player's own line
best=$(sed -n 's/^player 1 .* hindsight //p' "$work/out")
sed -n '/^player 2/q;/^1 /p' "$work/out" >"$work/entries"
[ -s "$work/entries" ] || failed=1
# The same cards, player 1 with the entries found, player 2 as played: legal, and worth the points
# printed. Player 1 has a window for every card and makes one entry per card.
grep -v '^1 ' "$game" >"$work/without.record"
while IFS= read -r line; do
    printf '%s\n' "$line" >>"$work/better.record"
    case $line in card*)
        head -n 1 "$work/entries" >>"$work/better.record"
        sed 1d "$work/entries" >"$work/rest"
        mv "$work/rest" "$work/entries"
        ;;
    esac
done <"$work/without.record"
expect 0 replay "$work/better.record"
has out '^over yes$'
has out "^player 1 .* total $best\$"
expect 2 hindsight
expect 1 hindsight a b
expect 2 hindsight --width 0 "$game"
expect 2 hindsight --width 20001 "$game"
expect 2 hindsight --width wide "$game"
has err '--width'
expect 2 hindsight "$work/metro.record"
has err 'metro'
expect 1 hindsight /nowhere.record
has err '^/nowhere.record:0: '
# More cards than it can hold: it says so, and not that the game is not over.
{
    printf 'endstation-record 1\ngame verplant\nmap amsterdam\nplayers 1\ndeck 6'
    printf ' o%.0s' $(seq 59)
    printf '\n\n'
    "$program" maps amsterdam | awk '/^line / { for (i = 0; i < $5; i++) {
        for (k = 0; k < 59; k++) print "card o\n1 @-"
        print "card 6\n1 " $2 "0" } }'
} >"$work/rides.record"
expect 0 replay "$work/rides.record"
has out '^over yes$'
expect 1 hindsight "$work/rides.record"
has err 'too many cards$'

# Analysis: the same bytes with any number of threads; luck and loss add up to the result.
"$program" arena --solo --game verplant --map practice --seats casual --games 1 --seed 7 \
    --records "$work/solo" >"$work/out" 2>&1 || failed=1
game=$work/solo/0001.record
expect 0 analyse "$game"
has out '^Player 1, casual (bot): values are points\.$'
has out '^expected at the start  *[0-9.]*$'
has out '^hindsight  *[0-9]*$'
cp "$work/out" "$work/analysis"
expect 0 analyse --threads 2 "$game"
cmp "$work/out" "$work/analysis" || failed=1
expect 0 analyse --json "$game"
sed 's/"file":"[^"]*"/"file":"-"/' "$work/out" >"$work/json"
for threads in 2 5; do
    "$program" analyse --json --threads $threads - <"$game" | cmp - "$work/json" || failed=1
done
expect 0 replay "$game"
points=$(sed -n 's/^player 1 .* total //p' "$work/out")
has json "\"result\":$points\.000000,"
# What a view of the game hides is not used: the results are the same.
"$program" view --player 1 "$game" | "$program" analyse --json - | cmp - "$work/json" || failed=1
expect 0 analyse --player 2 --json "$work/metro.record"
has out '"unit":"win"'
expect 2 analyse
expect 2 analyse --player 2 "$game"
expect 2 analyse --player 0 "$game"
expect 2 analyse --threads 0 "$game"
expect 2 analyse --threads 65 "$game"
expect 1 analyse /nowhere.record
has err '^/nowhere.record:0: '
sed 's/^1 [A-E].*/1 Z9/' "$game" >"$work/bad.record"
expect 1 analyse "$work/bad.record"
has err "^$work/bad.record:[0-9]*: "
printf 'endstation-record 1\ngame metro\nplayers 2\n\ndeal 1 ?\ndeal 2 aaaa\n1 bbbb b1\n' \
    >"$work/blind.record"
expect 1 analyse "$work/blind.record"
has err "^endstation analyse: $work/blind.record: this view hides the player's own tiles\$"

# Statistics: rows and figures of the games of one person; what cannot be counted is left out.
sed 's/^bot 1 .*/player 1 =Ada/; s/^$/date 2026-11-17\n/' "$game" >"$work/ada.record"
expect 0 stats "$work/ada.record"
has out '^1 game; left out: 0 not over, 0 without you, 0 unreadable$'
has out '^verplant practice, alone: 1 game$'
has out "^  mean $points\.00, median $points\.0, best $points on 2026-11-17, least $points\$"
has out '^  greedy   mean  *[0-9.]* of 2000 games: your best is better than [0-9]* %'
expect 0 stats --csv "$work/ada.record"
has out '^date,game,sheet,hash,title,rules,options,players,seat,name,others,points,place,winners,'
has out "^2026-11-17,verplant,practice,3c88.*,Practice,,,1,1,\"'=Ada\",,$points,1,1,[0-9],no\$"
[ "$(wc -l <"$work/out")" = 2 ] || failed=1
# With --csv and --json what is left out is on standard error, so that the answer is only that.
"$program" stats --json "$work/ada.record" "$game" "$work/new.record" "$work/bad.record" \
    >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has err '^1 game; left out: 1 not over, 1 without you, 1 unreadable$'
has out '^{"games":1,"alone":1,"aided":0,"left":{"unfinished":1,"unknown":1,"unreadable":1},'
"$program" stats "$work/bad.record" >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has out '^0 games; left out: 0 not over, 0 without you, 1 unreadable$'
has out "^$work/bad.record:[0-9]*: "
# Who you are, and a sheet of one's own.
"$program" maps practice | sed 's/^id .*/id harbour/; s/^title .*/title -Harbour, "old"/' \
    >"$work/harbour.map"
sed '/^bot/d; s/^map .*/map harbour/; s/^players .*/&\nplayer 1 Ada/' "$game" >"$work/own.record"
expect 0 stats --csv "$work/own.record" "$work/harbour.map"
has out ',harbour,[0-9a-f]*,"'"'"'-Harbour, ""old""",,,1,1,Ada,,'
"$program" stats "$work/own.record" >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has out 'own.record:.*name its .map file'
"$program" stats --csv "$work/own.record" "$work/new.record" >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
[ "$(wc -l <"$work/out")" = 1 ] || failed=1
has err '^0 games; left out: 1 not over, 0 without you, 1 unreadable$'
has err 'own.record:.*name its .map file'
"$program" arena --game metro --seats greedy,random --games 2 --seed 1 --records "$work/two" \
    >"$work/out" 2>&1 || failed=1
sed 's/^bot 1 .*/player 1 Ada/; s/^bot 2 .*/player 2 Bea/' "$work/two/0001.record" >"$work/2.record"
expect 0 stats --csv --name Bea "$work/2.record"
has out ',2,2,Bea,person,'
"$program" stats --json "$work/2.record" >"$work/out" 2>"$work/err" || failed=1
has out '"unknown":1'
expect 0 stats --csv --name 'Eve
Ada' "$work/2.record"
has out ',2,1,Ada,person,'
expect 0 stats --name Ada "$work/2.record"
has out '^metro, 2 players: 1 game$'
has out '^  against person: [01] of 1 won.*, mean [0-9.]*, median [0-9.]*, best [0-9]*$'
expect 2 stats
expect 2 stats "$work/harbour.map"
expect 2 stats --csv --json "$work/ada.record"
"$program" stats "$work/ada.record" /nowhere.record >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has out '^1 game; left out: 0 not over, 0 without you, 1 unreadable$'
has err '^/nowhere.record:0: '

# A full disk is noticed.
if [ -w /dev/full ]; then
    "$program" maps practice >/dev/full 2>"$work/err"
    [ $? = 1 ] && [ -s "$work/err" ] || failed=1
fi
exit $failed
