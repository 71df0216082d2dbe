/* Writes records of games that are over to a folder: for `endstation export --records`, and, with a
 * thread of its own, for `serve --keep-records`. */
#ifndef ENDSTATION_RECORDER_H
#define ENDSTATION_RECORDER_H

#include "store/store.h"

/* Opens a folder, which is made if it is missing. Returns a descriptor; -1: errno says why. */
int recorder_folder(const char *path);
/* Writes a file in a folder, which gets its name when it is complete and on disk. A file of that
 * name is left as it is. False: errno says why. */
bool recorder_put(int folder, const char *name, struct es_str text);

struct recorder;
enum recorder_outcome { RECORDER_NONE, RECORDER_WRITTEN, RECORDER_FAILED };

/* Starts the thread, which calls `ready` when a record is written or has failed. NULL: the folder
 * cannot be used, or the system is short of memory or threads; writes the reason to `fault`. */
struct recorder *recorder_open(const char *folder, void (*ready)(void *context), void *context,
                               char fault[STORE_FAULT_BYTES]);
/* Has ROOM.record written, and its sheet as SHEET.map unless `sheet` is empty. One at a time: call
 * it again only after the outcome was taken. */
void recorder_ask(struct recorder *recorder, const char *room, struct es_str text,
                  const char *sheet, struct es_str map);
/* Returns what became of the record, once; with RECORDER_FAILED writes the reason to `fault`. */
enum recorder_outcome recorder_take(struct recorder *recorder, char fault[STORE_FAULT_BYTES]);
/* Ends the thread, after the record that it is writing, and frees everything. */
void recorder_close(struct recorder *recorder);

#endif
