/* Collects the texts that the sources use. Texts are, by the kind of source,
 *
 *     .js            t('…'), tn('…', '…'), english('…'); t(anything) on a line that has // text
 *     .html          what is in an element that has the attribute data-t
 *     .webmanifest   the name
 *     .h             the sentences of the lists *_STATUS_LIST
 *     .c             ES_SAY("…"), in the context "picture"
 */
#include "po.h"
#include <stdlib.h>
#include <string.h>

static const char po_picture[] = "picture";
struct text po_used[ENTRIES_MAX];
int po_used_count;

static void use(const char *context, const char *id, const char *plural, const char *file, int line)
{
    if (!id[0]) {
        po_complain(file, line, "a text is empty");
        return;
    }
    for (int i = 0; i < po_used_count; i++) {
        const struct text *other = &po_used[i];
        if (!po_same(other->context, context) || !po_same(other->id, id))
            continue;
        if (!po_same(other->plural, plural))
            po_complain(file, line, "'%s' has another plural in %s:%d", id, other->file,
                        other->line);
        return;
    }
    if (po_used_count == ENTRIES_MAX) {
        po_complain(file, line, "more than %d texts", ENTRIES_MAX);
        exit(1);
    }
    po_used[po_used_count++] = (struct text){context, id, plural, file, line};
}

/* ---- JavaScript ------------------------------------------------------------------------------ */

/* A scanner that knows just enough of the language to tell strings, comments and templates apart.
 * It does not know regular expressions: they must not contain quotes or //. */
struct script {
    const char *file;
    const char *at, *end;
    int line;
    struct es_str last; /* the word or character before this one */
};

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

/* Skips blanks and comments. */
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

/* Writes a character (below U+10000) as UTF-8. */
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

/* Reads the character after a backslash. */
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
        po_complain(s->file, s->line, "\\%c is not understood in texts", c);
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
        po_complain(s->file, line, "this string has no end");
        return NULL;
    }
    s->at++;
    return po_keep_text((struct es_str){buffer, out.used});
}

/* Skips a string, whatever is in it. */
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
        po_complain(s->file, s->line, "this string has no end");
}

/* Reads one or more strings in single quotes, joined by +; NULL for anything else. */
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
        text = po_joined(text, piece);
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

/* Reads a call of t, tn or english, whose parenthesis the scanner has just passed. The scanner then
 * continues after the texts. */
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
        *s = ahead;
    } else if (!may_be_excused || !excused(s, s->at)) {
        po_complain(s->file, s->line, "a text is a literal in single quotes%s",
                    may_be_excused ? ", or the line says // text" : "");
    }
}

/* Reads a word, and the call if it is one of ours. */
static void read_word(struct script *s)
{
    struct es_str word = {s->at, 0}, before = s->last;
    while (s->at < s->end && po_is_name(*s->at))
        s->at++;
    word.size = (size_t)(s->at - word.at);
    s->last = word;
    bool single = es_str_is(word, "t"), many = es_str_is(word, "tn");
    bool ours = single || many || es_str_is(word, "english");
    if (!ours || peek(s, 0) != '(' || es_str_is(before, ".") || es_str_is(before, "function"))
        return;
    s->at++;
    read_call(s, many, single);
}

static void read_template(struct script *s);

/* Reads to the end, or past a brace that was not opened here; true if there was one. */
static bool read_code(struct script *s)
{
    int depth = 0;
    for (skip_blank(s); s->at < s->end; skip_blank(s)) {
        char c = *s->at;
        if (po_is_name(c)) {
            read_word(s);
            continue;
        }
        s->last = (struct es_str){s->at, 1};
        if (c == '\'' || c == '"') {
            skip_string(s);
        } else if (c == '`') {
            read_template(s);
        } else {
            s->at++;
            depth += (c == '{') - (c == '}');
            if (depth < 0)
                return true;
        }
    }
    return false;
}

