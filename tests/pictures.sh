#!/bin/sh
# Tests of pictures as files: pictures.sh PROGRAM [sanitized].
. ./common.sh

# same FILE FILE, differ FILE FILE: files of $work, byte by byte.
same() {
    if ! cmp -s "$work/$1" "$work/$2"; then
        echo "$1 and $2 differ"
        failed=1
    fi
}
differ() {
    if cmp -s "$work/$1" "$work/$2"; then
        echo "$1 and $2 are the same"
        failed=1
    fi
}

# counts FILE TEXT NUMBER: a text occurs that often in a file of $work, which may be binary.
counts() {
    found=$(grep -ao -e "$2" "$work/$1" | wc -l)
    if [ "$found" != "$3" ]; then
        echo "$1: '$2' $found times instead of $3"
        failed=1
    fi
}

# png FILE WIDTH: a complete PNG of that width, not blank.
png() {
    width=$(od -An -tu1 -j16 -N4 "$work/$1" | awk '{print (($1 * 256 + $2) * 256 + $3) * 256 + $4}')
    if [ "$(head -c 4 "$work/$1" | tail -c 3)" != PNG ] || [ "$width" != "$2" ]; then
        echo "$1 is no PNG of width $2 ($width)"
        failed=1
    fi
    counts "$1" IEND 1
}

# pdf FILE PAGES WIDTH HEIGHT TITLE: a PDF with pages of that size in whole points, with embedded
# fonts and no pixels.
pdf() {
    [ "$(head -c 5 "$work/$1")" = %PDF- ] && tail -c 7 "$work/$1" | grep -q '%%EOF' || failed=1
    counts "$1" '/Type /Page\b' "$2"
    counts "$1" "/MediaBox \[ 0 0 $3[.0-9]* $4[.0-9]* \]" "$2"
    counts "$1" "/Title ($5)" 1
    counts "$1" '/Subtype */Image' 0
    if [ "$(grep -ac '/FontDescriptor' "$work/$1")" = 0 ] ||
        [ "$(grep -ac '/FontFile' "$work/$1")" = 0 ]; then
        echo "$1: fonts are not embedded"
        failed=1
    fi
}

# svg FILE: a complete SVG, small enough for a page.
svg() {
    size=$(wc -c <"$work/$1")
    if [ "$(head -c 5 "$work/$1")$(tail -c 7 "$work/$1")" != '<svg </svg>' ] ||
        [ "$size" -gt 122880 ]; then
        echo "$1 is no SVG, or too large: $size"
        failed=1
    fi
}

# Two games in progress, and a new one.
seed=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
"$program" new --players 2 --names Ada,Grace --seed $seed >"$work/new.record"
cp ../docs/pictures/metro.record "$work/metro.record"

# The ending of the file says the format; standard output gets SVG.
expect 0 draw "$work/new.record"
cp "$work/out" "$work/new.svg"
svg new.svg
expect 0 draw "$work/new.record" -o "$work/file.svg"
[ ! -s "$work/out" ] || failed=1
same file.svg new.svg
expect 0 draw -o - "$work/new.record"
same out new.svg
"$program" draw - <"$work/new.record" | cmp - "$work/new.svg" || failed=1
expect 0 draw "$work/new.record" -o "$work/a.png"
png a.png 1600
expect 0 draw "$work/new.record" -o "$work/b.png" --size 64
png b.png 64
expect 0 draw "$work/metro.record" -o "$work/c.png" --size=3000 --theme dark --player 1
png c.png 3000
expect 0 draw "$work/new.record" -o "$work/a.pdf"
pdf a.pdf 1 1120 790 '[^)]*Practice[^)]*'
expect 0 draw "$work/new.record" -o "$work/c.pdf" --size 400
pdf c.pdf 1 300 211 '[^)]*Practice[^)]*'
expect 0 draw "$work/new.record" --size 560
counts out ' viewBox="0 0 1120 790" width="560" height="395" ' 1
expect 0 draw "$work/metro.record" -o "$work/b.pdf" --theme print
counts b.pdf '/Type /Page\b' 1

# The same command gives the same picture; every option shows.
expect 0 draw "$work/new.record" -o "$work/again.pdf"
same again.pdf a.pdf
expect 0 draw "$work/new.record" -o "$work/again.png"
same again.png a.png
for choice in '--theme dark' '--theme print' --no-names --patterns '--lit C'; do
    # shellcheck disable=SC2086 # two words
    expect 0 draw "$work/new.record" $choice
    svg out
    differ out new.svg
