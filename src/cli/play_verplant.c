/* How verplant looks in a plain terminal. */
#include "play.h"
#include <endstation/verplant.h>
#include <string.h>

/* Our own words for the eight solo grades. */
static const char *const grades[] = {
    "The city renames its central station after you.",
    "Trains wave at you as they pass, exactly on time.",
    "A network to commute on with pleasure.",
    "Most people arrive, some of them even where they wanted to.",
    "The replacement buses are much praised.",
    "The map is pretty; please do not ask for a timetable.",
    "One train runs. Nobody knows why.",
    "Passengers are advised to walk.",
};

static void print_card(int card)
{
    char text[8];
    struct es_out out = {text, sizeof text - 1, 0};
    es_verplant_card_write(card, &out);
    text[out.used] = '\0';
    fputs(text, stdout);
}

static const char *station_name(const struct es_map *map, int station)
{
    return map->station[station].name[0] ? map->station[station].name : map->station[station].id;
}

static bool special_rule(const struct es_record *record)
{
    return record->setup.rules & ES_VERPLANT_SPECIAL;
}

static void explain_card(int card)
{
    int marks = es_card_marks(card);
    const char *plural = marks == 1 ? "" : "es";
    if (card == ES_CARD_FREE_RIDE)
        puts(": free ride, one cross in any empty station, no window");
    else if (card == ES_CARD_TRANSFER)
        puts(": transfer, the first empty station gets the number of its lines");
    else if (card >= ES_CARD_EXPRESS)
        printf(": express, up to %d cross%s, marked stations are jumped\n", marks, plural);
    else
        printf(": up to %d cross%s in a row from the first empty station\n", marks, plural);
}

static void show_pile(const struct es_setup *setup, const struct es_verplant_state *s)
{
    fputs("Pile:", stdout);
    for (int i = 0; i < setup->deck_size; i++)
        if (s->pile >> i & 1) {
            putchar(' ');
            print_card(setup->deck[i]);
        }
    printf(" (%d cards%s)\n", s->left, s->card == ES_CARD_SIX ? "; shuffled after this 6" : "");
}

/* Letter, value, windows, and the stops from the wagon on: x crossed, 3 framed, . empty, * empty
 * and special. */
static void show_line(const struct es_record *record, const struct es_state *view, int player,
                      int l)
{
    const struct es_map *map = record->setup.map;
    const struct es_map_line *line = &map->line[l];
    const struct es_verplant_state *s = es_verplant_view(view);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const struct es_verplant_paper *paper = &s->paper[player - 1];
    char value[16];
    if (sheet->scored >> l & 1)
        snprintf(value, sizeof value, "won %d", paper->first >> l & 1 ? line->first : line->later);
    else if (s->claimed >> l & 1)
        snprintf(value, sizeof value, "-/%d", line->later);
    else
        snprintf(value, sizeof value, "%d/%d", line->first, line->later);
    printf(" %c %-6s ", line->letter, value);

    int free = es_sheet_free(sheet, l), most = 0;
    for (int w = 0; w < line->windows; w++) {
        putchar('[');
        if (w < line->windows - free) {
            int card = paper->written[line->windows_end - line->windows + w];
            print_card(card);
            fputs(card >= ES_CARD_EXPRESS && card < ES_CARD_TRANSFER ? "]" : " ]", stdout);
        } else {
            fputs("  ]", stdout);
        }
    }
    for (int i = 0; i < map->lines; i++)
        most = map->line[i].windows > most ? map->line[i].windows : most;
    printf("%*s %s", 4 * (most - line->windows), "", line->ring ? "o" : " ");
    for (int i = 0; i < line->stops; i++) {
        int station = line->stop[i];
        if (!es_sheet_marked(sheet, station))
            fputs(map->special[station] && special_rule(record) ? " *" : " .", stdout);
        else if (paper->framed[station / 64] >> station % 64 & 1)
            printf(" %d", map->calls[station]);
        else
            fputs(" x", stdout);
    }
    putchar('\n');
}

/* "  A1 to A3: Orchard, West Park, Central*", or why the line is of no use. */
static void show_reach(const struct es_record *record, const struct es_state *view, int player,
                       int l)
{
    const struct es_map *map = record->setup.map;
    const struct es_map_line *line = &map->line[l];
    const struct es_sheet *sheet = &es_verplant_view(view)->sheet[player - 1];
    int card = es_verplant_view(view)->card;
    if (es_sheet_free(sheet, l) == 0 || sheet->open[l] == 0) {
        printf("          %c: %s%s\n", line->letter,
               es_sheet_free(sheet, l) == 0 ? "no free window" : "window only",
               sheet->open[l] == 0 ? ", complete" : "");
        return;
    }
    int last = line->ring ? ES_DIRECTION_BACKWARDS : ES_DIRECTION_NONE;
    for (int d = line->ring ? ES_DIRECTION_FORWARDS : ES_DIRECTION_NONE; d >= last; d--) {
        int reach = es_sheet_reach(map, sheet, card, l, d);
        const char *arrow = (const char *[]){"", "<", ">"}[d];
        printf("          %c%s%d%s: ", line->letter, arrow, reach, reach > 1 ? " or fewer" : "");
        for (int i = 0; i < reach; i++) { /* one more each time: what the next mark is */
            uint64_t next =
                es_sheet_taken(map, sheet, l, d, i + 1) & ~es_sheet_taken(map, sheet, l, d, i);
            int station = line->stop[__builtin_ctzll(next)];
            printf("%s%s%s", i ? ", " : "", station_name(map, station),
                   map->special[station] && special_rule(record) ? "*" : "");
            if (card == ES_CARD_TRANSFER)
                printf(" (%d)", map->calls[station]);
        }
        putchar('\n');
    }
}

