#!/bin/sh
# The four cities are as docs/rules.md describes them, and play well: figures from 2,000 games each
# of two simple bots, by `maps --check`.
. ./common.sh

# `maps --check` has no warnings for a city; its greedy mean is kept in $work/CITY.
for city in amsterdam berlin paris madrid; do
    expect 0 maps --check $city
    has out '^No warnings\.$'
    sed -n 's/^  greedy *mean *\(-*[0-9.]*\) .*/\1/p' "$work/out" >"$work/$city"
    cp "$work/out" "$work/$city.report"
done

# In order of difficulty, at least a point apart.
for pair in 'amsterdam berlin' 'berlin paris' 'paris madrid'; do
    easier=$(cat "$work/${pair% *}") harder=$(cat "$work/${pair#* }")
    awk -v a="$easier" -v b="$harder" 'BEGIN { exit !(a != "" && b != "" && a - b >= 1) }' || {
        echo "${pair% *} ($easier) is not a point easier than ${pair#* } ($harder)"
        failed=1
    }
done

# listed CITY STATIONS LINES WINDOWS RINGS SPECIAL: `maps` lists the city with figures that match
# these patterns, and a hash.
"$program" maps >"$work/list"
listed() {
    grep -Eq "^$1 +[A-Z][a-z]+ +$2 +$3 +$4 +$5 +$6 +[0-9a-f]{32}\$" "$work/list" || {
        echo "$1 is not as it should be:"
        grep "^$1 " "$work/list"
        failed=1
    }
}
listed amsterdam '(7[0-9]|8[0-2])' 10 '2[2-6]' 0 0
listed berlin '(7[0-9]|8[0-2])' 9 '2[2-6]' 1 0
listed paris '(7[0-9]|8[0-2])' 10 '2[2-6]' 0 '[4-6]'
listed madrid '(7[0-9]|8[0-2])' 10 '2[2-6]' 1 '[4-6]'

# Rings are where the rules say; Amsterdam has the values that the rules list.
"$program" maps berlin | grep -Eq '^line C .* ring :' || failed=1
"$program" maps madrid | grep -Eq '^line J .* ring :' || failed=1
values=$("$program" maps amsterdam |
    sed -n 's/^line [A-J] .* points \([0-9]*\) \([0-9]*\) .*/\1\/\2/p' | tr '\n' ' ')
[ "$values" = '6/3 4/2 7/3 6/4 6/4 3/2 3/2 4/2 4/2 2/1 ' ] || {
    echo "values of Amsterdam: $values"
    failed=1
}

# Every segment runs at 0, 45 or 90 degrees, from wagon to terminus; every station has a name of its
# own; at least four hops are shared by two lines or more, and one of them by three.
for city in amsterdam berlin paris madrid; do
    "$program" maps $city | awk -v city=$city '
        function go(to_x, to_y,    dx, dy) {
            dx = to_x - x; dy = to_y - y
            if (dx < 0) dx = -dx
            if (dy < 0) dy = -dy
            if (dx > 0.01 && dy > 0.01 && (dx - dy > 0.01 || dy - dx > 0.01)) {
                printf "%s: line %s runs askew to %s,%s\n", city, letter, to_x, to_y
                bad = 1
            }
            x = to_x; y = to_y
        }
        $1 == "station" {
            at_x[$2] = $3; at_y[$2] = $4
            name = $0; sub(/^[^:]*: /, "", name)
            if (!/: ./ || name in named) { print city ": " $0; bad = 1 }
            named[name] = 1
        }
        $1 == "line" {
            letter = $2
            stops = 0; last = ""
            for (i = 1; $i != "wagon"; i++);
            x = $(i + 1); y = $(i + 2)
            for (; $i != ":"; i++) if ($i == "ring") ring = 1; else ring = 0
            for (i++; i <= NF; i++) {
                if ($i ~ /^\(/) {
                    split(substr($i, 2, length($i) - 2), p, ","); go(p[1], p[2])
                    continue
                }
                go(at_x[$i], at_y[$i])
                if (stops == 0) first = $i
                else { hop = last < $i ? last " " $i : $i " " last; shared[hop]++ }
                last = $i; stops++
            }
            if (ring) go(at_x[first], at_y[first])
        }
        END {
            for (hop in shared) { two += shared[hop] >= 2; three += shared[hop] >= 3 }
            if (two < 4 || three < 1) {
                print city ": hops shared " two ", by three " three
                bad = 1
            }
            exit bad
        }' || failed=1
done

# The figures of docs/sheets.md are what `maps --check` prints today.
for city in amsterdam berlin paris madrid; do
    while IFS= read -r line; do
        grep -qxF -- "$line" ../docs/sheets.md || {
            echo "docs/sheets.md lacks of $city: $line"
            failed=1
        }
    done <"$work/$city.report"
done

# The sizes in docs/performance.md are those of today's pictures.
"$program" bench --pictures | awk 'NR > 2 && $1 != "practice" { print $NF }' |
    while read -r bytes; do
        shown=$(echo "$bytes" | sed 's/\(...\)$/,\1/')
        grep -q "| $shown |" ../docs/performance.md || echo "docs/performance.md lacks $shown bytes"
    done >"$work/sizes"
cat "$work/sizes"
[ ! -s "$work/sizes" ] || failed=1

# The pictures of the documents are what is drawn today.
mkdir "$work/pictures"
sh ../scripts/pictures.sh "$program" "$work/pictures" || failed=1
for picture in "$work"/pictures/*; do
    cmp "$picture" "../docs/pictures/${picture##*/}" || failed=1
done

# The example of docs/map-format.md can be played.
sed -n '/^endstation-map 1$/,/^```$/p' ../docs/map-format.md | sed '$d' >"$work/harbour.map"
expect 0 maps "$work/harbour.map"
expect 0 new --map "$work/harbour.map"

# --check of other maps gives warnings, or says what is wrong.
expect 0 maps --check practice
has out '^Warnings:$'
has out '^  stations: 26, not between 70 and 82$'
expect 0 maps --check --games 10 "$work/harbour.map"
has out '^10 solo games'
awk 'BEGIN {
    print "endstation-map 1\nid heap\ntitle Heap\npaper ffffff"
    for (i = 0; i < 40; i++) { print "station s" i " 1 1"; stops = stops " s" i }
    print "line A ff0000 windows 1 points 2 1 wagon 0 1 :" stops
    print "line B 0000ff windows 1 points 2 1 wagon 2 1 :" stops
}' >"$work/heap.map"
expect 0 maps --check "$work/heap.map"
has out '^  \.\.\. and more like these$'
expect 2 maps --check
expect 2 maps --games 10 berlin
expect 2 maps --check --games 0 berlin
expect 1 maps --check /nowhere.map
echo 'endstation-map 1' >"$work/bad.map"
expect 1 maps --check "$work/bad.map"
exit $failed
