# What the tests of the program share; read with `. ./common.sh` from the folder tests. Sets
# $program (the first argument), $work (a folder that goes away), and $failed.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# has FILE TEXT: a file of $work holds a line that matches.
has() {
    if ! grep -q -e "$2" "$work/$1"; then
        echo "expected '$2' in $1:"
        cat "$work/$1"
        failed=1
    fi
}

# lacks FILE TEXT: … or must not.
lacks() {
    if grep -q -e "$2" "$work/$1"; then
        echo "did not expect '$2' in $1"
        failed=1
    fi
}
