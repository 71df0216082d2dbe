#!/bin/sh
# Writes ten random sheets into a folder: sh scripts/towns.sh FOLDER
# They are always the same ten, to measure bots on: do not tune bots with them. `make check` builds
# the program that makes them.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: towns.sh FOLDER}
mkdir -p "$folder"
for number in 1 2 3 4 5 6 7 8 9 10; do
    "$here/build/tests/make_town" $number >"$folder/town-$number.map"
done
