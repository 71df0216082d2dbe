/* A row for each game, and rows as CSV. */
#include <assert.h>
#include <endstation/analysis.h>
#include <endstation/bots.h>
#include <endstation/stats.h>
#include <string.h>

/* ---- Memory --------------------------------------------------------------------------------- */

enum { LISTS = 4 }; /* of numbers: order, grouped, scratch, sorted */

size_t es_stats_bytes(size_t rows)
{
    return rows * (sizeof(struct es_stats_row) + LISTS * sizeof(uint32_t)) + 1;
}

void es_stats_begin(struct es_stats *stats, size_t rows, void *memory)
{
    assert(rows <= ES_STATS_ROWS_MAX);
    *stats = (struct es_stats){.rows = memory, .capacity = rows};
    stats->order = (uint32_t *)(stats->rows + rows);
    stats->grouped = stats->order + rows;
    stats->scratch = stats->grouped + rows;
    stats->sorted = stats->scratch + rows;
}

/* ---- One game ------------------------------------------------------------------------------- */

static unsigned two_digits(const char *at)
{
    return (unsigned)(at[0] - '0') * 10 + (unsigned)(at[1] - '0');
}

/* Returns true for a date like 2026-11-17, of a day that there is. */
static bool is_date(struct es_str text)
{
    static const char form[] = "dddd-dd-dd";
    if (text.size != sizeof form - 1)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        bool digit = text.at[i] >= '0' && text.at[i] <= '9';
        if (form[i] == 'd' ? !digit : text.at[i] != form[i])
            return false;
    }
    static const uint8_t days[] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year = two_digits(text.at) * 100 + two_digits(text.at + 2);
    unsigned month = two_digits(text.at + 5), day = two_digits(text.at + 8);
    bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days[month] &&
           (leaps || month != 2 || day <= 28);
}

/* Fills in date and help from the record's notes. */
static void read_notes(const struct es_record *record, struct es_stats_row *row)
{
    struct es_str word, text;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);) {
        text = es_str_trim(text);
        if (es_str_is(word, "note") && es_str_is(text, "aided"))
            row->aided = true;
        else if (es_str_is(word, "date") && !row->date[0] && is_date(text))
            es_str_copy(text, row->date, sizeof row->date);
    }
}

/* Returns the seat of the person, or of the bot, with that name; 0 if there is none, or if there
 * are several. A bot without a name is called by its level. */
static int seat_named(const struct es_record *record, struct es_str name, bool bots)
{
    int found = 0;
    for (int p = 1; p <= record->setup.players; p++) {
        const char *level = record->bot[p - 1], *own = record->name[p - 1];
        if ((level[0] != '\0') != bots || !es_str_is(name, own[0] ? own : level))
            continue;
        if (found)
            return 0;
        found = p;
    }
    return found;
}

/* Returns your seat; 0 if nobody can tell. `bots`: where only bots sit, it is that of a bot. */
static int seat_of(const struct es_record *record, struct es_str names, bool bots)
{
    int person = 0, people = 0, seat = 0;
    for (int p = 1; p <= record->setup.players; p++)
        if (!record->bot[p - 1][0]) {
            person = p;
            people++;
        }
    if (people == 1)
        return person;
    bots = bots && people == 0;
    while (names.size > 0 && seat == 0) {
        const char *end = memchr(names.at, '\n', names.size);
        size_t size = end ? (size_t)(end - names.at) : names.size;
        struct es_str name = es_str_trim((struct es_str){names.at, size});
        seat = name.size > 0 ? seat_named(record, name, bots) : 0;
        size += end ? 1 : 0;
        names = (struct es_str){names.at + size, names.size - size};
    }
    return seat;
}

static uint8_t rival_of(const struct es_game *game, const char *level)
{
    if (!level[0])
        return ES_STATS_PERSON;
    for (int i = 0; i < ES_STATS_LEVELS_MAX && es_bot_level(game, i); i++)
        if (es_str_is(es_str(level), es_bot_level(game, i)))
            return (uint8_t)i;
    return ES_STATS_OTHER_BOT;
}

/* Returns the name of what a header line of the game's own says; the text itself if it has none. */
static struct es_str named(const struct es_game *game, const char *option, struct es_str text)
{
    for (const struct es_preset *one = game->presets; one && one->option; one++)
        if (es_str_is(es_str(option), one->option) && es_str_is(text, one->text))
            return es_str(one->name);
    return text;
}

/* Fills in the header lines of the game's own that are not the default, separated by `; `. */
static void write_options(const struct es_setup *setup, struct es_stats_row *row)
{
    struct es_out out = {row->options, sizeof row->options - 1, 0};
    for (int i = 0; setup->game->options && setup->game->options[i]; i++) {
        char text[ES_STATS_OPTIONS_BYTES];
        struct es_out value = {text, sizeof text, 0};
        setup->game->write_option(setup, i, &value);
        if (value.used == 0)
            continue;
        assert(es_out_ok(&value));
        es_out_text(&out, out.used > 0 ? "; " : "");
        es_out_text(&out, setup->game->options[i]);
        es_out_char(&out, ' ');
        es_out_str(&out, named(setup->game, setup->game->options[i],
                               es_str_trim((struct es_str){text, value.used})));
    }
    assert(es_out_ok(&out));
    row->options[out.used] = '\0';
}

/* Fills in points and place. Of players with as many points as you, those who win are before you.
 */
