/* Tests of the checker of histories (bench/history.h): a sound history has no violations, and each
 * fault that is planted in one is found. */
#include "check.h"
#include "history.h"
#include <endstation/fair.h>

enum { ENTRIES = 2000, TEXT = 1200, LOG = 1 << 20, PLAYERS = 2 };
static const char room_id[] = "abcdefghijklmnop";

/* A store with one room, whose entries can have any number. */
static struct {
    struct store store;
    struct store_head head;
    bool is_there;
    struct store_entry entry[ENTRIES + 1];
    uint64_t number[ENTRIES + 1];
    char text[ENTRIES + 1][TEXT];
    size_t entries;
    /* The log. */
    char log[LOG];
    size_t log_size;
    /* The game. */
    struct es_record record;
    struct es_map map;
    struct es_state state;
    es_event event[ENTRIES];
} world;

static enum store_outcome answer(struct store *store, const struct store_pair *pair, size_t count)
{
    (void)store;
    assert_int_equal(count, 1);
    const struct store_question *question = pair->question;
    struct store_entry *list = calloc(ENTRIES, sizeof *list);
    *pair->answer = (struct store_answer){
        .kind = STORE_READ, .entry = list, .memory = list, .outcome = STORE_STORED};
    assert_int_equal(question->kind, STORE_READ);
    if (!world.is_there || strcmp(question->head.room, room_id) != 0)
        return STORE_STORED;
    pair->answer->found = true;
    pair->answer->head = world.head;
    for (size_t i = 0; i < world.entries; i++)
        if (world.number[i] >= question->first)
            list[pair->answer->entries++] = world.entry[i];
    return STORE_STORED;
}

/* ---- A history ------------------------------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static void log_line(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    world.log_size +=
        (size_t)vsnprintf(world.log + world.log_size, LOG - world.log_size, form, values);
    va_end(values);
    assert_true(world.log_size < LOG);
}

static struct store_entry *add(enum entry_kind kind, int seat, const char *guest, const char *text)
{
    size_t i = world.entries++;
    assert_true(i < ENTRIES);
    world.number[i] = i + 1;
    snprintf(world.text[i], TEXT, "%s", text);
    world.entry[i] = (struct store_entry){.kind = (uint8_t)kind,
                                          .seat = (uint8_t)seat,
                                          .decision = -1,
                                          .text = es_str(world.text[i])};
    snprintf(world.entry[i].guest, STORE_GUEST_BYTES, "%s", guest);
    return &world.entry[i];
}

static void add_with_key(enum entry_kind kind, int seat, const char *guest, const char *text)
{
    struct store_entry *entry = add(kind, seat, guest, text);
    snprintf(entry->key, sizeof entry->key, "key%d", (int)world.entries);
    log_line("asked key %s %c %s %s %s\n", room_id, kind, guest, entry->key, text);
    log_line("told key %s %c %s %s\n", room_id, kind, guest, entry->key);
}

static void write_hex(const uint8_t *bytes, char text[65])
{
    struct es_out out = {text, 64, 0};
    es_out_hex(&out, bytes, 32);
    text[64] = '\0';
}

static const char *guest_of(int seat)
{
    static const char *const name[] = {"", "ada", "bo", "cy"};
    return name[seat];
}

/* Up to the first event. */
static void begin_game(const struct es_game *game)
{
    uint8_t secret[32] = {7}, word[PLAYERS][32] = {{1}, {2}}, hash[32];
    const uint8_t *words[ES_PLAYERS_MAX] = {word[0], word[1]};
    char hex[65], text[TEXT], sheet[40] = "";
    struct es_record *record = &world.record;
    memset(&world, 0, sizeof world);
    world.store = (struct store){.answer = answer};
    world.is_there = true;
    record->events = world.event;
    record->capacity = ENTRIES;
    record->setup = (struct es_setup){.game = game, .players = PLAYERS};
    if (game->has_map) {
        check_builtin(&world.map, es_builtin_maps[0].id);
        record->setup.map = &world.map;
        snprintf(sheet, sizeof sheet, "map %s\n", es_builtin_maps[0].id);
    }
    assert_int_equal(es_setup_prepare(&record->setup), ES_OK);
    write_hex(secret, hex);
    snprintf(text, sizeof text,
             "secret %s\ntable open\nclock 0\n\nendstation-record 1\ngame %s\n%splayers 3\n\n", hex,
             game->name, sheet);
    log_line("told room %s\n", room_id);
    add(ENTRY_MADE, 0, guest_of(1), text);
    es_fair_commit(secret, es_str(room_id), hash);
    write_hex(hash, hex);
    log_line("told commit %s %s\n", room_id, hex);
    for (int p = 0; p < PLAYERS; p++) { /* at seats 1 and 3: the last moves up */
        es_fair_hash(word[p], hash);
        write_hex(hash, hex);
        add_with_key(ENTRY_SAT, 2 * p + 1, guest_of(p + 1), hex);
    }
    add_with_key(ENTRY_CHAT, 1, guest_of(1), "good luck");
    add_with_key(ENTRY_START, 0, guest_of(1), "");
    for (int p = 0; p < PLAYERS; p++) {
        write_hex(word[p], hex);
        add(ENTRY_WORD, p + 1, guest_of(p + 1), hex);
    }
    add(ENTRY_BEGIN, 0, "", "");
    es_fair_seed(secret, es_str(room_id), record, words, record->seed);
    game->start(&record->setup, &world.state);
}