static void show_stations(const struct es_record *record, const struct es_state *view, int player,
                          bool all)
{
    const struct es_map *map = record->setup.map;
    const struct es_sheet *sheet = &es_verplant_view(view)->sheet[player - 1];
    for (int s = 0; s < map->stations; s++) {
        bool marked = es_sheet_marked(sheet, s);
        if (marked && !all)
            continue;
        printf("  %s @%-8s %s%s on", marked ? "x" : ".", map->station[s].id, station_name(map, s),
               map->special[s] && special_rule(record) ? "*" : "");
        for (int l = 0; l < map->lines; l++)
            if (memchr(map->line[l].stop, s, map->line[l].stops))
                printf(" %c", map->line[l].letter);
        putchar('\n');
    }
}

static void show_sum(const struct es_record *record, const struct es_state *view, int player)
{
    struct es_verplant_sum sum = es_verplant_sum(&record->setup, view, player);
    printf("%s: lines %d + transfers %d - empty stations %d%s = %d\n",
           record->setup.players > 1 ? play_name(record, player) : "Score", sum.lines,
           sum.transfers, sum.penalty, record->setup.players > 1 ? " (halved)" : "", sum.total);
}

static void show(const struct es_record *record, const struct es_state *view, int player)
{
    const struct es_setup *setup = &record->setup;
    const struct es_verplant_state *s = es_verplant_view(view);
    bool acting = s->acting >> (player - 1) & 1;
    printf("\n%s, round %d. ", setup->map->title, s->round);
    if (s->card != ES_CARD_NONE) {
        fputs("Card ", stdout);
        print_card(s->card);
        explain_card(s->card);
    } else {
        puts("Your entries are made.");
    }
    show_pile(setup, s);
    puts("");
    for (int l = 0; l < setup->map->lines; l++) {
        show_line(record, view, player, l);
        if (acting && s->card != ES_CARD_FREE_RIDE)
            show_reach(record, view, player, l);
    }
    if (acting && s->card == ES_CARD_FREE_RIDE) {
        puts("Empty stations:");
        show_stations(record, view, player, false);
    }
    if (acting && s->sheet[player - 1].owed > 1)
        printf("Special stations call for %d entries with this card.\n", s->sheet[player - 1].owed);
    show_sum(record, view, player);
}

static void tell(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count)
{
    const struct es_setup *setup = &record->setup;
    const struct es_map *map = setup->map;
    if (setup->players > 1) {
        printf("\nRound %d:", es_verplant_view(after)->round);
        for (size_t i = 0; i < count; i++) {
            char text[ES_EVENT_BYTES];
            struct es_out out = {text, sizeof text - 1, 0};
            setup->game->format(setup, events[i], &out);
            text[out.used] = '\0';
            printf("%s %s %s", i ? "," : "", play_name(record, ES_EVENT_WHO(events[i])), text + 2);
        }
        puts(".");
    }
    for (int p = 1; p <= setup->players; p++) {
        const struct es_sheet *sheet = &es_verplant_view(after)->sheet[p - 1];
        uint32_t fresh = sheet->scored & ~es_verplant_view(before)->sheet[p - 1].scored;
        for (int l = 0; l < map->lines; l++)
            if (fresh >> l & 1)
                printf("%s completes line %c: %d points.\n", play_name(record, p),
                       map->line[l].letter,
                       es_verplant_view(after)->paper[p - 1].first >> l & 1 ? map->line[l].first
                                                                            : map->line[l].later);
    }
    if (es_verplant_view(before)->card == ES_CARD_SIX)
        puts("After the 6 all cards are shuffled again.");
    if (setup->players > 1) {
        char line[8];
        fputs("Press Enter> ", stdout);
        fflush(stdout);
        while (fgets(line, sizeof line, stdin) && !strchr(line, '\n'))
            continue;
    }
}

static void finish(const struct es_record *record, const struct es_state *state)
{
    const struct es_setup *setup = &record->setup;
    printf("\nAll windows are full after %d rounds.\n", es_verplant_view(state)->round);
    for (int p = 1; p <= setup->players; p++) {
        puts("");
        for (int l = 0; l < setup->map->lines; l++)
            show_line(record, state, p, l);
        show_sum(record, state, p);
    }
    if (setup->players == 1) {
        int total = setup->game->score(setup, state, 1);
        printf("\n%d points. %s\n", total, grades[es_verplant_grade(total)]);
        return;
    }
    unsigned winners = setup->game->winners(setup, state);
    bool shared = winners & (winners - 1), first = true;
    puts("");
    for (int p = 1; p <= setup->players; p++)
        if (winners >> (p - 1) & 1) {
            printf("%s%s", first ? "" : " and ", play_name(record, p));
            first = false;
        }
    puts(shared ? " share the win." : " wins.");
}

static bool command(const struct es_record *record, const struct es_state *view, int player,
                    const char *word)
{
    if (strcmp(word, "stations") != 0)
        return false;
    show_stations(record, view, player, true);
    return true;
}

const struct play_face play_verplant = {
    .game = &es_verplant,
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .help = "Write your entry like this:\n"
            "  A3         write the card into a window of line A and mark three stations\n"
            "  A0         write the card into a window of line A and mark nothing\n"
            "  C>2  C<2   on a ring (o): two marks forwards or backwards\n"
            "  @r1  @-    free ride: mark station r1, or none\n"
            "Stops are shown from the wagon on: x crossed, 3 a framed number, . empty, * special.\n"
            "Other words:\n"
            "  stations   all stations with their ids and lines\n",
};
