#!/bin/sh
# Tests what `./run test` does about browsers, with everything else in place and nothing really
# installed: apt-get, apt-cache, make and the browsers are fakes.
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$1"
    cat "$work/out"
    failed=1
}

fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/fakes/$1"
    chmod +x "$work/fakes/$1"
}

# Everything on the path except browsers, in one folder.
mkdir "$work/bin" "$work/fakes"
for folder in $(echo "$PATH" | tr : ' '); do
    for file in "$folder"/*; do
        name=${file##*/}
        case $name in
        chromium* | google-chrome* | firefox* | apt-get | apt-cache | make) ;;
        *) [ -e "$work/bin/$name" ] || ln -s "$file" "$work/bin/$name" ;;
        esac
    done
done
# shellcheck disable=SC2016 # for the fake to fill in
fake make 'echo "make $* with ${CHROMIUM:-no browser}"'
# shellcheck disable=SC2016
fake apt-get 'echo "apt-get $*"
case "$*" in
*chromium*) cp "$fakes/../browser" "$fakes/chromium" ;;
*firefox*) cp "$fakes/../browser" "$fakes/firefox-esr" ;;
esac'
for name in firefox-esr WebKitWebDriver Xvfb; do
    fake $name 'echo 999'
done
export WEBKIT="$work/browser" FIREFOX=
printf '#!/bin/sh\necho Chromium 999\n' >"$work/browser"
chmod +x "$work/browser"

# run STATUS TEXT: ./run test ends with that status and its output has that text.
run() {
    fakes=$work/fakes PATH=$work/fakes:$work/bin ES_SNAPS=$work/snaps CHROMIUM=$chromium \
        sh "$top/run" test >"$work/out" 2>&1
    got=$?
    [ $got = "$1" ] || complain "$2: status $got instead of $1"
    grep -q -e "$2" "$work/out" || complain "$2: not said"
    rm -f "$work/fakes/chromium"
}
chromium=

# Debian: there is a package; old versions have only that of the whole browser.
# shellcheck disable=SC2016 # for the fake to look at
fake apt-cache '[ "$LC_ALL" = C ] || { echo "  Installationskandidat: 120"; exit; }
printf "$2:\n  Installed: (none)\n  Candidate: 120.0-1~deb12u1\n"'
run 0 '^run: installing chromium-headless-shell $'
# shellcheck disable=SC2016
fake apt-cache 'candidate="(none)"; [ "$2" = chromium ] && candidate=120.0-1~deb11u1
printf "$2:\n  Installed: (none)\n  Candidate: $candidate\n"'
run 0 '^run: installing chromium $'
grep -q '^make .*WERROR=OFF.* test' "$work/out" || complain "make is called differently"

# Ubuntu: there is none, or one that points to a snap, and perhaps its script.
fake apt-cache 'printf "chromium:\n  Installed: (none)\n  Candidate: (none)\n"'
run 1 'need Chromium or Chrome.*snap install chromium'
fake chromium-browser 'echo "requires the chromium snap to be installed" >&2; exit 1'
fake apt-cache 'printf "chromium:\n  Candidate: 2:1snap1-0ubuntu2\n"'
run 1 'need Chromium or Chrome.*snap install chromium'
fake apt-cache 'exit 100'
run 1 'need Chromium or Chrome'
grep -q '^make' "$work/out" && complain "tests are run without a browser"

# Any browser that is installed will do, wherever it is.
for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    cp "$work/browser" "$work/fakes/$name"
    run 0 '^make '
    grep -q '^run: installing' "$work/out" && complain "$name is not found"
    rm -f "$work/fakes/$name"
done
mkdir "$work/snaps"
cp "$work/browser" "$work/snaps/chromium"
run 0 '^make '
rm -r "$work/snaps"
chromium=$work/browser
run 0 "^make .* with $work/browser"
chromium=$work/nothing
run 1 'CHROMIUM=.*/nothing does not start'

# Firefox ESR is installed if there is a package of it; otherwise the tests run without it.
chromium=$work/browser
rm "$work/fakes/firefox-esr"
fake apt-cache 'printf "$2:\n  Candidate: (none)\n"'
run 0 '^make '
grep -q '^run: installing' "$work/out" && complain "something is installed instead of Firefox"
# shellcheck disable=SC2016
fake apt-cache 'candidate="(none)"; [ "$2" = firefox-esr ] && candidate=140.0esr-1
printf "$2:\n  Candidate: $candidate\n"'
run 0 '^run: installing firefox-esr $'
exit $failed
