#!/bin/sh
# Prints the path of a browser for the tests of the page:
#     scripts/browser.sh             a Chromium or Chrome
#     scripts/browser.sh firefox     Firefox ESR
#     scripts/browser.sh webkit      WebKit's driver, and on a second line its small browser
# $CHROMIUM, $FIREFOX and $WEBKIT (the small browser) name others. Of several Chromiums the first
# that starts is taken.
# The headless shell, the same engine without windows, needs half the processor time. (Ubuntu's
# chromium-browser is a script that only asks for a snap to be installed, as is its firefox.)
named() { # NAME PATH: the browser that the variable NAME names, if it starts
    if ! "$2" --version >/dev/null 2>&1; then
        echo "$1=$2 does not start" >&2
        exit 1
    fi
    echo "$2"
    exit
}

case ${1:-} in
firefox)
    [ -z "${FIREFOX:-}" ] || named FIREFOX "$FIREFOX"
    command -v firefox-esr && exit
    echo "this test of the page needs firefox-esr; FIREFOX=/path/to/it names another Firefox" >&2
    exit 1
    ;;
webkit)
    driver=$(command -v WebKitWebDriver)
    for browser in "${WEBKIT:-}" /usr/lib/*/webkit2gtk-4.1/MiniBrowser \
        /usr/lib*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser; do
        [ -x "$browser" ] && [ -n "$driver" ] && command -v Xvfb >/dev/null || continue
        echo "$driver"
        echo "$browser"
        exit
    done
    echo "this test of the page needs WebKitWebDriver, WebKit's MiniBrowser and Xvfb" >&2
    exit 1
    ;;
esac

[ -z "${CHROMIUM:-}" ] || named CHROMIUM "$CHROMIUM"
PATH=$PATH:${ES_SNAPS:-/snap/bin}
for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    path=$(command -v $name) && "$path" --version >/dev/null 2>&1 && echo "$path" && exit
done
echo "the tests of the page need Chromium or Chrome; CHROMIUM=/path/to/it names one" >&2
exit 1
