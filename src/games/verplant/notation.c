/* Reads and writes verplant's events and reports, in the format that docs/formats.md fixes. */
#include "games/notation.h"
#include "games/verplant/rules.h"
#include <string.h>

const char es_verplant_deck_14[] = "3 3 3 4 4 5 5 6 x2 x2 x3 + + o";
const char es_verplant_deck_15[] = "3 3 3 4 4 4 5 5 6 x2 x2 x3 + + o";

es_status es_verplant_card_read(struct es_str text, uint8_t *card)
{
    int kind = ES_CARD_NUMBER;
    if (es_str_is(text, "+")) {
        *card = ES_CARD_TRANSFER;
        return ES_OK;
    }
    if (es_str_is(text, "o")) {
        *card = ES_CARD_FREE_RIDE;
        return ES_OK;
    }
    if (text.size == 2 && text.at[0] == 'x') {
        kind = ES_CARD_EXPRESS;
        text = (struct es_str){text.at + 1, 1};
    }
    if (text.size != 1 || text.at[0] < '1' || text.at[0] > '9')
        return ES_CARD_BAD;
    *card = (uint8_t)(kind + text.at[0] - '1');
    return ES_OK;
}

void es_verplant_card_write(int card, struct es_out *out)
{
    if (card == ES_CARD_NONE)
        es_out_char(out, '-');
    else if (card == ES_CARD_FREE_RIDE)
        es_out_char(out, 'o');
    else if (card == ES_CARD_TRANSFER)
        es_out_char(out, '+');
    else {
        es_out_text(out, card >= ES_CARD_EXPRESS ? "x" : "");
        es_out_int(out, card % ES_CARD_EXPRESS + 1);
    }
}

es_status es_verplant_deck_read(struct es_setup *setup, struct es_str text)
{
    uint8_t deck[ES_DECK_MAX];
    struct es_str word;
    size_t count = 0;
    bool six = false;
    while (es_str_word(&text, &word)) {
        if (count == ES_DECK_MAX)
            return ES_DECK_SIZE;
        es_status status = es_verplant_card_read(word, &deck[count]);
        if (status)
            return status;
        six |= deck[count++] == ES_CARD_SIX;
    }
    if (count == 0)
        return ES_DECK_SIZE;
    if (!six)
        return ES_DECK_SIX;
    struct es_verplant_deck *chosen = es__verplant_deck(setup);
    memcpy(chosen->card, deck, count);
    chosen->size = (uint8_t)count;
    return ES_OK;
}

es_status es__verplant_read_option(struct es_setup *setup, int option, struct es_str text)
{
    (void)option; /* there is only the deck */
    return es_verplant_deck_read(setup, text);
}

void es__verplant_write_option(const struct es_setup *setup, int option, struct es_out *out)
{
    (void)option;
    const struct es_verplant_deck *deck = es_verplant_deck(setup), *standard;
    struct es_setup usual = {.game = setup->game, .players = 1, .map = setup->map};
    es__verplant_prepare(&usual);
    standard = es_verplant_deck(&usual);
    if (deck->size == standard->size && memcmp(deck->card, standard->card, deck->size) == 0)
        return;
    for (int i = 0; i < deck->size; i++) {
        es_out_text(out, i ? " " : "");
        es_verplant_card_write(deck->card[i], out);
    }
}

/* ---- Events --------------------------------------------------------------------------------- */

/* F3, C>2, C0, @s17, @- */
static es_status parse_entry(const struct es_setup *setup, int player, struct es_str text,
                             es_event *event)
{
    if (text.at[0] == '@') {
        struct es_str id = {text.at + 1, text.size - 1};
        int station = es_map_station_named(setup->map, id);
        if (es_str_is(id, "-"))
            *event = ES_VERPLANT_ENTRY(player, ES_CHOICE_NO_RIDE);
        else if (station < 0)
            return ES_STATION_UNKNOWN;
        else
            *event = ES_VERPLANT_ENTRY(player, ES_CHOICE_RIDE(station));
        return ES_OK;
    }
    int direction = ES_DIRECTION_NONE;
    if (text.size == 3 && (text.at[1] == '<' || text.at[1] == '>'))
        direction = text.at[1] == '<' ? ES_DIRECTION_BACKWARDS : ES_DIRECTION_FORWARDS;
    else if (text.size != 2)
        return ES_EVENT_BAD;
    char digit = text.at[text.size - 1];
    if (text.at[0] < 'A' || text.at[0] > 'Z' || digit < '0' || digit > '9')
        return ES_EVENT_BAD;
    int line = es_map_line_named(setup->map, text.at[0]);
    if (line < 0)
        return ES_LINE_UNKNOWN;
    *event = ES_VERPLANT_ENTRY(player, ES_CHOICE(line, direction, digit - '0'));
    return ES_OK;
}

