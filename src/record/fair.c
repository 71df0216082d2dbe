/* The provable shuffle: commit, seed, and the check of a record. */
#include <assert.h>
#include <endstation/fair.h>
#include <endstation/sha256.h>
#include <string.h>

/* ---- Making a seed --------------------------------------------------------------------------- */

bool es_fair_id_good(struct es_str id)
{
    for (size_t i = 0; i < id.size; i++)
        if (!(id.at[i] >= 'a' && id.at[i] <= 'z') && !(id.at[i] >= '0' && id.at[i] <= '9'))
            return false;
    return id.size > 0 && id.size < ES_FAIR_ID_BYTES;
}

/* Feeds the id, with its length before it. */
static void add_id(struct es_sha256 *sha, struct es_str id)
{
    assert(es_fair_id_good(id));
    uint8_t size = (uint8_t)id.size;
    es_sha256_update(sha, &size, 1);
    es_sha256_update(sha, id.at, id.size);
}

void es_fair_commit(const uint8_t secret[ES_FAIR_BYTES], struct es_str id,
                    uint8_t commit[ES_FAIR_BYTES])
{
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, secret, ES_FAIR_BYTES);
    add_id(&sha, id);
    es_sha256_final(&sha, commit);
}

void es_fair_hash(const uint8_t word[ES_FAIR_BYTES], uint8_t hash[ES_FAIR_BYTES])
{
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, word, ES_FAIR_BYTES);
    es_sha256_final(&sha, hash);
}

void es_fair_setup(const struct es_record *record, struct es_out *out)
{
    es_record_write_setup(record, out);
    es_out_text(out, "bots");
    for (int p = 0; p < record->setup.players; p++)
        if (record->bot[p][0]) {
            es_out_char(out, ' ');
            es_out_int(out, p + 1);
        }
    es_out_char(out, '\n');
}

/* Feeds the setup, with its length in four bytes before it. */
static void add_setup(struct es_sha256 *sha, const struct es_record *record)
{
    char setup[ES_FAIR_SETUP_BYTES];
    struct es_out out = {setup, sizeof setup, 0};
    es_fair_setup(record, &out);
    assert(es_out_ok(&out));
    uint8_t size[4] = {0, 0, (uint8_t)(out.used >> 8), (uint8_t)out.used};
    es_sha256_update(sha, size, sizeof size);
    es_sha256_update(sha, setup, out.used);
}

void es_fair_seed(const uint8_t secret[ES_FAIR_BYTES], struct es_str id,
                  const struct es_record *record, const uint8_t *const word[ES_PLAYERS_MAX],
                  uint8_t seed[ES_SEED_BYTES])
{
    enum { BOT, PERSON, MISSING };
    static const uint8_t zeros[ES_FAIR_BYTES];
    struct es_hmac_sha256 hmac;
    es_hmac_sha256_init(&hmac, secret, ES_FAIR_BYTES);
    add_id(&hmac.inner, id);
    add_setup(&hmac.inner, record);
    for (int p = 0; p < record->setup.players; p++) {
        uint8_t kind = record->bot[p][0] ? BOT : word[p] ? PERSON : MISSING;
        es_sha256_update(&hmac.inner, &kind, 1);
        es_sha256_update(&hmac.inner, kind == PERSON ? word[p] : zeros, ES_FAIR_BYTES);
    }
    es_hmac_sha256_final(&hmac, seed);
}

void es_fair_write_commit(const uint8_t commit[ES_FAIR_BYTES], struct es_str id, struct es_out *out)
{
    es_out_text(out, "commit ");
    es_out_hex(out, commit, ES_FAIR_BYTES);
    es_out_char(out, ' ');
    es_out_str(out, id);
    es_out_char(out, '\n');
}

void es_fair_write_word(int player, const uint8_t *word, const uint8_t hash[ES_FAIR_BYTES],
                        struct es_out *out)
{
    es_out_text(out, "word ");
    es_out_int(out, player);
    es_out_char(out, ' ');
    if (word)
        es_out_hex(out, word, ES_FAIR_BYTES);
    else
        es_out_char(out, '-');
    es_out_char(out, ' ');
    es_out_hex(out, hash, ES_FAIR_BYTES);
    es_out_char(out, '\n');
}

void es_fair_write_secret(const uint8_t secret[ES_FAIR_BYTES], struct es_out *out)
{
    es_out_text(out, "secret ");
    es_out_hex(out, secret, ES_FAIR_BYTES);
    es_out_char(out, '\n');
}

