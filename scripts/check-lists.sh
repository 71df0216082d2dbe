#!/bin/sh
# Lists that must be complete, or the build fails: every file is on the map of docs/HACKING.md,
# every command is in the README and in tests/cli.sh, every game has a playthrough, every C test
# is run, nothing is longer than the page, and the sources are formatted.
failed=0
complain() {
    echo "$1"
    failed=1
}

[ -n "$(git ls-files)" ] || complain "the lists need a git checkout"

for file in $(git ls-files | grep -v -e '^tests/conformance/' -e '^fuzz/corpus/'); do
    case $file in
    tests/playthroughs/* | tests/screens/* | docs/pictures/*) name=$(dirname "$file")/ ;;
    *) name=$file ;;
    esac
    grep -q "\`$name\`" docs/HACKING.md || complain "docs/HACKING.md does not mention \`$name\`"
done

for command in $(sed -n 's/^ *\.name = "\([a-z]*\)",$/\1/p' src/cli/*.c); do
    grep -q "endstation $command" README.md || complain "README.md does not mention '$command'"
    grep -q "for command in.* $command\b" tests/cli.sh || complain "tests/cli.sh lacks '$command'"
done

for game in $(sed -n 's/^ *\.name = "\([a-z]*\)",$/\1/p' src/games/*/*.c); do
    ls tests/playthroughs/"$game"*.txt >/dev/null 2>&1 || complain "no playthrough of $game"
done

for test in tests/test_*.c; do
    name=$(basename "$test" .c)
    grep -q "\b${name#test_}\b" tests/CMakeLists.txt || complain "$test is not run"
done

for file in $(git ls-files '*.c' '*.h' '*.sh' '*.cmake' '*.txt' run Makefile |
    grep -v -e '^tests/playthroughs/' -e '^tests/screens/'); do
    if LC_ALL=C.UTF-8 grep -nE -e '^.{101,}$' -e '[[:blank:]]$' "$file"; then
        complain "$file: lines longer than 100 columns, or with a blank at the end"
    fi
done

# Other versions lay some things out differently.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    # shellcheck disable=SC2046 # a list of files
    clang-format --dry-run --Werror $(git ls-files '*.c' '*.h') || failed=1
fi
exit $failed
