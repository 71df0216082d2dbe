# Bots play the same on every machine only if floats are computed one operation at a time: compilers
# that are told otherwise are refused with a reason, and the library's own options leave no joined
# multiplication and addition.
#     tests/floats.sh OPTION...     (those of the library; for x86-64, elsewhere it is skipped)
set -eu
[ "$(uname -m)" = x86_64 ] || exit 77
root=$(cd .. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
own="$*"

# compile FILE COMPILER OPTION...
compile() {
    source=$1
    shift
    "$@" -std=c17 -O3 -fno-math-errno -I"$root/include" -I"$root/src" -c "$root/src/$source" \
        -o "$work/object.o"
}

# refused WORD COMPILER OPTION...: with an error that has the word
refused() {
    word=$1
    shift
    for source in games/verplant/bots_value.c games/metro/bots_values.c analysis/evaluate.c \
        draw/paint.c; do
        if compile $source "$@" 2>"$work/errors"; then
            echo "$source: compiled by '$*'" && exit 1
        fi
        grep -q "error.*$word" "$work/errors" ||
            { echo "$source: '$*' failed without a reason:" && cat "$work/errors" && exit 1; }
    done
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    refused DES_FP_CONTRACT_OFF $compiler -march=x86-64-v3 -ffp-contract=fast
    refused DES_FP_CONTRACT_OFF $compiler -march=x86-64-v3
    refused DES_FP_CONTRACT_OFF $compiler -mfma4
    refused ffast-math $compiler -ffast-math
    for source in games/verplant/bots_value.c games/metro/bots_values.c; do
        # shellcheck disable=SC2086
        compile $source $compiler -march=x86-64-v3 -ffp-contract=fast $own
        if objdump -d "$work/object.o" | grep -q 'vf[n]*m\(add\|sub\)'; then
            echo "$source: $compiler joins multiplications and additions" && exit 1
        fi
    done
done
refused mfpmath=sse gcc -mfpmath=387
# Other processors: the header needs none of theirs.
for target in s390x powerpc64le aarch64 riscv64; do
    command -v clang >/dev/null 2>&1 || break
    alone() {
        clang --target=$target-linux-gnu -fsyntax-only -x c "$@" "$root/src/core/exact.h"
    }
    if alone 2>"$work/errors" || ! grep -q DES_FP_CONTRACT_OFF "$work/errors"; then
        echo "$target: exact.h does not ask for -ffp-contract=off" && exit 1
    fi
    alone -DES_FP_CONTRACT_OFF
done
echo ok
