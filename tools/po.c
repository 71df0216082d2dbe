/* Translations: reads gettext's .po files, checks them against the texts that the sources use, and
 * makes of each what the page reads.
 *
 *     po json PO OUT [draw.h]       PO as JSON: {"English": "translation" or ["one", "many"], …};
 *                                   under "" the words of the pictures, in the order of draw.h
 *     po check PO … -- SOURCE …     names every text that is missing, unused, fuzzy, empty, or has
 *                                   other placeholders than the English
 *     po update PO … -- SOURCE …    adds what is missing, makes what is unused obsolete
 *
 * Texts are, by the kind of source,
 *
 *     .js            t('…'), tn('…', '…'), english('…'); t(anything) on a line that has // text
 *     .html          what is in an element that has the attribute data-t
 *     .webmanifest   the name
 *     .h             the sentences of ES_STATUS_LIST; the words of ES_WORDS, context "picture"
 *
 * Faults go to standard error as FILE:LINE: what is wrong. The status is 1 if there were any, 2 if
 * the command was called in a wrong way. Every language here has two plural forms.
 */
#include <endstation/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 2, ENTRIES_MAX = 4000, FILES_MAX = 200, COMMENTS_MAX = 64 };
static const char picture[] = "picture"; /* the context of the words of draw.h */

/* ---- Faults and memory ---------------------------------------------------------------------- */

static int faults;

__attribute__((format(printf, 3, 4))) static void complain(const char *file, int line,
                                                           const char *format, ...)
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
    faults++;
}

/* What is read stays until the program ends. */
static void *keep(size_t size)
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

static char *keep_text(struct es_str text)
{
    char *copy = keep(text.size + 1);
    memcpy(copy, text.at, text.size);
    return copy;
}

/* a and b, one behind the other; a may be NULL. */
static char *joined(const char *a, const char *b)
{
    size_t size = a ? strlen(a) : 0;
    char *both = keep(size + strlen(b) + 1);
    if (a)
        memcpy(both, a, size);
    strcpy(both + size, b);
    return both;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Reads a text file; false after a complaint. */
static bool read_file(const char *name, struct es_str *text)
{
    static char buffer[ES_TEXT_MAX + 1];
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(buffer, 1, sizeof buffer, file) : 0;
    bool bad = !file || ferror(file);
    if (file)
        fclose(file);
    if (bad) {
        complain(name, 0, "%s", es_status_text(ES_UNREADABLE));
        return false;
    }
    struct es_str read = {buffer, size};
    struct es_lines lines;
    struct es_fault fault = {0};
    if (es_lines_open(&lines, read, &fault)) {
        complain(name, fault.line, "%s", fault.reason);
        return false;
    }
    *text = (struct es_str){keep_text(read), size};
    return true;
}

/* Writes a file as a whole, or not at all. */
static bool write_file(const char *name, const struct es_out *out)
{
    char *other = joined(name, ".new");
    FILE *file = fopen(other, "wb");
    bool good = file && fwrite(out->at, 1, out->used, file) == out->used;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good || rename(other, name) != 0) {
        remove(other);
        complain(name, 0, "the file cannot be written");
        return false;
    }
    return true;
}

/* ---- Texts that the sources use ------------------------------------------------------------- */

struct text {
    const char *context; /* NULL: none */
    const char *id, *plural;
    const char *file; /* where it stands first */
    int line;
};

static struct text used[ENTRIES_MAX];
static int used_count;

static void use(const char *context, const char *id, const char *plural, const char *file, int line)
{
    if (!id[0]) {
        complain(file, line, "a text is empty");
        return;
    }
    for (int i = 0; i < used_count; i++) {
        const struct text *other = &used[i];
        if (!same(other->context, context) || !same(other->id, id))
            continue;
        if (!same(other->plural, plural))
            complain(file, line, "'%s' has another plural in %s:%d", id, other->file, other->line);
        return;
    }
    if (used_count == ENTRIES_MAX) {
        complain(file, line, "more than %d texts", ENTRIES_MAX);
        exit(1);
    }
    used[used_count++] = (struct text){context, id, plural, file, line};
}