static bool is_over(void)
{
    const struct es_setup *setup = &world.record.setup;
    return setup->game->turn(setup, &world.state).kind == ES_TURN_OVER;
}

/* Plays an event, by chance or by a player, and returns its entry. */
static struct store_entry *play_event(struct es_random *random, int decisions[ES_PLAYERS_MAX + 1])
{
    const struct es_setup *setup = &world.record.setup;
    struct es_turn turn = setup->game->turn(setup, &world.state);
    es_event event, legal[ES_LEGAL_MAX];
    int who = 0;
    if (turn.kind == ES_TURN_CHANCE) {
        event = setup->game->deal(setup, &world.state, world.record.seed);
    } else {
        while (!(turn.players >> who & 1))
            who++;
        size_t count = setup->game->legal(setup, &world.state, ++who, legal);
        event = legal[es_random_below(random, (uint32_t)count)];
    }
    const char *text = check_event(setup, event);
    assert_int_equal(setup->game->apply(setup, &world.state, event), ES_OK);
    world.event[world.record.count++] = event;
    struct store_entry *entry = add(who ? ENTRY_MOVE : ENTRY_CHANCE, who, guest_of(who), text);
    if (who) {
        entry->decision = decisions[who]++;
        log_line("asked move %s %d %d %s\n", room_id, who, entry->decision, text);
        log_line("told move %s %d %d %s\n", room_id, who, entry->decision, text);
    }
    return entry;
}

static void log_streams(void)
{
    const struct es_setup *setup = &world.record.setup;
    for (int viewer = 0; viewer <= PLAYERS; viewer++) {
        static es_event seen[ENTRIES];
        uint8_t hash[ES_SHA256_BYTES];
        char hex[65];
        struct es_sha256 sha;
        size_t count = setup->game->observe(setup, &world.state, world.event, world.record.count,
                                            viewer, seen);
        es_sha256_init(&sha);
        for (size_t i = 0; i < count; i++) {
            const char *text = check_event(setup, seen[i]);
            es_sha256_update(&sha, text, strlen(text));
            es_sha256_update(&sha, "\n", 1);
        }
        es_sha256_final(&sha, hash);
        write_hex(hash, hex);
        log_line("told stream %s %d %zu %s\n", room_id, viewer, count, hex);
    }
}

/* A whole game, or its first events. */
static void play_game(const struct es_game *game, size_t most)
{
    struct es_random random;
    int decisions[ES_PLAYERS_MAX + 1] = {0};
    begin_game(game);
    es_random_seed(&random, 1);
    while (!is_over() && world.record.count < most)
        play_event(&random, decisions);
    world.head.over = is_over();
    log_streams();
    if (is_over()) {
        add(ENTRY_NEXT, 0, guest_of(2), "nextnextnextnext");
        log_line("told next %s nextnextnextnext\n", room_id);
    }
}

/* ---- Checking -------------------------------------------------------------------------------- */

static char complaints[20000]; /* as many as fit */