done
expect 0 draw "$work/new.record" --theme light
same out new.svg
expect 0 draw "$work/metro.record"
cp "$work/out" "$work/metro.svg"
svg metro.svg
for choice in '--theme dark' '--lit 31' '--player 1'; do
    # shellcheck disable=SC2086 # two words
    expect 0 draw "$work/metro.record" $choice
    svg out
    differ out metro.svg
done
expect 0 draw "$work/metro.record" --player 0
same out metro.svg

# Planned entries and tiles are shown if they are legal.
expect 0 moves "$work/new.record"
expect 0 draw "$work/new.record" --preview "$(grep '^2 A[1-9]' "$work/out" | tail -n 1)"
svg out
differ out new.svg
expect 2 draw "$work/new.record" --preview '1 A9'
has err "'1 A9'"
expect 2 draw "$work/new.record" --preview '1 Z1'
expect 2 draw "$work/new.record" --preview 'card 3'
expect 2 draw "$work/new.record" --preview nonsense
expect 2 draw "$work/new.record" --preview ''
expect 2 draw "$work/new.record" --player 1 --preview '2 A1'
expect 0 moves "$work/metro.record"
move=$(grep -v draw "$work/out" | tail -n 1)
expect 0 draw "$work/metro.record" --preview "$move"
differ out metro.svg
cp "$work/out" "$work/preview.svg"
expect 2 draw "$work/metro.record" --preview "${move% *} d4"
has err "${move% *} d4"

# … and another one beside it, as what was played.
expect 0 moves "$work/metro.record"
other=$(grep -v draw "$work/out" | head -n 1)
expect 0 draw "$work/metro.record" --preview "$move" --instead "$other"
svg out
differ out preview.svg
counts out 'square planned' 1
counts out 'square played' 1
expect 2 draw "$work/metro.record" --instead "$other"
has err 'needs a --preview'
expect 2 draw "$work/metro.record" --preview "$move" --instead "${move% *} d4"
has err "--instead '${move% *} d4'"
expect 2 draw "$work/metro.record" --preview "$move" --instead 'deal 1 aaaa'
expect 2 draw "$work/new.record" --preview '1 A0' --instead '2 A0'
expect 0 draw "$work/new.record" --preview 'A0' --instead 'B1' -o "$work/two.png"
png two.png 1600

# Names can be anything: no markup gets through, and cairo accepts all of them.
name="</title><script>alert(1)</script>&\"'"
odd=$(printf 'a\357\267\220b\357\277\276c\360\237\277\277d\360\237\232\207e')
sed -e 's/^id .*/id hostile/' -e "s|: Central|: $(echo "$name" | sed 's/&/\\&/')|" \
    -e "s/: Quarry/: $odd/" -e 's/^title .*/title <b>)(\\/' ../maps/practice.map \
    >"$work/hostile.map"
sed -e 's/^map .*/map hostile/' -e "s|Ada|$(echo "$name" | sed 's/&/\\&/')|" "$work/new.record" \
    >"$work/hostile.record"
sed -e "s|Ada|$(echo "$name" | sed 's/&/\\&/')|" -e "s/Grace/$odd/" "$work/metro.record" \
    >"$work/hostile2.record"
grep -q '^player 1 </title><script>' "$work/hostile2.record" || failed=1
expect 0 draw --map "$work/hostile.map" "$work/hostile.record"
svg out
has out '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;'
lacks out '<script'
lacks out '<b>'
expect 0 draw "$work/hostile2.record"
svg out
lacks out '<script'
for file in hostile.png hostile.pdf; do
    expect 0 draw --map "$work/hostile.map" "$work/hostile.record" -o "$work/$file"
    expect 0 draw "$work/hostile2.record" -o "$work/2$file"
done
png hostile.png 1600
png 2hostile.png 1600
counts hostile.pdf '/Type /Page\b' 1
counts 2hostile.pdf '/Type /Page\b' 1

# Whole games, on sheets of all kinds.
for case in 0000 0001 0002 0003 0004 0005 0006 0007 0008 0009; do
    [ -f conformance/$case.replay ] || continue
    set -- draw conformance/$case.record
    [ ! -f conformance/$case.map ] || set -- "$@" --map conformance/$case.map
    expect 0 "$@"
    svg out
    expect 0 "$@" -o "$work/case.pdf"
    expect 0 "$@" -o "$work/case.png" --size 200
done

