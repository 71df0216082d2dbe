/* What the files of metro share among themselves. */
#ifndef ENDSTATION_SRC_METRO_H
#define ENDSTATION_SRC_METRO_H

#include <endstation/metro.h>

void es__metro_report(const struct es_setup *setup, const struct es_state *state,
                      struct es_out *out);
enum es_status es__metro_parse(const struct es_setup *setup, struct es_str text, es_event *event);
void es__metro_format(const struct es_setup *setup, es_event event, struct es_out *out);

#endif