/* ---- JavaScript ------------------------------------------------------------------------------ */

/* A scanner that knows just enough of the language not to mistake strings, comments, templates and
 * regular expressions for each other. */
struct script {
    const char *file;
    const char *at, *end;
    int line;
    char last;      /* the last character that means something, for telling / from / */
    bool word;      /* `last` ends a word that an expression can follow: return, of, … */
    int depth;      /* of braces */
    int inside[32]; /* the depths at which templates are interrupted by ${ */
    int templates;
};

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static char peek(const struct script *s, int ahead)
{
    return s->end - s->at > ahead ? s->at[ahead] : '\0';
}

static void step(struct script *s)
{
    if (*s->at == '\n')
        s->line++;
    s->at++;
}

/* Passes over blanks and comments. */
static void skip_blank(struct script *s)
{
    while (s->at < s->end) {
        if (peek(s, 0) == '/' && peek(s, 1) == '/') {
            while (s->at < s->end && *s->at != '\n')
                step(s);
        } else if (peek(s, 0) == '/' && peek(s, 1) == '*') {
            step(s);
            do
                step(s);
            while (s->at < s->end && !(s->at[-1] == '*' && *s->at == '/'));
            if (s->at < s->end)
                step(s);
        } else if (strchr(" \t\r\n", *s->at)) {
            step(s);
        } else {
            return;
        }
    }
}

/* A character by its number, as UTF-8. */
static void put_character(struct es_out *out, unsigned c)
{
    if (c < 0x80) {
        es_out_char(out, (char)c);
    } else if (c < 0x800) {
        es_out_char(out, (char)(0xc0 | c >> 6));
        es_out_char(out, (char)(0x80 | (c & 63)));
    } else {
        es_out_char(out, (char)(0xe0 | c >> 12));
        es_out_char(out, (char)(0x80 | (c >> 6 & 63)));
        es_out_char(out, (char)(0x80 | (c & 63)));
    }
}

/* What is behind a backslash. */
static void read_escape(struct script *s, struct es_out *out)
{
    char c = *s->at;
    uint8_t bytes[2];
    struct es_str hex = {s->at + 1, 4};
    if (strchr("'\"\\", c)) {
        es_out_char(out, c);
    } else if (c == 'n') {
        es_out_char(out, '\n');
    } else if (c == 'u' && s->end - s->at > 4 && es_str_hex(hex, bytes, 2)) {
        put_character(out, (unsigned)(bytes[0] << 8 | bytes[1]));
        s->at += 4;
    } else {
        complain(s->file, s->line, "\\%c is not understood in texts", c);
    }
}

/* Reads a string that begins with the quote here; NULL after a complaint. */
static char *read_string(struct script *s)
{
    static char buffer[1 << 16];
    struct es_out out = {buffer, sizeof buffer, 0};
    int line = s->line;
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->end - s->at > 1) {
            s->at++;
            read_escape(s, &out);
        } else {
            es_out_char(&out, *s->at);
        }
        s->at++;
    }
    if (peek(s, 0) != quote || !es_out_ok(&out)) {
        complain(s->file, line, "this string has no end");
        return NULL;
    }
    s->at++;
    return keep_text((struct es_str){buffer, out.used});
}

/* Passes over a string, whatever is in it. */
static void skip_string(struct script *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->end - s->at > 1)
            s->at++;
        step(s);
    }
    if (s->at < s->end && *s->at == quote)
        s->at++;
    else
        complain(s->file, s->line, "this string has no end");
}

static void skip_regular_expression(struct script *s)
{
    bool class = false;
    s->at++;
    while (s->at < s->end && *s->at != '\n' && (class || *s->at != '/')) {
        class = *s->at == '[' || (class && *s->at != ']');
        if (*s->at == '\\')
            s->at++;
        step(s);
    }
    if (s->at < s->end)
        step(s);
}

