#!/bin/sh
# Tests of the translation tool: what it finds in sources, what it reports for faulty .po files, one
# fault after the other, and what it writes for valid ones.
. ./common.sh
cd "$work" || exit 1

header='msgid ""
msgstr "Language: de\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2;\n"'

# po TEXT: writes de.po with a header and this text.
po() {
    printf '%s\n\n%s\n' "$header" "$1" >de.po
}

# fault LINE TEXT: `check` of de.po against a.js reports this and nothing else.
fault() {
    expect 1 check de.po -- a.js
    has err "^$1: $2\$"
    [ "$(wc -l <err)" = 1 ] || has err 'one fault only'
}

# ---- Sources ----

# The texts of a.js as .po entries, without the header.
found() {
    printf '%s\n' "$header" >new.po
    expect 0 update new.po -- "$1"
    sed -n -e 's/^msgid "\(..*\)"$/\1/p' -e 's/^msgid_plural "\(.*\)"$/  \1/p' new.po >found
    printf '%s\n' "$2" | diff - found || {
        echo "other texts in $1 than expected"
        failed=1
    }
}

cat >a.js <<'END'
/* t('not this') */ // nor t('this')
import {t, tn} from './texts.js';
export function t(text) { return text; }
const a = "t('in a string')", b = 't("too")', r = /{a}\/[x]/g, q = [1 / 2, a.t('other')];
const d = `${1} // not ${t('a comment')}`;
const c = `template t('quoted') ${t('within') + `${ {x: t('deep')}.x }`} t('behind')`;
t('It\'s “fine” \u2013 so {n}', {n: t('inner')}); tt('no'); at('no');
tn('{n} mark', '{n} marks', list.filter((x) => t('nested')).length);
t(
    'A long one, ' +
    'in two lines');
t(a); // text
const LATER = [english('Kept'), return_ / 2, `${b}`]; t('Kept');
END
found a.js "a comment
within
deep
It's “fine” – so {n}
inner
{n} mark
  {n} marks
nested
A long one, in two lines
Kept"

cat >a.html <<'END'
<p data-t>Loading</p> <p data-theme="x">no</p> <b class="x" data-t id="y"> Twice </b>
END
found a.html 'Loading
Twice'

echo '{"short_name": "E", "name": "Endstation"}' >a.webmanifest
found a.webmanifest Endstation

cat >a.h <<'END'
#define ES_STATUS_LIST(X)            \
    X(OK, "no error")                \
    X(BAD, "it is bad")
#define ES_OTHER(X) \
    X(NO, "not this")
END
found a.h 'it is bad'

cat >a.c <<'END'
say(ES_SAY("line"), "not this", two ? ES_SAY("station") : ES_SAY("line"));
END
found a.c 'line
station'
[ "$(grep -c '^msgctxt "picture"' new.po)" = 2 ] || has new.po 'two words'
printf '\nES_SAY(word);\n' >b.c
expect 1 check -- b.c
has err '^b.c:2: a word is a string in double quotes'

# bad SOURCE TEXT: this line of JavaScript gives this error.
bad() {
    printf '\n%s\n' "$1" >b.js
    expect 1 check -- b.js
    has err "^b.js:2: $2"
}
literal='a text is a literal in single quotes'
bad 't(name);' "$literal, or the line says // text"
bad 't(a ? '\''x'\'' : '\''y'\'');' "$literal"
bad 't("double");' "$literal"
# shellcheck disable=SC2016 # JavaScript
bad 't(`template ${n}`);' "$literal"
bad "t('half' + n);" "$literal"
bad "t('half').length + t();" "$literal"
bad "tn('one', many, 2); // text" "$literal"
bad "tn('one');" "$literal"
bad 'english(name); // text' "$literal"
bad "t('');" 'a text is empty'
bad "t('one'); tn('one', 'many', n);" "'one' has another plural in b.js:2"
bad "t('no end);" 'this string has no end'
# shellcheck disable=SC2016 # JavaScript
bad '`${`no` end' 'a template has no end'
bad '{}}' 'a brace has no beginning'
bad "t('\\x41');" '.x is not understood'
expect 1 check -- none.js
has err '^none.js: the file cannot be read'
expect 1 check -- a.txt
has err 'no texts are found in files of this kind'
printf 't(\377)' >b.js
expect 1 check -- b.js
has err '^b.js:1: not UTF-8'
printf '\n<p data-t>a &amp; b</p>' >b.html
expect 1 check -- b.html
has err '^b.html:2: a text here is one line without entities'
echo '{}' >b.webmanifest
expect 1 check -- b.webmanifest
has err '^b.webmanifest: the name is missing'

# ---- .po files ----

echo "t('Go on, {name}'); tn('{n} mark', '{n} marks', n);" >a.js
go='msgid "Go on, {name}"
msgstr "Weiter, {name}"'
mark='msgid "{n} mark"
msgid_plural "{n} marks"
msgstr[0] "ein Kreuz"
msgstr[1] "{n} Kreuze"'
po "$go

$mark"
sed 's/ein Kreuz/{n} Kreuz/' de.po >also.po
expect 0 check de.po also.po -- a.js

po "$go"
fault a.js:1 "missing in de.po: '{n} mark'"
po "$go

$(echo "$mark" | sed 's/^/#~ /')"
fault a.js:1 "missing in de.po: '{n} mark'"
po "$go

$mark

msgid \"More\"
msgstr \"Mehr\""
fault de.po:12 "unused: 'More'"
po "#, c-format, fuzzy
$go

$mark"
fault de.po:5 "fuzzy: 'Go on, {name}'"
po "msgid \"Go on, {name}\"
msgstr \"\"

