#!/bin/sh
# Compares the output for every case of tests/conformance to the byte: conformance.sh PROGRAM. The
# cases come from an independent model of the rules; docs/formats.md explains them.
. ./common.sh
out=$work/out
err=$work/err
agree=0
differ=0

differs() {
    echo "$1"
    differ=$((differ + 1))
}

# names_fault PLACE: the only line of $err begins with the place. Uses no other programs, because
# there are many cases.
names_fault() {
    {
        IFS= read -r first && ! IFS= read -r _
    } <"$err" || return 1
    case $first in
    "$1: "?*) return 0 ;;
    esac
    return 1
}

for record in conformance/*.record; do
    case=${record%.record}
    set -- "$record"
    [ -f "$case.map" ] && set -- --map "$case.map" "$record"
    if [ -f "$case.line" ]; then
        read -r file line <"$case.line"
        for command in replay moves; do
            "$program" $command "$@" >"$out" 2>"$err"
            status=$?
            if [ $status = 1 ] && [ ! -s "$out" ] && names_fault "$case.$file:$line"; then
                agree=$((agree + 1))
            else
                differs "$case: $command must refuse $file line $line; got $status: $(cat "$err")"
            fi
        done
    else
        for command in replay moves; do
            if "$program" $command "$@" >"$out" 2>"$err" && cmp -s "$out" "$case.$command" &&
                [ ! -s "$err" ]; then
                agree=$((agree + 1))
            else
                differs "$case: $command differs"
            fi
        done
    fi
done
echo "$agree agree, $differ differ"
[ $differ = 0 ] && [ $agree -gt 0 ]
