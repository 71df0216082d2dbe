/* Reads and writes maps. docs/formats.md defines the format; the reader is strict, so that all
 * programs accept the same files. */
#include <assert.h>
#include <endstation/sha256.h>
#include <endstation/verplant/sheet.h>
#include <string.h>

struct reader {
    struct es_map *map;
    struct es_fault *fault;
    int line;
    bool has_id, has_title, has_paper;
    int station_line[ES_STATIONS_MAX]; /* where each station was declared */
};

static es_status fail(struct reader *r, es_status status, struct es_str words)
{
    return es_fault_set(r->fault, r->line, status, words);
}

static const struct es_str nothing = {"", 0};

/* Reads a coordinate into tenths: an optional '-', up to three digits, at most one decimal. */
static bool read_coordinate(struct es_str s, int16_t *tenths)
{
    bool minus = s.size > 0 && s.at[0] == '-';
    if (minus) {
        s.at++;
        s.size--;
    }
    int decimal = 0;
    if (s.size >= 2 && s.at[s.size - 2] == '.') {
        decimal = s.at[s.size - 1] - '0';
        if (decimal < 0 || decimal > 9)
            return false;
        s.size -= 2;
    }
    unsigned whole;
    if (es_str_number(s, 999, &whole) != ES_OK)
        return false;
    int value = (int)whole * 10 + decimal;
    *tenths = (int16_t)(minus ? -value : value);
    return true;
}

static bool read_colour(struct es_str s, uint32_t *colour)
{
    uint8_t rgb[3];
    if (!es_str_hex(s, rgb, sizeof rgb))
        return false;
    *colour = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    return true;
}

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Reads the next word of a line, which must be there. */
static es_status need_word(struct reader *r, struct es_str *rest, struct es_str *word)
{
    return es_str_word(rest, word) ? ES_OK : fail(r, ES_WORD_MISSING, nothing);
}

/* Reads the next word, which must be `keyword`. */
static es_status need_keyword(struct reader *r, struct es_str *rest, const char *keyword)
{
    struct es_str word;
    if (need_word(r, rest, &word))
        return r->fault->status;
    return es_str_is(word, keyword) ? ES_OK : fail(r, ES_WORD_UNKNOWN, word);
}

/* Reads the next word, which must be a number from `min` to `max`. */
static es_status need_number(struct reader *r, struct es_str *rest, unsigned min, unsigned max,
                             uint8_t *value)
{
    struct es_str word;
    unsigned number;
    if (need_word(r, rest, &word))
        return r->fault->status;
    es_status status = es_str_number(word, max, &number);
    if (status == ES_OK && number < min)
        status = ES_NUMBER_RANGE;
    if (status)
        return fail(r, status, word);
    *value = (uint8_t)number;
    return ES_OK;
}

/* Reads the next two words, which must be coordinates. */
static es_status need_point(struct reader *r, struct es_str *rest, struct es_point *point)
{
    struct es_str word;
    if (need_word(r, rest, &word))
        return r->fault->status;
    if (!read_coordinate(word, &point->x))
        return fail(r, ES_COORDINATE_BAD, word);
    if (need_word(r, rest, &word))
        return r->fault->status;
    return read_coordinate(word, &point->y) ? ES_OK : fail(r, ES_COORDINATE_BAD, word);
}

/* Reads an optional last word: sets the flag if it is there. Nothing may follow. */
static es_status last_word(struct reader *r, struct es_str *rest, const char *keyword, bool *flag)
{
    struct es_str word;
    *flag = false;
    if (!es_str_word(rest, &word))
        return ES_OK;
    if (!es_str_is(word, keyword))
        return fail(r, ES_WORD_UNKNOWN, word);
    *flag = true;
    return es_str_word(rest, &word) ? fail(r, ES_WORD_EXTRA, word) : ES_OK;
}

/* Splits at the first colon: returns the text before it, and sets *after to the trimmed text after
 * it. Without a colon `after->at` is NULL. */
