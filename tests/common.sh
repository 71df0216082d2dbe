# Functions that the tests of the program share; read with `. ./common.sh` from the folder tests.
# Sets $program (the first argument), $work (a folder that is removed at the end), and $failed.
program=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# expect STATUS ARGUMENTS…: runs the program; leaves $work/out and $work/err.
expect() {
    wanted=$1
    shift
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    if [ $got != "$wanted" ]; then
        echo "endstation $*: exit status $got instead of $wanted"
        cat "$work/err"
        failed=1
    fi
    if [ "$wanted" = 0 ] && [ -s "$work/err" ]; then
        echo "endstation $*: something on standard error"
        failed=1
    elif [ "$wanted" != 0 ] && { [ -s "$work/out" ] || [ ! -s "$work/err" ]; }; then
        echo "endstation $*: a failure belongs on standard error, and nothing else"
        failed=1
    fi
}

# has FILE TEXT: a file of $work has a line that matches.
has() {
    if ! grep -q -e "$2" "$work/$1"; then
        echo "expected '$2' in $1:"
        cat "$work/$1"
        failed=1
    fi
}

# lacks FILE TEXT: a file of $work has no line that matches.
lacks() {
    if grep -q -e "$2" "$work/$1"; then
        echo "did not expect '$2' in $1"
        failed=1
    fi
}

# gone PROCESS: it ends very soon, or has ended (nobody may have waited for it yet).
gone() {
    i=0
    while grep -qs -v ') Z ' "/proc/$1/stat"; do
        i=$((i + 1))
        [ $i -gt 2400 ] && echo "process $1 is left" && failed=1 && return
        sleep 0.05
    done
}
