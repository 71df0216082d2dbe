#!/bin/sh
# Runs the tests again and again on a busy machine and reports which fail by chance:
#     scripts/steady.sh N [PATTERN]
# N rounds of the tests whose names match PATTERN (default: all, of all trees), with a busy process
# on every core and time limits four times as long as usual. JOBS tests run at once (default: one a
# core). The trees must be built: `make steady` does both. The output of each round with a failure
# is kept in build/steady. Exits with status 1 if any test failed.
set -u
cd "$(dirname "$0")/.." || exit 2
rounds=${1:-}
pattern=${2:-}
case $rounds in
"" | 0* | *[!0-9]*)
    echo "usage: scripts/steady.sh N [PATTERN]" >&2
    exit 2
    ;;
esac
cores=$(nproc)
logs=${ES_STEADY_LOGS:-build/steady}
rm -rf "$logs"
mkdir -p "$logs" || exit 2

busy=
# shellcheck disable=SC2086 # a list of numbers
trap 'kill $busy 2>/dev/null; rm -f "$logs/failed"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
for core in $(seq "$cores"); do
    # Ends on its own if this script is killed without running its trap.
    sh -c "while kill -0 $$; do :; done" >/dev/null 2>&1 &
    busy="$busy $!"
done

: >"$logs/failed"
round=0
while [ $round -lt "$rounds" ]; do
    round=$((round + 1))
    log=$logs/round-$round.log
    begun=$(date +%s)
    ES_TREES=all ES_PATIENCE=4 ${CTEST:-ctest} --test-dir build -j "${JOBS:-$cores}" \
        --timeout 4800 --output-on-failure --no-tests=error ${pattern:+-R "$pattern"} >"$log" 2>&1
    status=$?
    sed -n '/^The following tests FAILED:/,$s/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$log" \
        >"$logs/round"
    [ $status = 0 ] || [ -s "$logs/round" ] || echo "ctest itself" >"$logs/round"
    cat "$logs/round" >>"$logs/failed"
    echo "round $round of $rounds: $(wc -l <"$logs/round") failed, $(($(date +%s) - begun)) s"
    [ -s "$logs/round" ] || rm "$log"
    rm "$logs/round"
done

tests=$(sort -u "$logs/failed" | wc -l)
if [ "$tests" = 0 ]; then
    echo "steady: $rounds rounds on $cores busy cores, nothing failed"
    exit 0
fi
sort "$logs/failed" | uniq -c | sort -rn | sed "s/^ *\([0-9]*\) \(.*\)/\2: failed \1 of $rounds/"
echo "steady: $rounds rounds on $cores busy cores, $tests failed at least once; see $logs"
exit 1