static struct es_str cut_at_colon(struct es_str s, struct es_str *after)
{
    const char *colon = s.size ? memchr(s.at, ':', s.size) : NULL;
    *after = (struct es_str){NULL, 0};
    if (!colon)
        return s;
    size_t before = (size_t)(colon - s.at);
    *after = es_str_trim((struct es_str){colon + 1, s.size - before - 1});
    return (struct es_str){s.at, before};
}

/* Copies a title or a name; each run of blanks and tabs becomes one blank. `s.at` is NULL if there
 * is none. */
static void copy_name(struct es_str s, char name[ES_NAME_BYTES])
{
    struct es_out out = {name, ES_NAME_BYTES - 1, 0};
    struct es_str word;
    while (s.size > 0 && es_str_word(&s, &word)) {
        if (out.used > 0)
            es_out_char(&out, ' ');
        es_out_str(&out, word);
    }
    assert(es_out_ok(&out));
    name[out.used] = '\0';
}

static es_status read_id(struct reader *r, struct es_str rest)
{
    if (r->has_id)
        return fail(r, ES_TWICE, nothing);
    if (!es_map_id_good(rest))
        return fail(r, ES_ID_BAD, rest);
    r->has_id = true;
    es_str_copy(rest, r->map->id, sizeof r->map->id);
    return ES_OK;
}

static es_status read_title(struct reader *r, struct es_str rest)
{
    if (r->has_title)
        return fail(r, ES_TWICE, nothing);
    if (rest.size == 0 || es_str_length(rest) > ES_NAME_CHARS)
        return fail(r, ES_NAME_LENGTH, nothing);
    r->has_title = true;
    copy_name(rest, r->map->title);
    return ES_OK;
}

static es_status read_paper(struct reader *r, struct es_str rest)
{
    if (r->has_paper)
        return fail(r, ES_TWICE, nothing);
    r->has_paper = true;
    return read_colour(rest, &r->map->paper) ? ES_OK : fail(r, ES_COLOUR_BAD, rest);
}

static es_status read_station(struct reader *r, struct es_str rest)
{
    struct es_map *map = r->map;
    struct es_str name, word, head = cut_at_colon(rest, &name);
    if (!r->has_id || !r->has_title || !r->has_paper)
        return fail(r,
                    !r->has_id      ? ES_MAP_ID_MISSING
                    : !r->has_title ? ES_MAP_TITLE_MISSING
                                    : ES_MAP_PAPER_MISSING,
                    nothing);
    if (map->stations == ES_STATIONS_MAX)
        return fail(r, ES_STATIONS_TOO_MANY, nothing);
    struct es_map_station *station = &map->station[map->stations];

    if (need_word(r, &head, &word))
        return r->fault->status;
    if (!es_str_copy(word, station->id, sizeof station->id))
        return fail(r, ES_STATION_ID_BAD, word);
    for (size_t i = 0; i < word.size; i++)
        if (!is_letter_or_digit(word.at[i]))
            return fail(r, ES_STATION_ID_BAD, word);
    if (es_map_station_named(map, word) >= 0)
        return fail(r, ES_TWICE, word);
    if (need_point(r, &head, &station->at) || last_word(r, &head, "special", &station->special))
        return r->fault->status;
    if (es_str_length(name) > ES_NAME_CHARS)
        return fail(r, ES_NAME_LENGTH, nothing);
    copy_name(name, station->name);
    r->station_line[map->stations++] = r->line;
    return ES_OK;
}

static es_status read_bend(struct reader *r, struct es_map_line *line, struct es_str word)
{
    struct es_map *map = r->map;
    const char *comma = memchr(word.at, ',', word.size);
    struct es_point at;
    if (word.at[word.size - 1] != ')' || !comma)
        return fail(r, ES_BEND_BAD, word);
    struct es_str x = {word.at + 1, (size_t)(comma - word.at) - 1};
    struct es_str y = {comma + 1, word.size - x.size - 3};
    if (!read_coordinate(x, &at.x) || !read_coordinate(y, &at.y))
        return fail(r, ES_COORDINATE_BAD, word);
    if (line->stops == 0)
        return fail(r, ES_BEND_PLACE, word);
    if (map->bends == ES_BENDS_MAX)
        return fail(r, ES_BENDS_TOO_MANY, word);
    map->bend[map->bends].at = at;
    map->bend[map->bends++].after_stop = (uint8_t)(line->stops - 1);
    line->bends++;
    return ES_OK;
}