# To print: sheets, cards, the board with its tiles.
expect 0 print --map practice -o "$work/sheets.pdf" --count 3
pdf sheets.pdf 3 841 595 Practice
expect 0 print --map practice --paper letter --no-names
cp "$work/out" "$work/letter.pdf"
pdf letter.pdf 1 792 612 Practice
expect 0 print --map "$work/hostile.map" -o "$work/hostile.pdf"
counts hostile.pdf '/Type /Page\b' 1
expect 0 print --cards -o "$work/cards.pdf"
pdf cards.pdf 2 841 595 'Endstation: cards'
expect 0 print --cards --deck '6 6 1 2 3 4 5 7 8 9 x1 x2 x9 + o 3 3 3 3' --paper letter -o -
cp "$work/out" "$work/cards2.pdf"
pdf cards2.pdf 3 792 612 'Endstation: cards'
expect 0 print --cards --deck 15 -o "$work/cards15.pdf"
differ cards.pdf cards15.pdf
for paper in 'a4 595 841' 'letter 612 792'; do
    # shellcheck disable=SC2086 # words
    set -- $paper
    expect 0 print --metro --paper "$1" -o "$work/board.pdf"
    counts board.pdf '/Type /Page\b' 4
    counts board.pdf "/MediaBox \[ 0 0 $2[.0-9]* $3[.0-9]* \]" 2
    counts board.pdf "/MediaBox \[ 0 0 $3[.0-9]* $2[.0-9]* \]" 2 # the halves of the board
    counts board.pdf '/Title (Endstation: metro)' 1
done

# Bad command lines.
expect 2 draw
expect 2 draw "$work/new.record" "$work/new.record"
expect 2 draw "$work/new.record" -o "$work/x.gif"
expect 2 draw "$work/new.record" -o .svg
expect 2 draw "$work/new.record" -o "$work/x.png" --size 63
expect 2 draw "$work/new.record" -o "$work/x.png" --size 8001
has err '64 to 8000'
expect 2 draw "$work/new.record" --theme pink
expect 2 draw "$work/new.record" --player 0
expect 2 draw "$work/new.record" --player 3
expect 2 draw "$work/metro.record" --player 3
expect 2 draw "$work/new.record" --lit Z
expect 2 draw "$work/new.record" --lit ''
expect 2 draw "$work/metro.record" --lit 33
expect 2 print
expect 2 print --cards --metro
expect 2 print --map practice --cards
expect 2 print --map practice -o "$work/x.png"
expect 2 print --map practice --count 0
expect 2 print --map practice --count 501
expect 2 print --map practice --deck 14
expect 2 print --map practice --paper a5
expect 2 print --cards --count 2
expect 2 print --cards --no-names
expect 2 print --cards --deck '3 4'
has err 6
expect 2 print --cards --deck '6 x'
expect 1 print --map nowhere
expect 1 draw /nowhere.record
has err '^/nowhere.record:0: '

# Errors name paths that cannot be written to; nothing is left behind, and existing files stay.
mkdir "$work/folder" "$work/folder/x.png"
echo old >"$work/folder/old.svg"
ln -s old.svg "$work/folder/link.svg"
for file in nowhere/x.svg nowhere/x.png new.record/x.pdf folder/x.png; do
    expect 1 draw "$work/new.record" -o "$work/$file"
    has err "cannot write $work/$file: "
done
expect 1 print --cards -o "$work/nowhere/x.pdf"
has err "cannot write $work/nowhere/x.pdf: "
if [ -w /dev/full ]; then
    for ending in svg png pdf; do
        ln -s /dev/full "$work/folder/full.$ending"
        expect 1 draw "$work/new.record" -o "$work/folder/full.$ending"
        has err 'cannot write .*: No space'
    done
    "$program" draw "$work/new.record" >/dev/full 2>"$work/err"
    [ $? = 1 ] && [ -s "$work/err" ] || failed=1
    "$program" print --metro >/dev/full 2>"$work/err"
    [ $? = 1 ] && [ -s "$work/err" ] || failed=1
    [ -c /dev/full ] || failed=1
    rm "$work"/folder/full.*
fi
# A limit on the file size stands for a full disk; the old file survives.
(ulimit -f 1 && trap '' XFSZ && "$program" draw "$work/new.record" -o "$work/folder/old.svg") \
    >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q 'cannot write' "$work/err" || failed=1
[ "$(cat "$work/folder/old.svg")" = old ] || failed=1
[ "$(ls -A "$work/folder" | tr '\n' ' ')" = 'link.svg old.svg x.png ' ] || failed=1
# Writing through a link keeps the link and the permissions of its target.
chmod 640 "$work/folder/old.svg"
expect 0 draw "$work/new.record" -o "$work/folder/link.svg"
[ -h "$work/folder/link.svg" ] || failed=1
case $(ls -l "$work/folder/old.svg") in -rw-r-----*) ;; *) failed=1 ;; esac
same folder/old.svg new.svg
[ "$(ls -A "$work/folder" | tr '\n' ' ')" = 'link.svg old.svg x.png ' ] || failed=1
exit $failed
