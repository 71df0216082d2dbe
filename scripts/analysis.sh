#!/bin/sh
# Measures the figures of docs/analysis.md:
#     sh scripts/analysis.sh PROGRAM PART FOLDER [THREADS [FROM-TO]]
# PROGRAM is build/bench_analysis (cmake --build build --target bench_analysis). Parts: levels (the
# loss of each level, both games), luck (2,000 games of strong), spread (500 solo games of strong),
# players (games for two and three); small (all of it with few games). Each game is a line in
# FOLDER; FROM-TO runs a chunk of the numbers of games, so that several machines can share a part.
# The part `sum` adds up everything that is in FOLDER. All parts take about six hours of one core.
# The table has means with their standard errors; sd of the result and of the result less luck, and
# their ratio; games in which hindsight is below the result; milliseconds for each analysis.
set -eu
[ $# -ge 3 ] || {
    sed -n 's/^# //p' "$0" >&2
    exit 2
}
program=$1 part=$2 folder=$3 threads=${4:-2} chunk=${5:-}
cities="amsterdam berlin paris madrid"
levels="random greedy casual strong master"
mkdir -p "$folder"

# games NAME FROM-TO OPTIONS…: appends the games of a chunk, or all, to a file.
games() {
    name=$1 range=${chunk:-$2}
    shift 2
    echo "$name $range"
    "$program" --threads "$threads" --games "$range" "$@" >>"$folder/$name.txt"
}

# The mean loss of each level: 200 games, 50 of each city, and 200 of metro for two.
levels() {
    for level in $levels; do
        for city in $cities; do
            games "levels-$level-$city" "$1" --game verplant --map "$city" --level "$level"
        done
        games "levels-$level-metro" "$2" --game metro --players 2 --level "$level"
    done
}

# Prints a table of all games in the folder, by game, sheet, level and number of players.
summary() {
    cat "$folder"/*.txt | awk '
        !seen[$1, $2, $3, $4, $5]++ { # parts and chunks may overlap
            key = $1 " " $2 " " $3 " " $4
            for (i = 6; i < NF; i += 2) v[$i] = $(i + 1)
            n[key]++
            less = v["result"] - v["luck"]
            add("result", v["result"]); add("luck", v["luck"]); add("loss", v["loss"])
            add("others", v["others"]); add("correction", v["correction"]); add("less", less)
            add("ms", v["ms"])
            below[key] += v["hindsight"] < v["result"] - 0.001
        }
        function add(name, x) { s[key, name] += x; q[key, name] += x * x }
        function mean(key, name) { return s[key, name] / n[key] }
        function sd(key, name,  m, x) {
            m = mean(key, name)
            x = q[key, name] / n[key] - m * m
            return x > 0 ? sqrt(x * n[key] / (n[key] > 1 ? n[key] - 1 : 1)) : 0
        }
        function both(key, name) {
            return sprintf("%.3f +- %.3f", mean(key, name), sd(key, name) / sqrt(n[key]))
        }
        END {
            wide = "%-32s %5s %16s %16s %16s %8s %16s %6s %6s %5s %5s %5s\n"
            printf wide, "game sheet level players", "games", "result", "luck", "loss", "others",
                "correction", "sd", "less", "ratio", "below", "ms"
            for (key in n) {
                ratio = sd(key, "result") > 0 ? sd(key, "less") / sd(key, "result") : 0
                printf wide, key, n[key], both(key, "result"), both(key, "luck"),
                    both(key, "loss"), sprintf("%.3f", mean(key, "others")),
                    both(key, "correction"), sprintf("%.2f", sd(key, "result")),
                    sprintf("%.2f", sd(key, "less")), sprintf("%.2f", ratio), below[key],
                    sprintf("%.0f", mean(key, "ms")) | "sort"
            }
        }'
}

case $part in
levels) levels 0-49 0-199 ;;
spread)
    for city in $cities; do
        games "spread-$city" 0-124 --game verplant --map "$city" --level strong
    done
    ;;
luck)
    for city in $cities; do
        games "luck-$city" 0-499 --game verplant --map "$city" --level strong
    done
    games luck-metro 0-1999 --game metro --players 2 --level strong
    ;;
players)
    for players in 2 3; do
        for city in $cities; do
            games "players-$city-$players" 0-24 --game verplant --map "$city" --players $players \
                --level strong
        done
        games "players-metro-$players" 0-99 --game metro --players $players --level strong
    done
    ;;
small)
    levels 0-1 0-3
    games small-two 0-3 --game verplant --map paris --players 2 --level strong
    ;;
sum) ;;
*)
    echo "analysis.sh: no part '$part'" >&2
    exit 2
    ;;
esac
summary
