#!/bin/sh
# Tests of the arena, many games between bots and programs: arena.sh PROGRAM.
. ./common.sh

# arena ARGUMENTS…: leaves $work/out and $work/err.
arena() {
    timeout 60 "$program" arena "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got != 0 ]; then
        echo "arena $*: exit status $got"
        cat "$work/err"
        failed=1
    fi
}
# same DIR DIR: the same records, except for who plays.
same() {
    for record in "$work/$1"/*.record; do
        sed -e '/^player /d' -e '/^bot /d' "$record" >"$work/a"
        sed -e '/^player /d' -e '/^bot /d' "$work/$2/$(basename "$record")" | cmp - "$work/a" ||
            failed=1
    done
    [ "$(ls "$work/$1")" = "$(ls "$work/$2")" ] || failed=1
}

# The last lines, one per seat; everything before is for people. Games are rounded up to groups.
arena --seats random,greedy,random --games 10 --seed 7 --records "$work/one" --rules special
tail -n 3 "$work/out" >"$work/results"
has err '^12 of 12 games played in '
number='-\{0,1\}[0-9]*\.[0-9][0-9]'
time='lost 0 ms/move [0-9]*\.[0-9]'
for line in '1 random' '2 greedy' '3 random'; do
    has results "^result $line games 12 mean $number sd $number wins [01]\.[0-9][0-9] $time\$"
done
has out '^   2 .* ± .* +.* ± '
has out '^±, ≥, ≤: 95 % confidence interval over groups with the same cards;$'
[ "$(ls "$work/one" | wc -l)" = 12 ] || failed=1

# The means are those of the records; seats rotate; three games have the same cards.
sum=0
for record in "$work"/one/*.record; do
    "$program" replay "$record" >"$work/replay" || failed=1
    has replay '^over yes$'
    seat=$(sed -n 's/^bot \([1-3]\) greedy$/\1/p' "$record")
    printf '%s' "$seat" >>"$work/seats"
    sum=$((sum + $(sed -n "s/^player $seat .* total //p" "$work/replay")))
done
[ "$(cat "$work/seats")" = 231231231231 ] || failed=1
has results "^result 2 greedy games 12 mean $(awk "BEGIN { printf \"%.2f\", $sum / 12 }") "
[ "$(cat "$work"/one/*.record | grep '^seed' | sort | uniq -c | grep -c '^ *3 ')" = 4 ] || failed=1
cards() {
    grep '^card' "$work/one/$1.record" | head -n 12 | tr '\n' ' '
}
[ "$(cards 0001)" = "$(cards 0003)" ] && [ "$(cards 0001)" != "$(cards 0004)" ] || failed=1

# The same games with any number of threads, and others from another seed.
arena --seats random,greedy,random --games 12 --seed 7 --records "$work/two" --rules special \
    --threads 2
diff -r "$work/one" "$work/two" || failed=1
arena --seats random,greedy,random --games 3 --seed 'another text' --records "$work/three"
cmp -s "$work/one/0001.record" "$work/three/0001.record" && failed=1

# A program that speaks the protocol is a player like any other: our own engine plays the same
# games.
for game in 'verplant special' 'metro rotate hand2'; do
    rules=${game#* }
    set -- --game "${game%% *}" --games 4 --seed 5
    arena "$@" --rules "$rules" --seats random,random --records "$work/own-${game%% *}"
    # shellcheck disable=SC2086 # rules without quotes are taken too
    arena "$@" --rules $rules --seats "random,exec:'$program' engine@level=random" --threads 2 \
        --records "$work/exec-${game%% *}"
    same "own-${game%% *}" "exec-${game%% *}"
    [ "$(tail -n 1 "$work/out" | wc -w)" = 15 ] || failed=1
    lacks err loses
done
[ "$(grep '^deal 1' "$work/own-metro/0001.record" | head -n 2)" = \
    "$(grep '^deal 1' "$work/own-metro/0002.record" | head -n 2)" ] || failed=1
# The tiles are those of the seed that the record names.
seed=$(sed -n 's/^seed //p' "$work/own-metro/0001.record")
"$program" new --game metro --rules 'rotate hand2' --seed "$seed" | grep '^deal' >"$work/deals"
grep '^deal' "$work/own-metro/0001.record" | head -n 4 | cmp - "$work/deals" || failed=1
# In records a program's level is `exec`, and its name is the command, cut to 60 characters; a bot
# with limits has them in its name. Programs are sent neither names nor levels.
arena --games 1 --seats "random@ms=5,exec:tee -a $work/heard | '$program' engine@level=random" \
    --records "$work/heard-records"
has heard-records/0001.record '^bot 1 random$'
has heard-records/0001.record '^player 1 random@ms=5$'
has heard-records/0001.record '^bot 2 exec$'
name=$(printf '%s' "tee -a $work/heard | '$program' engine" | cut -c 1-60)
grep -qxF "player 2 $name" "$work/heard-records/0001.record" || failed=1
has heard '^map practice [0-9a-f]\{32\}$'
lacks heard '^player '
lacks heard '^bot '
# The sheet may be another version of a built-in one.
sed 's/^title .*/title Mine/' ../maps/practice.map >"$work/mine.map"
arena --map "$work/mine.map" --games 2 \
    --seats "greedy,exec:'$program' engine --map '$work/mine.map'@level=greedy@iterations=3"
lacks err loses

# A seat may have a name of its own, for its results and records; the table shows all of it. A
# command may contain =, @ and : too. Folders of records are made.
arena --games 2 --seats "Hal_9=random@ms=5,my-bot=exec:x=a:b@c '$program' engine@level=random" \
    --records "$work/deep/er/named"
has out '^result 1 Hal_9 games 2 mean .* lost 0 ms/move '
has out '^result 2 my-bot games 2 mean .* lost 0 ms/move '
has out " my-bot=exec:x=a:b@c '.*' engine@level=random\$"
has deep/er/named/0001.record '^player 1 Hal_9$'
has deep/er/named/0001.record '^bot 1 random$'
has deep/er/named/0001.record '^player 2 my-bot$'
has deep/er/named/0001.record '^bot 2 exec$'
arena --games 1 --seats "exec:x=y '$program' engine@level=random,random@ms=5"
has out '^result 1 exec:x=y_'
has out '^result 2 random@ms=5 '

# A program may write comments, `info` and empty lines wherever it writes a line.
cat >"$work/chatty.sh" <<SH
echo '# hello'
'$program' engine | sed -u 's/.*/#before\\n\\n&\\n  # after/'
SH
arena --games 2 --seats "random,exec:sh $work/chatty.sh@level=random"
has out '^result 2 exec:sh_.* games 2 mean .* lost 0 ms/move '

# Solo: every seat gets the same cards, and the seats are compared.
arena --seats random,greedy --solo --games 6 --seed x --records "$work/solo"
has out '^result 1 random games 6 mean '
has out '^result 2 greedy games 6 mean '
[ "$(ls "$work/solo" | wc -l)" = 12 ] || failed=1
has solo/0001.record '^bot 1 random$'
lacks solo/0001.record '^player '
has solo/0002.record '^bot 1 greedy$'
has solo/0002.record '^players 1$'
[ "$(cat "$work"/solo/000[12].record | grep '^seed' | uniq | wc -l)" = 1 ] || failed=1
arena --seats greedy --games 3 --deck 15 --map berlin
has out '^result 1 greedy games 3 mean .* wins 1\.00 '
has out '^   1  *[-0-9.]* ± [0-9.]*  *1\.00  *[0-9.]*  *[0-9.]*  *0  greedy$' # no interval of wins

# Programs that fail lose, each for its own reason, and the arena goes on.
hello='echo endstation-engine 1 test 1'
cat >"$work/hang.sh" <<SH
$hello
sleep 60 &
echo \$! >>"$work/children"
wait
SH
cat >"$work/illegal.sh" <<SH
$hello
while read -r line; do
    case \$line in
    end) echo ok ;;
    go*) echo info thinking; echo best "\${line#go player }" | sed 's/^best \(.\).*/best \1 Q9/' ;;
    esac
