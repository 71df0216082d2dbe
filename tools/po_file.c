/* Reads and writes .po files. */
#include "po.h"
#include <string.h>

/* ---- Reading --------------------------------------------------------------------------------- */

bool po_is_header(const struct entry *e)
{
    return !e->context && !e->id[0];
}

/* What is being read: the entry, and the string that a line in quotes continues. */
struct reader {
    struct po *po;
    struct entry entry;
    const char **open;
    int line;
};

static void add_line(const char **lines, struct es_str line)
{
    *lines = po_joined(po_joined(*lines, po_keep_text(line)), "\n");
}

/* Returns the content of "…", with C's escapes; NULL after a complaint. */
static char *unquoted(struct reader *r, struct es_str s)
{
    if (s.size < 2 || s.at[0] != '"' || s.at[s.size - 1] != '"') {
        po_complain(r->po->file, r->line, "a text in double quotes is expected");
        return NULL;
    }
    char *text = po_keep(s.size), *to = text;
    for (size_t i = 1; i < s.size - 1; i++) {
        char c = s.at[i];
        if (c == '"') {
            po_complain(r->po->file, r->line, "a quote within a text is written \\\"");
            return NULL;
        }
        if (c == '\\') {
            static const char from[] = "nt\"\\", into[] = "\n\t\"\\";
            const char *which = ++i < s.size - 1 ? strchr(from, s.at[i]) : NULL;
            if (!which || !*which) {
                po_complain(r->po->file, r->line, "after a backslash n, t, \" or \\ is expected");
                return NULL;
            }
            c = into[which - from];
        }
        *to++ = c;
    }
    return text;
}

static bool begun(const struct entry *entry)
{
    return entry->id || entry->context || entry->plural || entry->said[0] || entry->said[1];
}

struct entry *po_find(const struct po *po, const char *context, const char *id)
{
    for (int i = 0; i < po->count; i++) {
        if (po_same(po->entry[i].context, context) && po_same(po->entry[i].id, id))
            return (struct entry *)&po->entry[i];
    }
    return NULL;
}

/* Adds the entry that was read to the others; complains if it is incomplete. */
static void end_entry(struct reader *r)
{
    struct po *po = r->po;
    struct entry *e = &r->entry;
    if (!begun(e)) {
        if (e->comment)
            po->end = po_joined(po->end, e->comment);
        r->entry = (struct entry){0};
        return;
    }
    const struct entry *other = e->id ? po_find(po, e->context, e->id) : NULL;
    if (!e->id)
        po_complain(po->file, e->line, "msgid is missing");
    else if (!e->said[0] || (e->plural && !e->said[1]))
        po_complain(po->file, e->line, "'%s': msgstr is missing", e->id);
    else if (!e->plural && e->said[1])
        po_complain(po->file, e->line, "'%s': msgid_plural is missing", e->id);
    else if (other)
        po_complain(po->file, e->line, "'%s' is also in line %d", e->id, other->line);
    else if (po->count == ENTRIES_MAX)
        po_complain(po->file, e->line, "more than %d entries", ENTRIES_MAX);
    else
        po->entry[po->count++] = *e;
    r->entry = (struct entry){0};
    r->open = NULL;
}

/* Returns the string of the entry that a keyword begins; NULL if it is no keyword. */
static const char **string_of(struct entry *e, struct es_str word)
{
    const struct {
        const char *word;
        const char **at;
    } strings[] = {{"msgctxt", &e->context},     {"msgid", &e->id},
                   {"msgid_plural", &e->plural}, {"msgstr", &e->said[0]},
                   {"msgstr[0]", &e->said[0]},   {"msgstr[1]", &e->said[1]}};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (es_str_is(word, strings[i].word))
            return strings[i].at;
    }
    return NULL;
}

static void read_comment(struct reader *r, struct es_str line)
{
    if (begun(&r->entry))
        end_entry(r);
    if (line.size > 1 && line.at[1] == ':') {
        add_line(&r->entry.place, line);
    } else if (line.size > 1 && line.at[1] == ',') {
        struct es_str rest = {line.at + 2, line.size - 2}, flag;
        while (es_str_word(&rest, &flag))
            r->entry.fuzzy |= es_str_is(flag, "fuzzy") || es_str_is(flag, "fuzzy,");
        add_line(&r->entry.comment, line);
    } else if (line.size > 1 && line.at[1] == '|') {
        return; /* the text before a change, which we do not use */
    } else {
        add_line(&r->entry.comment, line);
    }
}

