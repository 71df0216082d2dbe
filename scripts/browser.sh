#!/bin/sh
# Prints the path of a Chromium or Chrome for the tests of the page: the one that $CHROMIUM names,
# else the first one found that starts. The headless shell, the same engine without windows, needs
# half the processor time. (Ubuntu's chromium-browser is a script that only asks for a snap
# to be installed.)
if [ -n "${CHROMIUM:-}" ]; then
    if ! "$CHROMIUM" --version >/dev/null 2>&1; then
        echo "CHROMIUM=$CHROMIUM does not start" >&2
        exit 1
    fi
    echo "$CHROMIUM"
    exit
fi
PATH=$PATH:${ES_SNAPS:-/snap/bin}
for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    path=$(command -v $name) && "$path" --version >/dev/null 2>&1 && echo "$path" && exit
done
echo "the tests of the page need Chromium or Chrome; CHROMIUM=/path/to/it names one" >&2
exit 1
