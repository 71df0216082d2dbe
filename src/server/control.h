/* The operator's way to a running server: a Unix socket in its data folder, which only its user can
 * reach. There is one request, for a backup: the line `backup`. The server writes a copy of the
 * database into its folder, because it may not be allowed to write elsewhere, and answers with the
 * copy's name, `ok NAME`, or `error REASON`. Whoever asked moves the copy away.
 */
#ifndef ENDSTATION_CONTROL_H
#define ENDSTATION_CONTROL_H

#include "server/server.h"

struct control;

/* Starts a thread that answers. NULL if that is not possible; the server works without it. */
struct control *control_open(const char *folder);
void control_close(struct control *control);

enum control_status { CONTROL_DONE, CONTROL_NOBODY, CONTROL_FAILED };

/* Asks the server that uses a folder for a backup. Returns CONTROL_DONE and the path of the copy,
 * CONTROL_NOBODY if no server answers, or CONTROL_FAILED with the reason in `text`. */
enum control_status control_backup(const char *folder, char *text, size_t size);

#endif
