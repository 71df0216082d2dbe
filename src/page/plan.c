/* Choosing by hand. */
#include "inside.h"

uint64_t es__page_squares(struct es_page *page, int player, const struct es_state *view)
{
    (void)page, (void)player, (void)view;
    return 0;
}

void es_page_choose(struct es_page *page, int player, struct es_str words, struct es_out *out)
{
    (void)page, (void)player, (void)words;
    es_out_text(out, "{\"plan\":\"\",\"again\":false,\"why\":\"\",\"options\":[]}");
}
