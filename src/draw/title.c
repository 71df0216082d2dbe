/* Titles for screen readers, and named parts of pictures. */
#include "draw/internal.h"
#include <string.h>

const char *es__word(const struct es_draw *draw, const char *word)
{
    int low = 0, high = draw->word_count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(word, draw->words[middle].english);
        if (order == 0)
            return draw->words[middle].translated;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return word;
}

void es__title_text(struct es__title *title, struct es_str text)
{
    if (!title->out.at)
        title->out = (struct es_out){title->text, sizeof title->text, 0};
    if (title->out.used > 0)
        es_out_text(&title->out, ", ");
    es_out_str(&title->out, text);
}

void es__title_word(struct es__title *title, const struct es_draw *draw, const char *word)
{
    es__title_text(title, es_str(es__word(draw, word)));
}

void es__title_called(struct es__title *title, const struct es_draw *draw, const char *word,
                      struct es_str name)
{
    es__title_word(title, draw, word);
    es_out_char(&title->out, ' ');
    es_out_str(&title->out, name);
}

void es__title_named(struct es__title *title, const struct es_draw *draw, const char *word,
                     long number)
{
    es__title_word(title, draw, word);
    es_out_char(&title->out, ' ');
    es_out_int(&title->out, number);
}

void es__title_counted(struct es__title *title, const struct es_draw *draw, long number,
                       const char *word)
{
    es__title_text(title, es_str(""));
    es_out_int(&title->out, number);
    es_out_char(&title->out, ' ');
    es_out_text(&title->out, es__word(draw, word));
}

void es__title_player(struct es__title *title, const struct es_draw *draw, int player)
{
    es__title_named(title, draw, ES_SAY("player"), player);
    if (draw->name && draw->name[player - 1][0]) {
        es_out_char(&title->out, ' ');
        es_out_text(&title->out, draw->name[player - 1]);
    }
}

struct es_str es__titled(const struct es__title *title)
{
    return (struct es_str){title->text, es_out_ok(&title->out) ? title->out.used : 0};
}

struct es_part es__part(const char *kind, const char *prefix, struct es_str name)
{
    struct es_part part = {.kind = kind};
    struct es_out out = {part.id, sizeof part.id - 1, 0};
    es_out_text(&out, prefix);
    es_out_str(&out, name);
    part.id[es_out_ok(&out) ? out.used : 0] = '\0';
    return part;
}
