/* Validation of names, labels and chat. */
#include "rooms/internal.h"

/* Returns true for control characters, characters that cannot be seen or that change the direction
 * of the text after them, private use, and code points that are no characters. The joiners U+200C
 * and U+200D and the variation selectors U+FE00 to U+FE0F, which scripts and emoji need, are
 * allowed. */
static bool is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {
        {0x0000, 0x001f},    {0x007f, 0x009f}, {0x00ad, 0x00ad},   {0x034f, 0x034f},
        {0x061c, 0x061c},    {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180e, 0x180e},
        {0x200b, 0x200b},    {0x200e, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},
        {0x3164, 0x3164},    {0xd800, 0xf8ff}, {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
        {0xfff0, 0xfffb},    {0xfffe, 0xffff}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
        {0xf0000, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

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

bool name_good(struct es_str text, size_t most)
{
    struct es_str trimmed = es_str_trim(text);
    if (trimmed.size != text.size || text.size == 0 || es_str_length(text) > most)
        return false;
    bool seen = false;
    while (text.size > 0) {
        uint32_t c = next(&text);
        if (is_hidden(c))
            return false;
        seen = seen || (c != ' ' && c != 0xa0 && c != 0x3000 && c != 0x200c && c != 0x200d &&
                        !(c >= 0x2000 && c <= 0x200a) && !(c >= 0xfe00 && c <= 0xfe0f));
    }
    return seen;
}
