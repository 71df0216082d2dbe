/* make_town N: prints the random sheet of number N. */
#include "town_map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
    static char text[TOWN_TEXT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    /* Up to 19 digits always fit; a longer number could wrap round and give another town. */
    if (count != 2 || strspn(words[1], "0123456789") != strlen(words[1]) || !*words[1] ||
        strlen(words[1]) > 19) {
        fputs("usage: make_town N\n", stderr);
        return 2;
    }
    town_map(strtoull(words[1], NULL, 10), &out);
    return es_out_ok(&out) && fwrite(text, 1, out.used, stdout) == out.used && !fflush(stdout) ? 0
                                                                                               : 1;
}