/* Passes over the text of a template, to its end or to the next ${. */
static void skip_template(struct script *s)
{
    while (s->at < s->end && *s->at != '`') {
        if (peek(s, 0) == '$' && peek(s, 1) == '{') {
            s->at += 2;
            if (s->templates == (int)(sizeof s->inside / sizeof *s->inside)) {
                complain(s->file, s->line, "templates within templates, too deep");
                s->at = s->end;
                return;
            }
            s->inside[s->templates++] = s->depth++;
            s->last = '{';
            return;
        }
        if (*s->at == '\\' && s->end - s->at > 1)
            s->at++;
        step(s);
    }
    if (s->at < s->end)
        s->at++;
    s->last = '`';
}

/* One or more strings in single quotes, joined by +; NULL if it is anything else. */
static char *read_literal(struct script *s)
{
    char *text = NULL;
    for (;;) {
        skip_blank(s);
        if (peek(s, 0) != '\'')
            return NULL;
        char *piece = read_string(s);
        if (!piece)
            return NULL;
        text = joined(text, piece);
        skip_blank(s);
        if (peek(s, 0) != '+')
            break;
        s->at++;
    }
    return peek(s, 0) == ',' || peek(s, 0) == ')' ? text : NULL;
}

/* True if the line that `at` is on has the comment `// text`. */
static bool excused(const struct script *s, const char *at)
{
    static const char comment[] = "// text";
    size_t length = sizeof comment - 1;
    for (; at < s->end && *at != '\n'; at++) {
        if ((size_t)(s->end - at) >= length && memcmp(at, comment, length) == 0)
            return true;
    }
    return false;
}

/* A call of t, tn or english; the scanner is behind its parenthesis. What is behind the texts, it
 * goes on to read by itself. */
static void read_call(struct script *s, bool plural, bool may_be_excused)
{
    struct script ahead = *s;
    const char *id = read_literal(&ahead);
    const char *many = NULL;
    if (id && plural) {
        if (peek(&ahead, 0) == ',')
            ahead.at++;
        many = read_literal(&ahead);
    }
    if (id && (many || !plural)) {
        use(NULL, id, many, s->file, s->line);
        ahead.last = '\'';
        *s = ahead;
    } else if (!may_be_excused || !excused(s, s->at)) {
        complain(s->file, s->line, "a text is a literal in single quotes%s",
                 may_be_excused ? ", or the line says // text" : "");
    }
}

/* A word, and the call if it is one of ours. */
static void read_word(struct script *s)
{
    static const char *const before_expressions[] = {"return", "of",    "in",   "typeof", "case",
                                                     "else",   "await", "void", NULL};
    char before = s->last;
    bool after_function = s->word && s->last == 'n'; /* `function t(` */
    struct es_str word = {s->at, 0};
    while (s->at < s->end && is_name(*s->at))
        s->at++;
    word.size = (size_t)(s->at - word.at);
    s->last = 'a';
    s->word = false;
    for (int i = 0; before_expressions[i]; i++)
        s->word |= es_str_is(word, before_expressions[i]);
    if (es_str_is(word, "function")) {
        s->word = true;
        s->last = 'n';
    }
    bool single = es_str_is(word, "t"), many = es_str_is(word, "tn");
    bool marked = es_str_is(word, "english");
    if (before == '.' || after_function || peek(s, 0) != '(' || !(single || many || marked))
        return;
    s->at++;
    s->last = '(';
    read_call(s, many, single);
}