done
SH
# fails REASON COMMAND [GRACE]
fails() {
    rm -rf "$work/failures"
    arena --games 2 --seats "random,exec:$2" --ms 1 --grace "${3:-20000}" --records "$work/failures"
    [ "$(grep -c "^endstation arena: seat 2 (exec:.*) loses game [12]: .*$1" "$work/err")" = 2 ] &&
        [ "$(grep -c '^result 1 random games 2 mean 0.00 sd 0.00 wins 1.00 lost 0 ms' \
            "$work/out")" = 1 ] &&
        [ "$(grep -c '^result 2 exec:.* games 2 mean .* wins 0.00 lost 2 ' "$work/out")" = 1 ] || {
        echo "'$2' should lose because of '$1':"
        cat "$work/err" "$work/out"
        failed=1
    }
    "$program" replay "$work/failures/0001.record" >"$work/replay" || failed=1
    has failures/0001.record '^# seat 2 .* loses game 1'
    # All groups (here one) won or lost: Wilson's interval.
    has out '^   1 .* 1\.00 ≥ 0\.21 '
    has out '^   2 .* 0\.00 ≤ 0\.79 '
}
fails 'it ended with status 3; its last line: endstation-engine 1 test 1' "$hello; read x; exit 3"
fails "'ok' was expected; its last line: error 1: what" "$hello; read x; echo error 1: what"
fails 'it was ended by signal 11' "$hello; read x; kill -SEGV \$\$"
fails 'no answer within 301 ms' "sh $work/hang.sh" 300
fails 'an answer of more than' "$hello; yes info"
fails 'an answer of more than' "$hello; yes '#'"
fails 'a line of more than' "$hello; tr '\\0' x </dev/zero"
fails 'an illegal event: no such line; its last line: best . Q9' "sh $work/illegal.sh"
fails "begins with the player's number; its last line: best A1" \
    "$hello; echo ok; echo best A1; cat"
