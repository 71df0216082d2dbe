/* A disk in memory for SQLite, as the VFS "disk": it loses and tears what was not synced when the
 * power fails, fills up, and has errors, all from a seed.
 *
 * A file is what the system shows (its pages in memory) and what is on the platter, with the list
 * of changes that are on the way. A sync carries them out. A power cut carries out some of them, in
 * pieces of 512 bytes, some of these in part or as garbage. A sync that fails does so too, and then
 * forgets the rest while the system still shows it, as Linux does: later syncs succeed without it.
 * A killed process loses nothing but its own memory.
 */
#ifndef ENDSTATION_DISK_H
#define ENDSTATION_DISK_H

#include <stdbool.h>
#include <stdint.h>

enum disk_fault {
    DISK_FINE,
    DISK_POWER,     /* the power fails: from then on nothing works until disk_restart() */
    DISK_KILL,      /* the process is killed; otherwise the same */
    DISK_ERROR,     /* one operation fails, a write perhaps half way */
    DISK_BROKEN,    /* all operations that change something fail until disk_mend() */
    DISK_SYNC,      /* the next sync fails */
    DISK_FULL,      /* files cannot grow until disk_mend() */
    DISK_READ_ONLY, /* nothing can be changed or opened for it until disk_mend() */
    DISK_FAULTS,
};

/* What has happened since disk_format(). */
struct disk_counts {
    uint64_t operations;
    uint64_t struck[DISK_FAULTS]; /* operations that a fault has changed */
    uint64_t pieces_lost, pieces_torn, pieces_kept;
};

/* Makes an empty disk; registers the VFS the first time. */
void disk_format(uint64_t seed);
/* Plans a fault, from the n-th operation on (0: the next). Only operations that change something or
 * open a file count. */
void disk_plan(enum disk_fault fault, uint32_t operation);
/* True between a power cut or a kill, and disk_restart(). */
bool disk_is_off(void);
/* Turns the power off now, if it is not off, or kills the process. */
void disk_stop(enum disk_fault fault);
/* Starts again, after all files have been closed, with what is left and without a fault. */
void disk_restart(void);
/* Ends the current fault, and cancels a planned one. */
void disk_mend(void);
/* Renames a file, whose content is synced, and syncs the folder. */
bool disk_rename(const char *from, const char *to);
const struct disk_counts *disk_counts(void);
/* Frees everything. */
void disk_free(void);

#endif
