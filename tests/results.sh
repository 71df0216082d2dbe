#!/bin/sh
# Tests the program that plays the games of results: it plays those of the quickest levels again and
# finds the shipped counts, all of them; with two threads, in chunks that are merged, it counts the
# same.
#     tests/results.sh RESULTS
set -u
results=$1
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
shipped=../src/games/verplant/alone.results
failed=0
complain() {
    echo "results.sh: $1"
    failed=1
}

# play NAME OPTIONS…: plays games quietly.
play() {
    name=$1
    shift
    "$results" --game verplant "$@" >"$folder/$name" 2>/dev/null || complain "$name fails"
}

for rules in '' '--rules special --sheets madrid,paris,practice'; do
    # shellcheck disable=SC2086 # options
    play quick --levels random,greedy --games 0-1999 --threads 2 $rules
    grep -vxF -f "$shipped" "$folder/quick" | cut -c 1-80 >"$folder/other"
    [ ! -s "$folder/other" ] || complain "$shipped is out of date: $(cat "$folder/other")"
    awk -v rules="${rules:+special}" '$3 == (rules ? rules : "-") && $4 ~ /^(random|greedy)$/' \
        "$shipped" | grep -vxF -f "$folder/quick" | cut -c 1-80 >"$folder/lost"
    [ ! -s "$folder/lost" ] || complain "'make results' would lose: $(cat "$folder/lost")"
done

play whole --levels random,casual --sheets berlin --games 10-29
play first --levels random,casual --sheets berlin --games 10-13 --threads 2
play last --levels casual,random --sheets berlin --games 20-29
play middle --levels casual,random --sheets berlin --games 14-19 --threads 2
"$results" --merge "$folder/last" "$folder/first" "$folder/middle" >"$folder/merged" ||
    complain "merging fails"
cmp "$folder/whole" "$folder/merged" || complain "merged chunks are another whole"
"$results" --merge "$shipped" | cmp - "$shipped" || complain "the shipped file is not sorted"

# A game counts once, and counts add up.
"$results" --merge "$folder/whole" "$folder/middle" >/dev/null 2>&1 && complain "counted twice"
sed 's/:1 /:2 /' "$folder/whole" >"$folder/more"
"$results" --merge "$folder/more" >/dev/null 2>&1 && complain "counts need not add up"
exit $failed
