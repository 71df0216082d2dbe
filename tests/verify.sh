#!/bin/sh
# Tests of `endstation verify`: what it prints, where it finds faults, and its exit statuses.
#     verify.sh PROGRAM
. ./common.sh

# The test values of docs/shuffle.md.
secret=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
commit=1883d35c3935512588d362d26ab50446494036d8522586915e57f51e94a2b23e
word1=404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f
hash1=ca2a4fe727faaecf16ecd130a86e0885c5540c05375340445071c0657555fd42
hash3=82d86408530b765e46ebf47807095027e807bc08674b0de77ee5ef2fae7d0492
seed=8229687db22b7d55e6e677f469d9a286b6a2aa5c1da483f4869a6031717e646d

# Games without a secret: the events are those of the seed.
expect 0 new --game metro --players 3 --rules 'rotate hand2' --names Ada,Bot,Eve --seed $seed
cp "$work/out" "$work/local.record"
tiles=$(sed -n 's/^deal [1-3] //p' "$work/local.record" | tr '\n' ' ')
[ "$tiles" = 'bcbc aacb aaaa dbba dada acba ' ] || { echo "tiles $tiles"; failed=1; }
expect 0 verify "$work/local.record"
[ "$(cat "$work/out")" = 'verified 6 of 6 chance events from the seed' ] || failed=1
"$program" verify - <"$work/local.record" >"$work/out" || failed=1
has out '^verified 6 of 6 '
expect 0 new --map practice
cp "$work/out" "$work/sheet.record"
expect 0 verify "$work/sheet.record"
expect 0 verify --map practice "$work/sheet.record"
has out '^verified 1 of 1 '
expect 1 verify --commit $commit "$work/local.record"
has err "^$work/local.record:0: .*no commit"
grep -v '^seed' "$work/local.record" >"$work/bare.record"
expect 1 verify "$work/bare.record"
has err "^$work/bare.record:0: .*neither seed nor secret"
last=$(grep -n '^deal' "$work/local.record" | tail -n 1 | cut -d : -f 1)
sed "${last}s/.*/deal 3 dddd/" "$work/local.record" >"$work/other.record"
expect 0 replay "$work/other.record"
expect 1 verify "$work/other.record"
has err "^$work/other.record:$last: 'deal 3 dddd': "

# A game with a secret, in which player 3's word is missing.
sed "s/^seed/bot 2 strong\ncommit $commit k7m2x9\nword 1 $word1 $hash1\nword 3 - $hash3\n&/" \
    "$work/local.record" >"$work/open.record"
sed "s/^seed/secret $secret\n&/" "$work/open.record" >"$work/fair.record"
expect 0 verify "$work/fair.record"
cat >"$work/wanted" <<'END'
commit, words and seed fit
the word of player 3 (Eve) is missing
verified 6 of 6 chance events from the seed
END
cmp "$work/wanted" "$work/out" || failed=1
sed 's/^player 3 Eve/player 3 Évê/' "$work/fair.record" >"$work/other.record"
LC_ALL=C expect 0 verify "$work/other.record"
has out '^the word of player 3 (Eve) is missing$'
sed '/^player /d' "$work/fair.record" >"$work/other.record"
expect 0 verify "$work/other.record"
has out '^the word of player 3 is missing$'
expect 0 verify --commit $commit "$work/fair.record"
expect 1 verify --commit $seed "$work/fair.record"
line=$(grep -n '^commit' "$work/fair.record" | cut -d : -f 1)
has err "^$work/fair.record:$line: 'commit $commit"
expect 1 verify "$work/open.record"
has err "^$work/open.record:0: the secret is missing"
sed 's/^word 3 -/word 2 -/' "$work/fair.record" >"$work/other.record"
line=$(grep -n '^word 2' "$work/other.record" | cut -d : -f 1)
expect 0 replay "$work/other.record"
expect 1 verify "$work/other.record"
has err "^$work/other.record:$line: .*bots have no words$"
sed '/^word 3/d' "$work/fair.record" >"$work/other.record"
expect 1 verify "$work/other.record"
has err "^$work/other.record:0: '3': this player is not a bot"

# What other commands refuse, this one refuses too.
expect 1 verify /nowhere.record
has err '^/nowhere.record:0: '
sed 's/^deal 1 .*/deal 1 xxxx/' "$work/fair.record" >"$work/other.record"
expect 1 verify "$work/other.record"
has err "^$work/other.record:[1-9]"
expect 2 verify
expect 1 verify a b
expect 2 verify --commit 12 "$work/fair.record"
has err '64 lower-case hex digits'
expect 2 verify --map practice "$work/fair.record"
exit $failed