es_status es__verplant_parse(const struct es_setup *setup, struct es_str text, es_event *event)
{
    struct es_str first, second, extra;
    if (!es_str_word(&text, &first) || !es_str_word(&text, &second))
        return ES_WORD_MISSING;
    if (es_str_word(&text, &extra))
        return ES_WORD_EXTRA;
    if (es_str_is(first, "card")) {
        uint8_t card;
        es_status status = es_verplant_card_read(second, &card);
        if (status == ES_OK)
            *event = ES_VERPLANT_CARD(card);
        return status;
    }
    int player;
    es_status status = es__player_read(setup, first, &player);
    return status ? status : parse_entry(setup, player, second, event);
}

void es__verplant_format(const struct es_setup *setup, es_event event, struct es_out *out)
{
    uint32_t what = ES_EVENT_WHAT(event);
    if (ES_EVENT_WHO(event) == ES_CHANCE) {
        es_out_text(out, "card ");
        es_verplant_card_write((int)what, out);
        return;
    }
    es_out_int(out, ES_EVENT_WHO(event));
    es_out_char(out, ' ');
    if (what >> 8) {
        es_out_char(out, setup->map->line[ES_CHOICE_LINE(what)].letter);
        es_out_text(out, (const char *[]){"", "<", ">"}[ES_CHOICE_DIRECTION(what)]);
        es_out_int(out, ES_CHOICE_MARKS(what));
    } else {
        es_out_char(out, '@');
        es_out_text(out, what ? setup->map->station[what - 1].id : "-");
    }
}

/* ---- Reports -------------------------------------------------------------------------------- */

static void report_sheet(const struct es_setup *setup, const struct es_state *state, int player,
                         struct es_out *out)
{
    const struct es_map *map = setup->map;
    const struct es_sheet *sheet = &es_verplant_state(state)->sheet[player - 1];
    const struct es_verplant_detail *detail = &es_verplant_state(state)->detail[player - 1];
    struct es_verplant_sum sum = es_verplant_sum(setup, state, player);
    es__report_number(out, "player ", player);
    es__report_number(out, " lines ", sum.lines);
    es__report_number(out, " transfers ", sum.transfers);
    es__report_number(out, " empty ", sum.empty);
    es__report_number(out, " penalty ", sum.penalty);
    es__report_number(out, " total ", sum.total);

    es__report_number(out, "\nwindows ", player);
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        es_out_char(out, ' ');
        es_out_char(out, line->letter);
        int filled = line->windows - es_sheet_free(sheet, l);
        for (int w = 0; w < filled; w++) {
            es_out_char(out, w == 0 ? ':' : ',');
            es_verplant_card_write(es_verplant_written(map, detail, l, w), out);
        }
        es_out_text(out, filled == 0 ? ":" : "");
    }

    es__report_number(out, "\nmarks ", player);
    es_out_text(out, sum.empty == map->stations ? " -" : "");
    for (int s = 0; s < map->stations; s++)
        if (es_sheet_marked(sheet, s)) {
            es_out_char(out, ' ');
            es_out_text(out, map->station[s].id);
            if (es_verplant_framed(detail, s))
                es__report_number(out, "=", es_map_calls(map, s));
            else
                es_out_text(out, "=x");
        }

    es__report_number(out, "\ndone ", player);
    es_out_text(out, sheet->scored ? "" : " -");
    for (int l = 0; l < map->lines; l++)
        if (sheet->scored >> l & 1) {
            es_out_char(out, ' ');
            es_out_char(out, map->line[l].letter);
            es__report_number(out, "=", es_verplant_won(map, detail, l));
        }
    es_out_char(out, '\n');
}

void es__verplant_report(const struct es_setup *setup, const struct es_state *state,
                         struct es_out *out)
{
    const struct es_verplant_state *s = es_verplant_state(state);
    struct es_turn turn = es_verplant.turn(setup, state);
    es_out_text(out, "game verplant\nmap ");
    es_out_text(out, setup->map->id);
    es__report_number(out, "\nplayers ", setup->players);
    es__report_number(out, "\nround ", s->round);
    es_out_text(out, "\ncard ");
    es_verplant_card_write(s->card, out);
    es_out_char(out, '\n');
    es__report_over(out, turn);
    es__report_to_act(out, turn);
    for (int p = 1; p <= setup->players; p++)
        report_sheet(setup, state, p, out);
    es__report_winner(out, es_verplant.winners(setup, state));
}
