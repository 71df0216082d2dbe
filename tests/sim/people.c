/* The people of the simulation: clients that follow docs/protocol.md, pause, lose their state, come
 * back on another device, and now and then send what they should not. */
#include "sim.h"
#include <endstation/fair.h>

enum { KEPT = 6, NEXT_TRIES = 40 };

/* A message with a key, which is sent again until an answer comes. */
struct intent {
    bool live;
    char type[12];
    char key[STORE_KEY_BYTES];
    const char *body; /* the message without its id and its first `{` */
    json_int_t id;    /* of the latest attempt */
    uint64_t conn;    /* the connection of the latest attempt; 0: none yet */
    int tries;
};

/* A room that a person knows of, or the lobby. */
struct stake {
    struct person *person;
    struct stake *next;
    char room[STORE_ROOM_BYTES]; /* empty: the lobby */
    char code[STORE_CODE_BYTES];
    char word[65], hash[65];
    bool wants_seat;
    bool finished; /* the person has nothing more to do there */
    bool leaving;
    int words; /* how the person sends the word: 0 properly, 1 late, 2 wrong, 3 never */
    struct intent intent[KEPT];
    /* A chosen move is kept until it is answered. */
    bool chosen;
    int decision;
    char event[ES_EVENT_BYTES + 1];
    bool asked_rematch;
    int rude_words;
};

struct person {
    int index;
    char name[32];
    int colour;
    char guest[STORE_GUEST_BYTES];
    struct device {
        char token[SIM_TOKEN_BYTES];
        char id[STORE_DEVICE_BYTES];
        bool withdrawn; /* asked for; it may not have happened yet */
        bool out;       /* the server does not know its token any more */
    } device[3];
    int devices;
    uint64_t address;
    bool imp;         /* sends what they should not */
    uint32_t pace_ms; /* how long they think */
    bool asleep, asking, has_map;
    int makes; /* rooms that they still want to make */
    uint64_t turn;
    json_int_t next_id;
    unsigned next_key;
    struct stake *stakes;
    int identities;
};

/* One open page. */
struct tab {
    struct person *person;
    struct stake *stake;
    int device;
    struct conn *conn;
    bool used, welcome;
    bool boasts; /* its `have` in hello was not the number of lines that it has */
    uint64_t turn;
    uint32_t backoff;
    /* What it shows. */
    char phase[12];
    int seat, seats, open_seats;
    bool host, my_bot;
    int late;        /* a seat that is late; 0: none */
    int person_seat; /* somebody else's; 0: none */
    int open_seat;
    unsigned due;
    char next[STORE_ROOM_BYTES];
    bool invitation;
    bool has_view, has_record;
    struct es_record *record;
    struct es_state state;
    char hash[17]; /* of the view */
    json_int_t move_id;
    struct {
        char room[STORE_ROOM_BYTES];
    } table[SIM_ROOMS];
    int tables;
    size_t chats; /* the number of the latest chat message */
    int nasty;    /* its hello was wrong or missing: it may be refused or hear nothing */
};

static struct person people[SIM_PEOPLE];
static int person_count;
static struct tab tabs[SIM_TABS];
static int tab_count;

/* Every guest that a person is or was. */
static struct identity {
    char guest[STORE_GUEST_BYTES];
    int person;
} identity[256];
static int identities;
static struct {
    char token[SIM_TOKEN_BYTES];
    int person;
} known_token[256];
static int known_tokens;

int person_of_guest(const char *guest)
{
    for (int i = 0; i < identities; i++)
        if (!strcmp(identity[i].guest, guest))
            return identity[i].person;
    return -1;
}

int person_of_token(const char *token)
{
    for (int i = 0; i < known_tokens && token[0]; i++)
        if (!strcmp(known_token[i].token, token))
            return known_token[i].person;
    return -1;
}

const char *token_of_device(int person, const char *device)
{
    for (int i = 0; person >= 0 && i < people[person].devices; i++)
        if (!strcmp(people[person].device[i].id, device))
            return sim_text("%s", people[person].device[i].token);
    return "";
}

static bool naughty(const struct person *person, uint32_t n)
{
    return !world.healing && !world.calm && chance(person->imp ? n : 30 * n);
}

/* ---- Sending --------------------------------------------------------------------------------- */

static void tab_soon(struct tab *tab, uint64_t ms)
{
    after(ms, EVENT_TAB, tab, ++tab->turn);
}

static void say_text(struct tab *tab, const char *text)
{
    if (tab->conn)
        world_send(tab->conn, text, strlen(text));
}

/* Sends `{` ID `body`; returns the id. */
static json_int_t say(struct tab *tab, const char *body)
{
    json_int_t id = ++tab->person->next_id;
    char text[9000];
    snprintf(text, sizeof text, "{\"id\":%lld,%s", (long long)id, body);
    say_text(tab, text);
    return id;
}

static const char *new_key(struct person *person)
{
    return sim_text("k%d-%u", person->index, person->next_key++);
}

static const char *random_hex(void)
{
    char *text = sim_alloc(65);
    for (int i = 0; i < 64; i++)
        text[i] = "0123456789abcdef"[below(16)];
    text[64] = '\0';
    return text;
}

static void say_intent(struct tab *tab, struct intent *intent)
{
    intent->conn = tab->conn->id;
    if (intent->tries++)
        count("fault", "the same said again");
    intent->id = say(tab, intent->body);
}

/* Queues a message with a new key. `rest`: its other fields, without the last brace. */
static void want(struct tab *tab, const char *type, const char *rest)
{
    for (int i = 0; i < KEPT; i++) {
        struct intent *intent = &tab->stake->intent[i];
        if (intent->live)
            continue;
        const char *key = new_key(tab->person);
        *intent = (struct intent){.live = true};
        snprintf(intent->type, sizeof intent->type, "%s", type);
        snprintf(intent->key, sizeof intent->key, "%s", key);
        intent->body = sim_text("\"t\":\"%s\",\"key\":\"%s\"%s}", type, key, rest);
        if (tab->conn && tab->welcome)
            say_intent(tab, intent);
        return;
    }
}

static bool wants(const struct stake *stake, const char *type)
{
    for (int i = 0; i < KEPT; i++)
        if (stake->intent[i].live && !strcmp(stake->intent[i].type, type))
            return true;
    return false;
}

/* ---- Tabs ------------------------------------------------------------------------------------ */

static struct tab *tab_of(struct stake *stake, int device)
{
    for (int i = 0; i < tab_count; i++)
        if (tabs[i].used && tabs[i].stake == stake && tabs[i].device == device)
            return &tabs[i];
    return NULL;
}

