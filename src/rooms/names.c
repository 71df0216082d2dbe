/* Validation of names, labels and chat. The ranges are those of Unicode 14, UnicodeData.txt. */
#include "rooms/internal.h"
#include <string.h>

struct range {
    uint32_t from, to;
};

static bool is_in(const struct range *range, size_t count, uint32_t c)
{
    for (size_t i = 0; i < count; i++)
        if (c >= range[i].from && c <= range[i].to)
            return true;
    return false;
}

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof *(ranges), c)

/* Returns true for control characters, characters that cannot be seen or that change the direction
 * of the text after them, private use, and code points that are no characters. */
static bool is_hidden(uint32_t c)
{
    static const struct range ranges[] = {
        {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x034f, 0x034f},
        {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180e, 0x180e},
        {0x200b, 0x200b},   {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0x2800, 0x2800},   {0x3164, 0x3164},   {0xd800, 0xf8ff},   {0xfdd0, 0xfdef},
        {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffc},   {0x110bd, 0x110bd},
        {0x110cd, 0x110cd}, {0x13430, 0x13438}, {0x16fe4, 0x16fe4}, {0x1bca0, 0x1bca3},
        {0x1d159, 0x1d159}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0x10ffff},
    };
    return IS_IN(ranges, c) || (c & 0xfffe) == 0xfffe;
}

static bool is_blank(uint32_t c)
{
    static const struct range ranges[] = {{0x20, 0x20},     {0xa0, 0xa0},     {0x1680, 0x1680},
                                          {0x2000, 0x200a}, {0x202f, 0x202f}, {0x205f, 0x205f},
                                          {0x3000, 0x3000}};
    return IS_IN(ranges, c);
}

/* The joiners, which scripts and emoji need. */
static bool is_joiner(uint32_t c)
{
    return c == 0x200c || c == 0x200d;
}

/* Variation selectors: they change how the character before them looks. */
static bool is_selector(uint32_t c)
{
    static const struct range ranges[] = {
        {0x180b, 0x180d}, {0x180f, 0x180f}, {0xfe00, 0xfe0f}, {0xe0100, 0xe01ef}};
    return IS_IN(ranges, c);
}

/* Combining marks that any letter can have. */
static bool is_accent(uint32_t c)
{
    static const struct range ranges[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x1ab0, 0x1aff},
                                          {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe20, 0xfe2f}};
    return IS_IN(ranges, c);
}

/* Combining marks (categories Mn and Me) of single scripts in the Basic Multilingual Plane, and the
 * vowels and finals of Hangul that join the letter before them. */
static bool is_script_mark(uint32_t c)
{
    static const struct range ranges[] = {
        /* clang-format off */
        {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2}, {0x05c4, 0x05c5}, {0x05c7, 0x05c7},
        {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4},
        {0x06e7, 0x06e8}, {0x06ea, 0x06ed}, {0x0711, 0x0711}, {0x0730, 0x074a}, {0x07a6, 0x07b0},
        {0x07eb, 0x07f3}, {0x07fd, 0x07fd}, {0x0816, 0x0819}, {0x081b, 0x0823}, {0x0825, 0x0827},
        {0x0829, 0x082d}, {0x0859, 0x085b}, {0x0898, 0x089f}, {0x08ca, 0x08e1}, {0x08e3, 0x0902},
        {0x093a, 0x093c}, {0x0941, 0x094d}, {0x0951, 0x0957}, {0x0962, 0x0963}, {0x0981, 0x0981},
        {0x09bc, 0x09bc}, {0x09c1, 0x09cd}, {0x09e2, 0x09e3}, {0x09fe, 0x0a02}, {0x0a3c, 0x0a51},
        {0x0a70, 0x0a71}, {0x0a75, 0x0a75}, {0x0a81, 0x0a82}, {0x0abc, 0x0abc}, {0x0ac1, 0x0acd},
        {0x0ae2, 0x0ae3}, {0x0afa, 0x0b01}, {0x0b3c, 0x0b3c}, {0x0b3f, 0x0b56}, {0x0b62, 0x0b63},
        {0x0b82, 0x0b82}, {0x0bc0, 0x0bcd}, {0x0c00, 0x0c04}, {0x0c3c, 0x0c3c}, {0x0c3e, 0x0c56},
        {0x0c62, 0x0c63}, {0x0c81, 0x0c81}, {0x0cbc, 0x0cbc}, {0x0cbf, 0x0ccd}, {0x0ce2, 0x0ce3},
        {0x0d00, 0x0d01}, {0x0d3b, 0x0d3c}, {0x0d41, 0x0d4d}, {0x0d62, 0x0d63}, {0x0d81, 0x0d81},
        {0x0dca, 0x0dd6}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e}, {0x0eb1, 0x0eb1},
        {0x0eb4, 0x0ebc}, {0x0ec8, 0x0ecd}, {0x0f18, 0x0f19}, {0x0f35, 0x0f35}, {0x0f37, 0x0f37},
        {0x0f39, 0x0f39}, {0x0f71, 0x0f84}, {0x0f86, 0x0f87}, {0x0f8d, 0x0fbc}, {0x0fc6, 0x0fc6},
        {0x102d, 0x103e}, {0x1058, 0x1059}, {0x105e, 0x1060}, {0x1071, 0x1074}, {0x1082, 0x108d},
        {0x109d, 0x109d}, {0x1161, 0x11ff}, {0x135d, 0x135f}, {0x1712, 0x1714}, {0x1732, 0x1733},
        {0x1752, 0x1753},
        {0x1772, 0x1773}, {0x17b7, 0x17d3}, {0x17dd, 0x17dd}, {0x1885, 0x1886}, {0x18a9, 0x18a9},
        {0x1920, 0x193b}, {0x1a17, 0x1a1b}, {0x1a56, 0x1a7f}, {0x1b00, 0x1b03}, {0x1b34, 0x1b42},
        {0x1b6b, 0x1b73}, {0x1b80, 0x1b81}, {0x1ba2, 0x1bad}, {0x1be6, 0x1bf1}, {0x1c2c, 0x1c37},
        {0x1cd0, 0x1cd2}, {0x1cd4, 0x1ce8}, {0x1ced, 0x1ced}, {0x1cf4, 0x1cf4}, {0x1cf8, 0x1cf9},
        {0x2cef, 0x2cf1}, {0x2d7f, 0x2d7f}, {0x2de0, 0x2dff}, {0x302a, 0x302d}, {0x3099, 0x309a},
        {0xa66f, 0xa672}, {0xa674, 0xa67d}, {0xa69e, 0xa69f}, {0xa6f0, 0xa6f1}, {0xa802, 0xa802},
        {0xa806, 0xa806}, {0xa80b, 0xa80b}, {0xa825, 0xa826}, {0xa82c, 0xa82c}, {0xa8c4, 0xa8c5},
        {0xa8e0, 0xa8f1}, {0xa8ff, 0xa8ff}, {0xa926, 0xa92d}, {0xa947, 0xa951}, {0xa980, 0xa982},
        {0xa9b3, 0xa9bd}, {0xa9e5, 0xa9e5}, {0xaa29, 0xaa36}, {0xaa43, 0xaa43}, {0xaa4c, 0xaa4c},
        {0xaa7c, 0xaa7c}, {0xaab0, 0xaab0}, {0xaab2, 0xaab4}, {0xaab7, 0xaab8}, {0xaabe, 0xaabf},
        {0xaac1, 0xaac1}, {0xaaec, 0xaaed}, {0xaaf6, 0xaaf6}, {0xabe5, 0xabe8}, {0xabed, 0xabed},
        {0xfb1e, 0xfb1e},
        /* clang-format on */
    };
    return IS_IN(ranges, c);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Takes the first character from valid UTF-8. */
