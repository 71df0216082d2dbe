/* Declarations shared by the tool for translations: texts that the sources use (po_sources.c), .po
 * files (po_file.c), commands on both (po.c). Faults are printed to standard error and counted. */
#ifndef ENDSTATION_TOOLS_PO_H
#define ENDSTATION_TOOLS_PO_H

#include <endstation/text.h>

enum { FORMS = 2, ENTRIES_MAX = 4000 };

/* ---- Faults, memory, files (po.c) ------------------------------------------------------------ */

extern int po_faults;
/* Prints FILE:LINE: and what is wrong (without the line if it is 0), and counts the fault. */
__attribute__((format(printf, 3, 4))) void po_complain(const char *file, int line,
                                                       const char *format, ...);
/* Returns memory, all zero. It is never freed: what is read is needed until the program ends. */
void *po_keep(size_t size);
char *po_keep_text(struct es_str text);
/* Returns a followed by b; a may be NULL. */
char *po_joined(const char *a, const char *b);
/* Reads a text file; false after a complaint. */
bool po_read_text(const char *name, struct es_str *text);
/* Whether a character can be in a name of a script or a placeholder. */
bool po_is_name(char c);
/* Whether two texts are equal, or both NULL. */
bool po_same(const char *a, const char *b);

/* ---- Sources (po_sources.c) ------------------------------------------------------------------ */

/* A text that the sources use. */
struct text {
    const char *context; /* NULL: none */
    const char *id, *plural;
    const char *file; /* where it occurs first */
    int line;
};

extern struct text po_used[ENTRIES_MAX];
extern int po_used_count;

/* Adds the texts of a file to those that are used. */
void po_read_source(const char *file);

/* ---- .po files (po_file.c) ------------------------------------------------------------------- */

struct entry {
    const char *comment; /* comments and flags, as they are in the file; NULL: none */
    const char *place;   /* where it is used: lines that begin with #: */
    const char *context, *id, *plural;
    const char *said[FORMS]; /* the translation; without plural only the first */
    int line;                /* 0: added, not read from a file */
    bool fuzzy, obsolete;
    bool used;
};

struct po {
    const char *file;
    struct entry entry[ENTRIES_MAX];
    int count;
    const char *end; /* comments after the last entry */
};

/* Reads a file; false if anything is wrong with it. */
bool po_read(const char *file, struct po *po);
struct entry *po_find(const struct po *po, const char *context, const char *id);
bool po_is_header(const struct entry *entry);
void po_put_entry(struct es_out *out, const struct entry *entry);

#endif
