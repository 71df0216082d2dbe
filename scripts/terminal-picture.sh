#!/bin/sh
# Turns terminal output on standard input into an SVG that looks like a terminal, so that the
# pictures of the documents show what the program really prints. Every character is put into its
# cell, whatever the font, and Braille is drawn as dots, since many fonts lack it. Any argument
# makes the screen light. The program prints colours only on a terminal:
#   cp docs/pictures/play.record /tmp/x && export TERM=xterm-256color LC_ALL=C.UTF-8
#   script -qec 'build/endstation play /tmp/x' /dev/null </dev/null | sed '1,2d; /move>/q' |
#       sh scripts/terminal-picture.sh >docs/pictures/play.svg
tr -d '\r' | LC_ALL=C awk -v light="${1:+1}" '
    BEGIN {
        wide = 9.5; high = 19; left = 20; top = 46
        ink = light ? "#23262b" : "#e6e1d6"
        paper = light ? "#fbfaf6" : "#20242b"
        split("#000000 #c23b31 #3f8f46 #b98a1d #3d6fd0 #a04fa8 #2f8f96 #c9c4b8", basic, " ")
        for (i = 1; i < 256; i++)
            ord[sprintf("%c", i)] = i
        split("0 95 135 175 215 255", level, " ")
    }
    function colour(n) { # of the 256
        if (n < 16)
            return basic[n % 8 + 1]
        if (n >= 232)
            return sprintf("rgb(%d,%d,%d)", 10 * n - 2312, 10 * n - 2312, 10 * n - 2312)
        n -= 16
        return sprintf("rgb(%d,%d,%d)", level[int(n / 36) + 1], level[int(n / 6) % 6 + 1],
                       level[n % 6 + 1])
    }
    function style(codes,    part, n, i) {
        n = split(codes, part, ";")
        for (i = 1; i <= n; i++)
            if (part[i] == 38 || part[i] == 48) {
                if (part[i] == 38) fg = colour(part[i + 2]); else bg = colour(part[i + 2])
                i += 2
            } else if (part[i] + 0 == 0) {
                fg = ink; bg = ""; bold = faint = 0
            } else if (part[i] == 1) bold = 1
            else if (part[i] == 2) faint = 1
            else if (part[i] == 7) { bg = fg; fg = paper }
            else if (part[i] == 39) fg = ink
            else if (part[i] == 49) bg = ""
            else if (part[i] >= 30 && part[i] <= 37) fg = basic[part[i] - 29]
    }
    function flush(    look) { # writes the word in `run`, `cells` wide, begun in column `from`
        if (run != "") {
            gsub(/&/, "\\&amp;", run); gsub(/</, "\\&lt;", run); gsub(/>/, "\\&gt;", run)
            look = (fg == ink ? "" : " fill=\"" fg "\"") (bold ? " font-weight=\"bold\"" : "") \
                   (faint ? " opacity=\"0.6\"" : "")
            if (cells > 1)
                look = look sprintf(" x=\"%.1f\" textLength=\"%.1f\"", left + from * wide,
                                    cells * wide)
            else
                look = look sprintf(" x=\"%.1f\" text-anchor=\"middle\"",
                                    left + (from + 0.5) * wide)
            body = body sprintf("<text y=\"%.1f\"%s>%s</text>\n", y + 14.5, look, run)
        }
        run = ""; cells = 0
    }
    function put(glyph, single) { # one character into its cell
        if (bg != "")
            body = body sprintf("<path d=\"M%.1f %.1fh%.1fv%dh-%.1f\" fill=\"%s\"/>\n",
                                left + column * wide, y, wide + 0.2, high, wide + 0.2, bg)
        if (single || glyph == " ")
            flush()
        if (glyph != " ") {
            if (run == "")
                from = column
            run = run glyph; cells++
        }
        if (single)
            flush()
        column++
    }
    function braille(bits,    i) {
        flush()
        for (i = 0; i < 8; i++)
            if (int(bits / 2 ^ i) % 2)
                dots[fg] = dots[fg] sprintf("M%.1f %.1fh0",
                    left + (column + (i >= 3 && i != 6 ? 0.75 : 0.25)) * wide,
                    y + ((i > 5 ? 3 : i % 3) + 0.5) * high / 4)
        column++
    }
    {
        y = top + (NR - 1) * high; column = 0; style("0"); run = ""; cells = 0
        for (at = 1; at <= length($0); at++) {
            c = substr($0, at, 1); n = ord[c]
            if (n == 27) {
                flush()
                match(substr($0, at), /[A-Za-z]/)
                if (substr($0, at + RSTART - 1, 1) == "m")
                    style(substr($0, at + 2, RSTART - 3))
                at += RSTART - 1
            } else if (n < 128) {
                put(c, 0)
            } else {
                size = n >= 240 ? 4 : n >= 224 ? 3 : 2
                c = substr($0, at, size)
                second = ord[substr(c, 2, 1)]
                at += size - 1
                if (n == 226 && second >= 160 && second < 164)
                    braille((second - 160) * 64 + ord[substr(c, 3, 1)] - 128)
                else
                    put(c, 1)
            }
        }
        flush()
    }
    END {
        height = top + NR * high + 18
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 %d\" ", height
        printf "width=\"800\" height=\"%d\" role=\"img\" ", height
        printf "aria-label=\"Endstation in a terminal\">\n"
        printf "<rect width=\"800\" height=\"%d\" rx=\"10\" fill=\"%s\"/>\n", height, paper
        printf "<circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#d9472b\"/>"
        printf "<circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#e8a317\"/>"
        printf "<circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#3f9c4d\"/>\n"
        for (fg in dots)
            printf "<path d=\"%s\" stroke=\"%s\" stroke-width=\"3.4\" stroke-linecap=\"round\"/>\n",
                dots[fg], fg
        printf "<g font-family=\"ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace\" "
        printf "font-size=\"15\" fill=\"%s\" xml:space=\"preserve\">\n%s</g>\n</svg>\n", ink, body
    }'
