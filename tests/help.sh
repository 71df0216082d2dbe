#!/bin/sh
# The help of all commands, side by side: help.sh PROGRAM. The same option has the same sentence
# everywhere, and is one that the command takes.
. ./common.sh

commands=$("$program" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p')
[ "$(echo "$commands" | wc -l)" -gt 15 ] || failed=1

# A line for each option or word: COMMAND|NAME|SENTENCE. The sentence begins at two blanks, and goes
# on in the lines that are indented further.
for command in $commands; do
    "$program" "$command" --help >"$work/$command" || failed=1
    awk -v command="$command" '
        function done() { if (name) print command "|" name "|" sentence; name = "" }
        /^ +(-[^ ]*|[A-Z]+)( [^ ]+)*  +[^ ]/ && !/^            / {
            done()
            match($0, /^ +[^ ]+( [^ ]+)*  +/)
            name = substr($0, 1, RLENGTH)
            gsub(/^ +| +$/, "", name)
            sentence = substr($0, RLENGTH + 1)
            next
        }
        name && /^            / { sub(/^ +/, " "); sentence = sentence $0; next }
        { done() }
        END { done() }' "$work/$command"
done >"$work/all"
[ "$(wc -l <"$work/all")" -gt 90 ] || { echo "the help has too few options"; failed=1; }

# What says something else in some commands, and how many things it says in all.
cat >"$work/known" <<'END'
--data DIR 2
--games N 3
--map MAP 5
--player N 2
--records DIR 2
--store postgres://... 2
MAP 2
END
cut -d '|' -f 2,3 "$work/all" | LC_ALL=C sort -u | cut -d '|' -f 1 | uniq -c |
    awk '$1 > 1 { count = $1; $1 = ""; print substr($0, 2), count }' >"$work/several"
if ! cmp -s "$work/known" "$work/several"; then
    echo "options whose sentences differ, and how many there are (known <, found >):"
    diff "$work/known" "$work/several"
    cut -d ' ' -f 1 "$work/several" | while read -r name; do
        grep -e "|$name" "$work/all"
    done
    failed=1
fi

# Every option and record of a usage line is explained, and every option explained exists.
for command in $commands; do
    for word in $(sed '/^$/q' "$work/$command" | grep -o -e '--*[a-z][a-z-]*' -e 'RECORD'); do
        grep -q -e "^$command|$word\(|\| \)" "$work/all" || {
            echo "$command: $word is in the usage line, and is not explained"
            failed=1
        }
    done
    for option in $(sed -n "s/^$command|\(-[^ |]*\).*/\1/p" "$work/all"); do
        "$program" "$command" "$option=x" --nonsense >"$work/out" 2>"$work/err" </dev/null
        if [ $? != 2 ] || grep -q -e "unknown option $option" "$work/err"; then
            echo "$command: $option is explained, and unknown"
            failed=1
        fi
    done
done

# Whatever keeps files in the home folder says where, also where it is set elsewhere.
for command in play serve backup check export import manage; do
    tr -s ' \n' ' ' <"$work/$command" |
        grep -q 'endstation in \$XDG_DATA_HOME or ~/.local/share' || {
        echo "$command: does not say where its folder is"
        failed=1
    }
done
exit $failed