static void read_script(const char *file, struct es_str text)
{
    struct script s = {.file = file, .at = text.at, .end = text.at + text.size, .line = 1};
    s.last = ';';
    for (skip_blank(&s); s.at < s.end; skip_blank(&s)) {
        char c = *s.at;
        if (is_name(c)) {
            read_word(&s);
            continue;
        }
        if (c == '\'' || c == '"') {
            skip_string(&s);
        } else if (c == '`') {
            s.at++;
            skip_template(&s);
            continue;
        } else if (c == '/' && (s.word || strchr("(,=:[!&|?{};+-*%<>~^", s.last))) {
            skip_regular_expression(&s);
            c = 'a';
        } else if (c == '}' && s.templates > 0 && s.inside[s.templates - 1] == s.depth - 1) {
            s.at++;
            s.templates--;
            s.depth--;
            skip_template(&s);
            continue;
        } else {
            s.depth += (c == '{') - (c == '}');
            step(&s);
        }
        s.last = c;
        s.word = false;
    }
    if (s.templates > 0)
        complain(file, s.line, "a template has no end");
}

/* ---- Other sources --------------------------------------------------------------------------- */

/* Where `word` is next in the text, moving on behind it and counting lines. */
static bool find(struct es_str *text, const char *word, int *line)
{
    size_t size = strlen(word);
    for (; text->size >= size; text->at++, text->size--) {
        if (memcmp(text->at, word, size) == 0) {
            text->at += size;
            text->size -= size;
            return true;
        }
        *line += *text->at == '\n';
    }
    return false;
}

/* <p data-t>The text, up to the next tag.</p> */
static void read_html(const char *file, struct es_str text)
{
    int line = 1;
    while (find(&text, " data-t", &line)) {
        if (text.size == 0 || !strchr(" >", *text.at) || !find(&text, ">", &line))
            continue;
        const char *end = memchr(text.at, '<', text.size);
        struct es_str content = {text.at, end ? (size_t)(end - text.at) : text.size};
        content = es_str_trim(content);
        if (memchr(content.at, '&', content.size) || memchr(content.at, '\n', content.size))
            complain(file, line, "a text here is one line without entities");
        else
            use(NULL, keep_text(content), NULL, file, line);
    }
}

static void read_manifest(const char *file, struct es_str text)
{
    int line = 1;
    struct es_str rest = text;
    if (!find(&rest, "\"name\"", &line) || !find(&rest, "\"", &line)) {
        complain(file, 0, "the name is missing");
        return;
    }
    struct es_str name = {rest.at, 0};
    if (!find(&rest, "\"", &line))
        complain(file, line, "the name has no end");
    else
        use(NULL, keep_text((struct es_str){name.at, (size_t)(rest.at - name.at) - 1}), NULL, file,
            line);
}

/* The rows X(NAME, "text") of the lists that we know. That of OK is never said. */
static void read_header(const char *file, struct es_str text)
{
    struct es_lines lines;
    es_lines_open(&lines, text, NULL);
    bool known = false;
    const char *context = NULL;
    while (es_lines_next(&lines)) {
        struct es_str row = lines.line;
        if (row.size > 8 && memcmp(row.at, "#define ", 8) == 0) {
            struct es_str rest = {row.at + 8, row.size - 8}, word;
            es_str_word(&rest, &word);
            known = es_str_is(word, "ES_STATUS_LIST(X)") || es_str_is(word, "ES_WORDS(X)");
            context = es_str_is(word, "ES_WORDS(X)") ? picture : NULL;
        }
        const char *open = memchr(row.at, '"', row.size);
        if (!known || row.size < 5 || memcmp(row.at, "X(", 2) != 0 || !open ||
            memcmp(row.at, "X(OK,", 5) == 0)
            continue;
        const char *end = open + 1;
        while (end < row.at + row.size && *end != '"')
            end++;
        struct es_str said = {open + 1, (size_t)(end - open) - 1};
        use(context, keep_text(said), NULL, file, lines.number);
    }
}

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), length = strlen(end);
    return size >= length && strcmp(name + size - length, end) == 0;
}