static struct tab *tab_new(struct stake *stake, int device)
{
    struct tab *tab = tab_of(stake, device);
    if (tab)
        return tab;
    int i = 0;
    while (i < tab_count && (tabs[i].used || tabs[i].conn))
        i++;
    if (i == SIM_TABS)
        return NULL;
    tab_count += i == tab_count;
    tab = &tabs[i];
    uint64_t turn = tab->turn;
    struct es_record *record = tab->record;
    *tab = (struct tab){.person = stake->person,
                        .stake = stake,
                        .device = device,
                        .used = true,
                        .turn = turn,
                        .record = record};
    if (!record) {
        tab->record = sim_alloc(sizeof *tab->record);
        *tab->record = (struct es_record){.capacity = 2048};
        tab->record->events = sim_alloc(2048 * sizeof(es_event));
    }
    tab_soon(tab, between(10, 2000));
    return tab;
}

static void tab_close(struct tab *tab, bool rude)
{
    struct conn *conn = tab->conn;
    tab->conn = NULL;
    tab->welcome = false;
    tab->used = false;
    tab->turn++;
    if (conn) {
        conn->tab = NULL;
        world_leave(conn, rude);
    }
}

static void tab_connect(struct tab *tab)
{
    struct person *person = tab->person;
    const char *token = person->device[tab->device].token;
    bool cookie = chance(2);
    tab->conn = world_open(tab, tab->stake->room[0] ? ROOMS_ROOM : ROOMS_LOBBY, tab->stake->room,
                           cookie ? token : "", person->address);
    tab->welcome = false;
    if (tab->nasty) /* what it has seen was not this person's view */
        tab->has_view = false;
    tab->nasty = 0;
    if (naughty(person, 60)) {
        static const char *const bad[] = {
            "{\"t\":\"hello\",\"v\":2}",
            "{\"t\":\"hello\",\"v\":1}", /* a stranger, without a cookie */
            "{\"t\":\"hello\",\"v\":1,\"token\":"
            "\"00000000000000000000000000000000000000000000000000000000deadbeef\"}",
            "{\"t\":\"hello\",\"v\":1,\"token\":7}",
            "{\"t\":\"chat\",\"id\":1,\"key\":\"early\",\"text\":\"first\"}",
            "",
        };
        const char *text = bad[below(sizeof bad / sizeof *bad)];
        count("fault", "a wrong hello, or none");
        tab->nasty = 1;
        tab->has_view = false;
        if (text[0])
            say_text(tab, text);
        return;
    }
    char text[400], code[40] = "", have[40] = "";
    if (tab->stake->code[0])
        snprintf(code, sizeof code, ",\"code\":\"%s\"", tab->stake->code);
    else if (!tab->stake->room[0] && !chance(4)) /* the others are programs of before */
        snprintf(code, sizeof code, ",\"changes\":true");
    bool honest = tab->has_view && !chance(5);
    if (honest)
        snprintf(have, sizeof have, ",\"have\":%zu", tab->record->count);
    else if (naughty(person, 30))
        snprintf(have, sizeof have, ",\"have\":%u", below(2) ? 999999 : 60);
    tab->boasts = false;
    if (honest) {
        count("fault", "came back with a view");
    } else {
        tab->has_view = false;
        tab->boasts = have[0];
    }
    if (tab->boasts)
        count("fault", "hello with another number than there is");
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1,\"token\":\"%s\"%s%s}",
             cookie && chance(2) ? "" : token, code, have);
    if (cookie && strstr(text, "\"token\":\"\""))
        snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1%s%s}", code, have);
    say_text(tab, text);
}

void tab_lost(struct tab *tab, struct conn *conn, int status)
{
    if (tab->conn != conn)
        return;
    tab->conn = NULL;
    tab->welcome = false;
    if (!tab->used)
        return;
    if (status == 4000 && !tab->nasty && !tab->has_view)
        tab->backoff += 4; /* refused: wait longer before the next attempt */
    tab->backoff += tab->backoff < 8;
    uint64_t pause = (uint64_t)500 << (tab->backoff < 7 ? tab->backoff : 6);
    tab_soon(tab, pause + below((uint32_t)pause));
}

/* ---- Stakes ---------------------------------------------------------------------------------- */

static struct stake *stake_of(struct person *person, const char *room)
{
    for (struct stake *stake = person->stakes; stake; stake = stake->next)
        if (!strcmp(stake->room, room))
            return stake;
    return NULL;
}

static struct stake *stake_new(struct person *person, const char *room, const char *code,
                               bool wants_seat)
{
    struct stake *stake = stake_of(person, room);
    if (stake) {
        if (code[0])
            snprintf(stake->code, sizeof stake->code, "%s", code);
        return stake;
    }
    stake = sim_alloc(sizeof *stake);
    *stake = (struct stake){.person = person, .next = person->stakes, .wants_seat = wants_seat};
    snprintf(stake->room, sizeof stake->room, "%s", room);
    snprintf(stake->code, sizeof stake->code, "%s", code);
    person->stakes = stake;
    uint8_t bytes[ES_FAIR_BYTES], hash[ES_FAIR_BYTES];
    memcpy(stake->word, random_hex(), 65);
    es_str_hex(es_str(stake->word), bytes, sizeof bytes);
    es_fair_hash(bytes, hash);
    struct es_out out = {stake->hash, 64, 0};
    es_out_hex(&out, hash, sizeof hash);
    stake->words = world.calm || !chance(8) ? 0 : 1 + (int)below(3);
    return stake;
}

static void open_stake(struct stake *stake, int device)
{
    if (!stake->finished && !stake->person->asleep && stake->person->guest[0])
        tab_new(stake, device);
}

/* Lets others know of a room, as by a link or a code on the phone. */
static void invite(struct person *host, const char *room, const char *code, int seats)
{
    int asked = 0;
    for (int i = 0; i < NEXT_TRIES && asked < seats; i++) {
        struct person *friend = &people[below((uint32_t)person_count)];
        if (friend == host || !friend->guest[0] || stake_of(friend, room))
            continue;
        struct stake *stake = stake_new(friend, room, code, true);
        open_stake(stake, 0);
        asked++;
    }
    if (chance(2)) {
        struct person *watcher = &people[below((uint32_t)person_count)];
        if (watcher != host && watcher->guest[0] && !stake_of(watcher, room))
            open_stake(stake_new(watcher, room, code, false), 0);
    }
}

/* ---- Making rooms ---------------------------------------------------------------------------- */

static const char *const levels[] = {"random", "greedy", "casual", "strong", "master"};

