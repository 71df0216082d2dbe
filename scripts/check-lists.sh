#!/bin/sh
# Checks lists that must be complete: every folder and every file at the top is on the map of
# docs/HACKING.md, every source says in its first line what it is, every command is in the README
# and in tests/cli.sh, every game has a playthrough, every code of its rules is in docs/protocol.md,
# every C test is run, and the table of kinds of
# entries in docs/operating.md has those of enum entry_kind. No line may be longer than 100 columns
# or end with a blank, and C sources
# must be formatted. Numbers of rooms do not pass through a long.
failed=0
complain() {
    echo "$1"
    failed=1
}

[ -n "$(git ls-files)" ] || complain "the lists need a git checkout"

for folder in $(git ls-files | sed -n 's,/[^/]*$,/,p' | grep -v '^fuzz/corpus/.' | sort -u); do
    grep -q "\`$folder\`" docs/HACKING.md || complain "docs/HACKING.md does not mention \`$folder\`"
done
for file in $(git ls-files | grep -v /); do
    grep -q "\`$file\`" docs/HACKING.md || complain "docs/HACKING.md does not mention \`$file\`"
done
# shellcheck disable=SC2046 # lists of files
silent=$(
    awk 'FNR == 1 && !/^\/[\/*] *[A-Za-z`.]/ { print FILENAME }' \
        $(git ls-files '*.c' '*.h' '*.js' '*.mjs' '*.css')
    awk 'FNR == 1 { said = 0 } FNR <= 2 && !/^#!/ && !said++ && !/^# / { print FILENAME }' \
        $(git ls-files '*.sh' '*.cmake' '*CMakeLists.txt' Makefile run .ci/run)
)
for file in $silent; do
    complain "$file: the first line says nothing"
done

for command in $(sed -n 's/^ *\.name = "\([a-z]*\)",$/\1/p' src/cli/*.c src/games/*/terminal*.c); do
    grep -q "endstation $command" README.md || complain "README.md does not mention '$command'"
    sed -n '/^for command in/,/^do/p' tests/cli.sh | grep -q " $command\b" ||
        complain "tests/cli.sh lacks '$command'"
done

for game in $(sed -n 's/^set([a-z_]*games \(.*\))$/\1/p' cmake/games.cmake); do
    ls tests/playthroughs/"$game"*.txt >/dev/null 2>&1 || complain "no playthrough of $game"
done

# What a move can be refused with. Without the codes of setups, and of cards and tiles that come by
# chance: whoever sends such an event is refused before.
for game in $(sed -n 's/^set(games \(.*\))$/\1/p' cmake/games.cmake); do
    for code in $(cat src/games/notation.c src/games/"$game"/notation.c src/games/"$game"/rules.c |
        grep -o '\bES_[A-Z_]*' | sed 's/^ES_//' | sort -u |
        grep -vxE 'OK|BROKEN|DECK_SI[XZ]E?|CARD_GONE|CHANCE_NOT_DUE|TILE_ELSEWHERE|TILE_GONE'); do
        cat include/endstation/status.h include/endstation/"$game"/status.h |
            grep -q "X($code," || continue
        grep -q "\`$code\`" docs/protocol.md || complain "docs/protocol.md lacks \`$code\` of $game"
    done
done

for test in tests/test_*.c; do
    name=$(basename "$test" .c)
    grep -q "\b${name#test_}\b" tests/CMakeLists.txt || complain "$test is not run"
done

# Letters, one a line.
written_kinds=$(sed -n "s/^ *ENTRY_[A-Z]* = '\(.\)'.*/\1/p" src/store/store.h | sort)
told_kinds=$(sed -n '/^| kinds | what writes them |$/,/^$/p' docs/operating.md |
    sed -n '3,$ s/^|\([^|]*\)|.*/\1/p' | grep -o '`[^`]*`' | tr -d '`' | tr ' ' '\n' | sort)
if [ -z "$written_kinds" ] || [ "$written_kinds" != "$told_kinds" ]; then
    complain "kinds of entries differ: in src/store/store.h and in the table of docs/operating.md:
$(echo "$written_kinds" | tr '\n' ' ')
$(echo "$told_kinds" | tr '\n' ' ')"
fi

written=$(git ls-files '*.c' '*.h' '*.js' '*.mjs' '*.css' '*.sh' '*.cmake' '*.txt' run Makefile |
    grep -v -e '^tests/playthroughs/' -e '^tests/screens/' -e '^docs/transcript')
# shellcheck disable=SC2086 # a list of files
if LC_ALL=C.UTF-8 grep -nE -e '^.{101,}$' -e '[[:blank:]]$' $written; then
    complain "these lines are longer than 100 columns, or end with a blank"
fi

# Milliseconds and ids of messages have up to 64 bits, a long has 32 on some machines.
if grep -nE '_int\(.*\(long\)' src/rooms/*.c src/store/*.c src/server/*.c; then
    complain "these numbers are cut where a long has 32 bits: int64_t"
fi

# Other versions of clang-format format some things differently.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    # shellcheck disable=SC2046 # a list of files
    clang-format --dry-run --Werror $(git ls-files '*.c' '*.h') || failed=1
fi
exit $failed
