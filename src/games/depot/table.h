/* depot's part of a session (struct es_table), with its facts beyond those of every game:
 *
 *     state      "rolled":4 (0: the die is due),"parked":7,"places":25
 *     log        {"what":"deal","player":1,"number":4}
 *                {"what":"park","player":1,"number":4,"place":"c3","gain":3}
 *     choose     "number":4,"place":"c3","gain":3: of the planned move, if there is one
 *
 * Arrows walk over the free places.
 */
#ifndef ENDSTATION_SRC_DEPOT_TABLE_H
#define ENDSTATION_SRC_DEPOT_TABLE_H

#include "page/table.h"

extern const struct es_table depot_table;

#endif