static void make_room(struct tab *tab)
{
    struct person *person = tab->person;
    char setup[400], rest[700], bot[32] = "";
    int seats = 2 + (int)below(chance(4) ? 5 : 2);
    if (chance(3))
        snprintf(bot, sizeof bot, "bot %d %s\\n", 1 + (int)below((uint32_t)seats),
                 levels[below(5)]);
    if (chance(3)) {
        static const char *const rules[] = {"", "rules rotate\\n", "rules hand2\\n",
                                            "rules rotate hand3\\n"};
        snprintf(setup, sizeof setup, "game metro\\nplayers %d\\n%s%s", seats, rules[below(4)],
                 bot);
    } else {
        static const char *const maps[] = {"berlin", "paris", "amsterdam", "madrid"};
        char map[80];
        snprintf(map, sizeof map, "%s", chance(8) ? maps[below(4)] : "practice");
        if (person->has_map && chance(2))
            snprintf(map, sizeof map, "mine %s", own_map_hash());
        if (chance(8))
            seats = 1;
        snprintf(setup, sizeof setup, "game verplant\\nmap %s\\nplayers %d\\n%s%s", map, seats,
                 chance(2) ? "rules special\\n" : "", seats > 1 ? bot : "");
    }
    static const int clocks[] = {0, 0, 15, 30, 60, 3600, 86400};
    static const int patiences[] = {60, 60, 600, 3600};
    snprintf(rest, sizeof rest,
             ",\"setup\":\"%s\",\"open\":%s,\"watch\":%s,\"hints\":%s,\"clock\":%d,"
             "\"patience\":%d",
             setup, chance(2) ? "true" : "false", chance(4) ? "false" : "true",
             chance(2) ? "true" : "false", clocks[below(7)], patiences[below(4)]);
    person->makes--;
    want(tab, "make", rest);
}

/* ---- Bad messages ---------------------------------------------------------------------------- */

static void find_wrong(struct tab *tab)
{
    char text[80], code[STORE_CODE_BYTES] = "";
    int size = chance(2) ? 8 : STORE_CODE_BYTES - 1;
    for (int i = 0; i < size; i++)
        code[i] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"[below(32)];
    snprintf(text, sizeof text, "\"t\":\"find\",\"code\":\"%s\"}", code);
    say(tab, text);
}

static void be_nasty(struct tab *tab)
{
    static const char *const odd[] = {
        "\"t\":\"dance\"}",
        "\"t\":7}",
        "\"t\":\"sit\"}",
        "\"t\":\"sit\",\"key\":\"a key with blanks\",\"seat\":1}",
        "\"t\":\"sit\",\"key\":\"sit-odd\",\"seat\":77,\"hash\":\"zz\"}",
        "\"t\":\"sit\",\"key\":\"sit-again\",\"hash\":"
        "\"00000000000000000000000000000000000000000000000000000000deadbeef\"}",
        "\"t\":\"chat\",\"key\":\"ch-1\",\"text\":\"\"}",
        "\"t\":\"react\",\"what\":\"spit\"}",
        "\"t\":\"make\",\"key\":\"mk-1\",\"setup\":\"game chess\\nplayers 2\\n\"}",
        "\"t\":\"make\",\"key\":\"mk-2\",\"setup\":\"game metro\\nplayers 9\\n\"}",
        "\"t\":\"make\",\"key\":\"mk-3\",\"setup\":\"game verplant\\nmap atlantis\\nplayers "
        "2\\n\"}",
        "\"t\":\"make\",\"key\":\"mk-4\",\"setup\":\"game metro\\nplayers 2\\nbot 1 "
        "genius\\n\"}",
        "\"t\":\"make\",\"key\":\"mk-5\",\"setup\":\"game metro\\nplayers 2\\n\",\"clock\":3}",
        "\"t\":\"make\",\"key\":\"mk-6\",\"setup\":\"game verplant\\nmap mine "
        "00000000000000000000000000000000\\nplayers 2\\n\"}",
        "\"t\":\"name\",\"name\":\"\\u202eevil\",\"colour\":1}",
        "\"t\":\"name\",\"name\":\"Colourful\",\"colour\":99}",
        "\"t\":\"withdraw\",\"device\":\"00000000\"}",
        "\"t\":\"word\",\"word\":\"short\"}",
        "\"t\":\"word\",\"word\":"
        "\"0000000000000000000000000000000000000000000000000000000000000000\"}",
        "\"t\":\"start\",\"key\":\"st-1\"}",
        "\"t\":\"close\",\"key\":\"cl-1\"}",
        "\"t\":\"seat\",\"key\":\"se-1\",\"seat\":1,\"bot\":\"random\"}",
        "\"t\":\"seat\",\"key\":\"se-2\",\"seat\":9,\"bot\":\"random\"}",
        "\"t\":\"leave\",\"key\":\"le-1\"}",
        "\"t\":\"remove\",\"key\":\"re-3\",\"seat\":1}",
        "\"t\":\"report\",\"n\":77}",
        "\"t\":\"give\",\"key\":\"gi-1\",\"bot\":\"genius\"}",
        "\"t\":\"take\",\"key\":\"ta-1\"}",
        "\"t\":\"replace\",\"key\":\"re-1\",\"seat\":1,\"bot\":\"random\"}",
        "\"t\":\"replace\",\"key\":\"re-2\",\"seat\":2,\"bot\":\"genius\"}",
        "\"t\":\"rematch\",\"key\":\"rm-1\"}",
        "\"t\":\"move\",\"decision\":0,\"event\":\"1 draw\"}",
        "\"t\":\"move\",\"decision\":0,\"event\":\"card 4\"}",
        "\"t\":\"move\",\"decision\":-3,\"event\":\"nonsense\"}",
        "\"t\":\"move\",\"event\":4}",
        "\"t\":\"hello\",\"v\":1}",
        "\"t\":\"chat\",\"key\":\"stranger-chat\",\"text\":\"hello from nobody\"}",
    };
    static char long_text[9001];
    char text[700];
    struct stake *stake = tab->stake;
    switch (below(9)) {
    case 0:
        count("fault", "garbage");
        say_text(tab, chance(2) ? "\xff\x00garbage" : "[1,2,3]");
        break;
    case 1:
        count("fault", "a message that is too long");
        memset(long_text, 'a', sizeof long_text - 1);
        say_text(tab, long_text);
        break;
    case 2:
        count("fault", "flood");
        for (int i = 0; i < 30; i++)
            say(tab, "\"t\":\"ping\"}");
        break;
    case 3:
        if (chance(4)) {
            count("fault", "many wrong codes");
            for (int i = 0; i < 19; i++)
                find_wrong(tab);
        }
        find_wrong(tab);
        break;
    case 4: /* a key twice, with another content */
        if (!stake->room[0])
            break;
        count("fault", "a key with another content");
        snprintf(text, sizeof text, "\"t\":\"chat\",\"key\":\"twice-%d\",\"text\":\"%u\"}",
                 tab->person->index, below(1000));
        say(tab, text);
        break;
    case 5: /* somebody else's move, or one for another decision */
        if (!tab->has_view || !tab->seat)
            break;
        count("fault", "a move for the wrong decision or seat");
        if (stake->chosen) {
            snprintf(text, sizeof text, "\"t\":\"move\",\"decision\":%d,\"event\":\"%s\"}",
                     stake->decision + (chance(2) ? 1 : -1), stake->event);
            say(tab, text);
            text[0] = stake->event[0];
            snprintf(text, sizeof text, "\"t\":\"move\",\"decision\":%d,\"event\":\"%c%s\"}",
                     stake->decision, stake->event[0] == '1' ? '2' : '1', stake->event + 1);
            say(tab, text);
        } else {
            say(tab, "\"t\":\"move\",\"decision\":1,\"event\":\"1 draw\"}");
        }
        break;
    default:
        count("fault", "an odd message");
        say(tab, odd[below(sizeof odd / sizeof *odd)]);
    }
}

