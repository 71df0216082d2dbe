/* Simple bots of verplant on a bare sheet. They look only at their own sheet and the open card,
 * never ahead. Used to balance sheets and as a yardstick for better bots. */
#ifndef ENDSTATION_VERPLANT_BOTS_H
#define ENDSTATION_VERPLANT_BOTS_H

#include <endstation/random.h>
#include <endstation/verplant/sheet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a choice for a card on a sheet that has a free window; `random` breaks ties. */
typedef es_choice es_sheet_bot(const struct es_map *map, const struct es_sheet *sheet, int card,
                               struct es_random *random);

/* Takes any line that has a free window, each equally likely, a ring in either direction, and marks
 * all it can. A free ride goes to any empty station. */
es_sheet_bot es_bot_any_line;
/* Takes the line on which the card marks most stations; transfers and free rides go where most
 * lines meet. */
es_sheet_bot es_bot_greedy;

#ifdef __cplusplus
}
#endif

#endif