/* ---- Checking a record ----------------------------------------------------------------------- */

static const struct es_str nothing = {"", 0};

/* A line of the header; `place` is its number among the notes, from 1; 0: it is not there. */
struct line {
    int place;
    struct es_str word, text;
};

struct check {
    const struct es_record *record;
    struct es_str text;
    struct es_fault *fault;
    struct line commit_line, secret_line, word_line[ES_PLAYERS_MAX];
    struct es_str id;
    uint8_t commit[ES_FAIR_BYTES], secret[ES_FAIR_BYTES], seed[ES_SEED_BYTES];
    uint8_t word[ES_PLAYERS_MAX][ES_FAIR_BYTES], hash[ES_PLAYERS_MAX][ES_FAIR_BYTES];
    bool came[ES_PLAYERS_MAX]; /* else the word is missing */
};

static bool is_seed(struct es_str line)
{
    struct es_str word = nothing;
    es_str_word(&line, &word);
    return es_str_is(word, "seed");
}

/* Returns the number of a line in the text: of the header line `place` of those that `is` counts,
 * or, if `is` is NULL, of event `place`; 0 if there is none. */
static int find_line(const struct check *check, bool (*is)(struct es_str), size_t place)
{
    struct es_lines lines;
    struct es_fault ignored;
    bool header = true;
    if (place == 0 || es_lines_open(&lines, check->text, &ignored) || !es_lines_next(&lines))
        return 0;
    while (es_lines_next(&lines)) {
        if (es_lines_comment(&lines))
            continue;
        if (lines.line.size == 0)
            header = false;
        else if ((is ? header && is(lines.line) : !header) && --place == 0)
            return lines.number;
    }
    return 0;
}

/* Sets a fault at a header line, and quotes it; if it is not there, at the record as a whole. */
static es_status at_line(const struct check *check, const struct line *line, es_status status)
{
    struct es_str all = nothing;
    if (line->place)
        all = (struct es_str){line->word.at,
                              (size_t)(line->text.at + line->text.size - line->word.at)};
    return es_fault_set(check->fault, find_line(check, es_record_is_note, (size_t)line->place),
                        status, all);
}

static es_status at_record(const struct check *check, es_status status)
{
    return es_fault_set(check->fault, 0, status, nothing);
}

/* ---- Its lines */

/* Finds the commit and the secret, each of which may be given once. */
static es_status find_lines(struct check *check)
{
    struct line line = {0};
    for (size_t at = 0; es_record_note(check->record, &at, &line.word, &line.text);) {
        line.place++;
        struct line *to = es_str_is(line.word, "commit")   ? &check->commit_line
                          : es_str_is(line.word, "secret") ? &check->secret_line
                                                           : NULL;
        if (to && to->place)
            return at_line(check, &line, ES_TWICE);
        if (to)
            *to = line;
    }
    return ES_OK;
}

static es_status read_commit(struct check *check)
{
    struct es_str rest = check->commit_line.text, hash;
    if (!es_str_word(&rest, &hash) || !es_str_hex(hash, check->commit, ES_FAIR_BYTES))
        return at_line(check, &check->commit_line, ES_COMMIT_BAD);
    check->id = es_str_trim(rest);
    return es_fair_id_good(check->id) ? ES_OK : at_line(check, &check->commit_line, ES_COMMIT_BAD);
}

static es_status read_word(struct check *check, const struct line *line)
{
    struct es_str rest = line->text, number, word, hash;
    unsigned player;
    if (!es_str_word(&rest, &number) || !es_str_word(&rest, &word) || !es_str_word(&rest, &hash) ||
        es_str_trim(rest).size > 0 || es_str_number(number, 9, &player))
        return at_line(check, line, ES_WORD_LINE_BAD);
    if (player == 0 || player > check->record->setup.players)
        return at_line(check, line, ES_PLAYER_UNKNOWN);
    int p = (int)player - 1;
    if (check->record->bot[p][0])
        return at_line(check, line, ES_WORD_OF_BOT);
    if (check->word_line[p].place)
        return at_line(check, line, ES_TWICE);
    check->word_line[p] = *line;
    check->came[p] = !es_str_is(word, "-");
    if ((check->came[p] && !es_str_hex(word, check->word[p], ES_FAIR_BYTES)) ||
        !es_str_hex(hash, check->hash[p], ES_FAIR_BYTES))
        return at_line(check, line, ES_WORD_LINE_BAD);
    return ES_OK;
}