/* ---- In a room ------------------------------------------------------------------------------- */

static int decisions_made(const struct tab *tab)
{
    int made = 0;
    for (size_t i = 0; i < tab->record->count; i++)
        made += ES_EVENT_WHO(tab->record->events[i]) == tab->seat;
    return made;
}

static void send_move(struct tab *tab)
{
    char text[120];
    snprintf(text, sizeof text, "\"t\":\"move\",\"decision\":%d,\"event\":\"%s\"}",
             tab->stake->decision, tab->stake->event);
    tab->move_id = say(tab, text);
}

static void choose_move(struct tab *tab)
{
    static es_event events[ES_LEGAL_MAX];
    struct stake *stake = tab->stake;
    const struct es_setup *setup = &tab->record->setup;
    size_t legal = setup->game->legal(setup, &tab->state, tab->seat, events);
    if (legal == 0)
        violated("room %s: seat %d is due, but has no move in its view", stake->room, tab->seat);
    stake->chosen = true;
    stake->decision = decisions_made(tab);
    format_event(setup, events[below((uint32_t)legal)], stake->event);
    send_move(tab);
    if (!world.healing && chance(15)) {
        count("fault", "the same move twice");
        send_move(tab);
    }
}

static void play(struct tab *tab)
{
    struct stake *stake = tab->stake;
    bool due = tab->has_view && tab->seat && (tab->due >> (tab->seat - 1) & 1);
    if (stake->chosen && stake->decision < decisions_made(tab))
        stake->chosen = false;
    if (tab->my_bot) {
        if ((world.healing || chance(4)) && !wants(stake, "take"))
            want(tab, "take", "");
    } else if (due && stake->chosen) {
        send_move(tab);
        tab_soon(tab, between(SECONDS(3), SECONDS(20)));
        return;
    } else if (due) {
        choose_move(tab);
        tab_soon(tab, between(SECONDS(3), SECONDS(20)));
        return;
    } else if (tab->seat && !world.healing && chance(60) && !wants(stake, "give")) {
        want(tab, "give", sim_text(",\"bot\":\"%s\"", levels[below(5)]));
    }
    if (tab->seat && tab->late && tab->late != tab->seat && !wants(stake, "replace") &&
        (world.healing || chance(3)))
        want(tab, "replace", sim_text(",\"seat\":%d,\"bot\":\"%s\"", tab->late, levels[below(2)]));
    tab_soon(tab, between(SECONDS(20), MINUTES(5)));
}

static void small_talk(struct tab *tab)
{
    static const char *const reactions[] = {"hello", "clap",  "laugh",  "think",
                                            "wow",   "sorry", "thanks", "hurry"};
    if (world.healing)
        return;
    switch (below(24)) {
    case 0:
        say(tab, sim_text("\"t\":\"react\",\"what\":\"%s\"}", reactions[below(8)]));
        break;
    case 1:
        if (tab->invitation || chance(6))
            want(tab, "chat", sim_text(",\"text\":\"Grüße Nr. %u\"", below(1000)));
        break;
    case 2:
        say(tab, "\"t\":\"again\"}");
        break;
    case 3:
        say(tab, "\"t\":\"ping\"}");
        break;
    case 4:
        if (chance(4))
            say(tab,
                sim_text("\"t\":\"report\",\"%s\":%u}", chance(2) ? "n" : "seat", 1 + below(4)));
        break;
    default:
        break;
    }
}

static void arrange(struct tab *tab)
{
    struct stake *stake = tab->stake;
    if (tab->seat == 0 && stake->wants_seat && tab->open_seats && !wants(stake, "sit")) {
        want(tab, "sit",
             sim_text(",\"seat\":%d,\"hash\":\"%s\"",
                      chance(3) ? 1 + (int)below((uint32_t)tab->seats) : 0, stake->hash));
    } else if (tab->seat && stake->leaving && !wants(stake, "leave")) {
        want(tab, "leave", "");
        stake->leaving = false;
    }
    if (tab->host && !world.healing) {
        if (tab->open_seats == 0 || chance(6)) {
            if (!wants(stake, "start"))
                want(tab, "start", "");
        } else if (chance(6)) {
            want(tab, "seat",
                 sim_text(",\"seat\":%d,\"bot\":\"%s\"", tab->open_seat, levels[below(5)]));
        } else if (chance(60) && tab->person_seat) {
            want(tab, "seat", sim_text(",\"seat\":%d,\"bot\":\"\"", tab->person_seat));
        } else if (chance(60) && tab->person_seat) {
            want(tab, "remove", sim_text(",\"seat\":%d", tab->person_seat));
        } else if (chance(150)) {
            want(tab, "close", "");
        }
    }
    if (tab->seat && !world.healing && chance(80))
        stake->leaving = true;
    tab_soon(tab, world.healing ? MINUTES(30) : between(SECONDS(5), MINUTES(2)));
}

static void send_word(struct tab *tab)
{
    struct stake *stake = tab->stake;
    char text[120];
    if (!tab->seat || stake->words == 3) {
        if (tab->seat)
            count("fault", "word never sent");
        return;
    }
    if (stake->words == 1) {
        stake->words = 0;
        count("fault", "word late");
        tab_soon(tab, between(SECONDS(8), SECONDS(20)));
        return;
    }
    snprintf(text, sizeof text, "\"t\":\"word\",\"word\":\"%s\"}",
             stake->words == 2 ? stake->hash : stake->word);
    if (stake->words == 2)
        count("fault", "word wrong");
    say(tab, text);
    tab_soon(tab, SECONDS(4));
}

static void act_in_room(struct tab *tab)
{
    struct stake *stake = tab->stake;
    if (!strcmp(tab->phase, "waiting")) {
        arrange(tab);
    } else if (!strcmp(tab->phase, "words")) {
        tab_soon(tab, SECONDS(15));
        send_word(tab);
    } else if (!strcmp(tab->phase, "playing")) {
        play(tab);
    } else if (!strcmp(tab->phase, "over") || !strcmp(tab->phase, "closed")) {
        if (!strcmp(tab->phase, "over") && tab->seat && !stake->asked_rematch && !tab->next[0] &&
            !world.healing && chance(4)) {
            stake->asked_rematch = true;
            if (!mirror_number(8))
                want(tab, "rematch", "");
            tab_soon(tab, SECONDS(20));
            return;
        }
        if (tab->next[0] && tab->seat && !mirror_number(10) && !world.healing && chance(2))
            open_stake(stake_new(tab->person, tab->next, "", true), tab->device);
        if (chance(3) && (tab->has_record || !strcmp(tab->phase, "closed")) && !world.healing) {
            stake->finished = true;
            tab_close(tab, false);
            return;
        }
        tab_soon(tab, between(SECONDS(20), MINUTES(10)));
    } else {
        tab_soon(tab, SECONDS(5));
    }
    small_talk(tab);
}

static void request(struct person *person, const char *body, bool cookie);

