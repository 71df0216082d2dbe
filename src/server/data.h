/* The folder in which a server keeps its data, and making folders. */
#ifndef ENDSTATION_DATA_H
#define ENDSTATION_DATA_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define DATA_FILE "rooms.db"
#define DATA_SOCKET "control"

/* Returns the name of the folder, to be freed: `wanted`, or if that is NULL or empty
 * $XDG_DATA_HOME/endstation, or ~/.local/share/endstation. NULL: there is no home. */
char *data_folder(const char *wanted);
/* Makes a folder and those above it, where they are missing, with the given mode (0700: for their
 * owner alone). False: errno says why. */
bool data_make(const char *folder, mode_t mode);
/* Removes what backups that were killed have left in the folder: those into it, and those that
 * earlier versions of the program made, wherever their copy was to go. */
void data_clean(const char *folder);
/* Writes the name of a file in the folder; false if it is too long. */
bool data_path(const char *folder, const char *name, char path[PATH_MAX]);

#endif
