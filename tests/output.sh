#!/bin/sh
# Every command notices that its output is closed or a full disk: output.sh PROGRAM. Nothing printed
# is lost with exit status 0.
. ./common.sh

# run INPUT ARGUMENTS…: leaves the exit status in $got. Standard output is as the caller has it.
run() {
    input=$1
    shift
    timeout 600 "$program" "$@" <"$input" 2>"$work/err"
    got=$?
}

unwritten='^endstation.*: cannot write to standard output: [A-Z]' # with the reason

# printing INPUT ARGUMENTS…: prints something, and fails if nobody gets it.
printing() {
    run "$@" >"$work/out"
    shown=$got
    [ -s "$work/out" ] || shown=nothing
    run "$@" >&-
    closed="$got $(grep -c "$unwritten" "$work/err")"
    full='1 1'
    if [ -w /dev/full ]; then
        run "$@" >/dev/full
        full="$got $(grep -c "$unwritten" "$work/err")"
    fi
    if [ "$shown, $closed, $full" != '0, 1 1, 1 1' ]; then
        echo "endstation $*: $shown; closed output: $closed; full disk: $full"
        cat "$work/err"
        failed=1
    fi
    tried="$tried $2"
}

# silent ARGUMENTS…: has nothing to print, so that a closed output loses nothing.
silent() {
    run /dev/null "$@" >&-
    [ $got = 0 ] || { echo "endstation $*: $got with closed output"; failed=1; }
    tried="$tried $1"
}

tried=
printing /dev/null --help
printing /dev/null --version
"$program" --help >"$work/overview"
commands=$(sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' "$work/overview")
for command in $commands; do
    printing /dev/null "$command" --help
done
printing /dev/null help new
printing /dev/null new --version

"$program" arena --seats greedy --games 1 --records "$work" >"$work/out" 2>&1 || failed=1
record=$work/0001.record
printf 'quit\n' >"$work/quit"
printf 'isready\n' >"$work/ready"
tried=
printing /dev/null new
printing "$work/quit" play "$record"
printing /dev/null replay "$record"
head -n 9 "$record" >"$work/open.record"
printing /dev/null moves "$work/open.record"
printing /dev/null view "$record"
printing /dev/null verify "$record"
printing /dev/null analyse "$record"
printing /dev/null stats "$record"
printing /dev/null draw "$record"
printing /dev/null print --cards
printing "$work/ready" engine
printing /dev/null arena --seats random --games 1
printing /dev/null perft --depth 1 "$work/open.record"
printing /dev/null bench --games 1000
printing /dev/null maps
printing /dev/null hindsight "$record"
# A server says where it is, and ends if it cannot.
run /dev/null serve --port 0 --no-open --data memory >&-
[ $got = 1 ] || failed=1
"$program" serve --port 0 --no-open --data "$work/data" >"$work/where" 2>&1 &
server=$!
while ! grep -qs http "$work/where" && kill -0 $server; do sleep 0.05; done
silent backup --data "$work/data" "$work/copy.db"
printing /dev/null check --data "$work/data"
kill $server
wait $server
silent export --data "$work/data" "$work/everything"
silent import --data "$work/data2" "$work/everything"
# `manage` needs a room: service.mjs tries it.
tried="$tried serve manage"

for command in $commands; do
    case " $tried " in *" $command "*) ;; *)
        echo "$command is not tried here"
        failed=1
        ;;
    esac
done
exit $failed