/* Reads a template, and the code in it. */
static void read_template(struct script *s)
{
    int line = s->line;
    s->at++;
    while (s->at < s->end && *s->at != '`') {
        if (peek(s, 0) == '$' && peek(s, 1) == '{') {
            s->at += 2;
            read_code(s);
            continue;
        }
        if (*s->at == '\\' && s->end - s->at > 1)
            s->at++;
        step(s);
    }
    if (s->at < s->end)
        s->at++;
    else
        po_complain(s->file, line, "a template has no end");
}

static void read_script(const char *file, struct es_str text)
{
    struct script s = {.file = file, .at = text.at, .end = text.at + text.size, .line = 1};
    s.last = (struct es_str){text.at, 0};
    if (read_code(&s))
        po_complain(file, s.line, "a brace has no beginning");
}

/* ---- Other sources --------------------------------------------------------------------------- */

/* Finds `word` and moves past it, counting lines; false if it is not there. */
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
            po_complain(file, line, "a text here is one line without entities");
        else
            use(NULL, po_keep_text(content), NULL, file, line);
    }
}

static void read_manifest(const char *file, struct es_str text)
{
    int line = 1;
    struct es_str rest = text;
    if (!find(&rest, "\"name\"", &line) || !find(&rest, "\"", &line)) {
        po_complain(file, 0, "the name is missing");
        return;
    }
    struct es_str name = {rest.at, 0};
    if (!find(&rest, "\"", &line))
        po_complain(file, line, "the name has no end");
    else
        use(NULL, po_keep_text((struct es_str){name.at, (size_t)(rest.at - name.at) - 1}), NULL,
            file, line);
}

static bool is_status_list(struct es_str word)
{
    static const char end[] = "_STATUS_LIST(X)";
    const size_t size = sizeof end - 1;
    return word.size > size && memcmp(word.at + word.size - size, end, size) == 0;
}

/* Reads the rows X(NAME, "text") of the lists that we know. The text of OK is never shown. */
static void read_header(const char *file, struct es_str text)
{
    struct es_lines lines;
    es_lines_open(&lines, text, NULL);
    bool known = false;
    while (es_lines_next(&lines)) {
        struct es_str row = lines.line;
        if (row.size > 8 && memcmp(row.at, "#define ", 8) == 0) {
            struct es_str rest = {row.at + 8, row.size - 8}, word;
            es_str_word(&rest, &word);
            known = is_status_list(word);
        }
        const char *open = memchr(row.at, '"', row.size);
        if (!known || row.size < 5 || memcmp(row.at, "X(", 2) != 0 || !open ||
            memcmp(row.at, "X(OK,", 5) == 0)
            continue;
        const char *end = open + 1;
        while (end < row.at + row.size && *end != '"')
            end++;
        struct es_str said = {open + 1, (size_t)(end - open) - 1};
        use(NULL, po_keep_text(said), NULL, file, lines.number);
    }
}

static void read_c(const char *file, struct es_str text)
{
    int line = 1;
    while (find(&text, "ES_SAY(", &line)) {
        const char *end =
            text.size > 0 && *text.at == '"' ? memchr(text.at + 1, '"', text.size - 1) : NULL;
        if (end)
            use(po_picture, po_keep_text((struct es_str){text.at + 1, (size_t)(end - text.at) - 1}),
                NULL, file, line);
        else
            po_complain(file, line, "a word is a string in double quotes");
    }
}

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), length = strlen(end);
    return size >= length && strcmp(name + size - length, end) == 0;
}

void po_read_source(const char *file)
{
    static const struct {
        const char *end;
        void (*read)(const char *file, struct es_str text);
    } kinds[] = {{".js", read_script},
                 {".html", read_html},
                 {".webmanifest", read_manifest},
                 {".h", read_header},
                 {".c", read_c}};
    struct es_str text;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ends_with(file, kinds[i].end)) {
            if (po_read_text(file, &text))
                kinds[i].read(file, text);
            return;
        }
    }
    po_complain(file, 0, "no texts are found in files of this kind");
}