/* Deletes the guest, and chats in all rooms at the same time; these may arrive before or after. */
static void forget_me(struct tab *tab)
{
    for (int i = 0; i < tab_count; i++)
        if (tabs[i].used && tabs[i].welcome && tabs[i].person == tab->person &&
            tabs[i].stake->room[0] && tabs[i].invitation)
            for (int k = 0; k < 3; k++)
                want(&tabs[i], "chat", ",\"text\":\"farewell\"");
    say(tab, "\"t\":\"forget\"}");
}

/* Makes as many rooms and guests as the limits allow, at several processes. */
static void be_greedy(struct person *person)
{
    count("fault", "too many rooms and guests at once");
    for (int i = 0; i < tab_count; i++)
        for (int k = 0; k < 3; k++)
            if (tabs[i].used && tabs[i].welcome && tabs[i].person == person)
                say(&tabs[i], sim_text("\"t\":\"make\",\"key\":\"%s\",\"setup\":\"game metro\\n"
                                       "players 2\\n\"}",
                                       new_key(person)));
    for (int i = 0; i < 8; i++)
        request(person, "{\"t\":\"guest\",\"name\":\"Nobody\",\"colour\":1}", false);
}

/* The last device connects anew with all its tabs, just when something happens to it. */
static void come_back(struct person *person, int device)
{
    for (int i = 0; i < tab_count; i++) {
        struct conn *conn = tabs[i].conn;
        if (!tabs[i].used || !conn || tabs[i].person != person || tabs[i].device != device)
            continue;
        count("fault", "signs in while the device is withdrawn");
        conn->tab = NULL;
        tabs[i].conn = NULL;
        tabs[i].welcome = false;
        world_leave(conn, chance(2));
        tab_soon(&tabs[i], below(60));
    }
}

static void act_in_lobby(struct tab *tab)
{
    struct person *person = tab->person;
    if (world.limits.rooms_of_guest && !mirror_number(30) && naughty(person, 20))
        be_greedy(person);
    if (!world.healing && person->makes > 0 && !wants(tab->stake, "make"))
        make_room(tab);
    if (!world.healing && tab->tables && chance(3)) {
        const char *room = tab->table[below((uint32_t)tab->tables)].room;
        open_stake(stake_new(person, room, "", !chance(4)), tab->device);
    }
    if (!world.healing && chance(10)) { /* tries a room's code */
        for (struct stake *stake = person->stakes; stake; stake = stake->next)
            if (stake->code[0]) {
                say(tab, sim_text("\"t\":\"find\",\"code\":\"%s\"}", stake->code));
                break;
            }
    }
    if (!world.healing)
        switch (below(40)) {
        case 0:
            say(tab, "\"t\":\"devices\"}");
            break;
        case 1:
        case 2:
            say(tab, "\"t\":\"ticket\"}");
            break;
        case 3:
            say(tab, sim_text("\"t\":\"name\",\"name\":\"%s %u\",\"colour\":%u}", person->name,
                              below(100), below(8)));
            break;
        case 4:
            if (person->devices > 1 && chance(2)) {
                person->device[person->devices - 1].withdrawn = true;
                say(tab, sim_text("\"t\":\"withdraw\",\"device\":\"%s\"}",
                                  person->device[person->devices - 1].id));
                if (chance(2))
                    come_back(person, person->devices - 1);
            }
            break;
        case 5:
            if (chance(15))
                forget_me(tab);
            break;
        case 6:
            say(tab, "\"t\":\"rooms\"}");
            break;
        default:
            break;
        }
    tab_soon(tab, world.healing ? HOURS(3) : between(MINUTES(1), MINUTES(30)));
}

void tab_act(struct tab *tab, uint64_t turn)
{
    if (!tab->used || turn != tab->turn)
        return;
    if (tab->person->asleep || !tab->person->guest[0] || tab->device >= tab->person->devices ||
        tab->person->device[tab->device].out) {
        tab_close(tab, true);
        return;
    }
    if (!tab->conn) {
        tab_connect(tab);
        tab_soon(tab, MINUTES(2));
        return;
    }
    if (!tab->welcome) {
        /* No answer: try another connection. */
        struct conn *conn = tab->conn;
        conn->tab = NULL;
        tab->conn = NULL;
        world_leave(conn, true);
        tab_soon(tab, 1000);
        return;
    }
    if (naughty(tab->person, 5)) {
        be_nasty(tab);
        tab_soon(tab, between(SECONDS(1), SECONDS(30)));
        return;
    }
    if (tab->stake->room[0])
        act_in_room(tab);
    else
        act_in_lobby(tab);
}

/* ---- Receiving ------------------------------------------------------------------------------- */

static const char *field(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

/* `changed`: there are new lines; else the hash is the one from before. */
static void compare_hash(struct tab *tab, const json_t *json, bool changed)
{
    if (changed || !tab->hash[0])
        report_hash(&tab->record->setup, &tab->state, tab->hash);
    if (strcmp(tab->hash, field(json, "hash")))
        violated("room %s: seat %d has another hash after %zu lines", tab->stake->room, tab->seat,
                 tab->record->count);
}

static void hear_due(struct tab *tab, const json_t *json)
{
    const json_t *due = json_object_get(json, "due");
    unsigned before = tab->due;
    tab->due = 0;
    for (size_t i = 0; i < json_array_size(due); i++)
        tab->due |= 1U << (json_integer_value(json_array_get(due, i)) - 1);
    bool mine = tab->seat && tab->due >> (tab->seat - 1) & 1;
    bool was = tab->seat && before >> (tab->seat - 1) & 1;
    if (mine && (!was || json_array_size(json_object_get(json, "lines"))))
        tab_soon(tab, world.healing ? between(100, 2000) : between(500, tab->person->pace_ms));
}

static void hear_view(struct tab *tab, const json_t *json)
{
    static es_event before[2048];
    struct es_fault fault;
    size_t had = tab->has_view ? tab->record->count : 0;
    es_event *events = tab->record->events;
    char *text = sim_text("%s", field(json, "text"));
    memcpy(before, events, had * sizeof *events);
    *tab->record = (struct es_record){.events = events, .capacity = 2048};
    if (read_record(tab->record, es_str(text), &tab->state, &fault))
        violated("room %s: a view cannot be read: line %d: %s", tab->stake->room, fault.line,
                 fault.reason);
    if (tab->record->count < had || memcmp(before, events, had * sizeof *events))
        violated("room %s: the view of seat %d did not only grow", tab->stake->room, tab->seat);
    tab->has_view = true;
    compare_hash(tab, json, true);
    hear_due(tab, json);
}

static void hear_lines(struct tab *tab, const json_t *json)
{
    const json_t *lines = json_object_get(json, "lines");
    const struct es_setup *setup = &tab->record->setup;
    if (!tab->has_view && tab->boasts) {
        say(tab, "\"t\":\"again\"}");
        return;
    }
    if (!tab->has_view)
        violated("room %s: lines for somebody who has no view", tab->stake->room);
    if ((size_t)json_integer_value(json_object_get(json, "from")) != tab->record->count)
        violated("room %s: lines from %lld for somebody who has %zu", tab->stake->room,
                 (long long)json_integer_value(json_object_get(json, "from")), tab->record->count);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        es_event event;
        es_status status = setup->game->parse(setup, es_str(line), &event);
        if (!status)
            status = setup->game->apply(setup, &tab->state, event);
        if (status)
            violated("room %s: the line '%s' for seat %d: %s", tab->stake->room, line, tab->seat,
                     es_status_text(status));
        tab->record->events[tab->record->count++] = event;
    }
    compare_hash(tab, json, json_array_size(lines) > 0);
    hear_due(tab, json);
}

