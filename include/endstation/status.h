/* Status codes, each with a sentence for people.
 *
 * Sentences are written for the person who has to correct the input: one clause in lower case
 * without a full stop. They are also keys for translation (msgid in the files of po/): change them
 * there too. They are shown after the text they are about:
 *
 *     game.record:18: '2 F3': no free window is left on that line
 */
#ifndef ENDSTATION_STATUS_H
#define ENDSTATION_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define ES_STATUS_LIST(X)                                                                          \
    X(OK, "no error")                                                                              \
    /* text */                                                                                     \
    X(NOT_TEXT, "not UTF-8 text, or a control character in it")                                    \
    X(UNREADABLE, "the file cannot be read")                                                       \
    X(TOO_LARGE, "the file is larger than 16 MiB")                                                 \
    X(LINE_LENGTH, "a line is longer than 65535 bytes")                                            \
    X(NOT_A_MAP, "a map begins with the line 'endstation-map 1'")                                  \
    X(NOT_A_RECORD, "a record begins with the line 'endstation-record 1'")                         \
    X(WORD_UNKNOWN, "unknown word")                                                                \
    X(WORD_MISSING, "something is missing at the end of this line")                                \
    X(WORD_EXTRA, "nothing more is expected on this line")                                         \
    X(NUMBER_BAD, "a whole number without sign or leading zeros is expected")                      \
    X(NUMBER_RANGE, "the number is out of range")                                                  \
    X(COORDINATE_BAD, "a coordinate has at most three digits and one decimal, like 12 or -3.5")    \
    X(COLOUR_BAD, "a colour is six lower-case hex digits")                                         \
    X(SEED_BAD, "a seed is 64 lower-case hex digits")                                              \
    X(NAME_LENGTH, "a text of 1 to 60 characters is expected")                                     \
    X(ID_BAD, "a map's id has 1 to 32 characters: a-z, 0-9 and -")                                 \
    X(TWICE, "may be given only once")                                                             \
    /* maps */                                                                                     \
    X(MAP_LATE, "id, title and paper come before the first station")                               \
    X(MAP_ID_MISSING, "the map's id is missing before the first station")                          \
    X(MAP_TITLE_MISSING, "the map's title is missing before the first station")                    \
    X(MAP_PAPER_MISSING, "the map's paper colour is missing before the first station")             \
    X(STATION_ID_BAD, "a station's id is 1 to 8 letters and digits")                               \
    X(STATIONS_TOO_MANY, "a map has at most 128 stations")                                         \
    X(STATION_UNKNOWN, "no such station")                                                          \
    X(STATION_TWICE, "this station is already on this line")                                       \
    X(STATION_UNUSED, "no line stops at this station")                                             \
    X(LETTER_BAD, "a line's name is one capital letter")                                           \
    X(POINTS_ORDER, "the later value may not be higher than the first")                            \
    X(STOPS_TOO_FEW, "a line has at least 2 stops")                                                \
    X(STOPS_TOO_MANY, "a line has at most 64 stops")                                               \
    X(BEND_BAD, "a bend is written (X,Y)")                                                         \
    X(BEND_PLACE, "a bend goes between two stops; on a ring, also after the last")                 \
    X(BENDS_TOO_MANY, "a map has at most 4096 bends")                                              \
    X(MAP_TOO_SMALL, "a map has at least 2 stations and 2 lines")                                  \
    /* headers of records */                                                                       \
    X(GAME_FIRST, "the first header line names the game, like 'game NAME'")                        \
    X(GAME_UNKNOWN, "no such game")                                                                \
    X(MAP_UNWANTED, "this game has no map")                                                        \
    X(PLAYERS_RANGE, "this game is not for that many players")                                     \
    X(PLAYERS_MISSING, "the number of players is missing from the header")                         \
    X(MAP_MISSING, "the map is missing from the header")                                           \
    X(PLAYER_UNKNOWN, "there is no such player")                                                   \
    X(RULE_UNKNOWN, "this game has no such rule")                                                  \
    X(RULES_CLASH, "these rules cannot be combined")                                               \
    X(MAP_ELSEWHERE, "this sheet is not built in: name its file with --map")                       \
    X(MAP_OTHER, "the map given does not have the id that the record names")                       \
    X(MAP_CHANGED, "the record names the first hash, the map given has the second")                \
    X(MAP_VERSION, "the built-in sheet has the second hash: name the first's file with --map")     \
    X(HASH_BAD, "the hash of a map is 32 lower-case hex digits")                                   \
    X(LEVEL_BAD, "a bot's level is one word of 1 to 32 printable ASCII characters")                \
    X(NOTES_TOO_LONG, "the commit, secret, word, date and note lines have more than 16384 bytes")  \
    /* events */                                                                                   \
    X(EVENT_BAD, "this is not an event of this game")                                              \
    X(EVENTS_TOO_MANY, "the record has more events than a game can have")                          \
    X(GAME_OVER, "the game is over")                                                               \
    X(CHANCE_DUE, "a card, tile or roll must come first")                                          \
    X(CHANCE_NOT_DUE, "no card, tile or roll is due now")                                          \
    X(NOT_TO_ACT, "it is not this player's turn")                                                  \
    X(NOTHING_TO_UNDO, "this player has made no move that can still be taken back")                \
    /* checking a shuffle */                                                                       \
    X(COMMIT_BAD, "a commit is 64 lower-case hex digits and an id, 1 to 32 of a-z and 0-9")        \
    X(COMMIT_MISSING, "the record has no commit, the hash that is shown before the game")          \
    X(COMMIT_OTHER, "this is not the commit that was shown before the game")                       \
    X(SECRET_BAD, "a secret is 64 lower-case hex digits")                                          \
    X(SECRET_MISSING, "the secret is missing: it is revealed when the game is over")               \
    X(SECRET_WRONG, "the commit was not made from this secret")                                    \
    X(WORD_LINE_BAD, "a word line has a player, a word or -, and its hash, 64 hex digits each")    \
    X(WORD_LINE_MISSING, "this player is not a bot and has no word line")                          \
    X(WORD_OF_BOT, "this player is a bot, and bots have no words")                                 \
    X(WORD_WRONG, "this word does not have the hash that was shown before the game")               \
    X(SEED_WRONG, "the seed was not made from the secret and the words")                           \
    X(SEED_MISSING, "the record has neither seed nor secret: its shuffle cannot be checked")       \
    X(DEAL_WRONG, "the shuffle brings something else here")                                        \
    /* bots */                                                                                     \
    X(VIEW_BLIND, "this view hides the player's own tiles")                                        \
    X(BOT_UNKNOWN, "this game has no bot of that level")                                           \
    X(ANALYSIS_NONE, "games of this kind cannot be analysed")                                      \
    /* invariants; seeing one of these is a bug */                                                 \
    X(BROKEN, "the state contradicts itself")

enum {
#define ES_STATUS_CODE(code, sentence) ES_##code,
    ES_STATUS_LIST(ES_STATUS_CODE)
#undef ES_STATUS_CODE
        ES_STATUS_COUNT
};

/* One of these, or one of a game's own; 0: success. */
typedef int es_status;

/* The first code of a game's own list: ES_STATUS_OF(1), ES_STATUS_OF(2) and so on; the lists are in
 * the games' status.h. A code's number tells which list it is in. */
#define ES_STATUS_OF(game) ((game)*256)

struct es_status_list {
    int first, count;
    const struct es_status_entry {
        const char *code, *sentence;
    } * entry;
};
#define ES_STATUS_ENTRY(code, sentence) {#code, sentence},

/* The lists of all games, written by the build; NULL at the end. */
extern const struct es_status_list *const es_status_lists[];

/* Returns the name of a code, such as "LINE_FULL". Never NULL, even if there is no such code. */
const char *es_status_code(es_status status);
/* Returns the sentence of a code. Never NULL, even if there is no such code. */
const char *es_status_text(es_status status);

#ifdef __cplusplus
}
#endif

#endif
