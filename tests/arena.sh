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
}
fails 'it ended with status 3; it said nothing' 'exit 3'
fails 'it ended with status 127' './no-such-program'
fails "'endstation-engine' was expected; its last line: hello?there" "printf 'hello\\033there\\n'"
fails 'another version' 'echo endstation-engine 2 x y'
fails "'ok' was expected; its last line: error 1: what" "$hello; read x; echo error 1: what"
fails 'it was ended by signal 11' "$hello; read x; kill -SEGV \$\$"
fails 'no answer within 301 ms' "sh $work/hang.sh" 300
fails 'an answer of more than' "$hello; yes info"
fails 'a line of more than' "$hello; tr '\\0' x </dev/zero"
fails 'an illegal event: no such line; its last line: best . Q9' "sh $work/illegal.sh"
fails 'standard input or output' "$hello; exec <&- >&-; sleep 60"
if command -v perl >/dev/null; then # one that leaves its process group for ours
    cat >"$work/leaves.pl" <<'PL'
$| = 1;
setpgrp(0, getpgrp(getppid()));
print "endstation-engine 1 test 1\n";
sleep 60;
PL
    fails 'no answer within 301 ms' "exec perl $work/leaves.pl" 300
fi
# gone PROCESS: it ends very soon (nobody may have waited for it yet).
gone() {
    i=0
    while grep -qs -v ') Z ' "/proc/$1/stat"; do
        i=$((i + 1))
        [ $i -gt 200 ] && echo "process $1 is left" && failed=1 && return
        sleep 0.05
    done
}
while read -r child; do # not even its children are left
    gone "$child"
done <"$work/children"
[ "$(wc -l <"$work/children")" = 2 ] || failed=1

# Ctrl-C, also while a program hangs, prints the results so far.
"$program" arena --seats "random,exec:sh $work/hang.sh" --ms 600000 --games 4 \
    >"$work/out" 2>"$work/err" &
arena=$!
while [ "$(wc -l <"$work/children")" -lt 3 ] && kill -0 $arena 2>/dev/null; do
    sleep 0.05
done
kill -TERM $arena # a background job ignores SIGINT; both signals mean the same here
wait $arena || failed=1
has out '^result 1 random games 0 mean 0.00 sd 0.00 wins 0.00 lost 0 ms/move '
has err '^0 of 4 games played'
lacks err loses
gone "$(tail -n 1 "$work/children")"

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
expect 2 arena --seats random --threads 0
expect 2 arena --seats random --rules rotate
expect 2 arena --seats random words
expect 1 arena --seats random --map /nowhere.map
expect 1 arena --seats random --records /nowhere/here
: >"$work/file"
timeout 60 "$program" arena --seats random --records "$work/file" >"$work/out" 2>"$work/err"
[ $? = 1 ] || failed=1
has err 'cannot write'
# A full disk, or what looks like one, ends it with the true reason, and leaves no partial record.
(trap '' XFSZ && ulimit -f 0 && timeout 60 "$program" arena --seats random --games 3 \
    --records "$work/full") 2>&1 | cat >"$work/out"
has out "^endstation arena: cannot write $work/full/0001.record: File too large\$"
has out '^result 1 random games 1 '
[ -z "$(ls -A "$work/full")" ] || failed=1
exit $failed