/* Reads the words: one for every person, none for bots. */
static es_status read_words(struct check *check)
{
    struct line line = {0};
    es_status status = ES_OK;
    for (size_t at = 0; !status && es_record_note(check->record, &at, &line.word, &line.text);) {
        line.place++;
        if (es_str_is(line.word, "word"))
            status = read_word(check, &line);
    }
    for (int p = 0; !status && p < check->record->setup.players; p++)
        if (!check->word_line[p].place && !check->record->bot[p][0]) {
            char player = (char)('1' + p);
            status =
                es_fault_set(check->fault, 0, ES_WORD_LINE_MISSING, (struct es_str){&player, 1});
        }
    return status;
}

/* ---- What they say */

static es_status check_commit(struct check *check, const uint8_t *shown)
{
    if (!check->commit_line.place)
        return at_record(check, ES_COMMIT_MISSING);
    es_status status = read_commit(check);
    if (status)
        return status;
    if (shown && memcmp(shown, check->commit, ES_FAIR_BYTES) != 0)
        return at_line(check, &check->commit_line, ES_COMMIT_OTHER);
    if (!check->secret_line.place)
        return at_record(check, ES_SECRET_MISSING);
    if (!es_str_hex(check->secret_line.text, check->secret, ES_FAIR_BYTES))
        return at_line(check, &check->secret_line, ES_SECRET_BAD);
    uint8_t commit[ES_FAIR_BYTES];
    es_fair_commit(check->secret, check->id, commit);
    if (memcmp(commit, check->commit, ES_FAIR_BYTES) != 0)
        return at_line(check, &check->secret_line, ES_SECRET_WRONG);
    return ES_OK;
}

/* Checks the words' hashes, and the seed that they make with the secret. */
static es_status check_seed(struct check *check)
{
    const uint8_t *word[ES_PLAYERS_MAX] = {0};
    for (int p = 0; p < check->record->setup.players; p++) {
        uint8_t hash[ES_FAIR_BYTES];
        if (!check->came[p])
            continue;
        word[p] = check->word[p];
        es_fair_hash(word[p], hash);
        if (memcmp(hash, check->hash[p], ES_FAIR_BYTES) != 0)
            return at_line(check, &check->word_line[p], ES_WORD_WRONG);
    }
    es_fair_seed(check->secret, check->id, check->record, word, check->seed);
    if (check->record->has_seed && memcmp(check->record->seed, check->seed, ES_SEED_BYTES) != 0)
        return es_fault_set(check->fault, find_line(check, is_seed, 1), ES_SEED_WRONG, nothing);
    return ES_OK;
}

static es_status check_events(const struct check *check, struct es_state *state, size_t *chances)
{
    const struct es_record *record = check->record;
    const struct es_setup *setup = &record->setup;
    const struct es_game *game = setup->game;
    game->start(setup, state);
    for (size_t i = 0; i < record->count; i++) {
        es_event event = record->events[i];
        es_status status = ES_OK;
        if (game->turn(setup, state).kind == ES_TURN_CHANCE) {
            status = game->deal(setup, state, check->seed) == event ? ES_OK : ES_DEAL_WRONG;
            *chances += 1;
        }
        if (status == ES_OK)
            status = game->apply(setup, state, event);
        if (status) {
            char text[ES_EVENT_BYTES];
            struct es_out out = {text, sizeof text, 0};
            game->format(setup, event, &out);
            return es_fault_set(check->fault, find_line(check, NULL, i + 1), status,
                                (struct es_str){text, out.used});
        }
    }
    return ES_OK;
}

es_status es_fair_verify(const struct es_record *record, struct es_str text, const uint8_t *commit,
                         struct es_state *scratch, struct es_fair_facts *facts,
                         struct es_fault *fault)
{
    struct check check = {.record = record, .text = text, .fault = fault};
    *facts = (struct es_fair_facts){0};
    es_status status = find_lines(&check);
    if (status)
        return status;
    if (check.secret_line.place || check.commit_line.place || commit) {
        if ((status = check_commit(&check, commit)) || (status = read_words(&check)) ||
            (status = check_seed(&check)))
            return status;
        facts->proved = true;
        for (int p = 0; p < record->setup.players; p++)
            if (check.word_line[p].place && !check.came[p])
                facts->missing |= 1U << p;
    } else if (record->has_seed) {
        memcpy(check.seed, record->seed, ES_SEED_BYTES);
    } else {
        return at_record(&check, ES_SEED_MISSING);
    }
    return check_events(&check, scratch, &facts->chances);
}
