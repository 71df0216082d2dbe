/* The picture of depot: a yard of places, in these parts (struct es_part):
 *
 *     id             kind                             data-
 *     place-c3       place, place free, fresh, planned  place
 */
#ifndef ENDSTATION_SRC_DEPOT_PICTURE_H
#define ENDSTATION_SRC_DEPOT_PICTURE_H

#include <endstation/draw.h>

extern const struct es_picture depot_picture;

#endif
