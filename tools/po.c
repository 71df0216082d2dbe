/* Tool for translations: reads gettext's .po files, checks them against the texts that the sources
 * use, and writes the page's JSON files.
 *
 *     po json PO OUT                PO as JSON: {"English": "translation" or ["one", "many"], …};
 *                                   the words of pictures are in an object of the same form, ""
 *     po check PO … -- SOURCE …     reports every text that is missing, unused, fuzzy, empty, or
 *                                   has other placeholders than the English
 *     po update PO … -- SOURCE …    adds missing texts, marks unused ones as obsolete
 *
 * Faults go to standard error as FILE:LINE: what is wrong. The status is 1 if there were any, 2 for
 * a bad command line. Every language here has two plural forms.
 */
#include "po.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Faults and memory ---------------------------------------------------------------------- */

/* The library needs this list; the tool has no games. */
const struct es_status_list *const es_status_lists[] = {NULL};

int po_faults;

void po_complain(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (line > 0)
        fprintf(stderr, "%s:%d: ", file, line);
    else
        fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    po_faults++;
}

void *po_keep(size_t size)
{
    struct block {
        struct block *next;
    };
    static struct block *all;
    struct block *block = calloc(1, sizeof *block + size);
    if (!block) {
        fputs("po: no memory is left\n", stderr);
        exit(1);
    }
    block->next = all;
    all = block;
    return block + 1;
}

char *po_keep_text(struct es_str text)
{
    char *copy = po_keep(text.size + 1);
    memcpy(copy, text.at, text.size);
    return copy;
}

char *po_joined(const char *a, const char *b)
{
    size_t size = a ? strlen(a) : 0;
    char *both = po_keep(size + strlen(b) + 1);
    if (a)
        memcpy(both, a, size);
    strcpy(both + size, b);
    return both;
}

bool po_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool po_read_text(const char *name, struct es_str *text)
{
    static char buffer[ES_TEXT_MAX + 1];
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(buffer, 1, sizeof buffer, file) : 0;
    bool bad = !file || ferror(file);
    if (file)
        fclose(file);
    if (bad) {
        po_complain(name, 0, "%s", es_status_text(ES_UNREADABLE));
        return false;
    }
    struct es_str read = {buffer, size};
    struct es_lines lines;
    struct es_fault fault = {0};
    if (es_lines_open(&lines, read, &fault)) {
        po_complain(name, fault.line, "%s", fault.reason);
        return false;
    }
    *text = (struct es_str){po_keep_text(read), size};
    return true;
}

bool po_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Writes a file as a whole, or not at all. */
static bool write_file(const char *name, const struct es_out *out)
{
    char *other = po_joined(name, ".new");
    FILE *file = fopen(other, "wb");
    bool good = es_out_ok(out) && file && fwrite(out->at, 1, out->used, file) == out->used;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good || rename(other, name) != 0) {
        remove(other);
        po_complain(name, 0, "the file cannot be written");
        return false;
    }
    return true;
}

/* ---- Checking -------------------------------------------------------------------------------- */

/* Cuts the next {name} off the text, with its braces. */
static bool placeholder(const char **text, struct es_str *name)
{
    for (const char *at = *text; *at; at++) {
        const char *end = at;
        if (*at == '{')
            for (end++; po_is_name(*end);)
                end++;
        if (*end == '}' && end > at + 1) {
            *name = (struct es_str){at, (size_t)(end - at) + 1};
            *text = end + 1;
            return true;
        }
    }
    return false;
}

/* Whether every placeholder of b is also in a. `silent`: {n} may be missing. */
static bool has_placeholders_of(const char *a, const char *b, bool silent)
{
    struct es_str name, other;
    while (placeholder(&b, &name)) {
        bool found = silent && es_str_is(name, "{n}");
        for (const char *rest = a; !found && placeholder(&rest, &other);)
            found = es_str_same(name, other);
        if (!found)
            return false;
    }
    return true;
}

static bool fits(const struct po *po, const struct entry *e)
{
    const char *all = e->plural ? e->plural : e->id;
    const char *last = e->plural ? e->said[1] : e->said[0];
    bool good = has_placeholders_of(last, all, false) && has_placeholders_of(all, last, false);
    /* In a translation the singular may leave out its number, whatever the English does, except in
     * languages that use the singular for 0 too. */
    bool silent = !strstr(po_find(po, NULL, "")->said[0], "n > 1");
    if (e->plural)
        good = good && has_placeholders_of(e->said[0], all, silent) &&
               has_placeholders_of(all, e->said[0], false);
    return good;
}

static void check_entry(const struct po *po, const struct entry *e)
{
    if (!e->used)
        po_complain(po->file, e->line, "unused: '%s'", e->id);
    else if (e->fuzzy)
        po_complain(po->file, e->line, "fuzzy: '%s'", e->id);
    else if (!e->said[0][0] || (e->plural && !e->said[1][0]))
        po_complain(po->file, e->line, "not translated: '%s'", e->id);
    else if (!fits(po, e))
        po_complain(po->file, e->line, "other placeholders than in the English: '%s'", e->id);
}

/* Returns the entry of a text, which may be obsolete, if the file has it with the same plural; else
 * NULL. */
static struct entry *entry_of(struct po *po, const struct text *text)
{
    struct entry *e = po_find(po, text->context, text->id);
    return e && po_same(e->plural, text->plural) ? e : NULL;
}

