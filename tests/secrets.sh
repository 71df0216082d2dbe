#!/bin/sh
# What a player may not know changes no byte of what is drawn for them: secrets.sh PROGRAM.
. ./common.sh

# alike PLAYER ONE OTHER OPTIONS…: two records of $work give that player the same picture, or the
# same refusal.
alike() {
    compare "$@" || {
        echo "player $1 can tell $2 from $3 ($*)"
        failed=1
    }
}
# unlike PLAYER ONE OTHER: two records give that player different pictures, to show that the test
# can fail.
unlike() {
    ! compare "$@" || {
        echo "player $1 cannot tell $2 from $3"
        failed=1
    }
}
compare() {
    viewer=$1 one=$2 other=$3
    shift 3
    for record in "$one" "$other"; do
        "$program" draw "$work/$record.record" --player "$viewer" "$@" >"$work/$record.out" \
            2>"$work/$record.err"
        echo $? >>"$work/$record.out"
        [ ! -s "$work/$record.err" ] ||
            sed "s/$record/RECORD/g" "$work/$record.err" >>"$work/$record.out"
    done
    cmp -s "$work/$one.out" "$work/$other.out"
}

# record NAME HEADER EVENTS…: writes a record into $work; its events must be legal.
record() {
    name=$1 header=$2
    shift 2
    {
        printf 'endstation-record 1\n%b\n\n' "$header"
        printf '%s\n' "$@"
    } >"$work/$name.record"
    expect 0 replay "$work/$name.record"
}

# metro: hands of one or two tiles, a tile that was drawn, the stock.
two='game metro\nplayers 2'
record hand "$two" 'deal 1 cddb' 'deal 2 aacb' '1 cddb c1' 'deal 1 acba'
record hand2 "$two" 'deal 1 cddb' 'deal 2 aacb' '1 cddb c1' 'deal 1 dddd'
record drawn "$two" 'deal 1 cddb' 'deal 2 aacb' '1 draw' 'deal 1 acba'
record drawn2 "$two" 'deal 1 cddb' 'deal 2 aacb' '1 draw' 'deal 1 dddd'
record first "$two" 'deal 1 cddb' 'deal 2 aacb' '1 draw' 'deal 1 acba'
record first2 "$two" 'deal 1 bbbb' 'deal 2 aacb' '1 draw' 'deal 1 acba'
many='game metro\nplayers 3\nrules hand2'
record many "$many" 'deal 1 cddb' 'deal 2 aacb' 'deal 3 dddd' 'deal 1 aaaa' 'deal 2 bbbb' \
    'deal 3 cccc' '1 cddb c1' 'deal 1 adad'
record many2 "$many" 'deal 1 cddb' 'deal 2 aacb' 'deal 3 dddd' 'deal 1 adbb' 'deal 2 bbbb' \
    'deal 3 cccc' '1 cddb c1' 'deal 1 dada'
for pair in 'hand hand2' 'drawn drawn2' 'first first2' 'many many2'; do
    one=${pair% *} other=${pair#* }
    for options in '' '--theme dark' '--theme print' '--lit 5'; do
        for player in 0 2; do
            # shellcheck disable=SC2086 # two words
            alike $player "$one" "$other" $options
        done
    done
    unlike 1 "$one" "$other"
done
alike 3 many many2

# Nobody can preview another player's moves to find out what they hold.
record turn "$two" 'deal 1 acba' 'deal 2 aacb'
record turn2 "$two" 'deal 1 dddd' 'deal 2 aacb'
for tile in acba dddd cddb bbbb aaaa; do
    for square in a1 a5 d4; do
        for pair in 'drawn drawn2' 'first first2'; do
            for player in 0 2; do
                alike $player ${pair% *} ${pair#* } --preview "1 $tile $square"
            done
        done
    done
    alike 2 turn turn2 --preview "1 $tile a1"
    alike 0 turn turn2 --preview "1 $tile a1"
done
unlike 1 turn turn2 --preview '1 acba a1'

# verplant: what another player has entered in the open round, and whether they have entered
# anything. Until it closes, the round before it is the one marked as fresh.
sheet='game verplant\nmap practice\nplayers 2'
record round "$sheet" 'card 3' '1 A3' '2 B3' 'card 4'
record round1 "$sheet" 'card 3' '1 A3' '2 B3' 'card 4' '1 C>4'
record round2 "$sheet" 'card 3' '1 A3' '2 B3' 'card 4' '1 D0'
for other in round1 round2; do
    for options in '' '--theme dark' '--preview 2 D4'; do
        case $options in
        --preview*) alike 2 round $other --preview "${options#--preview }" ;;
        # shellcheck disable=SC2086 # two words
        *) alike 2 round $other $options ;;
        esac
    done
    unlike 1 round $other
done
"$program" draw "$work/round1.record" --player 2 >"$work/out"
has out 'class="mark fresh"'

# Only the last tile laid is fresh, whoever has drawn or been dealt one since.
last() {
    expect 0 draw "$work/$1.record" --player "$2"
    found=$(grep -o 'class="square fresh" data-square="[a-h][1-8]"' "$work/out")
    if [ "$found" != "class=\"square fresh\" data-square=\"$3\"" ]; then
        echo "$1 for player $2: the last tile is not $3: $found"
        failed=1
    fi
}
set -- 'deal 1 cddb' 'deal 2 aacb' '1 cddb c1' 'deal 1 acba'
record laid "$two" "$@" '2 aacb a6'
record dealt "$two" "$@" '2 aacb a6' 'deal 2 dddd'
record asked "$two" "$@" '2 aacb a6' 'deal 2 dddd' '1 draw'
record waits "$two" "$@" '2 aacb a6' 'deal 2 dddd' '1 draw' 'deal 1 bbbb'
for name in laid dealt asked waits; do
    for player in 0 1 2; do
        last $name $player a6
    done
done
last hand 2 c1
# At the end no tiles are dealt between moves.
cp conformance/0011.record "$work/end.record"
last end 1 a8
exit $failed