static es_status read_stop(struct reader *r, struct es_map_line *line, struct es_str word)
{
    int station = es_map_station_named(r->map, word);
    if (station < 0)
        return fail(r, ES_STATION_UNKNOWN, word);
    if (memchr(line->stop, station, line->stops))
        return fail(r, ES_STATION_TWICE, word);
    if (line->stops == ES_STOPS_MAX)
        return fail(r, ES_STOPS_TOO_MANY, word);
    line->stop[line->stops++] = (uint8_t)station;
    return ES_OK;
}

static es_status read_line(struct reader *r, struct es_str rest)
{
    struct es_map *map = r->map;
    struct es_str stops, word, head = cut_at_colon(rest, &stops);

    if (need_word(r, &head, &word))
        return r->fault->status;
    if (word.size != 1 || word.at[0] < 'A' || word.at[0] > 'Z')
        return fail(r, ES_LETTER_BAD, word);
    if (es_map_line_named(map, word.at[0]) >= 0) /* so there are at most 26 lines */
        return fail(r, ES_TWICE, word);
    struct es_map_line *line = &map->line[map->lines];
    line->letter = word.at[0];
    line->bends_from = map->bends;
    if (need_word(r, &head, &word))
        return r->fault->status;
    if (!read_colour(word, &line->colour))
        return fail(r, ES_COLOUR_BAD, word);
    if (need_keyword(r, &head, "windows") ||
        need_number(r, &head, 1, ES_LINE_WINDOWS_MAX, &line->windows) ||
        need_keyword(r, &head, "points") || need_number(r, &head, 0, 99, &line->first) ||
        need_number(r, &head, 0, 99, &line->later) || need_keyword(r, &head, "wagon") ||
        need_point(r, &head, &line->wagon) || last_word(r, &head, "ring", &line->ring))
        return r->fault->status;
    if (line->later > line->first)
        return fail(r, ES_POINTS_ORDER, nothing);
    if (!stops.at)
        return fail(r, ES_WORD_MISSING, nothing);

    while (es_str_word(&stops, &word))
        if (word.at[0] == '(' ? read_bend(r, line, word) : read_stop(r, line, word))
            return r->fault->status;
    if (line->stops < 2)
        return fail(r, ES_STOPS_TOO_FEW, nothing);
    if (!line->ring && line->bends > 0 && map->bend[map->bends - 1].after_stop == line->stops - 1)
        return fail(r, ES_BEND_PLACE, nothing);
    map->lines++;
    return ES_OK;
}

/* Fills in the derived fields. */
static void derive(struct es_map *map)
{
    for (int row = 0; row <= ES_STATIONS_MAX; row++)
        memset(map->mark[row].keep, 0xff, sizeof map->mark[row].keep);
    memset(map->stop_bits, 0xff, sizeof map->stop_bits);
    for (int s = 0; s < map->stations; s++) {
        uint64_t bit = (uint64_t)1 << s % 64;
        map->all[s / 64] |= bit;
        map->mark[s + 1].special = map->station[s].special;
        map->mark[s + 1].keep[s / 64] &= ~bit;
    }
    for (int l = 0; l < map->lines; l++) {
        struct es_map_line *line = &map->line[l];
        map->windows = (uint8_t)(map->windows + line->windows);
        line->windows_end = map->windows;
        map->rings |= (uint32_t)line->ring << l;
        map->free[l / 16] |= (uint64_t)line->windows << l % 16 * 4;
        map->stop_bits[l] = ~(uint64_t)0 >> (ES_STOPS_MAX - line->stops);
        for (int i = 0; i < 8; i++)
            map->run[l][i] = ES_CHOICE(l, ES_DIRECTION_NONE, i);
        for (int i = 0; i < line->stops; i++) {
            struct es_map_mark *mark = &map->mark[line->stop[i] + 1];
            mark->calls++;
            mark->keep[2 + l] &= ~((uint64_t)1 << i);
            line->back[i] = line->stop[i == 0 ? 0 : line->stops - i];
        }
    }
}

