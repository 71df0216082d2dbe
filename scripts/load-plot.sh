#!/bin/sh
# Draws what `scripts/load.sh curve` prints (on standard input) as SVG: how long a move takes to its
# last recipient, over moves a second.
set -eu
awk '
# The place of a time on the axis, which is logarithmic: 0.1 ms at the bottom, 1000 ms at the top.
function y(ms) { return 330 - 75 * (log(ms) / log(10) + 1) }
function x(rate) { return 70 + rate / most * 590 }
function text(left, top, anchor, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", left, top, anchor, words
}
function curve(values, colour, name,   i) {
    printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\" points=\"", colour
    for (i = 1; i <= n; i++) printf "%.1f,%.1f ", x(rate[i]), y(values[i])
    print "\"/>"
    for (i = 1; i <= n; i++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x(rate[i]), y(values[i]),
            colour
    printf "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x(rate[n]) + 9, y(values[n]) + 4,
        colour, name
}
/ moves a second/ {
    n++
    rate[n] = $3
    for (i = 1; i < NF; i++) {
        if ($i == "p50") p50[n] = $(i + 1)
        if ($i == "p99") p99[n] = $(i + 1)
    }
}
END {
    if (!n) exit 1
    most = int((rate[n] + 250) / 500) * 500
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 740 390\" role=\"img\""
    print " font-family=\"sans-serif\" font-size=\"13\">"
    print "<title>From a move to its last recipient, by moves a second</title>"
    print "<rect width=\"740\" height=\"390\" fill=\"#fff\"/>"
    for (ms = 0.1; ms < 2000; ms *= 10) {
        printf "<path stroke=\"#ccc\" d=\"M70 %.1fH660\"/>\n", y(ms)
        text(62, y(ms) + 4, "end", (ms < 0.5 ? "0.1" : sprintf("%d", ms + 0.5)) " ms")
    }
    for (r = 0; r <= most; r += 1000) text(x(r), 350, "middle", r)
    text(365, 376, "middle", "moves a second, in 1000 rooms of four")
    curve(p50, "#1c6bb0", "median")
    curve(p99, "#c2410c", "99 %")
    print "</svg>"
}'
