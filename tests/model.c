/* Reference implementation of verplant: see model.h. */
#include "model.h"
#include <endstation/verplant.h>
#include <stdlib.h>
#include <string.h>

/* Cards here: 1 to 9 numbers, 11 to 19 express, 20 transfer, 21 free ride. */
enum { TRANSFER = 20, RIDE = 21 };

static int card_from_text(const char *text)
{
    if (text[0] == '+')
        return TRANSFER;
    if (text[0] == 'o')
        return RIDE;
    return text[0] == 'x' ? 10 + atoi(text + 1) : atoi(text);
}

static void card_to_text(int card, struct es_out *out)
{
    if (card == TRANSFER)
        es_out_text(out, "+");
    else if (card == RIDE)
        es_out_text(out, "o");
    else if (card < 0)
        es_out_text(out, "-");
    else {
        es_out_text(out, card > 10 ? "x" : "");
        es_out_int(out, card % 10);
    }
}

void model_start(struct model *m, const struct es_setup *setup)
{
    memset(m, 0, sizeof *m);
    m->map = setup->map;
    m->players = setup->players;
    m->special = setup->rules & 1;
    m->deck_size = es_verplant_deck(setup)->size;
    for (int i = 0; i < es_verplant_deck(setup)->size; i++) { /* the engine's kinds into ours */
        int kind = es_verplant_deck(setup)->card[i];
        m->deck[i] = kind < 9 ? kind + 1 : kind < 18 ? kind + 2 : kind + 2;
    }
    m->card = -1;
    for (int p = 0; p < 6; p++)
        for (int l = 0; l < 26; l++)
            m->sheet[p].done[l] = -1;
}

static int free_windows(const struct model *m, int p)
{
    int sum = 0;
    for (int l = 0; l < m->map->lines; l++)
        sum += m->map->line[l].windows - m->sheet[p].filled[l];
    return sum;
}

static bool all_full(const struct model *m)
{
    for (int p = 0; p < m->players; p++)
        if (free_windows(m, p) > 0)
            return false;
    return true;
}

static int lines_at(const struct es_map *map, int station)
{
    int lines = 0;
    for (int l = 0; l < map->lines; l++)
        for (int i = 0; i < map->line[l].stops; i++)
            lines += map->line[l].stop[i] == station;
    return lines;
}

/* The stations that an entry may mark, in order; returns how many. */
static int reach(const struct model *m, int p, int line, bool backwards, int *stations)
{
    const struct es_map_line *l = &m->map->line[line];
    const struct model_sheet *sheet = &m->sheet[p];
    bool jumps = m->card > 10;
    int most = m->card == TRANSFER ? 1 : m->card % 10, count = 0;
    for (int i = 0; i < l->stops && count < most; i++) {
        int station = l->stop[backwards && i > 0 ? l->stops - i : i];
        if (!sheet->mark[station])
            stations[count++] = station;
        else if (count > 0 && !jumps)
            break;
    }
    return count;
}

static bool complete(const struct model *m, int p, int line)
{
    for (int i = 0; i < m->map->line[line].stops; i++)
        if (!m->sheet[p].mark[m->map->line[line].stop[i]])
            return false;
    return true;
}

static void end_round_if_all_are_in(struct model *m)
{
    for (int p = 0; p < m->players; p++)
        if (m->sheet[p].owed > 0)
            return;
    for (int l = 0; l < m->map->lines; l++) {
        bool before = false;
        for (int p = 0; p < m->players; p++)
            before |= m->sheet[p].done[l] >= 0;
        for (int p = 0; p < m->players; p++)
            if (m->sheet[p].done[l] < 0 && complete(m, p, l))
                m->sheet[p].done[l] = before ? m->map->line[l].later : m->map->line[l].first;
    }
    if (m->card == 6)
        memset(m->gone, 0, sizeof m->gone);
    m->card = -1;
}

void model_apply(struct model *m, const char *event)
{
    if (strncmp(event, "card ", 5) == 0) {
        m->card = card_from_text(event + 5);
        m->round++;
        int i = 0;
        while (m->gone[i] || m->deck[i] != m->card)
            i++;
        m->gone[i] = 1;
        for (int p = 0; p < m->players; p++)
            m->sheet[p].owed = free_windows(m, p) > 0;
        return;
    }
    int p = event[0] - '1', stations[9], special = 0;
    struct model_sheet *sheet = &m->sheet[p];
    const char *what = event + 2;
    if (what[0] == '@') {
        for (int s = 0; s < m->map->stations; s++)
            if (strcmp(m->map->station[s].id, what + 1) == 0)
                sheet->mark[s] = 'x';
    } else {
        int line = 0, marks = what[strlen(what) - 1] - '0';
        while (m->map->line[line].letter != what[0])
            line++;
        reach(m, p, line, what[1] == '<', stations);
        for (int i = 0; i < marks; i++) {
            sheet->mark[stations[i]] =
                (char)(m->card == TRANSFER ? lines_at(m->map, stations[i]) : 'x');
            special += m->map->station[stations[i]].special && m->special;
        }
        sheet->window[line][sheet->filled[line]++] = m->card;
    }
    sheet->owed += special - 1;
    if (free_windows(m, p) == 0)
        sheet->owed = 0;
    end_round_if_all_are_in(m);
}

