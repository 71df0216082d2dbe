/* A session (page.h) for tests: games as text; every answer is checked to be valid JSON. */
#ifndef ENDSTATION_PAGE_TABLE_H
#define ENDSTATION_PAGE_TABLE_H

#include "check.h"
#include "page/page.h"

#define HEAD "endstation-record 1\ngame "

static struct es_page page;
static char answer[1 << 20];

/* ---- JSON, strictly ------------------------------------------------------------------------- */

static inline const char *json_value(const char *at);

static inline const char *json_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdef") >= 4)
            at += 4;
        else if (*at != '"' && *at != '\\')
            return NULL;
    }
    return at + 1;
}

static inline const char *json_list(const char *at, char end)
{
    if (*++at == end)
        return at + 1;
    for (;; at++) {
        if (end == '}') {
            at = json_string(at);
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(at);
        if (!at || (*at != ',' && *at != end))
            return NULL;
        if (*at == end)
            return at + 1;
    }
}

static inline const char *json_value(const char *at)
{
    if (*at == '{' || *at == '[')
        return json_list(at, *at == '{' ? '}' : ']');
    if (*at == '"')
        return json_string(at);
    if (strncmp(at, "true", 4) == 0)
        return at + 4;
    if (strncmp(at, "false", 5) == 0)
        return at + 5;
    const char *digits = at + (*at == '-');
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || (digits[0] == '0' && count > 1))
        return NULL;
    at = digits + count;
    if (*at != '.')
        return at;
    count = strspn(at + 1, "0123456789");
    return count == 0 ? NULL : at + 1 + count;
}

/* Ends an answer, and checks that it is one JSON value. */
static inline const char *checked(struct es_out *out)
{
    assert_true(out->used < out->size);
    answer[out->used] = '\0';
    const char *end = json_value(answer);
    if (!end || *end)
        fail_msg("not JSON: %s", answer);
    return answer;
}

/* ---- The session ---------------------------------------------------------------------------- */

/* The pick of each player, as a page would hold it. */
static char picks[ES_PLAYERS_MAX + 1][ES_PICK_BYTES];

static inline void open_game(const char *text)
{
    struct es_fault fault;
    if (es_page_open(&page, es_str(text), &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    memset(picks, 0, sizeof picks);
}

static inline const char *state_of(int viewer)
{
    struct es_out out = {answer, sizeof answer, 0};
    es_page_state(&page, viewer, &out);
    return checked(&out);
}

static inline const char *log_of(int viewer, size_t from)
{
    struct es_out out = {answer, sizeof answer, 0};
    es_page_log(&page, viewer, from, &out);
    return checked(&out);
}

static inline const char *with_pick(int player, const char *pick, const char *words)
{
    struct es_out out = {answer, sizeof answer, 0};
    es_page_choose(&page, player, es_str(pick), es_str(words), &out);
    return checked(&out);
}

static inline const char *choose(int player, const char *words)
{
    static const char sign[] = "{\"pick\":\"";
    const char *text = with_pick(player, picks[player], words);
    if (strncmp(text, sign, sizeof sign - 1) == 0) {
        const char *pick = text + sizeof sign - 1;
        size_t size = strcspn(pick, "\"");
        assert_true(size < ES_PICK_BYTES);
        memcpy(picks[player], pick, size);
        picks[player][size] = '\0';
    }
    return text;
}

static inline void make(const char *event)
{
    es_status status = es_page_apply(&page, es_str(event));
    if (status)
        fail_msg("%s: %s", event, es_status_text(status));
}

/* Checks that an answer contains these words; if not, shows it. */
static inline void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no %s in\n%s", words, text);
}

static inline void has_not(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("%s in\n%s", words, text);
}

/* Returns the text of a field of an answer. Finds the first field of that name; "plan" and the like
 * come before all that is nested. */
static inline const char *field(const char *text, const char *name)
{
    static char value[256], key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    size_t size = strcspn(at, "\"");
    assert_true(size < sizeof value);
    memcpy(value, at, size);
    value[size] = '\0';
    return value;
}

/* ---- Games by chance ------------------------------------------------------------------------ */

/* Setups of all kinds: built-in sheets with and without special stations, larger hands,
 * rotation. */
static const char *const kinds[] = {
    "verplant\nmap practice\nplayers 1\n",
    "verplant\nmap practice\nplayers 3\nrules special\n",
    "verplant\nmap madrid\nplayers 2\nrules special\n",
    "verplant\nmap berlin\nplayers 4\ndeck 6 x9 9 + + o o o\n",
    "metro\nplayers 2\n",
    "metro\nplayers 3\nrules hand2\n",
    "metro\nplayers 2\nrules hand3 rotate\n",
    "metro\nplayers 6\nrules rotate\n",
    "metro\nplayers 5\nrules hand2 rotate\n",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static inline void new_game(int kind)
{
    char text[256];
    snprintf(text, sizeof text, HEAD "%s\n", kinds[kind]);
    open_game(text);
}

/* Returns a random legal event of a player who may act, or of chance; 0 when the game is over. */
static inline es_event any_event(struct es_random *random)
{
    static es_event events[ES_LEGAL_MAX];
    const struct es_setup *setup = &page.record.setup;
    struct es_turn turn = setup->game->turn(setup, &page.state);
    int who = ES_CHANCE;
    if (turn.kind == ES_TURN_OVER)
        return 0;
    for (uint32_t p = 1, seen = 0; p <= setup->players; p++)
        if ((turn.players >> (p - 1) & 1) && es_random_below(random, ++seen) == 0)
            who = (int)p;
    size_t count = setup->game->legal(setup, &page.state, who, events);
    return events[es_random_below(random, (uint32_t)count)];
}

static inline bool play_on(struct es_random *random)
{
    struct es_turn turn = page.record.setup.game->turn(&page.record.setup, &page.state);
    if (turn.kind != ES_TURN_OVER) /* not by event 0: the first card can be that */
        make(check_event(&page.record.setup, any_event(random)));
    return turn.kind != ES_TURN_OVER;
}

#endif