/* Reads `msgid "…"` and the like, or another line of the same string. */
static void read_statement(struct reader *r, struct es_str line, bool obsolete)
{
    struct es_str rest = line, word = {line.at, 0};
    if (*line.at != '"' && !es_str_word(&rest, &word))
        return;
    if (word.size > 0) {
        if (r->entry.id && (es_str_is(word, "msgctxt") || es_str_is(word, "msgid")))
            end_entry(r);
        if (!begun(&r->entry)) {
            r->entry.line = r->line;
            r->entry.obsolete = obsolete;
        }
        r->open = string_of(&r->entry, word);
        if (!r->open) {
            po_complain(r->po->file, r->line, "'%.*s' is not known here", (int)word.size, word.at);
            return;
        }
        if (*r->open) {
            po_complain(r->po->file, r->line, "'%.*s' was said already", (int)word.size, word.at);
            return;
        }
    }
    const char *text = unquoted(r, es_str_trim(rest));
    if (!text)
        text = "";
    if (r->open)
        *r->open = po_joined(*r->open, text);
    else
        po_complain(r->po->file, r->line, "msgid or msgstr is missing before this text");
}

static void read_po_line(struct reader *r, struct es_str line)
{
    if (line.size == 0) {
        if (begun(&r->entry) || r->entry.comment)
            end_entry(r);
    } else if (line.size > 1 && line.at[0] == '#' && line.at[1] == '~') {
        struct es_str rest = es_str_trim((struct es_str){line.at + 2, line.size - 2});
        if (rest.size > 0 && rest.at[0] != '|')
            read_statement(r, rest, true);
    } else if (line.at[0] == '#') {
        read_comment(r, line);
    } else {
        read_statement(r, line, false);
    }
}

/* Complains if the header does not contain `text`. */
static void want_header(const struct po *po, const char *text)
{
    const struct entry *header = po_find(po, NULL, "");
    if (!header)
        po_complain(po->file, 1, "the header, with the empty msgid, is missing");
    else if (!strstr(header->said[0], text))
        po_complain(po->file, header->line, "the header has no '%s'", text);
}

bool po_read(const char *file, struct po *po)
{
    int before = po_faults;
    *po = (struct po){.file = file};
    struct es_str text;
    struct es_lines lines;
    if (!po_read_text(file, &text))
        return false;
    struct reader r = {.po = po};
    es_lines_open(&lines, text, NULL);
    while (es_lines_next(&lines)) {
        r.line = lines.number;
        read_po_line(&r, lines.line);
    }
    end_entry(&r);
    want_header(po, "charset=UTF-8");
    want_header(po, "nplurals=2");
    return po_faults == before;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_quoted(struct es_out *out, const char *text)
{
    es_out_char(out, '"');
    for (; *text; text++) {
        static const char from[] = "\n\t\"\\", into[] = "nt\"\\";
        const char *which = strchr(from, *text);
        if (which)
            es_out_char(out, '\\');
        es_out_char(out, which ? into[which - from] : *text);
    }
    es_out_char(out, '"');
}

/* Writes a string of an entry, each of its lines on a line of its own. */
static void put_string(struct es_out *out, const char *mark, const char *word, const char *text)
{
    es_out_text(out, mark);
    es_out_text(out, word);
    es_out_char(out, ' ');
    const char *end = strchr(text, '\n');
    if (end && end[1]) {
        es_out_text(out, "\"\"\n");
        while (*text) {
            end = strchr(text, '\n');
            size_t size = end ? (size_t)(end - text) + 1 : strlen(text);
            es_out_text(out, mark);
            put_quoted(out, po_keep_text((struct es_str){text, size}));
            es_out_char(out, '\n');
            text += size;
        }
    } else {
        put_quoted(out, text);
        es_out_char(out, '\n');
    }
}

void po_put_entry(struct es_out *out, const struct entry *e)
{
    const char *mark = e->obsolete ? "#~ " : "";
    if (out->used > 0)
        es_out_char(out, '\n');
    if (e->comment)
        es_out_text(out, e->comment);
    if (e->place && !e->obsolete)
        es_out_text(out, e->place);
    if (e->context)
        put_string(out, mark, "msgctxt", e->context);
    put_string(out, mark, "msgid", e->id);
    if (e->plural) {
        put_string(out, mark, "msgid_plural", e->plural);
        put_string(out, mark, "msgstr[0]", e->said[0]);
        put_string(out, mark, "msgstr[1]", e->said[1]);
    } else {
        put_string(out, mark, "msgstr", e->said[0]);
    }
}
