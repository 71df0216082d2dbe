#!/bin/sh
# Makes the pictures of the documents in a folder: sh scripts/pictures.sh PROGRAM [FOLDER]
# A test makes them again and compares, so that documents show what the program draws today.
set -eu
program=$1
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${2:-$here/docs/pictures}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# blank ID: a record of a game on that sheet before its first card
blank() {
    printf 'endstation-record 1\ngame verplant\nmap %s\nplayers 1\n' "$1"
}

for city in amsterdam berlin paris madrid; do
    blank $city | "$program" draw - -o "$folder/$city.svg"
done

# The example that docs/map-format.md teaches with, taken from its text.
sed -n '/^endstation-map 1$/,/^```$/p' "$here/docs/map-format.md" | sed '$d' >"$work/harbour.map"
blank harbour | "$program" draw - --map "$work/harbour.map" -o "$folder/harbour.svg"

# Both games in progress, as a player sees them: the latest moves, and a planned one.
pictured=$here/docs/pictures
"$program" draw "$pictured/sheet.record" --preview "1 C<2" -o "$folder/sheet.svg"
"$program" draw "$pictured/sheet.record" --theme dark -o "$folder/sheet-dark.svg"
"$program" draw "$pictured/sheet.record" --preview "1 C<2" --instead "1 B2" -o "$folder/moves.svg"
"$program" draw "$pictured/metro.record" --player 2 --lit 31 -o "$folder/board.svg"
