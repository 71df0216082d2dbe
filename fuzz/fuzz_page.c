/* Fuzz target: any bytes as input of a session (page.h). The first byte chooses a game; then
 * everything is opened as a record, with the part after a line `---` as a map, and, if bits of the
 * first byte say so, taken as the choices of a new game or a rematch. Then each line becomes
 * an action, a question, translated words, the name of a piece or a moment to go to. Whatever the
 * bytes are, answers stay in their buffer and every plan is legal. */
#include "page/page.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct es_page page;
static char answer[1 << 20];
static char picks[4][ES_PICK_BYTES]; /* of each player, as a page would hold them */

static void open_game(int kind)
{
    static const char *const games[] = {
        "endstation-record 1\ngame verplant\nmap practice\nplayers 2\nrules special\n\n",
        "endstation-record 1\ngame verplant\nmap madrid\nplayers 1\n\n",
        "endstation-record 1\ngame metro\nplayers 2\nrules hand2 rotate\n\n",
        "endstation-record 1\ngame metro\nplayers 3\n\n",
        "endstation-record 1\ngame null\nplayers 2\n\n",
        "endstation-record 1\ngame depot\nplayers 3\nrules corners\n\n",
    };
    const int count = sizeof games / sizeof *games;
    struct es_fault fault;
    assert(es_page_open(&page, es_str(games[kind % count]), &fault) == ES_OK);
    es_page_deal(&page, (uint64_t)kind);
}

/* Opens a record, and the map that may come with it; an invalid record leaves the open game as it
 * was. */
static void open_any(struct es_str text)
{
    static const char sign[] = "\n---\n";
    struct es_fault fault;
    page.own.lines = 0;
    for (size_t at = 0; at + sizeof sign - 1 <= text.size; at++)
        if (memcmp(text.at + at, sign, sizeof sign - 1) == 0) {
            size_t map_start = at + sizeof sign - 1;
            es_page_map(&page, (struct es_str){text.at + map_start, text.size - map_start}, &fault);
            text.size = at + 1;
        }
    struct es_out out = {answer, sizeof answer, 0};
    es_page_needs(&page, text, &out, &fault);
    es_page_map_facts(&page, &out);
    assert(es_out_ok(&out));
    if (es_page_open(&page, text, &fault) == ES_OK)
        es_page_upgrade(&page);
}

/* Returns the text of a member of the answer, without escapes. */
static struct es_str member(const char *name)
{
    const char *at = strstr(answer, name);
    at = at ? at + strlen(name) : "";
    return (struct es_str){at, strcspn(at, "\"")};
}

/* Chooses with the pick of the previous answer, or with the words themselves as a pick. The plan
 * must be legal, and its pick must give it again; sometimes it is made. */
static void choose(int player, struct es_str words, bool make)
{
    char *pick = picks[player];
    struct es_state after = page.state;
    struct es_out out = {answer, sizeof answer - 1, 0};
    es_page_choose(&page, player, words, es_str("look"), &out);
    out.used = 0;
    es_page_choose(&page, player, es_str(pick), words, &out);
    assert(es_out_ok(&out));
    answer[out.used] = '\0';
    bool fits = es_str_copy(member("\"pick\":\""), pick, ES_PICK_BYTES);
    assert(fits);
    char text[ES_EVENT_BYTES + 1] = "";
    bool short_enough = es_str_copy(member("\"plan\":\""), text, sizeof text);
    assert(short_enough);
    if (!text[0])
        return;
    out.used = 0;
    es_page_choose(&page, player, es_str(pick), es_str("look"), &out);
    answer[out.used] = '\0';
    assert(es_str_is(member("\"plan\":\""), text) && es_str_is(member("\"pick\":\""), pick));
    es_event plan;
    const struct es_setup *setup = &page.record.setup;
    assert(setup->game->parse(setup, es_str(text), &plan) == ES_OK);
    assert(setup->game->apply(setup, &after, plan) == ES_OK);
    if (make) {
        assert(es_page_apply(&page, es_str(text)) == ES_OK);
        es_page_deal(&page, plan);
    }
}

static void run_line(struct es_str line)
{
    struct es_out out = {answer, sizeof answer, 0};
    struct es_svg svg;
    int player = line.at[0] & 3;
    struct es_str words = {line.at + 1, line.size - 1};
    switch (line.at[0] >> 2 & 7) {
    case 0:
        es_page_ask(&page, words, &out);
        break;
    case 1:
        es_page_words(&page, words);
        es_page_seat(&page, player, words);
        es_page_take_back(&page, player);
        break;
    case 2:
        es_svg_open(&svg, answer, sizeof answer);
        es_page_draw_piece(&page, words, player & 1, &svg);
        for (int i = 0; es_games[i]; i++)
            es_draw_piece(es_games[i], words, &(struct es_draw){0}, &svg.painter);
        break;
    case 3:
        if (words.size > 1)
            es_page_fork(&page, player, (uint8_t)words.at[1]);
        es_page_seek(&page, player, words.size ? (uint8_t)words.at[0] : SIZE_MAX);
        es_page_state(&page, player, &out);
        es_page_log(&page, player, page.cursor / 2, &out);
        break;
    default:
        choose(player, words, line.at[0] >> 5 & 1);
    }
    assert(es_out_ok(&out));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    memset(picks, 0, sizeof picks);
    open_game(data[0]);
    struct es_str rest = {(const char *)data + 1, size - 1};
    open_any(rest);
    struct es_fault fault;
    if (data[0] & 16)
        es_page_begin(&page, rest, &fault);
    if (data[0] & 32)
        es_page_rematch(&page, rest, &fault);
    while (rest.size > 0) {
        const char *end = memchr(rest.at, '\n', rest.size);
        size_t length = end ? (size_t)(end - rest.at) : rest.size;
        if (length > 0)
            run_line((struct es_str){rest.at, length});
        length += end != NULL;
        rest = (struct es_str){rest.at + length, rest.size - length};
    }
    struct es_out out = {answer, sizeof answer, 0};
    struct es_svg svg;
    es_page_state(&page, data[0] & 3, &out);
    es_svg_open(&svg, answer, sizeof answer);
    es_page_draw(&page,
                 &(struct es_page_look){
                     .viewer = data[0] & 3, .sheet = 1, .pick = es_str(picks[data[0] & 3])},
                 &svg);
    return 0;
}