static void write_result(const struct es_setup *setup, const struct es_state *state,
                         struct es_stats_row *row)
{
    const struct es_game *game = setup->game;
    unsigned winners = game->winners(setup, state);
    bool won = winners >> (row->seat - 1) & 1;
    row->points = (int16_t)game->score(setup, state, row->seat);
    row->winners = (uint8_t)__builtin_popcount(winners);
    row->place = 1;
    for (int p = 1; p <= setup->players && !won; p++) {
        int points = game->score(setup, state, p);
        bool first = winners >> (p - 1) & 1;
        row->place += p != row->seat && (points > row->points || first);
    }
}

/* Makes the row of a game in which your seat is `seat`, 0 if nobody can tell. */
static enum es_stats_kind make_row(const struct es_record *record, const struct es_state *state,
                                   int seat, struct es_stats_row *row)
{
    const struct es_setup *setup = &record->setup;
    const struct es_game *game = setup->game;
    int rivals = 0;
    if (game->turn(setup, state).kind != ES_TURN_OVER)
        return ES_STATS_UNFINISHED;
    if (seat == 0)
        return ES_STATS_UNKNOWN;
    memset(row, 0, sizeof *row);
    row->game = game;
    row->rules = setup->rules;
    row->players = setup->players;
    row->seat = (uint8_t)seat;
    if (setup->map) {
        memcpy(row->sheet, setup->map->id, sizeof row->sheet);
        memcpy(row->hash, setup->map->hash, sizeof row->hash);
        memcpy(row->title, setup->map->title, sizeof row->title);
    }
    memcpy(row->name, record->name[seat - 1], sizeof row->name);
    for (int p = 1; p <= setup->players; p++)
        if (p != seat)
            row->rival[rivals++] = rival_of(game, record->bot[p - 1]);
    read_notes(record, row);
    write_options(setup, row);
    write_result(setup, state, row);
    row->lines = -1;
    if (game->analysis && game->analysis->completed)
        row->lines = (int16_t)game->analysis->completed(setup, state, seat);
    return ES_STATS_COUNTED;
}

enum es_stats_kind es_stats_row(const struct es_record *record, const struct es_state *state,
                                struct es_str names, struct es_stats_row *row)
{
    return make_row(record, state, seat_of(record, names, false), row);
}

enum es_stats_kind es_stats_add(struct es_stats *stats, const struct es_record *record,
                                const struct es_state *state, struct es_str names)
{
    if (stats->count == stats->capacity)
        return ES_STATS_UNREADABLE;
    enum es_stats_kind kind =
        make_row(record, state, seat_of(record, names, stats->bots), &stats->rows[stats->count]);
    if (kind == ES_STATS_COUNTED)
        stats->count++;
    else
        stats->left[kind]++;
    return kind;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

const char *es_stats_rival(const struct es_game *game, int rival)
{
    if (rival == ES_STATS_PERSON)
        return "person";
    return rival == ES_STATS_OTHER_BOT ? "other" : es_bot_level(game, rival);
}

/* Writes a cell with a text that people have chosen. A spreadsheet would take one that begins with
 * = + - @ for a formula: it gets an apostrophe, and so does one that begins with an apostrophe. */
static void text_cell(struct es_out *out, const char *text)
{
    bool formula = text[0] && memchr("=+-@'\t", text[0], 6), quoted = formula;
    for (const char *c = text; *c; c++)
        quoted = quoted || *c == ',' || *c == '"' || *c == '\n' || *c == '\r';
    if (quoted)
        es_out_char(out, '"');
    if (formula)
        es_out_char(out, '\'');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            es_out_char(out, '"');
        es_out_char(out, *c);
    }
    if (quoted)
        es_out_char(out, '"');
    es_out_char(out, ',');
}

/* Writes a cell with a word or a list of words of ours. */
static void word_cell(struct es_out *out, const char *word)
{
    es_out_text(out, word);
    es_out_char(out, ',');
}

static void number_cell(struct es_out *out, long number)
{
    es_out_int(out, number);
    es_out_char(out, ',');
}

static void rules_cell(struct es_out *out, const struct es_stats_row *row)
{
    const char *between = "";
    for (int i = 0; row->game->rules[i]; i++)
        if (row->rules >> i & 1) {
            es_out_text(out, between);
            es_out_text(out, row->game->rules[i]);
            between = " ";
        }
    es_out_char(out, ',');
}

static void rivals_cell(struct es_out *out, const struct es_stats_row *row)
{
    for (int i = 0; i + 1 < row->players; i++) {
        es_out_text(out, i > 0 ? " " : "");
        es_out_text(out, es_stats_rival(row->game, row->rival[i]));
    }
    es_out_char(out, ',');
}

static void write_row(struct es_out *out, const struct es_stats_row *row)
{
    word_cell(out, row->date);
    word_cell(out, row->game->name);
    text_cell(out, row->sheet);
    word_cell(out, row->hash);
    text_cell(out, row->title);
    rules_cell(out, row);
    text_cell(out, row->options);
    number_cell(out, row->players);
    number_cell(out, row->seat);
    text_cell(out, row->name);
    rivals_cell(out, row);
    number_cell(out, row->points);
    number_cell(out, row->place);
    number_cell(out, row->winners);
    if (row->lines >= 0)
        es_out_int(out, row->lines);
    es_out_char(out, ',');
    es_out_text(out, row->aided ? "yes" : "no");
    es_out_char(out, '\n');
}

void es_stats_csv(const struct es_stats *stats, struct es_out *out)
{
    es_out_text(out, "date,game,sheet,hash,title,rules,options,players,seat,name,others,points,"
                     "place,winners,lines,aided\n");
    for (size_t i = 0; i < stats->count; i++)
        write_row(out, &stats->rows[stats->order[i]]);
}
