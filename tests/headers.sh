# The public headers: each compiles alone, and all together, as C17 and as C++17, with every
# compiler that is installed; a program in C++ links with the library and runs.
#     tests/headers.sh LIBRARY
set -eu
library=$1
include=$(cd ../include && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
headers=$(cd "$include" && find endstation -name '*.h' | sort)
warnings='-Wall -Wextra -Werror'

# compile LANGUAGE STANDARD COMPILER OPTION...: all headers
compile() {
    language=$1 standard=$2 compiler=$3
    shift 3
    for header in $headers; do
        echo "#include <$header>" >"$work/alone"
        # shellcheck disable=SC2086
        "$compiler" -x "$language" "-std=$standard" $warnings "$@" -I"$include" -fsyntax-only \
            "$work/alone" || { echo "$header: $compiler -std=$standard refuses it" && exit 1; }
        cat "$work/alone" >>"$work/all"
    done
    # shellcheck disable=SC2086
    "$compiler" -x "$language" "-std=$standard" $warnings "$@" -I"$include" -fsyntax-only \
        "$work/all" || { echo "$compiler -std=$standard refuses all headers together" && exit 1; }
    rm "$work/all"
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 || continue
    compile c c17 $compiler -Wpedantic
done
tried=
for compiler in g++ clang++; do
    command -v $compiler >/dev/null 2>&1 || continue
    compile c++ c++17 $compiler
    # shellcheck disable=SC2086
    $compiler -std=c++17 $warnings -fno-exceptions -fno-rtti -I"$include" -c use.cc \
        -o "$work/use.o"
    "${CC:-cc}" "$work/use.o" "$library" -o "$work/use"
    [ -n "$("$work/use")" ] || { echo "use.cc ($compiler) printed nothing" && exit 1; }
    tried="$tried $compiler"
done
[ -n "$tried" ] || { echo "no C++ compiler: the package clang has one" && exit 1; }
echo "ok:$tried"
