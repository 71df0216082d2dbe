/* Plays verplant in a terminal: shows the map and a row for each line with what the card would
 * mark, reads entries. */
#include "games/verplant/terminal.h"
#include "cli/play.h"
#include "cli/screen.h"
#include "cli/term_buffer.h"
#include "games/verplant/table.h"
#include "games/verplant/terminal_map.h"
#include <assert.h>
#include <endstation/verplant.h>
#include <string.h>

/* Our own words for the eight solo grades. */
static const char *const grades[] = {
    "The city renames its central station after you.",
    "Trains wave at you as they pass, exactly on time.",
    "A network that makes commuting a pleasure.",
    "Most people arrive, some of them even where they wanted to.",
    "The replacement buses get rave reviews.",
    "It's a pretty map. Just don't ask for a timetable.",
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

/* Special stations have a star if their rule is used. */
static const char *star(const struct es_record *record, int station)
{
    bool special = es_map_special(record->setup.map, station);
    return special && record->setup.rules & ES_VERPLANT_SPECIAL ? "*" : "";
}

static void explain_card(int card)
{
    int marks = es_card_marks(card);
    const char *plural = marks == 1 ? "" : "es";
    if (card == ES_CARD_FREE_RIDE)
        puts(": free ride, one cross in any empty station");
    else if (card == ES_CARD_TRANSFER)
        puts(": transfer, a framed number at the first empty station");
    else if (card >= ES_CARD_EXPRESS)
        printf(": express, up to %d cross%s, jumping marked stations\n", marks, plural);
    else
        printf(": up to %d cross%s in a row\n", marks, plural);
}

/* Returns the card of this round, even if the last entry has closed it. */
static int last_card(const struct es_record *record)
{
    for (size_t i = record->count; i-- > 0;)
        if (ES_EVENT_WHO(record->events[i]) == ES_CHANCE)
            return (int)ES_EVENT_WHAT(record->events[i]);
    return ES_CARD_NONE;
}

static void show_pile(const struct es_setup *setup, const struct es_verplant_state *s)
{
    fputs("Pile:", stdout);
    for (int i = 0; i < es_verplant_deck(setup)->size; i++)
        if (s->pile >> i & 1) {
            putchar(' ');
            print_card(es_verplant_deck(setup)->card[i]);
        }
    printf(" (%d card%s%s)\n", s->pile_count, s->pile_count == 1 ? "" : "s",
           s->card == ES_CARD_SIX ? "; all are shuffled after this 6" : "");
}

/* ---- A line in a row ------------------------------------------------------------------------ */

/* Returns the column after letter, value and windows, where the words of a row begin. */
static int words_column(const struct es_map *map)
{
    int most = 0;
    for (int l = 0; l < map->lines; l++)
        most = map->line[l].windows > most ? map->line[l].windows : most;
    return 15 + 4 * most;
}

/* Prints letter, value, windows and the number of empty stations of a line, up to the words. */
static void show_line(const struct es_record *record, const struct es_state *view, int player,
                      int l)
{
    const struct es_map *map = record->setup.map;
    const struct es_map_line *line = &map->line[l];
    const struct es_verplant_state *s = es_verplant_state(view);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const struct es_verplant_detail *detail = &s->detail[player - 1];
    char value[16];
    if (sheet->scored >> l & 1)
        snprintf(value, sizeof value, "won %d", es_verplant_won(map, detail, l));
    else if (s->claimed >> l & 1)
        snprintf(value, sizeof value, "-/%d", line->later);
    else
        snprintf(value, sizeof value, "%d/%d", line->first, line->later);
    putchar(' ');
    term_say((char[]){line->letter, '\0'}, term_colour(line->colour) | TERM_REVERSED | TERM_STRONG);
    printf(" %-6s ", value);

    int free = es_sheet_free(sheet, l);
    for (int w = 0; w < line->windows; w++) {
        putchar('[');
        if (w < line->windows - free) {
            int card = es_verplant_written(map, detail, l, w);
            print_card(card);
            fputs(card >= ES_CARD_EXPRESS && card < ES_CARD_TRANSFER ? "]" : " ]", stdout);
        } else {
            fputs("  ]", stdout);
        }
    }
    printf("%*s%2d%s ", words_column(map) - 14 - 4 * line->windows, "",
           __builtin_popcountll(sheet->open[l]), play_map_glyphs()->empty);
}

/* Prints how far a line has come. */
static void show_progress(const struct es_map *map, const struct es_sheet *sheet, int l)
{
    if (sheet->open[l] == 0)
        puts("complete");
    else
        printf("empty of %d\n", map->line[l].stops);
}

/* Prints "A3 or fewer: Orchard, West Park, Central*; completes A", for the most marks on the
 * line. */
static void show_marks(const struct es_record *record, const struct es_state *view, int player,
                       int l, int direction)
{
    const struct es_setup *setup = &record->setup;
    const struct es_map *map = setup->map;
    const struct es_verplant_state *s = es_verplant_state(view);
    const struct es__fact *plan;
    char text[ES_NAME_BYTES + 16], letter = map->line[l].letter;
    int most = es_sheet_reach(map, &s->sheet[player - 1], s->card, l, direction);
    int indent = words_column(map);
    es_event event = ES_VERPLANT_ENTRY(player, ES_CHOICE(l, direction, most));
    es_status status = play_plan(setup, view, player, event, &plan);
    assert(status == ES_OK);
    int column = indent + printf("%c%s%d", letter, es__fact_text(plan, "direction"), most);
    if (most > 1)
        column += printf(" or fewer:");
    else
        column += printf(" or %c0:", letter);
    const struct es__fact *names = es__fact_get(plan, "marks"), *name = es__fact_first(names);
    const struct es__fact *ids = es__fact_get(plan, "stations"), *id = es__fact_first(ids);
    const struct es__fact *done = es__fact_get(plan, "done"), *line = es__fact_first(done);
    const char *end = line ? ";" : "";
    int framed = (int)es__fact_int(plan, "framed");
    while (name) {
        int station = es_map_station_named(map, es_str(es__fact_text(id, NULL)));
        int size =
            snprintf(text, sizeof text, "%s%s", es__fact_text(name, NULL), star(record, station));
        if (framed)
            snprintf(text + size, sizeof text - (size_t)size, " gets a %d", framed);
        name = es__fact_next(names, name);
        id = es__fact_next(ids, id);
        column = play_item(text, name ? "," : end, column, indent);
    }
    for (const char *before = "completes "; line; line = es__fact_next(done, line)) {
        snprintf(text, sizeof text, "%s%s", before, es__fact_text(line, NULL));
        column = play_item(text, "", column, indent);
        before = "and ";
    }
    putchar('\n');
}

/* Prints what the card would mark on the line, or what else can be done with it. */
static void show_reach(const struct es_record *record, const struct es_state *view, int player,
                       int l)
{
    const struct es_map *map = record->setup.map;
    const struct es_map_line *line = &map->line[l];
    const struct es_sheet *sheet = &es_verplant_state(view)->sheet[player - 1];
    const char *complete = sheet->open[l] == 0 ? ", complete" : "";
    if (es_sheet_free(sheet, l) == 0) {
        printf("no free window%s\n", complete);
    } else if (sheet->open[l] == 0) {
        printf("%c0: only fills a window%s\n", line->letter, complete);
    } else if (line->ring) {
        show_marks(record, view, player, l, ES_DIRECTION_FORWARDS);
        printf("%*s", words_column(map), "");
        show_marks(record, view, player, l, ES_DIRECTION_BACKWARDS);
    } else {
        show_marks(record, view, player, l, ES_DIRECTION_NONE);
    }
}

static void show_lines(const struct es_record *record, const struct es_state *view, int player,
                       bool reach)
{
    const struct es_map *map = record->setup.map;
    for (int l = 0; l < map->lines; l++) {
        show_line(record, view, player, l);
        if (reach)
            show_reach(record, view, player, l);
        else
            show_progress(map, &es_verplant_state(view)->sheet[player - 1], l);
    }
}

/* ---- The map -------------------------------------------------------------------------------- */

/* Prints the map with the marks, those of the last round highlighted; `lit_line` and `lit_station`
 * are highlighted too (-1: none). */
static int show_map(const struct es_record *record, const struct es_state *view, int player,
                    int lit_line, int lit_station)
{
    const struct es_setup *setup = &record->setup;
    static struct es_state confirmed, before;
    size_t count = record->count;
    for (int cards = 0; count > 0 && cards < 2; count--) /* back to before the last card but one */
        cards += ES_EVENT_WHO(record->events[count - 1]) == ES_CHANCE;
    bool folded = es_fold(setup, record->events, record->count, &confirmed) == ES_OK &&
                  es_fold(setup, record->events, count, &before) == ES_OK;
    assert(folded);
    struct play_marks marks = {
        .sheet = &es_verplant_state(view)->sheet[player - 1],
        .detail = &es_verplant_state(view)->detail[player - 1],
        .confirmed = &es_verplant_state(&confirmed)->sheet[player - 1],
        .before = &es_verplant_state(&before)->sheet[player - 1],
        .lit_line = lit_line,
        .lit_station = lit_station,
    };
    return play_map(setup->map, &marks);
}

/* ---- Stations ------------------------------------------------------------------------------- */

/* Prints one line's stations in order, with the other lines that call there. */
static void show_stops(const struct es_record *record, const struct es_state *view, int player,
                       int l)
{
    const struct es_map *map = record->setup.map;
    const struct es_map_line *line = &map->line[l];
    const struct es_sheet *sheet = &es_verplant_state(view)->sheet[player - 1];
    printf("Line %c%s from its train:\n", line->letter, line->ring ? ", a ring," : "");
    for (int i = 0; i < line->stops; i++) {
        int s = line->stop[i];
        printf("  %2d %s @%-8s %s%s", i + 1, es_sheet_marked(sheet, s) ? "x" : ".",
               map->station[s].id, station_name(map, s), star(record, s));
        const char *before = ", also";
        for (int k = 0; k < map->lines; k++)
            if (k != l && es_map_stops(map, k, s)) {
                printf("%s %c", before, map->line[k].letter);
                before = "";
            }
        putchar('\n');
    }
}

static void show_stations(const struct es_record *record, const struct es_state *view, int player)
{
    const struct es_map *map = record->setup.map;
    const struct es_sheet *sheet = &es_verplant_state(view)->sheet[player - 1];
    for (int s = 0; s < map->stations; s++) {
        bool marked = es_sheet_marked(sheet, s);
        printf("  %s @%-8s %s%s on", marked ? "x" : ".", map->station[s].id, station_name(map, s),
               star(record, s));
        for (int l = 0; l < map->lines; l++)
            if (es_map_stops(map, l, s))
                printf(" %c", map->line[l].letter);
        putchar('\n');
    }
}

/* Prints "Empty: @r1 Old Market (CD), " and so on, for free rides. */
static void show_empty(const struct es_record *record, const struct es_state *view, int player)
{
    const struct es_map *map = record->setup.map;
    const struct es_sheet *sheet = &es_verplant_state(view)->sheet[player - 1];
    int column = printf("Empty:"), left = es_sheet_empty(sheet);
    for (int s = 0; s < map->stations; s++) {
        char text[ES_NAME_BYTES + ES_LINES_MAX + 32];
        struct es_out out = {text, sizeof text - 1, 0};
        if (es_sheet_marked(sheet, s))
            continue;
        es_out_char(&out, '@');
        es_out_text(&out, map->station[s].id);
        es_out_char(&out, ' ');
        es_out_text(&out, station_name(map, s));
        es_out_text(&out, star(record, s));
        es_out_text(&out, " (");
        for (int l = 0; l < map->lines; l++)
            if (es_map_stops(map, l, s))
                es_out_char(&out, map->line[l].letter);
        es_out_char(&out, ')');
        text[out.used] = '\0';
        column = play_item(text, --left ? "," : "", column, 2);
    }
    putchar('\n');
}

static void print_sum(const struct es_record *record, int player, struct es_verplant_sum sum)
{
    printf("%s %d: lines %d, transfers %d, %d empty station%s %d\n",
           record->setup.players > 1 ? play_name(record, player) : "Score", sum.total, sum.lines,
           sum.transfers, sum.empty, sum.empty == 1 ? "" : "s", -sum.penalty);
}

/* ---- The face ------------------------------------------------------------------------------- */

static void show(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative, const struct es_state *before)
{
    (void)tentative, (void)before;
    const struct es_setup *setup = &record->setup;
    const struct es_verplant_state *s = es_verplant_state(view);
    bool acting = entries >= 0 && s->acting >> (player - 1) & 1;
    int card = last_card(record);
    puts("");
    play_rows_wrapped();
    int rows = show_map(record, view, player, -1, -1);
    printf("%s, round %d. Card ", setup->map->title, s->round);
    print_card(card);
    if (entries == 0 || acting)
        explain_card(card);
    else
        puts(entries > 0 ? ": entered, not yet confirmed" : "");
    show_pile(setup, s);
    show_lines(record, view, player, acting && card != ES_CARD_FREE_RIDE);
    if (acting && card == ES_CARD_FREE_RIDE)
        show_empty(record, view, player);
    print_sum(record, player, es_verplant_sum(setup, view, player));
    int owed = es__verplant_owed(&s->sheet[player - 1]);
    if (acting && entries > 0)
        printf("A special station is marked: %d more entr%s with this card.\n", owed,
               owed == 1 ? "y" : "ies");
    rows += setup->map->lines + 5 + play_rows_wrapped();
    screen_warn_of_size("the map and its lines", rows);
}

/* Prints the sum of a player, from the facts about this player. */
static void tell_sum(const struct es_record *record, const struct es__fact *player)
{
    const struct es__fact *sum = es__fact_get(player, "sum");
    print_sum(record, (int)es__fact_int(player, "player"),
              (struct es_verplant_sum){
                  .lines = (int)es__fact_int(sum, "lines"),
                  .transfers = (int)es__fact_int(sum, "transfers"),
                  .empty = (int)es__fact_int(sum, "empty"),
                  .penalty = (int)es__fact_int(sum, "penalty"),
                  .total = (int)es__fact_int(sum, "total"),
              });
}

/* Returns true if a fact of the log (or NULL) is an entry. */
static bool is_entry(const struct es__fact *fact)
{
    return fact && (es__fact_is(fact, "what", "entry") || es__fact_is(fact, "what", "ride"));
}

/* Prints one entry of "Round 5: Ada A3, Grace B2."; `is_first` and `is_last` of its round. Returns
 * the column after it. */
static int tell_entry(const struct es_record *record, const struct es__fact *fact, bool is_first,
                      bool is_last, int column)
{
    char text[ES_NAME_BYTES + ES_EVENT_BYTES];
    if (is_first)
        column = printf("\nRound %ld:", es__fact_int(fact, "round")) - 1;
    const char *event = es__fact_text(fact, "event"); /* "2 F3": the name for the number */
    snprintf(text, sizeof text, "%s%s", play_name(record, (int)es__fact_int(fact, "player")),
             event + strcspn(event, " "));
    return play_item(text, is_last ? ".\n" : ",", column, 2);
}

static void tell_done(const struct es_record *record, const struct es__fact *fact)
{
    long points = es__fact_int(fact, "points");
    bool alone = record->setup.players == 1;
    if (alone)
        fputs("You complete", stdout);
    else
        printf("%s completes", play_name(record, (int)es__fact_int(fact, "player")));
    printf(" line %s: %ld point%s%s.\n", es__fact_text(fact, "line"), points,
           points == 1 ? "" : "s",
           alone                          ? ""
           : es__fact_bool(fact, "first") ? ", the first value"
                                          : ", the second value");
}

static bool tell(const struct cli_news *news)
{
    const struct es__fact *log = news->log, *before = NULL, *next;
    bool alone = news->record->setup.players == 1;
    int column = 0;
    for (const struct es__fact *f = es__fact_first(log); f; before = f, f = next) {
        next = es__fact_next(log, f);
        if (is_entry(f) && !alone)
            column = tell_entry(news->record, f, !is_entry(before), !is_entry(next), column);
        else if (es__fact_is(f, "what", "done"))
            tell_done(news->record, f);
        else if (es__fact_is(f, "what", "card") && es__fact_bool(f, "shuffled"))
            puts("After the 6 all cards are shuffled again.");
    }
    const struct es__fact *players = es__fact_get(news->state, "players");
    for (const struct es__fact *f = es__fact_first(players); f && !alone;
         f = es__fact_next(players, f))
        tell_sum(news->record, f);
    return true;
}

static void finish(const struct cli_news *news)
{
    const struct es_record *record = news->record;
    const struct es_setup *setup = &record->setup;
    const struct es__fact *players = es__fact_get(news->state, "players");
    long rounds = es__fact_int(news->state, "round");
    printf("\nAll windows are full after %ld round%s.\n", rounds, rounds == 1 ? "" : "s");
    for (const struct es__fact *f = es__fact_first(players); f; f = es__fact_next(players, f)) {
        puts("");
        if (setup->players == 1) {
            struct play_marks marks = {.sheet = &es_verplant_state(news->view)->sheet[0],
                                       .detail = &es_verplant_state(news->view)->detail[0],
                                       .lit_line = -1,
                                       .lit_station = -1};
            play_map(setup->map, &marks);
        }
        tell_sum(record, f);
        show_lines(record, news->view, (int)es__fact_int(f, "player"), false);
    }
    puts("");
    if (setup->players == 1) {
        const struct es__fact *player = es__fact_first(players);
        printf("%ld points. %s\n", es__fact_int(player, "score"),
               grades[es__fact_int(player, "grade")]);
        return;
    }
    play_winners(news);
    puts(es__fact_count(es__fact_get(news->state, "tied")) > 0
             ? ": equal points, fewer empty stations."
             : ".");
}

/* Folds a text for comparison: lower case, Latin letters without accents. */
static void fold_name(const char *text, char *folded, size_t size)
{
    static const char plain[] = "aaaaaaaceeeeiiiidnooooo*ouuuuyts"; /* from À and à on */
    struct es_out out = {folded, size - 1, 0};
    for (; *text; text++) {
        unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
        if (c == 0xc3 && next >= 0x80) {
            es_out_char(&out, next == 0x9f ? 's' : plain[next & 31]);
            text++;
        } else {
            es_out_char(&out, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : (char)c);
        }
    }
    folded[es_out_ok(&out) ? out.used : 0] = '\0';
}

/* Returns true if the word is this station's id or part of its name. */
static bool is_meant(const struct es_map_station *station, const char *word, bool by_id)
{
    char name[ES_NAME_BYTES + 1], part[SCREEN_LINE + 1];
    fold_name(by_id ? station->id : station->name, name, sizeof name);
    fold_name(word, part, sizeof part);
    return by_id ? strcmp(name, part) == 0 : strstr(name, part) != NULL;
}

/* Shows the stations whose id or name matches a word. */
static void show_where(const struct es_record *record, const struct es_state *view, int player,
                       const char *word)
{
    const struct es_map *map = record->setup.map;
    int found = 0, last = -1;
    word += word[0] == '@';
    for (int by_id = 1; by_id >= 0 && found == 0; by_id--)
        for (int s = 0; s < map->stations; s++)
            if (is_meant(&map->station[s], word, by_id)) {
                found++;
                last = s;
            }
    if (found == 0 || word[0] == '\0') {
        printf("No station's id or name is like '%s'; 'stations' lists them.\n", word);
        return;
    }
    if (found == 1)
        show_map(record, view, player, -1, last);
    for (int s = 0; s < map->stations; s++) {
        if (found == 1 ? s != last : !is_meant(&map->station[s], word, false))
            continue;
        printf("%s @%s: %s%s on", play_map_glyphs()->here, map->station[s].id, station_name(map, s),
               star(record, s));
        for (int l = 0; l < map->lines; l++)
            if (es_map_stops(map, l, s))
                printf(" %c", map->line[l].letter);
        putchar('\n');
    }
}

/* Returns the line with that letter (typed text is in lower case), or -1. */
static int named_line(const struct es_map *map, const char *letter)
{
    return strlen(letter) == 1 ? es_map_line_named(map, (char)(letter[0] - 'a' + 'A')) : -1;
}

static bool command(const struct es_record *record, const struct es_state *view, int player,
                    const char *words)
{
    const struct es_map *map = record->setup.map;
    char word[8] = "";
    const char *rest = words + strcspn(words, " \t");
    snprintf(word, sizeof word, "%.*s", (int)(rest - words), words);
    rest += strspn(rest, " \t");
    int line = named_line(map, words), shown = named_line(map, rest);
    if (line >= 0)
        show_stops(record, view, player, line);
    else if (strcmp(words, "stations") == 0)
        show_stations(record, view, player);
    else if (strcmp(word, "where") == 0)
        show_where(record, view, player, rest);
    else if (strcmp(word, "map") == 0 && (!rest[0] || shown >= 0))
        show_map(record, view, player, shown, -1);
    else
        return false;
    return true;
}

/* Returns where the last round begins. */
static size_t recap(const es_event *events, size_t known)
{
    while (known > 0 && ES_EVENT_WHO(events[known - 1]) == ES_CHANCE)
        known--;
    while (known > 0 && ES_EVENT_WHO(events[known - 1]) != ES_CHANCE)
        known--;
    return known;
}

/* Reads an entry in the notation of records, but accepts lower case and blanks. */
static es_status read_entry(const struct es_record *record, const struct es_state *view, int player,
                            const char *words, es_event *event)
{
    (void)view;
    char text[256];
    struct es_out out = {text, sizeof text, 0};
    es_out_int(&out, player);
    es_out_char(&out, ' ');
    size_t first = out.used;
    for (; *words; words++)
        if (*words != ' ' && *words != '\t')
            es_out_char(&out, *words);
    if (out.used > first && text[first] >= 'a' && text[first] <= 'z')
        text[first] = (char)(text[first] - 'a' + 'A');
    return record->setup.game->parse(&record->setup, (struct es_str){text, out.used}, event);
}

static void refuse(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, es_status status)
{
    const struct es_map *map = record->setup.map;
    int card = es_verplant_state(view)->card;
    int line = es_map_line_named(map, (char)(words[0] >= 'a' ? words[0] - 'a' + 'A' : words[0]));
    if (status == ES_EVENT_BAD || status == ES_WORD_EXTRA || status == ES_WORD_MISSING) {
        printf("%s: not understood. Write an entry like %c2, or help.\n", words,
               map->line[0].letter);
    } else if (status == ES_MARKS_MANY && line >= 0) {
        int direction = strchr(words, '<')   ? ES_DIRECTION_BACKWARDS
                        : strchr(words, '>') ? ES_DIRECTION_FORWARDS
                                             : ES_DIRECTION_NONE;
        printf("%s: at most %d here.\n", words,
               es_sheet_reach(map, &es_verplant_state(view)->sheet[player - 1], card, line,
                              direction));
    } else if (status == ES_RIDE_NOT_OPEN) {
        if (card == ES_CARD_FREE_RIDE)
            printf("%s: a free ride needs a station, like @%s, or @- for none.\n", words,
                   map->station[0].id);
        else
            printf("%s: stations are chosen with a free ride only.\n", words);
    } else {
        printf("%s: %s.\n", words, es_status_text(status));
    }
}

static void help(const struct es_record *record)
{
    const struct es_map *map = record->setup.map;
    const char *id = map->station[0].id;
    char letter = map->line[0].letter, ring = letter;
    for (int l = 0; l < map->lines; l++)
        if (map->line[l].ring)
            ring = map->line[l].letter;
    fputs("A card is written into a free window of a line and marks stations of that line,\n"
          "starting from its train. A number crosses empty stations in a row; an express\n"
          "(x) skips marked ones; a transfer (+) writes how many lines stop at the first\n"
          "empty station; a free ride (o) crosses any empty station and fills no window.\n"
          "Points: a complete line scores its first value, or its second if another\n"
          "player was faster; framed numbers count twice; each empty station costs a point",
          stdout);
    puts(record->setup.players > 1 ? ",\nhalved.\n" : ".\n");
    printf("Write your entry like this:\n"
           "  %c3         line %c, three marks (as many as the card allows, or fewer)\n"
           "  %c1         a transfer on line %c;  %c0  fill a window and mark nothing\n",
           letter, letter, letter, letter, letter);
    if (map->rings)
        printf("  %c>2  %c<2   on a ring: two marks forwards or backwards\n", ring, ring);
    char ride[32];
    snprintf(ride, sizeof ride, "@%s  @-", id);
    printf("  %-10s free ride: station %s, or none\n", ride, id);
    const struct play_glyphs *g = play_map_glyphs();
    printf("On the map:\n"
           "  %s empty   %s empty and special   %s crossed   %s not yet confirmed\n"
           "  3 a framed number   [%c] the train of line %c%s\n"
           "Below it, one row for every line: its first and second value, or what you won;\n"
           "[4 ] a filled window; 9%s nine stations are empty; and what the card would mark.\n",
           g->empty, g->special, g->crossed, g->planned, letter, letter,
           map->rings ? "; a ring has arrows" : "", g->empty);
    if (record->setup.rules & ES_VERPLANT_SPECIAL)
        puts("Marking a special station (*) means another entry with the same card.");
    printf("Other commands:\n"
           "  %c          the stations of line %c in order, with their other lines\n"
           "  stations   all stations with their ids and lines\n"
           "  where %-4s where a station is: its id, or a part of its name\n"
           "  map        the map alone;  map %c  with only that line on it\n"
           "  sheet      show everything again%s\n",
           letter, letter, id, letter,
           record->setup.players > 1 ? "; sheet 2 shows that of player 2" : "");
}

static const struct cli_command *const commands[] = {&es__cli_maps, &es__cli_hindsight, NULL};

const struct cli_terminal cli_terminal_verplant = {
    .game = &es_verplant,
    .show_command = "sheet",
    .has_sheets = true,
    .reply_to_empty_line = "Make an entry first.",
    .reply_when_entered = "Your entry is made: press Enter to confirm it, or type undo.",
    .recap = recap,
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .read = read_entry,
    .refuse = refuse,
    .help = help,
    .default_map = "practice",
    .about_default_map =
        "This is the practice sheet. Cities: --map amsterdam, berlin, paris, madrid.",
    .setup_help =
        "    --rules special   marking a special station means another entry with the same card\n"
        "    --map MAP         (default: practice)\n"
        "    --deck CARDS      14 (default), 15, or cards like '3 3 4 5 6 x2 x3 + o'\n",
    .commands = commands,
    .print = &es__verplant_print,
    .bench = es__verplant_bench,
};