$mark"
fault de.po:4 "not translated: 'Go on, {name}'"
po "$go

$(echo "$mark" | sed 's/{n} Kreuze//')"
fault de.po:7 "not translated: '{n} mark'"
for other in '{nam}' '' '{name} {n}' '{name'; do
    po "msgid \"Go on, {name}\"
msgstr \"Weiter, $other\"

$mark"
    fault de.po:4 "other placeholders than in the English: 'Go on, {name}'"
done
po "$go

$(echo "$mark" | sed 's/{n} Kreuze/viele Kreuze/')"
fault de.po:7 "other placeholders than in the English: '{n} mark'"

po "$go

$mark"
sed -i 's/nplurals=2;/nplurals=2; plural=n > 1;/' de.po # a language with the singular for 0
fault de.po:7 "other placeholders than in the English: '{n} mark'"

# broken LINE TEXT PO: this file is refused with this error.
broken() {
    po "$3"
    fault "de.po:$1" "$2"
}
echo "t('a');" >a.js
broken 4 "'a': msgstr is missing" 'msgid "a"'
broken 4 'msgid is missing' 'msgstr "b"'
broken 4 "'a': msgid_plural is missing" 'msgid "a"
msgstr[0] "b"
msgstr[1] "c"'
broken 4 "'a': msgstr is missing" 'msgid "a"
msgid_plural "as"
msgstr[0] "b"'
broken 7 "'a' is also in line 4" 'msgid "a"
msgstr "b"

msgid "a"
msgstr "c"'
broken 6 "'msgstr' was said already" 'msgid "a"
msgstr "b"
msgstr "c"'
broken 5 "'msgtext' is not known here" 'msgid "a"
msgtext "b"
msgstr "b"'
broken 6 "'msgstr\[2\]' is not known here" 'msgid "a"
msgstr "b"
msgstr[2] "b"'
broken 5 'a text in double quotes is expected' 'msgid "a"
msgstr b'
broken 5 'a text in double quotes is expected' 'msgid "a"
msgstr "b'
broken 5 'a quote within a text is written ."' 'msgid "a"
msgstr "b"c"'
broken 5 'after a backslash n, t, " or . is expected' 'msgid "a"
msgstr "\q"'
broken 5 'after a backslash n, t, " or . is expected' 'msgid "a"
msgstr "\"'
broken 4 'msgid or msgstr is missing before this text' '"b"'
printf '%s\n' 'msgid "a"' 'msgstr "b"' >de.po
expect 1 check de.po -- a.js
has err '^de.po:1: the header, with the empty msgid, is missing'
printf '%s\n' 'msgid ""' 'msgstr "charset=UTF-8"' >de.po
expect 1 check de.po -- a.js
has err "^de.po:1: the header has no 'nplurals=2'"
printf 'msgid "\377"' >de.po
expect 1 check de.po -- a.js
has err '^de.po:1: not UTF-8'

# ---- Bringing up to date ----

echo "t('First'); t('Second'); tn('one', 'many', n); t('Back'); t('Changed');" >a.js
cat >de.po <<END
# Of the file.
$header

# A word to the translator.
#: old.js:17
#, c-format
msgid "Second"
msgstr ""
"Zwei"
"tes"

#: a.js
msgid "Changed"
msgid_plural "Changes"
msgstr[0] "x"
msgstr[1] "y"

msgid "Gone"
msgstr "Fort"

msgid "Gone, never translated"
msgstr ""

#~ msgid "Back"
#~ msgstr "Wieder \"da\""
#~ msgid "Old"
#~ msgstr "Alt"
END
cat >wanted <<END
# Of the file.
msgid ""
msgstr ""
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2;\n"

#: a.js
msgid "First"
msgstr ""

# A word to the translator.
#, c-format
#: a.js
msgid "Second"
msgstr "Zweites"

#: a.js
msgid "one"
msgid_plural "many"
msgstr[0] ""
msgstr[1] ""

#: a.js
msgid "Changed"
msgstr ""

#: a.js
msgid "Back"
msgstr "Wieder \"da\""

#~ msgid "Gone"
#~ msgstr "Fort"

#~ msgid "Old"
#~ msgstr "Alt"
END
for time in 1 2; do
    expect 0 update de.po -- a.js
    diff wanted de.po || {
        echo "update, time $time"
        failed=1
    }
done
# A source with a fault changes nothing.
echo 't(name)' >b.js
expect 1 update de.po -- b.js
diff wanted de.po || failed=1

# ---- JSON ----

cat >de.po <<END
$header

msgid "Say \"yes\" \\\\ no\n"
msgstr "Sag „ja“ \"\\\\\t\n"

msgid "one"
msgid_plural "many"
msgstr[0] "eins"
msgstr[1] "viele"

#, fuzzy
msgid "Perhaps"
msgstr "Vielleicht"

msgid "Not yet"
msgstr ""

msgctxt "picture"
msgid "line"
msgstr "Linie"

#~ msgid "Old"
#~ msgstr "Alt"
END
expect 0 json de.po de.json
cat >wanted <<'END'
{"":{"line":"Linie"},"Say \"yes\" \\ no\n":"Sag „ja“ \"\\\t\n","one":["eins","viele"]}
END
diff wanted de.json || failed=1
po '
msgctxt "picture"
msgid "line"
msgstr "Linie"'
expect 0 json de.po de.json
has de.json '^{"":{"line":"Linie"}}$'
expect 1 json none.po none.json
[ ! -e none.json ] || failed=1
expect 1 json de.po nowhere/de.json
has err '^nowhere/de.json: the file cannot be written'
expect 2
expect 2 check de.po
expect 2 say de.po -- a.js
exit $failed
