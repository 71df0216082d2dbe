/* What can be printed of verplant. */
#ifndef ENDSTATION_SRC_VERPLANT_PRINT_H
#define ENDSTATION_SRC_VERPLANT_PRINT_H

#include <endstation/print.h>

extern const struct es_printable es__verplant_prints[];

#endif