static uint32_t next(struct es_str *text)
{
    uint8_t c = (uint8_t)text->at[0];
    size_t size = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    uint32_t value = size == 1 ? c : c & (0xff >> (size + 1));
    for (size_t i = 1; i < size && i < text->size; i++)
        value = value << 6 | ((uint8_t)text->at[i] & 0x3f);
    if (size > text->size)
        size = text->size;
    text->at += size;
    text->size -= size;
    return value;
}

/* Skips the hidden rest of the flag of England, Scotland or Wales, after its black flag: tags that
 * spell `gbeng`, `gbsct` or `gbwls`, and their end. */
static void skip_flag(struct es_str *text)
{
#define TAG(byte) "\xf3\xa0\x81" byte
#define GB TAG("\xa7") TAG("\xa2")
#define END TAG("\xbf")
    static const char *const flags[] = {GB TAG("\xa5") TAG("\xae") TAG("\xa7") END,
                                        GB TAG("\xb3") TAG("\xa3") TAG("\xb4") END,
                                        GB TAG("\xb7") TAG("\xac") TAG("\xb3") END};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        size_t size = strlen(flags[i]);
        if (text->size >= size && memcmp(text->at, flags[i], size) == 0) {
            text->at += size;
            text->size -= size;
            return;
        }
    }
}

bool text_good(struct es_str text, size_t most)
{
    enum {
        BLACK_FLAG = 0x1f3f4,
        ACCENTS_MAX = 2, /* in a row: more are piled up over other lines */
        MARKS_MAX = 5,   /* Hebrew, Tibetan and Burmese words have up to five */
    };
    bool seen = false;
    int accents = 0, marks = 0;
    if (es_str_trim(text).size != text.size || text.size == 0 || es_str_length(text) > most)
        return false;
    while (text.size > 0) {
        uint32_t c = next(&text);
        if (is_hidden(c))
            return false;
        if (is_accent(c) || is_script_mark(c)) {
            accents += is_accent(c);
            if (++marks > MARKS_MAX || accents > ACCENTS_MAX)
                return false;
        } else if (!is_joiner(c) && !is_selector(c)) {
            accents = marks = 0;
            seen |= !is_blank(c);
        }
        if (c == BLACK_FLAG)
            skip_flag(&text);
    }
    return seen;
}

/* Returns true if a joiner or selector changes something after this character, and so is not just
 * an invisible difference between two names: after no letter of English, no blank, and no other of
 * its kind. */
static bool has_effect(uint32_t c, uint32_t before)
{
    bool is_key = before == '#' || before == '*' || (before >= '0' && before <= '9');
    return (before > 0x7f || (is_selector(c) && is_key)) && !is_blank(before) &&
           !is_joiner(before) && !(is_selector(c) && is_selector(before));
}

bool name_good(struct es_str text, size_t most)
{
    if (!text_good(text, most))
        return false;
    for (uint32_t before = ' ', c; text.size > 0; before = c) {
        c = next(&text);
        if ((is_joiner(c) || is_selector(c)) && !has_effect(c, before))
            return false;
    }
    return true;
}