fails 'standard input or output' "$hello; exec <&- >&-; sleep 60"
# One that does not start again after a failure goes on losing.
fails 'it ended with status 4; it said nothing\|it ended with status 3' \
    "[ ! -e $work/once ] || exit 4; : >$work/once; $hello; read x; exit 3"
if command -v perl >/dev/null; then # one that leaves its process group for ours
    cat >"$work/leaves.pl" <<'PL'
$| = 1;
setpgrp(0, getpgrp(getppid()));
print "endstation-engine 1 test 1\n";
sleep 60;
PL
    fails 'no answer within 301 ms' "exec perl $work/leaves.pl" 300
fi
while read -r child; do # not even its children are left
    gone "$child"
done <"$work/children"
[ "$(wc -l <"$work/children")" = 2 ] || failed=1

# A program that cannot be started ends the match before the first game, with a status of its own.
# not_started REASON COMMAND
not_started() {
    expect 3 arena --games 2 --seats "random,mine=exec:$2" --records "$work/unplayed"
    grep -q "^endstation arena: seat 2 (mine) cannot be started: $1" "$work/err" || {
        echo "'$2' should not start because of '$1':"
        cat "$work/err"
        failed=1
    }
    [ -z "$(ls "$work/unplayed")" ] || failed=1
}
not_started 'it ended with status 3; it said nothing$' 'exit 3'
not_started 'it ended with status 127; it said nothing$' './no-such-program'
not_started 'it ended with status 126; it said nothing$' ./common.sh
not_started "'endstation-engine' was expected; its last line: hello?there\$" \
    "printf 'hello\\033there\\n'"
not_started 'it speaks another version of the protocol than 1; its last line' \
    'echo endstation-engine 2 x y'
not_started 'a line of more than' "tr '\\0' x </dev/zero"

# --log keeps every dialogue: what was sent, what was received, and remarks. The file of a seat that
# is a bot is not made.
cat >"$work/odd.sh" <<SH
$hello
read x
echo "#ä"
printf '#\\001\\377\\n'
echo ok
exit 3
SH
arena --games 2 --seats "random,exec:sh $work/odd.sh@ms=7" --log "$work/deep/log"
[ "$(ls "$work/deep/log")" = seat2-thread1.log ] || failed=1
sed -e 's/ [0-9a-f]\{32\}$/ HASH/' -e 's/ seed [0-9]*$/ seed S/' -e 's/^> card .*/> card C/' \
    "$work/deep/log/seat2-thread1.log" >"$work/log"
cat >"$work/wanted" <<LOG
# started: sh $work/odd.sh
< endstation-engine 1 test 1
# game 1, as player 2
> position
> endstation-record 1
> game verplant
> map practice HASH
> players 2
>$(printf ' ')
> card C
> end
> go player 2 level master ms 7 seed S
< #ä
< #\x01\xff
< ok
# it ended with status 3; its last line: ok
# game 2, as player 1
# started: sh $work/odd.sh
LOG
head -n 18 "$work/log" | diff "$work/wanted" - || failed=1
arena --games 12 --threads 3 --log "$work/log3" \
    --seats "exec:'$program' engine@level=random,random,exec:'$program' engine@level=greedy"
