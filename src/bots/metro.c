/* The players of metro. */
#include "bots.h"

const struct es__bot_entry es__metro_bots[] = {{NULL, NULL, 0}};
