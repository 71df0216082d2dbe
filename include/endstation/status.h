/* Status codes: what a call answers when it does not simply succeed.
 *
 * One list holds every code with its sentence, so that none can lack one. Sentences are written
 * for the person who has to mend the input; they are shown behind the text they speak of, as in
 *
 *     game.record:18: '2 F3': no free window is left on that line
 */
#ifndef ENDSTATION_STATUS_H
#define ENDSTATION_STATUS_H

#define ES_STATUS_LIST(X)                                                                          \
    X(OK, "no error")                                                                              \
    /* text */                                                                                     \
    X(NOT_TEXT, "not UTF-8 text, or a control character in it")                                    \
    X(UNREADABLE, "the file cannot be read")                                                       \
    X(TOO_LARGE, "the file is larger than 16 MiB")                                                 \
    X(LINE_LENGTH, "a line is longer than 65535 bytes")                                            \
    X(NOT_A_MAP, "a map begins with the line 'endstation-map 1'")                                  \
    X(NOT_A_RECORD, "a record begins with the line 'endstation-record 1'")                         \
    X(WORD_UNKNOWN, "this word is not known here")                                                 \
    X(WORD_MISSING, "something is missing at the end of this line")                                \
    X(WORD_EXTRA, "nothing more is expected on this line")                                         \
    X(NUMBER_BAD, "a decimal number without sign or leading zeros is expected")                    \
    X(NUMBER_RANGE, "the number is out of range")                                                  \
    X(COORDINATE_BAD, "a coordinate has at most three digits and one decimal, like 12 or -3.5")    \
    X(COLOUR_BAD, "a colour is six lower-case hex digits")                                         \
    X(SEED_BAD, "a seed is 64 lower-case hex digits")                                              \
    X(NAME_LENGTH, "a text of 1 to 60 characters is expected")                                     \
    X(ID_BAD, "a map's id is 1 to 32 of a-z, 0-9 and -")                                           \
    X(TWICE, "this was said already")                                                              \
    /* maps */                                                                                     \
    X(MAP_LATE, "id, title and paper come before the first station")                               \
    X(MAP_ID_MISSING, "the map's id is missing before the first station")                          \
    X(MAP_TITLE_MISSING, "the map's title is missing before the first station")                    \
    X(MAP_PAPER_MISSING, "the map's paper colour is missing before the first station")             \
    X(STATION_ID_BAD, "a station's id is 1 to 8 letters and digits")                               \
    X(STATIONS_TOO_MANY, "a map has at most 128 stations")                                         \
    X(STATION_UNKNOWN, "no such station")                                                          \
    X(STATION_TWICE, "this station already stands on this line")                                   \
    X(STATION_UNUSED, "no line calls at this station")                                             \
    X(LETTER_BAD, "a line is named by one capital letter")                                         \
    X(POINTS_ORDER, "the later value may not be higher than the first")                            \
    X(STOPS_TOO_FEW, "a line has at least 2 stops")                                                \
    X(STOPS_TOO_MANY, "a line has at most 64 stops")                                               \
    X(BEND_BAD, "a bend is written (X,Y)")                                                         \
    X(BEND_PLACE, "a bend stands between two stops, on a ring also behind the last")               \
    X(BENDS_TOO_MANY, "a map has at most 4096 bends")                                              \
    X(MAP_TOO_SMALL, "a map has at least 2 stations and 2 lines")                                  \
    /* headers of records */                                                                       \
    X(GAME_FIRST, "the first header line names the game, like 'game verplant'")                    \
    X(GAME_UNKNOWN, "no such game")                                                                \
    X(MAP_UNWANTED, "this game has no map")                                                        \
    X(PLAYERS_RANGE, "verplant is for 1 to 6 players, metro for 2 to 6")                           \
    X(PLAYERS_MISSING, "the number of players is missing in the header")                           \
    X(MAP_MISSING, "the map is missing in the header")                                             \
    X(PLAYER_UNKNOWN, "there is no such player")                                                   \
    X(RULE_UNKNOWN, "no such rule: verplant has special; metro has rotate, hand2, hand3")          \
    X(RULES_CLASH, "these rules exclude each other")                                               \
    X(CARD_BAD, "a card is 1 to 9, x1 to x9, + or o")                                              \
    X(DECK_SIZE, "a deck has 1 to 60 cards")                                                       \
    X(DECK_SIX, "a deck needs at least one 6")                                                     \
    X(MAP_ELSEWHERE, "this sheet is not built in: name its file with --map")                       \
    X(MAP_OTHER, "the map given has another id")                                                   \
    X(MAP_CHANGED, "the record names the first hash, the map given has the second")                \
    X(MAP_VERSION, "the built-in sheet has the second hash: name the first's file with --map")     \
    X(HASH_BAD, "the hash of a map is 32 lower-case hex digits")                                   \
    X(LEVEL_BAD, "a bot's level is one word of 1 to 32 printable ASCII characters")                \
    X(NOTES_TOO_LONG, "the commit, secret, word, date and note lines have more than 16384 bytes")  \
    /* events, both games */                                                                       \
    X(EVENT_BAD, "this is not an event of this game")                                              \
    X(EVENTS_TOO_MANY, "the record has more events than a game can have")                          \
    X(GAME_OVER, "the game is over")                                                               \
    X(CHANCE_DUE, "a card or tile has to come first")                                              \
    X(CHANCE_NOT_DUE, "no card or tile is due")                                                    \
    X(NOT_TO_ACT, "this player has nothing to do now")                                             \
    X(NOTHING_TO_UNDO, "this player has made no move that can still be taken back")                \
    /* events of verplant */                                                                       \
    X(CARD_GONE, "no such card is left in the pile")                                               \
    X(LINE_UNKNOWN, "no such line")                                                                \
    X(LINE_FULL, "no free window is left on that line")                                            \
    X(MARKS_MANY, "the card and the line allow fewer marks")                                       \
    X(RING_NEEDS_DIRECTION, "a ring needs a direction, like C>2 or C<2, except to mark nothing")   \
    X(NO_RING, "only ring lines have a direction, and only with marks")                            \
    X(RIDE_NOT_OPEN, "@ goes with a free ride only, and a free ride with nothing else")            \
    X(STATION_MARKED, "this station is marked already")                                            \
    /* events of metro */                                                                          \
    X(TILE_BAD, "no such tile")                                                                    \
    X(SQUARE_BAD, "squares are a1 to h8")                                                          \
    X(TURN_BAD, "quarter turns are written /1 to /3, and left out when there are none")            \
    X(TILE_ELSEWHERE, "a tile is due, but to another player")                                      \
    X(TILE_GONE, "no such tile is left")                                                           \
    X(TILE_NOT_HELD, "this tile is not in the player's hand")                                      \
    X(TILE_NOT_DRAWN, "the tile that was drawn has to be laid")                                    \
    X(STOCK_EMPTY, "the stock is empty")                                                           \
    X(TURN_UNWANTED, "tiles are turned only with the rule 'rotate'")                               \
    X(TURN_NOT_LEAST, "fewer quarter turns give the tile the same look")                           \
    X(SQUARE_CENTRE, "the central stations are no place for tiles")                                \
    X(SQUARE_TAKEN, "a tile lies there already")                                                   \
    X(SQUARE_ALONE, "that square is neither on the rim nor next to a tile")                        \
    X(LINE_TOO_SHORT, "a line would lead from station to station over this one tile")              \
    /* bots */                                                                                     \
    X(VIEW_BLIND, "this view hides the player's own tiles")                                        \
    X(BOT_UNKNOWN, "no such level: random, greedy, casual, strong, master")                        \
    /* invariants; seeing one of these is a bug */                                                 \
    X(BROKEN, "the state contradicts itself")

enum es_status {
#define ES_STATUS_CODE(code, sentence) ES_##code,
    ES_STATUS_LIST(ES_STATUS_CODE)
#undef ES_STATUS_CODE
        ES_STATUS_COUNT
};

/* The name of a code, like "LINE_FULL", and its sentence; never NULL, also for numbers that are no
 * code.
 */
const char *es_status_code(enum es_status status);
const char *es_status_text(enum es_status status);

#endif