static void check(struct po *po)
{
    for (int i = 0; i < po_used_count; i++) {
        struct entry *e = entry_of(po, &po_used[i]);
        if (e && !e->obsolete)
            e->used = true;
        else
            po_complain(po_used[i].file, po_used[i].line, "missing in %s: '%s'", po->file,
                        po_used[i].id);
    }
    for (int i = 0; i < po->count; i++) {
        if (!po->entry[i].obsolete && !po_is_header(&po->entry[i]))
            check_entry(po, &po->entry[i]);
    }
}

/* ---- Bringing up to date --------------------------------------------------------------------- */

static char written[ES_TEXT_MAX];

/* Inserts an entry after number `after`. */
static struct entry *insert_entry(struct po *po, int after, const struct text *text)
{
    if (po->count == ENTRIES_MAX) {
        po_complain(po->file, 0, "more than %d entries", ENTRIES_MAX);
        exit(1);
    }
    struct entry *e = &po->entry[after + 1];
    memmove(e + 1, e, (size_t)(po->count++ - after - 1) * sizeof *e);
    *e = (struct entry){.context = text->context, .id = text->id, .said = {"", ""}};
    return e;
}

/* Updates the file to the texts that are used: new ones are inserted after those that precede them
 * in the source; unused ones become obsolete, or are dropped if they have no translation. */
static void update(struct po *po)
{
    int last = 0; /* the header */
    for (int i = 0; i < po_used_count; i++) {
        const struct text *text = &po_used[i];
        struct entry *e = po_find(po, text->context, text->id);
        if (!e)
            e = insert_entry(po, last, text);
        if (!po_same(e->plural, text->plural) && (e->plural || text->plural)) {
            e->plural = text->plural;
            e->said[0] = e->said[1] = ""; /* the old translation has another number of forms */
        }
        e->obsolete = false;
        e->used = true;
        e->place = po_joined(po_joined("#: ", text->file), "\n");
        last = (int)(e - po->entry);
    }
    struct es_out out = {written, sizeof written, 0};
    for (int obsolete = 0; obsolete < 2; obsolete++) {
        for (int i = 0; i < po->count; i++) {
            struct entry *e = &po->entry[i];
            e->obsolete = !e->used && !po_is_header(e);
            bool empty = !e->said[0][0] && (!e->plural || !e->said[1][0]);
            if (e->obsolete == obsolete && !(obsolete && empty))
                po_put_entry(&out, e);
        }
    }
    if (po->end) {
        es_out_char(&out, '\n');
        es_out_text(&out, po->end);
    }
    write_file(po->file, &out);
}

/* ---- What the page reads --------------------------------------------------------------------- */

static void put_json(struct es_out *out, const char *text)
{
    es_out_char(out, '"');
    for (; *text; text++) {
        if (strchr("\"\\", *text))
            es_out_char(out, '\\');
        if (*text == '\n')
            es_out_text(out, "\\n");
        else if (*text == '\t')
            es_out_text(out, "\\t");
        else
            es_out_char(out, *text);
    }
    es_out_char(out, '"');
}

static bool translated(const struct entry *e)
{
    return !e->obsolete && !e->fuzzy && e->said[0][0] && (!e->plural || e->said[1][0]);
}

/* Writes the entries with a context, or those without: `between` before the first of them, a comma
 * before each of the others. */
static void put_entries(const struct po *po, bool with_context, const char *between,
                        struct es_out *out)
{
    for (int i = 0; i < po->count; i++) {
        const struct entry *e = &po->entry[i];
        if (!e->context == with_context || po_is_header(e) || !translated(e))
            continue;
        es_out_text(out, between);
        between = ",";
        put_json(out, e->id);
        es_out_char(out, ':');
        if (e->plural)
            es_out_char(out, '[');
        put_json(out, e->said[0]);
        if (e->plural) {
            es_out_char(out, ',');
            put_json(out, e->said[1]);
            es_out_char(out, ']');
        }
    }
}

/* Writes what the page reads. Texts without a translation are left out, so that they appear in
 * English. */
static void put_page(const struct po *po, struct es_out *out)
{
    es_out_text(out, "{\"\":{");
    put_entries(po, true, "", out);
    es_out_char(out, '}');
    put_entries(po, false, ",", out);
    es_out_text(out, "}\n");
}

/* ---- The program ----------------------------------------------------------------------------- */

static int usage(void)
{
    fputs("usage: po json PO OUT\n"
          "       po check PO … -- SOURCE …\n"
          "       po update PO … -- SOURCE …\n",
          stderr);
    return 2;
}

static int json(const char *file, const char *to)
{
    static struct po po;
    struct es_out out = {written, sizeof written, 0};
    if (!po_read(file, &po) || po_faults > 0)
        return 1;
    put_page(&po, &out);
    return write_file(to, &out) ? 0 : 1;
}

int main(int count, char **words)
{
    static struct po po;
    if (count == 4 && strcmp(words[1], "json") == 0)
        return json(words[2], words[3]);
    int sources = 2;
    while (sources < count && strcmp(words[sources], "--") != 0)
        sources++;
    bool updating = count > 1 && strcmp(words[1], "update") == 0;
    if (sources >= count || (!updating && strcmp(words[1], "check") != 0))
        return usage();
    for (int i = sources + 1; i < count; i++)
        po_read_source(words[i]);
    if (updating && po_faults > 0)
        return 1;
    for (int i = 2; i < sources; i++) {
        if (!po_read(words[i], &po))
            continue;
        if (updating)
            update(&po);
        else
            check(&po);
    }
    return po_faults > 0;
}
