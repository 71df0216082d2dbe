#!/bin/sh
# scripts/steady.sh with a test command that fails sometimes: it counts failures, keeps the output
# of failed rounds, and leaves no busy process behind.
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$1"
    cat "$work/out"
    failed=1
}

# A fake test command: notes its parent's children, which are the busy processes, and fails as CTest
# does: `often` in every round, `seldom` in the third.
cat >"$work/ctest" <<'END'
#!/bin/sh
round=$(($(cat "$work/round") + 1))
echo $round >"$work/round"
echo "$ES_TREES $ES_PATIENCE $*" >>"$work/called"
cat "/proc/$PPID/task/$PPID/children" >>"$work/children"
case $mode in
good) exit 0 ;;
broken) exit 8 ;;
interrupted) kill -TERM $PPID && exit 0 ;;
esac
echo "The following tests FAILED:"
printf '\t  7 - page_often (Failed)\n'
[ $round != 3 ] || printf '\t 12 - seldom (Timeout)\n'
exit 8
END
chmod +x "$work/ctest"

# steady STATUS MODE ARGUMENTS…: leaves $work/out.
steady() {
    wanted=$1
    mode=$2
    shift 2
    echo 0 >"$work/round"
    : >"$work/children"
    rm -f "$work/called"
    export work mode
    CTEST=$work/ctest ES_STEADY_LOGS=$work/logs sh "$top/scripts/steady.sh" "$@" >"$work/out" 2>&1
    got=$?
    [ $got = "$wanted" ] || complain "steady.sh $*, $mode: status $got instead of $wanted"
    for child in $(cat "$work/children"); do
        # The fake test command itself is one of the children. A killed process may take a moment to
        # disappear.
        for _ in $(seq 300); do
            kill -0 "$child" 2>/dev/null || break
            sleep 0.1
        done
        kill -0 "$child" 2>/dev/null && complain "process $child is left"
    done
}

steady 1 bad 4 page_
printf '%s\n' "page_often: failed 4 of 4" "seldom: failed 1 of 4" >"$work/wanted"
tail -n 3 "$work/out" | head -n 2 | cmp - "$work/wanted" || complain "bad: another summary"
tail -n 1 "$work/out" | grep -q '^steady: 4 rounds .*, 2 failed at least once; see ' ||
    complain "bad: another last line"
grep -c '^all 4 .*--timeout 4800 .*-R page_$' "$work/called" | grep -qx 4 ||
    complain "ctest was called otherwise: $(cat "$work/called")"
[ "$(wc -w <"$work/children")" -gt "$(($(nproc) * 4))" ] || complain "the cores were not busy"
grep -q seldom "$work/logs/round-3.log" || complain "the output of round 3 is not kept"

steady 0 good 2
tail -n 1 "$work/out" | grep -q '^steady: 2 rounds .*, nothing failed$' || complain "good: failed"
[ -z "$(ls "$work/logs")" ] || complain "good: something is kept"

steady 1 broken 1
grep -q '^ctest itself: failed 1 of 1$' "$work/out" || complain "a broken ctest is no failure"

steady 143 interrupted 3
for arguments in "" 0 x -1; do
    # shellcheck disable=SC2086 # none, or one
    steady 2 good $arguments
done
exit $failed