static void complain(void *context, const char *text)
{
    (void)context;
    size_t used = strlen(complaints);
    snprintf(complaints + used, sizeof complaints - used, "%s\n", text);
}

static struct history_facts check(void)
{
    static const struct history_room listed = {"abcdefghijklmnop"};
    complaints[0] = '\0';
    return history_check(&(struct history){.store = &world.store,
                                           .log = {world.log, world.log_size},
                                           .room = &listed,
                                           .rooms = world.is_there,
                                           .complain = complain});
}

static void expect(const char *words)
{
    struct history_facts facts = check();
    if (facts.complaints == 0 || !strstr(complaints, words))
        fail_msg("no '%s' in: %s", words, complaints);
}

static const struct es_game *some_game(void)
{
    return es_game_named(es_str("metro"));
}

/* The index of the last entry of a kind; `seat` 0: of any seat. */
static size_t last_entry(enum entry_kind kind, int seat)
{
    size_t i = world.entries;
    while (i-- > 0)
        if (world.entry[i].kind == kind && (!seat || world.entry[i].seat == seat))
            return i;
    fail_msg("there is no such entry");
    return 0;
}

/* Takes an entry out. With `is_tight` those after it move up, as if it had never been there. */
static void take_out(size_t at, bool is_tight)
{
    for (size_t i = at; i + 1 < world.entries; i++) {
        world.entry[i] = world.entry[i + 1];
        world.number[i] = world.number[i + 1] - is_tight;
    }
    world.entries--;
}

/* Puts a copy of an entry in at another place. */
static void put_in(size_t from, size_t at)
{
    struct store_entry copy = world.entry[from];
    for (size_t i = world.entries++; i > at; i--)
        world.entry[i] = world.entry[i - 1];
    world.number[world.entries - 1] = world.entries;
    world.entry[at] = copy;
}

static void set_text(size_t at, const char *text)
{
    snprintf(world.text[ENTRIES], TEXT, "%s", text);
    world.entry[at].text = es_str(world.text[ENTRIES]);
}

static void sound_histories_are_found_sound(void **state)
{
    (void)state;
    for (int i = 0; es_games[i]; i++)
        for (int most = 40; es_games[i]->players_max >= PLAYERS && most <= 4000; most *= 100) {
            play_game(es_games[i], (size_t)most);
            struct history_facts facts = check();
            if (facts.complaints)
                fail_msg("%s: %s", es_games[i]->name, complaints);
            assert_int_equal(facts.rooms, 1);
            assert_int_equal(facts.entries, world.entries);
            assert_int_equal(facts.finished, world.head.over);
            assert_int_equal(facts.streams, PLAYERS + 1);
            assert_int_equal(facts.acknowledged, facts.moves);
            assert_true(facts.moves > 0);
        }
}

static void a_lost_move_is_found(void **state)
{
    (void)state;
    play_game(some_game(), 60);
    /* The last one, so that nothing in the list shows it, and its streams were never told. */
    while (world.entry[world.entries - 1].kind != ENTRY_MOVE)
        world.entries--;
    world.entries--;
    expect("was acknowledged and is lost");
    play_game(some_game(), 60);
    take_out(last_entry(ENTRY_MOVE, 0), true);
    expect("was acknowledged and is lost");
}

static void a_move_that_is_there_twice_is_found(void **state)
{
    (void)state;
    play_game(some_game(), 60);
    size_t at = last_entry(ENTRY_MOVE, 0);
    put_in(at, at + 1);
    expect("is also in entry");
    /* The same again, as the next decision: what a repeated message could lead to. */
    play_game(some_game(), 60);
    at = last_entry(ENTRY_MOVE, 0);
    put_in(at, at + 1);
    world.entry[at + 1].decision++;
    expect("is illegal");
    /* A legal move that nobody has asked for. */
    play_game(some_game(), 60);
    char *line = strstr(world.log, "asked move");
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    world.log_size = strlen(world.log);
    expect("nobody has asked for");
}

