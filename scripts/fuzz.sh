#!/bin/sh
# Runs every fuzz target of a folder for some seconds each: scripts/fuzz.sh FOLDER SECONDS. What
# is found is left in the current folder, as libFuzzer does; the corpus in fuzz/corpus is only
# read, new inputs go to build/.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
for target in "$1"/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    found="$top/build/corpus/$name"
    mkdir -p "$found"
    echo "== $name, $2 s"
    "$target" -max_total_time="$2" -timeout=5 -rss_limit_mb=1024 -max_len=65536 \
        -print_final_stats=0 -verbosity=1 "$found" "$top/fuzz/corpus/${name#fuzz_}" 2>&1 | tail -n 3
done