static void hear_room(struct tab *tab, const json_t *json)
{
    struct stake *stake = tab->stake;
    size_t i;
    json_t *seat;
    char before[12];
    memcpy(before, tab->phase, sizeof before);
    snprintf(tab->phase, sizeof tab->phase, "%s", field(json, "phase"));
    snprintf(tab->next, sizeof tab->next, "%s", field(json, "next"));
    if (field(json, "code")[0])
        snprintf(stake->code, sizeof stake->code, "%s", field(json, "code"));
    tab->seat = (int)json_integer_value(json_object_get(json, "seat"));
    tab->host = json_is_true(json_object_get(json, "host"));
    tab->invitation = !json_is_true(json_object_get(json, "open"));
    tab->seats = tab->open_seats = tab->late = tab->person_seat = tab->open_seat = 0;
    tab->my_bot = false;
    json_array_foreach(json_object_get(json, "seats"), i, seat)
    {
        const char *kind = field(seat, "kind");
        tab->seats++;
        if (!strcmp(kind, "open")) {
            tab->open_seats++;
            tab->open_seat = (int)i + 1;
        }
        if (!strcmp(kind, "person") && (int)i + 1 == tab->seat)
            tab->my_bot = field(seat, "bot")[0];
        else if (!strcmp(kind, "person"))
            tab->person_seat = (int)i + 1;
        if (json_is_true(json_object_get(seat, "late")))
            tab->late = (int)i + 1;
    }
    if (strcmp(before, tab->phase))
        tab_soon(tab,
                 strcmp(tab->phase, "words") ? between(500, SECONDS(10)) : between(50, SECONDS(5)));
    else if (tab->host && !strcmp(tab->phase, "waiting") && !tab->open_seats)
        tab_soon(tab, between(SECONDS(1), SECONDS(20)));
}

static void person_redeem(struct person *person, const char *ticket);
static void signed_out(struct tab *tab);

static void ok_for(struct tab *tab, struct intent *intent, const json_t *json)
{
    struct person *person = tab->person;
    intent->live = false;
    if (!strcmp(intent->type, "make")) {
        struct stake *stake = stake_new(person, field(json, "room"), field(json, "code"), true);
        open_stake(stake, tab->device);
        struct mirror *m = mirror_of(stake->room);
        invite(person, stake->room, stake->code, m ? m->seats - 1 : 1);
    } else if (!strcmp(intent->type, "sit")) {
        if (chance(3) && person->devices > 1)
            open_stake(tab->stake, 1);
        tab_soon(tab, between(SECONDS(1), SECONDS(20)));
    } else if (!strcmp(intent->type, "rematch") && !world.healing) {
        open_stake(stake_new(person, field(json, "room"), "", true), tab->device);
    }
}

static void hear_ok(struct tab *tab, const json_t *json)
{
    struct stake *stake = tab->stake;
    json_int_t id = json_integer_value(json_object_get(json, "id"));
    for (int i = 0; i < KEPT; i++)
        if (stake->intent[i].live && stake->intent[i].id == id) {
            ok_for(tab, &stake->intent[i], json);
            return;
        }
    if (id == tab->move_id && json_object_get(json, "decision")) {
        stake->chosen = false;
        count("checked", "moves acknowledged");
    }
}

static void hear_no(struct tab *tab, const json_t *json)
{
    struct stake *stake = tab->stake;
    const char *code = field(json, "code");
    json_int_t id = json_integer_value(json_object_get(json, "id"));
    if (!strcmp(code, "TOKEN_BAD") && !tab->nasty)
        signed_out(tab);
    if (!strcmp(code, "NO_ROOM") && !tab->welcome && !tab->nasty) {
        struct mirror *m = mirror_of(stake->room);
        for (int p = 1; m && !m->deleted && p <= m->seats; p++)
            if (!strcmp(m->sitter[p], tab->person->guest) && !person_forgotten(m->sitter[p]) &&
                !tab->person->device[tab->device].withdrawn)
                violated("room %s: seat %d is told that there is no such room", m->room, p);
        stake->finished = true; /* may not enter */
        tab_close(tab, chance(3));
        return;
    }
    if (!strcmp(code, "BUSY")) {
        tab_soon(tab, between(SECONDS(1), SECONDS(5)));
        for (int i = 0; i < KEPT; i++) /* to be sent again */
            if (stake->intent[i].live && stake->intent[i].id == id)
                stake->intent[i].conn = 0;
        return;
    }
    for (int i = 0; i < KEPT; i++)
        if (stake->intent[i].live && stake->intent[i].id == id)
            stake->intent[i].live = false;
    if (id && id == tab->move_id && !tab->nasty) {
        static const char *const fine[] = {"DECISION_MADE", "DECISION_EARLY", "GIVEN", "OVER"};
        size_t i = 0;
        while (i < sizeof fine / sizeof *fine && strcmp(code, fine[i]))
            i++;
        if (i == sizeof fine / sizeof *fine)
            violated("room %s: the honest move '%s' for decision %d of seat %d is refused: %s",
                     stake->room, stake->event, stake->decision, tab->seat, code);
        stake->chosen = false;
        tab_soon(tab, between(SECONDS(1), SECONDS(5)));
    }
}

static void forget_table(struct tab *tab, const char *room)
{
    for (int i = 0; i < tab->tables; i++)
        if (!strcmp(tab->table[i].room, room)) {
            tab->table[i] = tab->table[--tab->tables];
            return;
        }
}

/* The server does not know this device's token: it was withdrawn, or the guest was deleted. */
static void signed_out(struct tab *tab)
{
    struct person *person = tab->person;
    if (!person->device[tab->device].withdrawn && !person_forgotten(person->guest))
        violated("the token of a device that was not withdrawn is not known");
    person->device[tab->device].out = true;
    count("fault", "signed out");
}

