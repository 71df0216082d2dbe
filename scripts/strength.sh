#!/bin/sh
# Measures the figures of docs/bots.md: sh scripts/strength.sh PROGRAM PART FOLDER [THREADS]
# Parts: strong, master, towns, two, race, hindsight (verplant); metro, four, variants (metro);
# ladder (both). The output of each arena goes into FOLDER. All of them take about four hours of one
# core. Bots have a minute for a move and stop after a fixed number of iterations, so the games are
# the same on every machine, also on a busy one.
set -eu
[ $# -ge 3 ] || {
    sed -n 's/^# //p' "$0" >&2
    exit 2
}
program=$1 part=$2 folder=$3 threads=${4:-2}
cities="amsterdam berlin paris madrid"
mkdir -p "$folder"

# arena NAME OPTIONS…
arena() {
    name=$1
    shift
    echo "$name"
    "$program" arena --seed 2026 --ms 60000 --threads "$threads" "$@" >"$folder/$name.txt"
    grep '^result' "$folder/$name.txt"
}

case $part in
strong)
    for city in $cities; do
        arena "strong-$city" --solo --seats strong,flat:20000,greedy --map "$city" --games 400
    done
    ;;
master)
    for city in $cities; do
        arena "master-$city" --solo --seats master,flat:20000,strong --map "$city" --games 40
    done
    ;;
towns)
    sh scripts/towns.sh "$folder"
    for n in 1 2 3 4 5 6 7 8 9 10; do
        map=$folder/town-$n.map
        arena "town-$n-strong" --solo --seats strong,flat:20000,greedy --map "$map" --games 400
        arena "town-$n-master" --solo --seats master,flat:20000,strong --map "$map" --games 40
    done
    ;;
two)
    for city in $cities; do
        arena "two-greedy-$city" --seats strong,greedy --map "$city" --games 50
        arena "two-casual-$city" --seats strong,casual --map "$city" --games 50
        arena "two-master-$city" --seats master,strong --map "$city" --games 20
    done
    ;;
race)
    for city in $cities; do
        arena "race-$city" --seats strong,solo --map "$city" --games 100
    done
    ;;
hindsight)
    # The cards of a solo game do not depend on who plays it, so neither does hindsight.
    for city in $cities; do
        mkdir -p "$folder/$city"
        arena "hindsight-$city" --solo --seats greedy --map "$city" --games 40 \
            --records "$folder/$city"
        for record in "$folder/$city"/*.record; do
            "$program" hindsight --width 1000 "$record"
        done | awk '{ sum += $6 } END { printf "hindsight %.2f\n", sum / NR }'
    done
    ;;
metro)
    arena metro-greedy --game metro --seats strong,greedy --games 400
    arena metro-master --game metro --seats master,strong --games 100
    ;;
four)
    arena metro-four --game metro --seats master,casual,casual,casual --games 60
    ;;
variants)
    for rules in rotate hand2; do
        arena "metro-$rules-greedy" --game metro --rules $rules --seats strong,greedy --games 50
        arena "metro-$rules-master" --game metro --rules $rules --seats master,strong --games 20
        arena "metro-$rules-four" --game metro --rules $rules \
            --seats master,casual,casual,casual --games 12
    done
    ;;
ladder)
    # Each level against the one below: two players, and two of each at a table of four.
    lower=random
    for level in greedy casual strong master; do
        case $level in
        master) games=100 ;;
        strong) games=200 ;;
        *) games=1000 ;;
        esac
        for seats in "$level,$lower" "$level,$lower,$level,$lower"; do
            for city in $cities; do
                arena "ladder-$seats-$city" --seats "$seats" --map "$city" --games $games
            done
            arena "ladder-$seats-metro" --game metro --seats "$seats" --games $((games * 2))
        done
        lower=$level
    done
    ;;
*)
    echo "strength.sh: no part '$part'" >&2
    exit 2
    ;;
esac