static void read_source(const char *file)
{
    static const struct {
        const char *end;
        void (*read)(const char *file, struct es_str text);
    } kinds[] = {{".js", read_script},
                 {".html", read_html},
                 {".webmanifest", read_manifest},
                 {".h", read_header}};
    struct es_str text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ends_with(file, kinds[i].end)) {
            if (read_file(file, &text))
                kinds[i].read(file, text);
            return;
        }
    }
    complain(file, 0, "no texts are found in files of this kind");
}

/* ---- .po files ------------------------------------------------------------------------------- */

struct entry {
    const char *comment; /* lines of people and of flags, as they stand; NULL: none */
    const char *place;   /* where it is used: lines that begin with #: */
    const char *context, *id, *plural;
    const char *said[FORMS]; /* the translation; without plural only the first */
    int line;                /* 0: not read, but added */
    bool fuzzy, obsolete;
    bool used;
};

struct po {
    const char *file;
    struct entry entry[ENTRIES_MAX];
    int count;
    const char *end; /* comments behind the last entry */
};

/* What is being read: the entry, and the string that a line of quotes goes on with. */
struct reader {
    struct po *po;
    struct entry entry;
    const char **open;
    int line;
};

static void add_line(const char **lines, struct es_str line)
{
    *lines = joined(joined(*lines, keep_text(line)), "\n");
}

/* The content of "…" as C writes it; NULL after a complaint. */
static char *unquoted(struct reader *r, struct es_str s)
{
    if (s.size < 2 || s.at[0] != '"' || s.at[s.size - 1] != '"') {
        complain(r->po->file, r->line, "a text in double quotes is expected");
        return NULL;
    }
    char *text = keep(s.size), *to = text;
    for (size_t i = 1; i < s.size - 1; i++) {
        char c = s.at[i];
        if (c == '"') {
            complain(r->po->file, r->line, "a quote within a text is written \\\"");
            return NULL;
        }
        if (c == '\\') {
            static const char from[] = "nt\"\\", into[] = "\n\t\"\\";
            const char *which = ++i < s.size - 1 ? strchr(from, s.at[i]) : NULL;
            if (!which || !*which) {
                complain(r->po->file, r->line, "after a backslash n, t, \" or \\ is expected");
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

static struct entry *find_entry(struct po *po, const char *context, const char *id)
{
    for (int i = 0; i < po->count; i++) {
        if (same(po->entry[i].context, context) && same(po->entry[i].id, id))
            return &po->entry[i];
    }
    return NULL;
}

/* The entry that was read is complete: it joins the others. */
static void end_entry(struct reader *r)
{
    struct po *po = r->po;
    struct entry *e = &r->entry;
    if (!begun(e)) {
        if (e->comment)
            po->end = joined(po->end, e->comment);
        r->entry = (struct entry){0};
        return;
    }
    const struct entry *other = e->id ? find_entry(po, e->context, e->id) : NULL;
    if (!e->id)
        complain(po->file, e->line, "msgid is missing");
    else if (!e->said[0] || (e->plural && !e->said[1]))
        complain(po->file, e->line, "'%s': msgstr is missing", e->id);
    else if (!e->plural && e->said[1])
        complain(po->file, e->line, "'%s': msgid_plural is missing", e->id);
    else if (other)
        complain(po->file, e->line, "'%s' is also in line %d", e->id, other->line);
    else if (po->count == ENTRIES_MAX)
        complain(po->file, e->line, "more than %d entries", ENTRIES_MAX);
    else
        po->entry[po->count++] = *e;
    r->entry = (struct entry){0};
    r->open = NULL;
}

/* Which string of the entry a keyword begins; NULL if it is none. */
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
        return; /* the text before it changed: of no use to us */
    } else {
        add_line(&r->entry.comment, line);
    }
}

/* `msgid "…"`, or a further line of the last one. */
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
            complain(r->po->file, r->line, "'%.*s' is not known here", (int)word.size, word.at);
            return;
        }
        if (*r->open) {
            complain(r->po->file, r->line, "'%.*s' was said already", (int)word.size, word.at);
            return;
        }
    }
    const char *text = unquoted(r, es_str_trim(rest));
    if (!text)
        text = "";
    if (r->open)
        *r->open = joined(*r->open, text);
    else
        complain(r->po->file, r->line, "msgid or msgstr is missing before this text");
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

