/* Drawn positions for tests of rules: see fixture.h. */
#include "fixture.h"

static es_status attempt(struct fixture *t, const char *text);

static const char ALL_CARDS[] = "1 2 3 4 5 6 7 8 9 x1 x2 x3 x4 x5 x6 x7 x8 x9 + +";

static void add(struct es_out *out, const char *text)
{
    es_out_text(out, text);
}

/* Turns a drawing into a map; collects the crossed stations. */
static void draw_map(struct fixture *t, const char *drawing, char crossed[64][9], int *crosses)
{
    static char stations[8192], lines[8192], text[16384];
    struct es_out s = {stations, sizeof stations, 0}, l = {lines, sizeof lines, 0};
    char seen[128][9];
    int known = 0;
    *crosses = 0;
    struct es_str rest = es_str(drawing);
    while (rest.size > 0) {
        const char *end = memchr(rest.at, '\n', rest.size);
        size_t size = end ? (size_t)(end - rest.at) : rest.size;
        struct es_str line = {rest.at, size}, word;
        rest.at += size + (end != NULL);
        rest.size -= size + (end != NULL);
        assert_true(es_str_word(&line, &word)); /* letter */
        add(&l, "line ");
        es_out_str(&l, word);
        add(&l, " 112233 windows ");
        assert_true(es_str_word(&line, &word)); /* windows */
        es_out_str(&l, word);
        assert_true(es_str_word(&line, &word)); /* first/later */
        const char *slash = memchr(word.at, '/', word.size);
        assert_non_null(slash);
        add(&l, " points ");
        es_out_str(&l, (struct es_str){word.at, (size_t)(slash - word.at)});
        add(&l, " ");
        es_out_str(&l, (struct es_str){slash + 1, word.size - (size_t)(slash - word.at) - 1});
        add(&l, " wagon 0 0");
        assert_true(es_str_word(&line, &word));
        if (es_str_is(word, "ring")) {
            add(&l, " ring");
            assert_true(es_str_word(&line, &word));
        }
        assert_true(es_str_is(word, ":"));
        add(&l, " :");
        while (es_str_word(&line, &word)) {
            char id[9], mark = word.at[word.size - 1];
            assert_true(es_str_copy((struct es_str){word.at, word.size - 1}, id, sizeof id));
            add(&l, " ");
            add(&l, id);
            bool old = false;
            for (int i = 0; i < known; i++)
                old |= strcmp(seen[i], id) == 0;
            if (old)
                continue; /* its mark comes from where it is listed first */
            strcpy(seen[known++], id);
            add(&s, "station ");
            add(&s, id);
            add(&s, mark == '*' ? " 0 0 special\n" : " 0 0\n");
            if (mark == 'x')
                strcpy(crossed[(*crosses)++], id);
            else
                assert_true(mark == '.' || mark == '*');
        }
        add(&l, "\n");
    }
    struct es_out out = {text, sizeof text - 1, 0};
    add(&out, "endstation-map 1\nid drawn\ntitle Drawn\npaper ffffff\n");
    es_out_str(&out, (struct es_str){stations, s.used});
    es_out_str(&out, (struct es_str){lines, l.used});
    text[out.used] = '\0';
    check_map(&t->map, text);
}

/* Starts a game from the header of its record. */
static void begin(struct fixture *t, const struct es_map *map, struct es_str header)
{
    struct es_fault fault;
    struct es_record record = {.events = t->events, .capacity = FIXTURE_EVENTS};
    if (es_record_header(&record, header, &fault) ||
        es_record_events(&record, map, &t->state, &fault))
        fail_msg("%s in\n%.*s", fault.reason, (int)header.size, header.at);
    t->setup = record.setup;
    t->count = 0;
}

void start_sheet(struct fixture *t, const char *header, const char *drawing)
{
    char crossed[64][9], text[1024];
    int crosses;
    draw_map(t, drawing, crossed, &crosses);
    struct es_out out = {text, sizeof text, 0};
    add(&out, "endstation-record 1\ngame verplant\nmap drawn\n");
    add(&out, header);
    if (!strstr(header, "deck ")) {
        add(&out, "deck o ");
        add(&out, ALL_CARDS);
        for (int i = 0; i < crosses; i++)
            add(&out, " o");
        add(&out, "\n");
    }
    begin(t, &t->map, (struct es_str){text, out.used});
    for (int i = 0; i < crosses; i++) {
        play(t, "card o");
        for (int p = 1; p <= t->setup.players; p++) {
            char ride[16] = {(char)('0' + p), ' ', '@'};
            strcat(ride, crossed[i]);
            play(t, ride);
        }
    }
}

/* Deals what is due: unknown tiles, except that the last ones of a player are those of `hand`. */
static void deal_board(struct fixture *t, int player, const char *hand, int *deals, int all)
{
    const struct es_metro_state *s = es_metro_state(&t->state);
    while (t->setup.game->turn(&t->setup, &t->state).kind == ES_TURN_CHANCE) {
        char event[32];
        int from_end = s->player == player ? all - (*deals)++ : ES_HAND_MAX + 1;
        bool known = from_end <= (int)(strlen(hand) + 1) / 5;
        snprintf(event, sizeof event, "deal %d %.4s", s->player,
                 known ? hand + 5 * (from_end - 1) : "?");
        play(t, event);
    }
}

void start_deal(struct fixture *t, const char *header)
{
    char text[256];
    struct es_out out = {text, sizeof text, 0};
    add(&out, "endstation-record 1\ngame metro\n");
    add(&out, header);
    begin(t, NULL, (struct es_str){text, out.used});
}

