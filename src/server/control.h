/* The operator's connection to a running server: a Unix socket in its data folder, which the owner
 * and group of the socket may use if the folder lets them in (a folder that the server makes lets
 * in its owner alone). A request is one line, and so is its answer, `ok …` or `error …`:
 *
 *     backup begins | done | failed
 *                somebody copies the database: may they, and what has become of it, for the log
 *     {…}        a message for the rooms (src/rooms/operator.c), answered with theirs
 */
#ifndef ENDSTATION_CONTROL_H
#define ENDSTATION_CONTROL_H

#include "server/service.h"

struct control;

/* Starts a thread that answers. NULL if that is not possible; the server works without it.
 * `has_file`: the rooms are kept in the folder, and can be copied. */
struct control *control_open(const char *folder, struct service *service, bool has_file);
/* Call service_stop() first, because the thread may wait for the rooms. */
void control_close(struct control *control);

/* The longest text of an answer: 200 people of a room, with the longest names. */
enum { CONTROL_TEXT_BYTES = 96 << 10 };

enum control_status { CONTROL_DONE, CONTROL_NOBODY, CONTROL_FAILED };

/* Sends a line, without its end, to the server that uses a folder. Returns CONTROL_DONE with what
 * follows `ok`, CONTROL_NOBODY if no server answers, or CONTROL_FAILED with the reason in `text`.
 */
enum control_status control_ask(const char *folder, const char *line, char *text, size_t size);

#endif
