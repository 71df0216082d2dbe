#!/bin/sh
# Truncated, huge, binary and hostile files give an error, never a crash, a hang or unbounded
# memory: bad_input.sh PROGRAM [sanitized]. (The fuzz targets do the same a million times over.)
. ./common.sh
# Sanitizers need much address space; elsewhere a limit reveals unbounded allocation.
[ "${2:-}" = sanitized ] || ulimit -v 400000

# refused FILE: the file is refused as a record and as a map, with a line number and a reason,
# within 20 seconds.
refused() {
    for call in "replay $1" "moves $1" "maps $1" "replay --map $1 $work/good.record"; do
        # shellcheck disable=SC2086 # two or more words
        timeout 20 "$program" $call >"$work/out" 2>"$work/err"
        status=$?
        if [ $status != 1 ] || [ -s "$work/out" ] || ! grep -q ':[0-9]*: .' "$work/err"; then
            echo "endstation $call: status $status: $(head -c 300 "$work/err")"
            failed=1
        fi
    done
}

"$program" new >"$work/good.record"
: >"$work/empty" && refused "$work/empty"
head -c 65536 /dev/urandom >"$work/random" && refused "$work/random"
head -c 1000000 /dev/zero >"$work/zeros" && refused "$work/zeros"
head -c 20000000 /dev/zero | tr '\0' '\n' >"$work/huge" && refused "$work/huge"
yes 'endstation-map 1' | head -n 1000000 | head -c 16000000 >"$work/lines" && refused "$work/lines"
{ printf 'endstation-map 1\nid x\ntitle '; head -c 10000000 /dev/zero | tr '\0' x; } >"$work/long"
refused "$work/long"
{ printf 'endstation-record 1\ngame verplant\nmap practice\nplayers 1\n'
    yes 'note x' | head -n 1000000; printf 'nonsense\n'; } >"$work/notes" && refused "$work/notes"
{ printf 'endstation-map 1\nid x\ntitle x\npaper ffffff\nstation a 0 0\nstation b 0 0\n'
    printf 'line A ffffff windows 1 points 1 1 wagon 0 0 : a'
    yes ' (1,1)' | head -n 500000 | tr -d '\n'; printf ' b\n'; } >"$work/bends"
refused "$work/bends"

# Endless input is read up to the limit only.
yes x | timeout 20 "$program" replay - >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q '^-:0: ' "$work/err" || failed=1

# Records cut off in many places: an error with a line number, or a valid shorter record.
for record in conformance/0000 conformance/0010 conformance/0001 conformance/0011; do
    size=$(wc -c <"$record.record")
    cut=0
    set -- replay
    [ -f "$record.map" ] && set -- replay --map "$record.map"
    while [ $cut -lt "$size" ]; do
        head -c $cut "$record.record" >"$work/cut"
        timeout 20 "$program" "$@" "$work/cut" >"$work/out" 2>"$work/err"
        status=$?
        if [ $status = 1 ]; then
            grep -q '^.*cut:[0-9]*: .' "$work/err" && [ ! -s "$work/out" ] || failed=1
        elif [ $status != 0 ]; then
            echo "cut at $cut: $status"
            failed=1
        fi
        cut=$((cut + 7))
    done
done
exit $failed