int model_choices(const struct model *m, int who)
{
    int count = 0, stations[9];
    if (who == 0) {
        bool seen[22] = {false};
        for (int i = 0; m->card < 0 && !all_full(m) && i < m->deck_size; i++)
            if (!m->gone[i] && !seen[m->deck[i]]) {
                seen[m->deck[i]] = true;
                count++;
            }
        return count;
    }
    const struct model_sheet *sheet = &m->sheet[who - 1];
    if (m->card < 0 || sheet->owed == 0)
        return 0;
    if (m->card == RIDE) {
        for (int s = 0; s < m->map->stations; s++)
            count += !sheet->mark[s];
        return count + 1;
    }
    for (int l = 0; l < m->map->lines; l++)
        if (sheet->filled[l] < m->map->line[l].windows) {
            count += 1 + reach(m, who - 1, l, false, stations);
            if (m->map->line[l].ring)
                count += reach(m, who - 1, l, true, stations);
        }
    return count;
}

int model_copies(const struct model *m, const char *card)
{
    int copies = 0;
    for (int i = 0; i < m->deck_size; i++)
        copies += !m->gone[i] && m->deck[i] == card_from_text(card);
    return copies;
}

static void line(struct es_out *out, const char *text, int number)
{
    es_out_text(out, text);
    es_out_int(out, number);
}

void model_report(const struct model *m, struct es_out *out)
{
    const struct es_map *map = m->map;
    bool over = m->card < 0 && all_full(m);
    int total[6], empty[6];
    es_out_text(out, "game verplant\nmap ");
    es_out_text(out, map->id);
    line(out, "\nplayers ", m->players);
    line(out, "\nround ", m->round);
    es_out_text(out, "\ncard ");
    card_to_text(m->card, out);
    es_out_text(out, over ? "\nover yes\nto-act -" : "\nover no\nto-act");
    if (!over && m->card < 0)
        es_out_text(out, " chance");
    for (int p = 0; p < m->players; p++)
        if (m->card >= 0 && m->sheet[p].owed > 0)
            line(out, " ", p + 1);
    for (int p = 0; p < m->players; p++) {
        const struct model_sheet *sheet = &m->sheet[p];
        int lines = 0, transfers = 0;
        empty[p] = 0;
        for (int l = 0; l < map->lines; l++)
            lines += sheet->done[l] > 0 ? sheet->done[l] : 0;
        for (int s = 0; s < map->stations; s++) {
            transfers += sheet->mark[s] && sheet->mark[s] != 'x' ? 2 * sheet->mark[s] : 0;
            empty[p] += !sheet->mark[s];
        }
        int penalty = m->players == 1 ? empty[p] : empty[p] / 2;
        total[p] = lines + transfers - penalty;
        line(out, "\nplayer ", p + 1);
        line(out, " lines ", lines);
        line(out, " transfers ", transfers);
        line(out, " empty ", empty[p]);
        line(out, " penalty ", penalty);
        line(out, " total ", total[p]);
        line(out, "\nwindows ", p + 1);
        for (int l = 0; l < map->lines; l++) {
            es_out_char(out, ' ');
            es_out_char(out, map->line[l].letter);
            es_out_char(out, ':');
            for (int w = 0; w < sheet->filled[l]; w++) {
                es_out_text(out, w ? "," : "");
                card_to_text(sheet->window[l][w], out);
            }
        }
        line(out, "\nmarks ", p + 1);
        es_out_text(out, empty[p] == map->stations ? " -" : "");
        for (int s = 0; s < map->stations; s++)
            if (sheet->mark[s]) {
                es_out_char(out, ' ');
                es_out_text(out, map->station[s].id);
                if (sheet->mark[s] == 'x')
                    es_out_text(out, "=x");
                else
                    line(out, "=", sheet->mark[s]);
            }
        line(out, "\ndone ", p + 1);
        bool any = false;
        for (int l = 0; l < map->lines; l++)
            if (sheet->done[l] >= 0) {
                es_out_char(out, ' ');
                es_out_char(out, map->line[l].letter);
                line(out, "=", sheet->done[l]);
                any = true;
            }
        es_out_text(out, any ? "" : " -");
    }
    es_out_text(out, over ? "\nwinner" : "\nwinner -");
    for (int p = 0; over && p < m->players; p++) {
        bool beaten = false;
        for (int q = 0; q < m->players; q++)
            beaten |= total[q] > total[p] || (total[q] == total[p] && empty[q] < empty[p]);
        if (!beaten)
            line(out, " ", p + 1);
    }
    es_out_char(out, '\n');
}