for log in "$work"/log3/*.log; do # a thread that came too late for a game has only the end
    tail -n 1 "$log" | grep -qx '> quit' || [ ! -s "$log" ] || failed=1
done
[ "$(cat "$work"/log3/*.log | grep -c '^# game .*, as player')" = 24 ] || failed=1
[ "$(cat "$work"/log3/*.log | grep -c '^# game .* is over: -*[0-9]* points')" = 24 ] || failed=1
[ -s "$work/log3/seat1-thread1.log" ] && [ -s "$work/log3/seat3-thread1.log" ] || failed=1
[ ! -e "$work/log3/seat2-thread1.log" ] || failed=1
expect 3 arena --games 2 --seats 'random,exec:exit 3' --log "$work/log4"
has log4/seat2-thread1.log '^# it ended with status 3; it said nothing$'

# Ctrl-C, also while a program hangs or has not even started, prints the results so far.
sed 1d "$work/hang.sh" >"$work/mute.sh"
for program_file in hang mute; do
    before=$(wc -l <"$work/children")
    "$program" arena --seats "random,exec:sh $work/$program_file.sh" --ms 600000 --games 4 \
        >"$work/out" 2>"$work/err" &
    arena=$!
    while [ "$(wc -l <"$work/children")" = "$before" ] && kill -0 $arena 2>/dev/null; do
        sleep 0.05
    done
    kill -TERM $arena # a background job ignores SIGINT; both signals mean the same here
    wait $arena || failed=1
    has out '^result 1 random games 0 mean 0.00 sd 0.00 wins 0.00 lost 0 ms/move '
    has err '^0 of 4 games played'
    lacks err loses
    gone "$(tail -n 1 "$work/children")"
done

# Bad command lines.
expect 2 arena
expect 2 arena --seats ''
expect 2 arena --seats random,
expect 2 arena --seats clever
has err "'clever' in verplant: no such level"
expect 2 arena --seats random,random,random,random,random,random,random
expect 2 arena --seats random --game metro
has err 'alone'
expect 2 arena --seats random,random --game metro --solo
expect 2 arena --seats random,random --game metro --map practice
expect 2 arena --seats random,random --game chess
expect 2 arena --seats random --games 0
expect 2 arena --seats random --games 9999999
expect 2 arena --seats random --ms 5 --iterations 5
expect 2 arena --seats random --ms 0
expect 2 arena --seats random@ms=x
expect 2 arena --seats random@ms=5@ms=6
expect 2 arena --seats random@level=greedy
expect 2 arena --seats exec:
expect 2 arena --seats "random
random"
for name in '' 'a b' 'a/b' ä 123456789012345678901234567890123 greedy flat:3 me exec; do
    expect 2 arena --seats "random,$name=exec:cat"
done
has err "a seat may not have the name of a level, 'exec' or 'me': exec=exec:cat"
expect 2 arena --seats x=random,y=random,x=greedy
has err 'two seats have the name x'
expect 2 arena --seats x=
expect 2 arena --seats x=clever
has err "'clever' in verplant: no such level"
expect 2 arena --seats random --threads 0
expect 2 arena --seats random --rules rotate
expect 2 arena --seats random words
expect 1 arena --seats random --map /nowhere.map
: >"$work/file"
for option in --records --log; do
    expect 1 arena --seats random $option "$work/file/here"
    has err 'cannot make'
    expect 1 arena --seats random $option "$work/file" # before the first game
    has err "cannot make $work/file: Not a directory"
    expect 1 arena --seats random $option ''
done
# Games and dialogues of an earlier run are neither overwritten nor mixed with others. Other files
# may be there.
"$program" arena --seats random --games 1 --records "$work/kept" >"$work/out" 2>&1 || failed=1
: >"$work/kept/readme"
cp "$work/kept/0001.record" "$work/first.record"
mv "$work/kept/0001.record" "$work/kept/mine.record"
expect 1 arena --seats random --games 2 --seed 2 --records "$work/kept"
has err "^endstation arena: $work/kept/mine.record: File exists; name another folder\$"
[ "$(ls "$work/kept" | tr '\n' ' ')" = 'mine.record readme ' ] || failed=1
cmp "$work/kept/mine.record" "$work/first.record" || failed=1
mkdir -p "$work/taken"
: >"$work/taken/seat2-thread1.log"
expect 1 arena --seats "random,exec:'$program' engine" --log "$work/taken"
has err "^endstation arena: $work/taken/seat2-thread1.log: File exists; name another folder\$"
# Not by two runs at the same time either: the one that comes later to a name ends.
printf '%s\n' "$hello" 'while read -r line; do case $line in end) echo ok ;;' \
    "go*) : >$work/twice/0001.record; echo best 1 Q9 ;; esac; done" >"$work/other.sh"
"$program" arena --seats "random,exec:sh $work/other.sh" --games 2 --records "$work/twice" \
    2>&1 | cat >"$work/out"
has out "^endstation arena: cannot write $work/twice/0001.record: File exists\$"
[ -e "$work/twice/0001.record" ] && [ ! -s "$work/twice/0001.record" ] || failed=1
# A full disk, or what looks like one, ends it with the true reason, and leaves no partial record.
(trap '' XFSZ && ulimit -f 0 && timeout 60 "$program" arena --seats random --games 3 \
    --records "$work/full") 2>&1 | cat >"$work/out"
has out "^endstation arena: cannot write $work/full/0001.record: File too large\$"
has out '^result 1 random games 1 '
[ -z "$(ls -A "$work/full")" ] || failed=1
(trap '' XFSZ && ulimit -f 0 && timeout 60 "$program" arena --games 3 --log "$work/full" \
    --seats "exec:'$program' engine@level=random" || echo "status $?") 2>&1 | cat >"$work/out"
has out "^endstation arena: cannot write $work/full: a log is incomplete\$"
has out '^status 1$'
exit $failed
