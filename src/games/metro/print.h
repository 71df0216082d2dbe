/* What can be printed of metro. */
#ifndef ENDSTATION_SRC_METRO_PRINT_H
#define ENDSTATION_SRC_METRO_PRINT_H

#include <endstation/print.h>

extern const struct es_printable es__metro_prints[];

#endif