static void an_altered_move_is_found(void **state)
{
    (void)state;
    const struct es_game *game = some_game();
    struct es_random random;
    int decisions[ES_PLAYERS_MAX + 1] = {0};
    es_event legal[ES_LEGAL_MAX];
    begin_game(game);
    es_random_seed(&random, 1);
    const struct es_setup *setup = &world.record.setup;
    while (setup->game->turn(setup, &world.state).kind != ES_TURN_PLAYERS)
        play_event(&random, decisions);
    size_t count = 0;
    for (int who = 1; count < 2 && who <= PLAYERS; who++)
        count = setup->game->legal(setup, &world.state, who, legal);
    assert_true(count >= 2);
    struct store_entry *entry = play_event(&random, decisions);
    for (size_t i = 0; i < count; i++) { /* another legal one */
        const char *text = check_event(setup, legal[i]);
        if (es_str_is(entry->text, text))
            continue;
        set_text(last_entry(ENTRY_MOVE, 0), text);
        break;
    }
    expect("was acknowledged as");
    set_text(last_entry(ENTRY_MOVE, 0), "nonsense");
    expect("is no event");
}

static void a_gap_in_the_numbers_is_found(void **state)
{
    (void)state;
    play_game(some_game(), 60);
    for (size_t i = world.entries - 5; i < world.entries; i++)
        world.number[i]++;
    expect("there is a gap");
}

static void a_card_that_was_not_dealt_is_found(void **state)
{
    (void)state;
    struct es_random random;
    int decisions[ES_PLAYERS_MAX + 1] = {0};
    es_event legal[ES_LEGAL_MAX];
    begin_game(some_game());
    const struct es_setup *setup = &world.record.setup;
    assert_true(setup->game->legal(setup, &world.state, ES_CHANCE, legal) >= 2);
    es_random_seed(&random, 1);
    play_event(&random, decisions);
    set_text(world.entries - 1, check_event(setup, legal[legal[0] == world.event[0]]));
    expect("does not follow from the seed");
}

static void other_faults_are_found(void **state)
{
    (void)state;
    play_game(some_game(), 60); /* chat is lost; a key is there twice */
    take_out(last_entry(ENTRY_CHAT, 0), true);
    expect("was acknowledged once and is there 0 times");
    play_game(some_game(), 60);
    put_in(last_entry(ENTRY_CHAT, 0), last_entry(ENTRY_CHAT, 0));
    expect("is also in entry");

    play_game(some_game(), 60); /* somebody else's move */
    strcpy(world.entry[last_entry(ENTRY_MOVE, 1)].guest, guest_of(2));
    expect("a move of a guest who does not sit there");
    play_game(some_game(), 60);
    world.head.over = true;
    expect("its head says that the game is over");

    play_game(some_game(), 4000);
    set_text(last_entry(ENTRY_NEXT, 0), "anothernextnextn");
    expect("the rematch was acknowledged as");
    play_game(some_game(), 4000);
    *strstr(world.log, "told commit abcdefghijklmnop ") = 'x';
    expect("a line of the log cannot be read");
}

static void lost_rooms_and_unknown_rooms_are_found(void **state)
{
    (void)state;
    play_game(some_game(), 60);
    world.is_there = false;
    expect("was acknowledged and is lost");
    world.is_there = true;
    world.log_size = 0;
    expect("nobody was told of this room");
}

static void other_streams_are_found(void **state)
{
    (void)state;
    play_game(some_game(), 60);
    char *line = strstr(world.log, "told stream");
    char *hash = strchr(line, '\n') - 1;
    *hash = *hash == '0' ? '1' : '0';
    expect("viewer 0 was shown other lines");
    play_game(some_game(), 60);
    world.log_size = (size_t)(strstr(world.log, "told stream") - world.log);
    log_line("told stream %s 1 17 0\n", room_id);
    expect("viewer 1 was shown 17 lines of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_histories_are_found_sound),
        cmocka_unit_test(a_lost_move_is_found),
        cmocka_unit_test(a_move_that_is_there_twice_is_found),
        cmocka_unit_test(an_altered_move_is_found),
        cmocka_unit_test(a_gap_in_the_numbers_is_found),
        cmocka_unit_test(a_card_that_was_not_dealt_is_found),
        cmocka_unit_test(other_faults_are_found),
        cmocka_unit_test(lost_rooms_and_unknown_rooms_are_found),
        cmocka_unit_test(other_streams_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
