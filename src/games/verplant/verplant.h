/* What the files of verplant share among themselves. */
#ifndef ENDSTATION_SRC_VERPLANT_H
#define ENDSTATION_SRC_VERPLANT_H

#include <endstation/verplant.h>

void es__verplant_deck_write(const struct es_setup *setup, struct es_out *out);
void es__verplant_report(const struct es_setup *setup, const struct es_state *state,
                         struct es_out *out);
enum es_status es__verplant_parse(const struct es_setup *setup, struct es_str text,
                                  es_event *event);
void es__verplant_format(const struct es_setup *setup, es_event event, struct es_out *out);

#endif
