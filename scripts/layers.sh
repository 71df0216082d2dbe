#!/bin/sh
# Checks the layers: which part of the sources may include which headers, and that files which serve
# any game name none. The places that break this are counted; there may be no more of them than
# `most`, which is only ever lowered.
#     scripts/layers.sh [-v]      -v lists them
set -u
cd "$(dirname "$0")/.." || exit 2
# Two places stay: index.html says what the page is about, and a setting names the game that it is
# for.
most=2
games=$(find src/games -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,' | sort)
broken=$(mktemp) || exit 2
trap 'rm -f "$broken"' EXIT

# ---- Includes ------------------------------------------------------------------------------------

core='endstation/(status|text|random|sha256)\.h|core/(exact|times)\.h'
rules="$core|endstation/(game|map)\.h"
generic="$rules|endstation/(record|fair|draw|print|chart|plot|bots|analysis|stats)\.h"
plain='(assert|stdbool|stddef|stdint|string)\.h' # the only C headers that the library uses

# Prints what a file may include, as a pattern; nothing for files that this script does not know.
allowed() {
    file=$1
    game=
    case $file in
    src/games/*/*) game=${file#src/games/} game=${game%%/*} ;;
    include/endstation/*/*) game=${file#include/endstation/} game=${game%%/*} ;;
    include/endstation/*)
        name=$(basename "$file" .h)
        [ -d "src/games/$name" ] && game=$name
        ;;
    esac
    own="endstation/$game\.h|endstation/$game/(board|sheet|status)\.h"
    case $file in
    src/core/* | include/endstation/status.h | include/endstation/text.h | \
        include/endstation/random.h | include/endstation/sha256.h) echo "$core|$plain" ;;
    src/games/*/game.c) echo "$rules|$plain|$own|games/$game/.*" ;;
    src/games/*/terminal*) echo ".*" ;;
    src/games/*/bench.[ch]) echo "$rules|$plain|$own|games\.h|games/$game/bench\.h" ;;
    src/games/*/picture* | include/endstation/*/layout.h | include/endstation/*/picture.h)
        echo "$rules|$plain|$own|endstation/$game/(layout|picture)\.h|endstation/draw\.h"
        echo "|draw/internal\.h|games/$game/($game\.h|rules|picture).*"
        ;;
    src/games/*/print*)
        echo "$rules|$plain|$own|endstation/(draw|print)\.h|draw/print\.h"
        echo "|games/$game/(picture|print)\.h"
        ;;
    src/games/*/bots* | src/games/*/analysis* | include/endstation/*/bots.h | \
        include/endstation/*/balance.h | include/endstation/*/hindsight.h)
        echo "$rules|$plain|$own|endstation/$game/(bots|balance|hindsight)\.h"
        echo "|endstation/(bots|analysis)\.h|bots/internal\.h"
        echo "|games/$game/($game\.h|rules|bots|analysis).*"
        ;;
    src/games/*/table*)
        echo "$rules|$plain|$own|page/(table|writer)\.h|games/$game/($game\.h|rules|table).*"
        ;;
    src/games/*/*)
        echo "$rules|$plain|$own|games/(notation|rounds)\.h|games/$game/($game|rules|status)\.h"
        ;;
    src/games/*) echo "$rules|$plain|games/.*" ;;
    src/record/* | include/endstation/record.h | include/endstation/fair.h)
        echo "$rules|$plain|endstation/(record|fair)\.h"
        ;;
    src/draw/* | include/endstation/draw.h | include/endstation/print.h | \
        include/endstation/chart.h | include/endstation/plot.h)
        echo "$rules|$plain|endstation/(draw|print|chart|plot)\.h|draw/.*"
        ;;
    src/bots/* | include/endstation/bots.h) echo "$rules|$plain|endstation/bots\.h|bots/.*" ;;
    src/analysis/*) echo "$rules|$plain|endstation/(bots|analysis)\.h|analysis/.*" ;;
    src/stats/* | include/endstation/stats.h)
        echo "$rules|$plain|endstation/(record|bots|analysis|stats)\.h"
        ;;
    src/page/*) echo "$generic|$plain|page/.*" ;;
    src/store/*) echo "$core|$plain|store/.*|(sys/)?[a-z0-9_-]*\.h" ;;
    src/rooms/*)
        echo "$generic|$plain|endstation/fair\.h|(rooms|store)/.*|page/(json|page|writer)\.h"
        echo "|(jansson|stdlib|stdio)\.h"
        ;;
    src/server/*) echo "$generic|(rooms|server|store)/.*|[a-z0-9_/-]*\.h" ;;
    src/cli/*)
        echo "$generic|(cli|page|server|store)/.*|rooms/rooms\.h|[a-z0-9_-]*\.h"
        echo "|(arpa|cairo|net|pango|sys)/.*"
        ;;
    include/endstation/*) echo "$rules|$plain|$own" ;;
    bench/analysis.c) echo "$generic|[a-z]*\.h" ;;
    bench/store.c) echo "$core|store/store\.h|[a-z]*\.h" ;;
    bench/history*) echo "$generic|store/store\.h|[a-z0-9-]*\.h" ;;
    bench/load.c | bench/players.[ch] | bench/chaos.c) echo "$generic|[a-z]*\.h|sys/.*" ;;
    bench/socket.[ch] | bench/usage.[ch] | bench/cluster.[ch] | bench/cutter.[ch] | \
        bench/hostile.[ch]) echo "$plain|[a-z]*\.h|(arpa|netinet|sys)/.*" ;;
    bench/*) echo "$generic|$plain|games\.h" ;;
    esac
}

# All files in one awk: a process or two for each would take seconds. It reads the patterns first.
files=$(for file in $(git ls-files 'src/*.c' 'src/*.h' 'include/*.h' 'bench/*.c' 'bench/*.h'); do
    [ -f "$file" ] && echo "$file"
done)
# shellcheck disable=SC2086 # a list of files
for file in $files; do
    printf '%s ' "$file"
    allowed "$file" | tr -d '\n'
    echo
done |
    awk '
        NR == FNR {
            pattern[$1] = "^(" $2 ")$"
            next
        }
        /^#include [<"]/ {
            header = $0
            sub(/^#include [<"]/, "", header)
            sub(/[>"].*/, "", header)
            if (header !~ pattern[FILENAME])
                print FILENAME ": may not include " header
        }' - $files >>"$broken"

# ---- Names ---------------------------------------------------------------------------------------

# Only the files of a game may name it ("null" is an ordinary word in code, and is not searched
# for). Documents and LICENSE are not searched, nor is po/, which follows the sources.
names=$(echo "$games" | grep -v '^null$' | tr '\n' '|' | sed 's/|$//')
mine=$(echo "$games" | tr '\n' '|' | sed 's/|$//')
git ls-files 'src/*.c' 'src/*.h' 'include/*.h' 'bench/*.[ch]' 'web/*.js' 'web/*.css' \
    'web/*.html' |
    grep -vE "^(src/games/($mine)/|include/endstation/($mine)[./]|web/games/[^/]+/)" |
    xargs grep -HsniE "$names" >>"$broken"

count=$(wc -l <"$broken")
[ "${1:-}" = -v ] && cat "$broken"
if [ "$count" -gt "$most" ]; then
    [ "${1:-}" = -v ] || cat "$broken"
    echo "layers: $count places break the layers; there may be $most"
    exit 1
fi
if [ "$count" -lt "$most" ]; then
    echo "layers: $count places break the layers: lower \`most\` in scripts/layers.sh from $most"
    exit 1
fi
echo "layers: $count places are left"
