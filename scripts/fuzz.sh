#!/bin/sh
# Runs every fuzz target of a folder for some seconds each: scripts/fuzz.sh FOLDER SECONDS. The
# corpus in fuzz/corpus is only read; new inputs and what breaks a target go to build/found.
top=$(cd "$(dirname "$0")/.." && pwd)
status=0
for target in "$1"/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    found=$top/build/found/$name
    mkdir -p "$found/corpus"
    echo "== $name, $2 s"
    if ! "$target" -max_total_time="$2" -timeout=5 -rss_limit_mb=1024 -max_len=65536 \
        -artifact_prefix="$found/" "$found/corpus" "$top/fuzz/corpus/${name#fuzz_}" \
        >"$found/log" 2>&1; then
        echo "$name failed; see $found"
        status=1
    fi
    tail -n 3 "$found/log"
done
exit $status
