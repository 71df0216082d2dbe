/* Scanning words and numbers, checking UTF-8, writing into bounded buffers. */
#include <endstation/text.h>
#include <string.h>

struct es_str es_str(const char *text)
{
    return (struct es_str){text, strlen(text)};
}

bool es_str_same(struct es_str a, struct es_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

bool es_str_is(struct es_str a, const char *text)
{
    return es_str_same(a, es_str(text));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct es_str es_str_trim(struct es_str s)
{
    while (s.size > 0 && is_blank(s.at[0])) {
        s.at++;
        s.size--;
    }
    while (s.size > 0 && is_blank(s.at[s.size - 1]))
        s.size--;
    return s;
}

size_t es_str_length(struct es_str s)
{
    size_t length = 0;
    for (size_t i = 0; i < s.size; i++)
        length += ((unsigned char)s.at[i] & 0xc0) != 0x80; /* all but continuation bytes */
    return length;
}

bool es_str_copy(struct es_str s, char *buffer, size_t size)
{
    if (s.size >= size)
        return false;
    if (s.size > 0)
        memcpy(buffer, s.at, s.size);
    buffer[s.size] = '\0';
    return true;
}

bool es_str_word(struct es_str *rest, struct es_str *word)
{
    *rest = es_str_trim(*rest);
    size_t size = 0;
    while (size < rest->size && !is_blank(rest->at[size]))
        size++;
    *word = (struct es_str){rest->at, size};
    rest->at += size;
    rest->size -= size;
    return size > 0;
}

es_status es_str_number(struct es_str s, unsigned max, unsigned *value)
{
    if (s.size == 0 || (s.size > 1 && s.at[0] == '0'))
        return ES_NUMBER_BAD;
    unsigned long long sum = 0;
    for (size_t i = 0; i < s.size; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return ES_NUMBER_BAD;
        if (sum <= max) /* keeps the sum from overflowing however many digits follow */
            sum = sum * 10 + (unsigned)(s.at[i] - '0');
    }
    if (sum > max)
        return ES_NUMBER_RANGE;
    *value = (unsigned)sum;
    return ES_OK;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool es_str_hex(struct es_str s, uint8_t *bytes, size_t size)
{
    if (s.size != 2 * size)
        return false;
    for (size_t i = 0; i < s.size; i++)
        if (hex_digit(s.at[i]) < 0)
            return false;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(hex_digit(s.at[2 * i]) << 4 | hex_digit(s.at[2 * i + 1]));
    return true;
}

es_status es_fault_set(struct es_fault *fault, int line, es_status status, struct es_str words)
{
    enum { SHOWN = 72 }; /* enough for two hashes */
    struct es_out out = {fault->reason, sizeof fault->reason - 1, 0};
    struct es_out said = {fault->words, sizeof fault->words - 1, 0};
    struct es_str shown = words;
    if (shown.size > SHOWN) {
        shown.size = SHOWN;
        while (shown.size > 0 && ((unsigned char)words.at[shown.size] & 0xc0) == 0x80)
            shown.size--; /* never cut through a character */
    }
    es_out_str(&said, shown);
    es_out_text(&said, shown.size < words.size ? "…" : "");
    fault->words[said.used] = '\0';
    if (words.size > 0) {
        es_out_char(&out, '\'');
        es_out_text(&out, fault->words);
        es_out_text(&out, "': ");
    }
    es_out_text(&out, es_status_text(status));
    fault->reason[es_out_ok(&out) ? out.used : out.size] = '\0';
    fault->line = line;
    fault->status = status;
    return status;
}

/* Returns the size of the UTF-8 character at the front of a text, or 0 if our files may not contain
 * it. Overlong forms, surrogates and codes above U+10FFFF are not UTF-8; U+0000–U+001F and
 * U+007F–U+009F are control characters. */
static size_t character_size(const unsigned char *s, size_t size)
{
    if (s[0] < 0x80)
        return (s[0] >= 0x20 && s[0] != 0x7f) || s[0] == '\t';
    size_t more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
    if (s[0] < 0xc2 || s[0] > 0xf4 || size <= more)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool control = s[0] == 0xc2 && s[1] < 0xa0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool surrogate = s[0] == 0xed && s[1] >= 0xa0;
    bool beyond = s[0] == 0xf4 && s[1] >= 0x90;
    return control || overlong || surrogate || beyond ? 0 : more + 1;
}

/* Removes the next physical line from the front and returns it without its line end. */
static struct es_str cut_line(struct es_str *rest)
{
    const char *newline = memchr(rest->at, '\n', rest->size);
    struct es_str line = {rest->at, newline ? (size_t)(newline - rest->at) : rest->size};
    size_t taken = line.size + (newline != NULL);
    rest->at += taken;
    rest->size -= taken;
    if (line.size > 0 && line.at[line.size - 1] == '\r')
        line.size--;
    return line;
}

es_status es_lines_open(struct es_lines *lines, struct es_str text, struct es_fault *fault)
{
    if (text.size > ES_TEXT_MAX)
        return es_fault_set(fault, 0, ES_TOO_LARGE, es_str(""));
    if (text.size >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0) {
        text.at += 3;
        text.size -= 3;
    }
    *lines = (struct es_lines){.rest = text, .line = {text.at, 0}};
    int number = 0;
    while (text.size > 0) {
        struct es_str line = cut_line(&text);
        number++;
        while (line.size > 0) {
            size_t size = character_size((const unsigned char *)line.at, line.size);
            if (size == 0)
                return es_fault_set(fault, number, ES_NOT_TEXT, es_str(""));
            line.at += size;
            line.size -= size;
        }
    }
    return ES_OK;
}

bool es_lines_next(struct es_lines *lines)
{
    if (lines->rest.size == 0)
        return false;
    lines->line = es_str_trim(cut_line(&lines->rest));
    lines->number++;
    return true;
}

bool es_lines_comment(const struct es_lines *lines)
{
    return lines->line.size > 0 && lines->line.at[0] == '#' && lines->number > 1;
}

void es_out_str(struct es_out *out, struct es_str s)
{
    if (out->used < out->size && s.size > 0) {
        size_t room = out->size - out->used;
        memcpy(out->at + out->used, s.at, s.size < room ? s.size : room);
    }
    out->used += s.size;
}

/* Pictures are written character by character, and a copy of one byte is a call in WebAssembly. */
void es_out_char(struct es_out *out, char c)
{
    if (out->used < out->size)
        out->at[out->used] = c;
    out->used++;
}

void es_out_text(struct es_out *out, const char *text)
{
    while (*text)
        es_out_char(out, *text++);
}

void es_out_int(struct es_out *out, int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t unit = 1;
    if (value < 0)
        es_out_char(out, '-');
    while (rest / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        es_out_char(out, (char)('0' + rest / unit % 10));
}

void es_out_hex(struct es_out *out, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        es_out_char(out, "0123456789abcdef"[bytes[i] >> 4]);
        es_out_char(out, "0123456789abcdef"[bytes[i] & 15]);
    }
}

bool es_out_ok(const struct es_out *out)
{
    return out->used <= out->size;
}