/* A header line holds `text`. */
static void want_header(const struct po *po, const char *text)
{
    const struct entry *header = find_entry((struct po *)po, NULL, "");
    if (!header)
        complain(po->file, 1, "the header, with the empty msgid, is missing");
    else if (!strstr(header->said[0], text))
        complain(po->file, header->line, "the header has no '%s'", text);
}

/* Reads a file; false if anything is wrong with it. */
static bool read_po(const char *file, struct po *po)
{
    int before = faults;
    *po = (struct po){.file = file};
    struct es_str text;
    struct es_lines lines;
    if (!read_file(file, &text))
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
    return faults == before;
}

/* ---- Checking ---------------------------------------------------------------------------------
 */

/* Cuts the next {name} off the text, with its braces. */
static bool placeholder(const char **text, struct es_str *name)
{
    for (const char *at = *text; *at; at++) {
        const char *end = at;
        if (*at == '{')
            for (end++; is_name(*end);)
                end++;
        if (*end == '}' && end > at + 1) {
            *name = (struct es_str){at, (size_t)(end - at) + 1};
            *text = end + 1;
            return true;
        }
    }
    return false;
}

/* Every placeholder of b is in a too; {n} need not be, if it may be silent. */
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
    /* The singular may say its number or not, whatever the English does; but not where it is also
     * said of 0. */
    bool silent = !strstr(find_entry((struct po *)po, NULL, "")->said[0], "n > 1");
    if (e->plural)
        good = good && has_placeholders_of(e->said[0], all, silent) &&
               has_placeholders_of(all, e->said[0], false);
    return good;
}

static void check_entry(const struct po *po, const struct entry *e)
{
    if (!e->used)
        complain(po->file, e->line, "unused: '%s'", e->id);
    else if (e->fuzzy)
        complain(po->file, e->line, "fuzzy: '%s'", e->id);
    else if (!e->said[0][0] || (e->plural && !e->said[1][0]))
        complain(po->file, e->line, "not translated: '%s'", e->id);
    else if (!fits(po, e))
        complain(po->file, e->line, "other placeholders than in the English: '%s'", e->id);
}

static bool is_header(const struct entry *e)
{
    return !e->context && !e->id[0];
}

/* The living entry of a text, if the file has it with the same plural. */
static struct entry *entry_of(struct po *po, const struct text *text)
{
    struct entry *e = find_entry(po, text->context, text->id);
    return e && same(e->plural, text->plural) ? e : NULL;
}

static void check(struct po *po)
{
    for (int i = 0; i < used_count; i++) {
        struct entry *e = entry_of(po, &used[i]);
        if (e && !e->obsolete)
            e->used = true;
        else
            complain(used[i].file, used[i].line, "missing in %s: '%s'", po->file, used[i].id);
    }
    for (int i = 0; i < po->count; i++) {
        if (!po->entry[i].obsolete && !is_header(&po->entry[i]))
            check_entry(po, &po->entry[i]);
    }
}

/* ---- Writing -----------------------------------------------------------------------------------
 */

static char written[ES_TEXT_MAX];

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

/* A string of an entry; one with several lines in so many. */
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
            put_quoted(out, keep_text((struct es_str){text, size}));
            es_out_char(out, '\n');
            text += size;
        }
    } else {
        put_quoted(out, text);
        es_out_char(out, '\n');
    }
}

static void put_entry(struct es_out *out, const struct entry *e)
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