static void write_coordinate(struct es_out *out, int tenths)
{
    if (tenths < 0)
        es_out_char(out, '-');
    tenths = tenths < 0 ? -tenths : tenths;
    es_out_int(out, tenths / 10);
    if (tenths % 10) {
        es_out_char(out, '.');
        es_out_int(out, tenths % 10);
    }
}

static void write_point(struct es_out *out, struct es_point point, char between)
{
    write_coordinate(out, point.x);
    es_out_char(out, between);
    write_coordinate(out, point.y);
}

static void write_colour(struct es_out *out, uint32_t colour)
{
    uint8_t rgb[3] = {(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
    es_out_hex(out, rgb, sizeof rgb);
}

static void write_number(struct es_out *out, const char *before, int number)
{
    es_out_text(out, before);
    es_out_int(out, number);
}

/* Where the text of a map is written: to a buffer for all of it; or, for the hash, to a buffer for
 * one piece at a time, which is hashed and reused. */
struct sink {
    struct es_out *out;
    struct es_sha256 *sha; /* NULL: keep the text */
};

enum { PIECE_BYTES = 512 }; /* the longest piece is the title's line or a station's */

static void end_piece(struct sink *sink)
{
    if (!sink->sha)
        return;
    assert(es_out_ok(sink->out));
    es_sha256_update(sink->sha, sink->out->at, sink->out->used);
    sink->out->used = 0;
}

static void write_line(const struct es_map *map, const struct es_map_line *line, struct sink *sink)
{
    struct es_out *out = sink->out;
    es_out_text(out, "line ");
    es_out_char(out, line->letter);
    es_out_char(out, ' ');
    write_colour(out, line->colour);
    write_number(out, " windows ", line->windows);
    write_number(out, " points ", line->first);
    write_number(out, " ", line->later);
    es_out_text(out, " wagon ");
    write_point(out, line->wagon, ' ');
    es_out_text(out, line->ring ? " ring :" : " :");
    const struct es_map_bend *bend = &map->bend[line->bends_from], *end = bend + line->bends;
    for (int i = 0; i < line->stops; i++) {
        es_out_char(out, ' ');
        es_out_text(out, map->station[line->stop[i]].id);
        for (; bend < end && bend->after_stop == i; bend++) {
            es_out_text(out, " (");
            write_point(out, bend->at, ',');
            es_out_char(out, ')');
            end_piece(sink);
        }
        end_piece(sink);
    }
    es_out_char(out, '\n');
    end_piece(sink);
}

static void write_map(const struct es_map *map, struct sink *sink)
{
    struct es_out *out = sink->out;
    es_out_text(out, "endstation-map 1\nid ");
    es_out_text(out, map->id);
    es_out_text(out, "\ntitle ");
    es_out_text(out, map->title);
    es_out_text(out, "\npaper ");
    write_colour(out, map->paper);
    es_out_char(out, '\n');
    end_piece(sink);
    for (int s = 0; s < map->stations; s++) {
        const struct es_map_station *station = &map->station[s];
        es_out_text(out, "station ");
        es_out_text(out, station->id);
        es_out_char(out, ' ');
        write_point(out, station->at, ' ');
        es_out_text(out, station->special ? " special" : "");
        es_out_text(out, station->name[0] ? " : " : "");
        es_out_text(out, station->name);
        es_out_char(out, '\n');
        end_piece(sink);
    }
    for (int l = 0; l < map->lines; l++)
        write_line(map, &map->line[l], sink);
}

void es_map_write(const struct es_map *map, struct es_out *out)
{
    write_map(map, &(struct sink){out, NULL});
}

static void hash_map(struct es_map *map)
{
    char piece[PIECE_BYTES];
    uint8_t digest[ES_SHA256_BYTES];
    struct es_out out = {piece, sizeof piece, 0}, hex = {map->hash, sizeof map->hash - 1, 0};
    struct es_sha256 sha;
    es_sha256_init(&sha);
    write_map(map, &(struct sink){&out, &sha});
    es_sha256_final(&sha, digest);
    es_out_hex(&hex, digest, (sizeof map->hash - 1) / 2); /* the terminating zero stays */
}

es_status es_map_read(struct es_map *map, struct es_str text, struct es_fault *fault)
{
    static const struct {
        const char *word;
        es_status (*read)(struct reader *r, struct es_str rest);
        bool early; /* only before the first station */
    } directives[] = {
        {"station", read_station, false}, {"line", read_line, false},  {"id", read_id, true},
        {"title", read_title, true},      {"paper", read_paper, true},
    };
    struct reader r = {.map = map, .fault = fault};
    struct es_lines lines;
    struct es_str rest, word;

    if (es_lines_open(&lines, text, fault))
        return fault->status;
    memset(map, 0, sizeof *map);
    bool any = es_lines_next(&lines);
    rest = lines.line;
    r.line = 1;
    if (!any || !es_str_word(&rest, &word) || !es_str_is(word, "endstation-map") ||
        !es_str_is(es_str_trim(rest), "1"))
        return fail(&r, ES_NOT_A_MAP, nothing);

    while (es_lines_next(&lines)) {
        if (lines.line.size == 0 || es_lines_comment(&lines))
            continue;
        r.line = lines.number;
        rest = lines.line;
        es_str_word(&rest, &word);
        size_t i = 0, count = sizeof directives / sizeof directives[0];
        while (i < count && !es_str_is(word, directives[i].word))
            i++;
        if (i == count)
            return fail(&r, ES_WORD_UNKNOWN, word);
        if (directives[i].early && map->stations > 0)
            return fail(&r, ES_MAP_LATE, word);
        if (directives[i].read(&r, es_str_trim(rest)))
            return fault->status;
    }
    r.line = lines.number;
    if (map->stations < 2 || map->lines < 2)
        return fail(&r, ES_MAP_TOO_SMALL, nothing);
    derive(map);
    for (int s = 0; s < map->stations; s++) {
        r.line = r.station_line[s];
        if (es_map_calls(map, s) == 0)
            return fail(&r, ES_STATION_UNUSED, es_str(map->station[s].id));
    }
    hash_map(map);
    return ES_OK;
}

bool es_map_id_good(struct es_str id)
{
    for (size_t i = 0; i < id.size; i++) {
        char c = id.at[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
            return false;
    }
    return id.size > 0 && id.size < ES_MAP_ID_BYTES;
}

int es_map_station_named(const struct es_map *map, struct es_str id)
{
    for (int s = 0; s < map->stations; s++)
        if (es_str_is(id, map->station[s].id))
            return s;
    return -1;
}

int es_map_line_named(const struct es_map *map, char letter)
{
    for (int l = 0; l < map->lines; l++)
        if (map->line[l].letter == letter)
            return l;
    return -1;
}

struct es_str es_builtin_map_named(struct es_str id, struct es_str hash)
{
    for (int i = 0; es_earlier_maps[i].id; i++)
        if (es_str_is(id, es_earlier_maps[i].id) && es_str_is(hash, es_earlier_maps[i].hash))
            return es_earlier_maps[i].text;
    return es_builtin_map(id);
}

bool es_map_earlier(struct es_str hash)
{
    for (int i = 0; es_earlier_maps[i].id; i++)
        if (es_str_is(hash, es_earlier_maps[i].hash))
            return true;
    return false;
}

bool es_map_changed(struct es_str id)
{
    for (int i = 0; es_earlier_maps[i].id; i++)
        if (es_str_is(id, es_earlier_maps[i].id))
            return true;
    return false;
}

struct es_str es_builtin_map(struct es_str id)
{
    for (int i = 0; es_builtin_maps[i].id; i++)
        if (es_str_is(id, es_builtin_maps[i].id))
            return es_builtin_maps[i].text;
    return nothing;
}