void tab_heard(struct tab *tab, struct conn *conn, const json_t *json, struct es_str text)
{
    const char *type = field(json, "t");
    (void)text;
    if (tab->conn != conn)
        return;
    if (!strcmp(type, "welcome")) {
        if (!field(json, "guest")[0] && !tab->nasty) {
            signed_out(tab);
            tab_close(tab, chance(2));
            return;
        }
        if (!tab->nasty && strcmp(field(json, "guest"), tab->person->guest))
            violated("welcomed as somebody else");
        tab->welcome = true;
        tab->backoff = 0;
        for (int i = 0; i < KEPT; i++)
            if (tab->stake->intent[i].live)
                say_intent(tab, &tab->stake->intent[i]);
        if (tab->stake->chosen) {
            count("fault", "a chosen move sent again");
            send_move(tab);
        }
        tab_soon(tab, between(SECONDS(1), SECONDS(20)));
    } else if (!strcmp(type, "room")) {
        hear_room(tab, json);
    } else if (!strcmp(type, "view")) {
        hear_view(tab, json);
    } else if (!strcmp(type, "lines")) {
        hear_lines(tab, json);
    } else if (!strcmp(type, "record")) {
        tab->has_record = true;
    } else if (!strcmp(type, "chat")) {
        tab->chats = (size_t)json_integer_value(json_object_get(json, "n"));
    } else if (!strcmp(type, "ok")) {
        hear_ok(tab, json);
    } else if (!strcmp(type, "no")) {
        hear_no(tab, json);
    } else if (!strcmp(type, "ticket")) {
        if (tab->person->devices < 3 && !world.healing)
            person_redeem(tab->person, field(json, "ticket"));
    } else if (!strcmp(type, "lobby") || !strcmp(type, "tables")) {
        size_t i;
        json_t *part;
        if (!strcmp(type, "lobby"))
            tab->tables = 0;
        json_array_foreach(json_object_get(json, "gone"), i, part)
            forget_table(tab, json_string_value(part));
        json_array_foreach(json_object_get(json, "tables"), i, part)
        {
            forget_table(tab, field(part, "room"));
            snprintf(tab->table[tab->tables++].room, STORE_ROOM_BYTES, "%s", field(part, "room"));
        }
    }
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* A request over HTTP, as the server translates it for the rooms. */
static void request(struct person *person, const char *body, bool cookie)
{
    struct conn *conn =
        world_open(NULL, ROOMS_REQUEST, "", cookie ? person->device[0].token : "", person->address);
    conn->context = person;
    world_send(conn, body, strlen(body));
}

static void person_redeem(struct person *person, const char *ticket)
{
    count("fault", "another device");
    request(person,
            sim_text("{\"t\":\"device\",\"ticket\":\"%s\",\"label\":\"Phone %u\"}",
                     chance(5) ? "0123456789abcdef0123456789abcdef" : ticket, below(100)),
            false);
}

void request_answered(struct conn *conn, int status, struct es_str text)
{
    struct person *person = conn->context;
    json_t *json = status == 200 ? json_loadb(text.at, text.size, 0, NULL) : NULL;
    if (!person)
        return;
    const char *guest = field(json, "guest"), *token = field(json, "token");
    if (guest[0] && token[0] && person->devices < 3 &&
        (!person->guest[0] || !strcmp(person->guest, guest))) {
        struct device *device = &person->device[person->devices++];
        *device = (struct device){.out = false};
        snprintf(device->token, sizeof device->token, "%s", token);
        snprintf(device->id, sizeof device->id, "%s", field(json, "device"));
        snprintf(person->guest, sizeof person->guest, "%s", guest);
        if (person_of_guest(guest) < 0 && identities < 256) {
            snprintf(identity[identities].guest, STORE_GUEST_BYTES, "%s", guest);
            identity[identities++].person = person->index;
        }
        if (known_tokens < 256) {
            snprintf(known_token[known_tokens].token, SIM_TOKEN_BYTES, "%s", token);
            known_token[known_tokens++].person = person->index;
        }
        /* On the new device, the same rooms. */
        if (person->devices > 1 && !person->asleep)
            for (struct stake *stake = person->stakes; stake; stake = stake->next)
                if (stake->room[0])
                    open_stake(stake, person->devices - 1);
    } else if (field(json, "map")[0]) {
        person->has_map = true;
    }
    person->asking = false;
    json_decref(json);
}

/* Reads a room, or the list of rooms, by GET. */
static void look_without_connection(struct person *person)
{
    static const char *const what[] = {"rooms", "room", "record", "state", "record", "record"};
    const char *room = "abcdefghijklmnop", *code = "";
    int known = 0;
    for (struct stake *stake = person->stakes; stake; stake = stake->next)
        if (stake->room[0] && chance((uint32_t)++known)) {
            room = stake->room;
            code = stake->code;
        }
    request(person,
            sim_text("{\"t\":\"get\",\"what\":\"%s\",\"room\":\"%s\",\"code\":\"%s\"}",
                     chance(40)   ? "picture"
                     : chance(40) ? "secret"
                                  : what[below(6)],
                     room, chance(3) ? "" : code),
            chance(2));
}

/* ---- What people do now and then ------------------------------------------------------------- */

static void fall_asleep(struct person *person)
{
    person->asleep = true;
    for (int i = 0; i < tab_count; i++)
        if (tabs[i].used && tabs[i].person == person)
            tab_close(&tabs[i], chance(2));
}

static void wake_up(struct person *person)
{
    person->asleep = false;
    for (struct stake *stake = person->stakes; stake; stake = stake->next)
        open_stake(stake, 0);
}

/* The guest was deleted; the person comes back as a new one. */
static void lose_identity(struct person *person)
{
    for (int i = 0; i < tab_count; i++)
        if (tabs[i].used && tabs[i].person == person)
            tab_close(&tabs[i], false);
    person->guest[0] = '\0';
    person->devices = 0;
    person->stakes = NULL;
}

static void next_act(struct person *person, uint64_t ms)
{
    after(ms, EVENT_PERSON, person, ++person->turn);
}

void person_act(struct person *person, uint64_t turn)
{
    if (turn != person->turn)
        return;
    if (person->asleep)
        wake_up(person);
    if (person->guest[0] && person_forgotten(person->guest))
        lose_identity(person);
    if (!person->guest[0]) {
        if (!person->asking) {
            person->asking = true;
            request(person,
                    sim_text("{\"t\":\"guest\",\"name\":\"%s\",\"colour\":%d}",
                             chance(40) ? " " : person->name, person->colour),
                    false);
        }
        next_act(person, between(SECONDS(5), SECONDS(30)));
        return;
    }
    if (!person->has_map && chance(6)) {
        json_t *json = json_pack("{ssss}", "t", "map", "text", own_map_text().at);
        char *text = json_dumps(json, 0);
        if (chance(20)) {
            count("fault", "a sheet that is too long");
            request(person, sim_text("{\"t\":\"map\",\"text\":\"%*s\"}", 66000, "x"), false);
        } else {
            request(person, chance(8) ? "{\"t\":\"map\",\"text\":\"no map\"}" : text, false);
        }
        free(text);
        json_decref(json);
    }
    if (chance(2))
        look_without_connection(person);
    struct stake *lobby = stake_new(person, "", "", false);
    open_stake(lobby, person->devices > 1 && chance(3) ? 1 : 0);
    if (!world.healing && chance(4)) {
        count("fault", "asleep");
        fall_asleep(person);
        next_act(person, chance(3) ? between(HOURS(1), HOURS(7)) : between(MINUTES(1), HOURS(1)));
        return;
    }
    if (person->makes < 1 && !mirror_number(7) && world.now > world.begin + HOURS(6) &&
        world.now < world.heal - HOURS(2))
        person->makes = 1;
    next_act(person, world.healing ? MINUTES(20) : between(MINUTES(5), HOURS(2)));
}

void people_begin(void)
{
    static const char *const names[SIM_PEOPLE] = {"Ada", "Bo", "Çağla", "Dmitri", "Émile", "Fatou",
                                                  "Gül", "Hé", "Ines",  "Jörg",   "Kaya",  "Léa"};
    tab_count = identities = known_tokens = 0;
    memset(tabs, 0, sizeof tabs);
    person_count = 8 + (int)below(SIM_PEOPLE - 7);
    for (int i = 0; i < person_count; i++) {
        struct person *person = &people[i];
        *person = (struct person){.index = i, .colour = i % 8, .address = 1000 + (uint64_t)i};
        snprintf(person->name, sizeof person->name, "%s", names[i]);
        person->imp = !world.calm && chance(6);
        person->pace_ms = chance(5) ? (uint32_t)MINUTES(10) : (uint32_t)SECONDS(20);
        next_act(person, between(1, MINUTES(20)));
    }
    for (uint32_t i = 8 + below(2); i > 0; i--)
        people[below((uint32_t)person_count)].makes++;
}

void people_heal(void)
{
    for (int i = 0; i < person_count; i++) {
        struct person *person = &people[i];
        if (person->guest[0] && person_forgotten(person->guest))
            lose_identity(person);
        person->asleep = false;
        person->imp = false;
        for (struct stake *stake = person->stakes; stake; stake = stake->next) {
            struct mirror *m = mirror_of(stake->room);
            if (m && m->begun)
                stake->finished = false;
            open_stake(stake, 0);
        }
        next_act(person, between(1, SECONDS(30)));
    }
    for (int i = 0; i < tab_count; i++)
        if (tabs[i].used)
            tab_soon(&tabs[i], between(10, 5000));
}

void people_leave(void)
{
    for (int i = 0; i < person_count; i++)
        if (chance(3)) {
            count("fault", "gone home");
            fall_asleep(&people[i]);
            people[i].turn++;
        }
}

/* The lobby shows all open tables that have not started, and no others. */
static void check_tables(const struct tab *tab)
{
    int tables = 0;
    for (size_t i = 0; mirror_number(i); i++) {
        struct mirror *m = mirror_number(i);
        bool shown = false;
        if (!m->listed)
            continue;
        tables++;
        for (int k = 0; k < tab->tables; k++)
            shown = shown || !strcmp(tab->table[k].room, m->room);
        if (!shown)
            violated("the lobby does not show the room %s in the end", m->room);
    }
    if (tables != tab->tables)
        violated("the lobby shows %d tables in the end, but there are %d", tab->tables, tables);
}

/* What a tab shows of its room is what the list says. */
static void check_shown(const struct tab *tab, struct mirror *m)
{
    const char *phase = m->closed                  ? "closed"
                        : m->begun && m->game_over ? "over"
                        : m->begun                 ? "playing"
                        : m->started               ? "words"
                                                   : "waiting";
    int seat = 0;
    for (int p = 1; p <= m->seats; p++)
        if (!strcmp(m->sitter[p], tab->person->guest))
            seat = p;
    if (strcmp(phase, tab->phase) || seat != tab->seat || strcmp(m->next, tab->next) ||
        tab->host != !strcmp(m->host, tab->person->guest))
        violated("room %s: shown in the end as %s with seat %d, but is %s with seat %d", m->room,
                 tab->phase, tab->seat, phase, seat);
    bool deleted = false;
    for (size_t i = 0; i < m->entries; i++)
        deleted = deleted || (m->kept[i].kind == ENTRY_CHAT && person_forgotten(m->kept[i].guest));
    if (!deleted && tab->chats != m->chats)
        violated("room %s: %zu of %zu chats were told in the end", m->room, tab->chats, m->chats);
}

/* Before the start, if anybody who sits is connected, so is the host. */
static void check_host_there(struct mirror *m)
{
    bool sits = false, host = false;
    for (int i = 0; i < tab_count; i++) {
        const struct tab *tab = &tabs[i];
        if (!tab->used || !tab->stake || !tab->welcome || strcmp(tab->stake->room, m->room))
            continue;
        sits = sits || tab->seat;
        host = host || !strcmp(m->host, tab->person->guest);
    }
    if (sits && !host)
        violated("room %s: people sit there without a host", m->room);
}

/* Checks that every connected tab has everything that its person may know. */
void people_check_end(void)
{
    for (size_t i = 0; mirror_number(i); i++)
        if (!mirror_number(i)->started && !mirror_number(i)->closed)
            check_host_there(mirror_number(i));
    for (int i = 0; i < tab_count; i++) {
        struct tab *tab = &tabs[i];
        struct mirror *m = tab->used && tab->stake ? mirror_of(tab->stake->room) : NULL;
        if (tab->used && tab->stake && !tab->stake->room[0] && tab->welcome)
            check_tables(tab);
        if (!m || m->deleted || !tab->conn || !tab->welcome)
            continue;
        check_shown(tab, m);
        if (!m->begun)
            continue;
        if (!tab->has_view || !check_complete(m->room, tab->seat, tab->record->count))
            violated("room %s: seat %d has not been told everything in the end", m->room,
                     tab->seat);
        if (m->game_over && !tab->has_record)
            violated("room %s: seat %d has no record in the end", m->room, tab->seat);
        if (m->game_over || m->closed)
            continue;
        struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
        if (tab->due != turn.players)
            violated("room %s: seat %d was not told who is due", m->room, tab->seat);
    }
    /* A game that is not over waits for somebody who knows it. */
    for (size_t i = 0; mirror_number(i); i++) {
        struct mirror *m = mirror_number(i);
        if (!m->begun || m->game_over || m->closed)
            continue;
        struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
        bool told = false;
        for (int k = 0; k < tab_count; k++)
            told = told || (tabs[k].used && tabs[k].stake && tabs[k].conn && tabs[k].seat &&
                            !strcmp(tabs[k].stake->room, m->room) &&
                            (turn.players >> (tabs[k].seat - 1) & 1) &&
                            (tabs[k].due >> (tabs[k].seat - 1) & 1));
        bool gone = true; /* all who are due were deleted */
        for (int p = 1; p <= m->seats; p++)
            gone = gone && (!(turn.players >> (p - 1) & 1) || person_forgotten(m->sitter[p]));
        bool asleep = false; /* one of them has gone home in the last act */
        for (int p = 1; p <= m->seats; p++) {
            int person = person_of_guest(m->sitter[p]);
            asleep =
                asleep || ((turn.players >> (p - 1) & 1) && person >= 0 && people[person].asleep);
        }
        if (!told && !gone && !asleep)
            violated("room %s: waits for somebody who has not been told", m->room);
    }
}