/* Puts an entry behind that of number `after`. */
static struct entry *insert_entry(struct po *po, int after, const struct text *text)
{
    if (po->count == ENTRIES_MAX) {
        complain(po->file, 0, "more than %d entries", ENTRIES_MAX);
        exit(1);
    }
    struct entry *e = &po->entry[after + 1];
    memmove(e + 1, e, (size_t)(po->count++ - after - 1) * sizeof *e);
    *e = (struct entry){.context = text->context, .id = text->id, .said = {"", ""}};
    return e;
}

/* Makes the file hold the texts that are used: new ones stand behind those that come before them in
 * the source, old ones are kept as obsolete. */
static void update(struct po *po)
{
    int last = 0; /* the header */
    for (int i = 0; i < used_count; i++) {
        const struct text *text = &used[i];
        struct entry *e = find_entry(po, text->context, text->id);
        if (!e)
            e = insert_entry(po, last, text);
        if (!same(e->plural, text->plural) && (e->plural || text->plural)) {
            e->plural = text->plural;
            e->said[0] = e->said[1] = ""; /* one form is not two */
        }
        e->obsolete = false;
        e->used = true;
        e->place = joined(joined("#: ", text->file), "\n");
        last = (int)(e - po->entry);
    }
    struct es_out out = {written, sizeof written, 0};
    for (int obsolete = 0; obsolete < 2; obsolete++) {
        for (int i = 0; i < po->count; i++) {
            struct entry *e = &po->entry[i];
            e->obsolete = !e->used && !is_header(e);
            bool empty = !e->said[0][0] && (!e->plural || !e->said[1][0]);
            if (e->obsolete == obsolete && !(obsolete && empty))
                put_entry(&out, e);
        }
    }
    if (po->end) {
        es_out_char(&out, '\n');
        es_out_text(&out, po->end);
    }
    write_file(po->file, &out);
}

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

/* What the page reads; what has no translation is left out, so that it is said in English. */
static void put_page(struct po *po, struct es_out *out)
{
    es_out_text(out, "{\"\":[");
    for (int i = 0; i < used_count; i++) {
        const struct entry *e = entry_of(po, &used[i]);
        if (i > 0)
            es_out_char(out, ',');
        put_json(out, e && translated(e) ? e->said[0] : used[i].id);
    }
    es_out_char(out, ']');
    for (int i = 0; i < po->count; i++) {
        const struct entry *e = &po->entry[i];
        if (e->context || is_header(e) || !translated(e))
            continue;
        es_out_char(out, ',');
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
    es_out_text(out, "}\n");
}

/* ---- The program
 * --------------------------------------------------------------------------------- */

static int usage(void)
{
    fputs("usage: po json PO OUT [draw.h]\n"
          "       po check PO … -- SOURCE …\n"
          "       po update PO … -- SOURCE …\n",
          stderr);
    return 2;
}

static int json(const char *file, const char *to, const char *header)
{
    static struct po po;
    struct es_out out = {written, sizeof written, 0};
    if (header)
        read_source(header);
    if (!read_po(file, &po) || faults > 0)
        return 1;
    put_page(&po, &out);
    return write_file(to, &out) ? 0 : 1;
}

int main(int count, char **words)
{
    static struct po po;
    if (count >= 4 && count <= 5 && strcmp(words[1], "json") == 0)
        return json(words[2], words[3], count > 4 ? words[4] : NULL);
    int sources = 2;
    while (sources < count && strcmp(words[sources], "--") != 0)
        sources++;
    bool updating = count > 1 && strcmp(words[1], "update") == 0;
    if (sources >= count || (!updating && strcmp(words[1], "check") != 0))
        return usage();
    for (int i = sources + 1; i < count; i++)
        read_source(words[i]);
    if (updating && faults > 0)
        return 1;
    for (int i = 2; i < sources; i++) {
        if (!read_po(words[i], &po))
            continue;
        if (updating)
            update(&po);
        else
            check(&po);
    }
    return faults > 0;
}
