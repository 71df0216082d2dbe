#!/bin/sh
# Turns text from standard input into an SVG that looks like a terminal: the pictures of the
# documents are made from what the program really prints.
#   build/endstation play … | sh scripts/terminal-picture.sh >docs/pictures/play.svg
sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' | awk '
    { line[NR] = $0 }
    END {
        height = NR * 19 + 64
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 %d\" ", height
        printf "width=\"800\" height=\"%d\" role=\"img\" ", height
        printf "aria-label=\"Endstation in a terminal\">\n"
        printf "<rect width=\"800\" height=\"%d\" rx=\"10\" fill=\"#20242b\"/>\n", height
        printf "<circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#d9472b\"/>"
        printf "<circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#e8a317\"/>"
        printf "<circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#3f9c4d\"/>\n"
        printf "<g font-family=\"ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace\" "
        printf "font-size=\"14\" fill=\"#e6e1d6\" xml:space=\"preserve\">\n"
        for (i = 1; i <= NR; i++)
            printf "<text x=\"20\" y=\"%d\" xml:space=\"preserve\">%s</text>\n",
                42 + i * 19, line[i]
        print "</g>\n</svg>"
    }'