void start_board(struct fixture *t, const char *header, const char *hand, const char *drawing)
{
    char tiles[ES_SQUARES][5] = {""};
    const struct es_metro_state *s = es_metro_state(&t->state);
    int count = 0, row = 0;
    start_deal(t, header);
    for (struct es_str rest = es_str(drawing), line, word; rest.size > 0; row++) {
        const char *end = memchr(rest.at, '\n', rest.size);
        line = (struct es_str){rest.at, end ? (size_t)(end - rest.at) : rest.size};
        rest = (struct es_str){rest.at + line.size + (end != NULL),
                               rest.size - line.size - (end != NULL)};
        for (int column = 0; es_str_word(&line, &word); column++) {
            assert_true(row < 8 && column < 8 && word.size == 4);
            if (word.at[0] != '.' && word.at[0] != '#') {
                es_str_copy(word, tiles[8 * row + column], 5);
                count++;
            }
        }
    }
    /* The number of tiles that the player at turn will have been dealt: a hand, and one for each
     * tile laid while the stock lasted. */
    int players = t->setup.players, player = count % players + 1;
    int hands = es_metro_hand_size(&t->setup), deals = 0, all = hands;
    for (int i = 0; i < count && i < ES_METRO_TILES - hands * players; i++)
        all += i % players + 1 == player;
    deal_board(t, player, hand, &deals, all);
    while (count > 0) {
        int before = count;
        for (int square = 0; square < ES_SQUARES; square++) {
            char event[32];
            if (!tiles[square][0])
                continue;
            snprintf(event, sizeof event, "%d %.4s %c%d", s->player, tiles[square],
                     'a' + square % 8, square / 8 + 1);
            if (attempt(t, event) == ES_OK) {
                tiles[square][0] = '\0';
                count--;
                deal_board(t, player, hand, &deals, all);
            }
        }
        if (count == before)
            fail_msg("the board cannot be laid as it is drawn");
    }
}

static es_status attempt(struct fixture *t, const char *text)
{
    es_event event;
    es_status status = t->setup.game->parse(&t->setup, es_str(text), &event);
    if (status == ES_OK)
        status = t->setup.game->apply(&t->setup, &t->state, event);
    if (status == ES_OK) {
        assert_true(t->count < FIXTURE_EVENTS);
        t->events[t->count++] = event;
        assert_int_equal(t->setup.game->check(&t->setup, &t->state), ES_OK);
    }
    return status;
}

void play(struct fixture *t, const char *event)
{
    es_status status = attempt(t, event);
    if (status)
        fail_msg("'%s' must be legal, but: %s", event, es_status_text(status));
}

void play_all(struct fixture *t, const char *events)
{
    while (*events) {
        char event[64];
        size_t size = strcspn(events, ";");
        assert_true(size < sizeof event);
        memcpy(event, events, size);
        event[size] = '\0';
        play(t, event);
        events += size + (events[size] == ';');
    }
}

void expect_refused(struct fixture *t, const char *event, es_status reason)
{
    struct es_state before = t->state;
    es_status status = attempt(t, event);
    if (status != reason)
        fail_msg("'%s' must be refused: %s; got: %s", event, es_status_text(reason),
                 es_status_text(status));
    assert_memory_equal(&before, &t->state, sizeof before);
}

void expect_line(const struct fixture *t, const char *line)
{
    static char text[ES_REPORT_BYTES + 1];
    char wanted[1024];
    struct es_out out = {text, ES_REPORT_BYTES, 0};
    t->setup.game->report(&t->setup, &t->state, &out);
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
    snprintf(wanted, sizeof wanted, "\n%s\n", line);
    if (!strstr(text, wanted))
        fail_msg("expected '%s' in\n%s", line, text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char(*)[ES_EVENT_BYTES])a, *(const char(*)[ES_EVENT_BYTES])b);
}

void expect_legal(const struct fixture *t, int who, const char *events)
{
    static char texts[ES_LEGAL_MAX][ES_EVENT_BYTES], all[ES_LEGAL_MAX * ES_EVENT_BYTES];
    es_event legal[ES_LEGAL_MAX];
    size_t count = t->setup.game->legal(&t->setup, &t->state, who, legal);
    for (size_t i = 0; i < count; i++)
        strcpy(texts[i], strchr(check_event(&t->setup, legal[i]), ' ') + 1);
    qsort(texts, count, sizeof texts[0], by_text);
    all[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        strcat(all, i ? " " : "");
        strcat(all, texts[i]);
    }
    assert_string_equal(all, events);
}

void expect_squares(const struct fixture *t, const char *tile, const char *squares)
{
    static struct fixture copy;
    es_event legal[ES_LEGAL_MAX];
    int player = es_metro_state(&t->state)->player;
    size_t count = t->setup.game->legal(&t->setup, &t->state, player, legal);
    char all[ES_SQUARES * 3 + 1] = "";
    for (int square = 0; square < ES_SQUARES; square++) {
        char event[32];
        int listed = 0; /* 1 or 0 times */
        copy = *t;
        snprintf(event, sizeof event, "%d %s %c%d", player, tile, 'a' + square % 8, square / 8 + 1);
        for (size_t i = 0; i < count; i++)
            listed += strcmp(check_event(&t->setup, legal[i]), event) == 0;
        assert_int_equal(listed, attempt(&copy, event) == ES_OK);
        if (listed)
            snprintf(all + strlen(all), 4, "%s%s", all[0] ? " " : "", strrchr(event, ' ') + 1);
    }
    assert_string_equal(all, squares);
}
