# The games, in the order in which they are offered. Each is a folder of src/games; its terminal*.c
# and bench.c are part of the program, everything else of the library. Its face in the browser is
# the folder web/games/NAME, with face.js and face.css, all of which may be missing.
set(games verplant metro)
# Games for tests only: one that has nothing but rules, so that every default is used, and a small
# one with a picture and a face.
set(test_games null depot)

# The sources of games: of the library, of the program, and of its bench.
function(es_game_sources library program bench)
  set(library_files "")
  foreach(game ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/games/${game}/*.c)
    list(APPEND library_files ${files})
  endforeach()
  set(program_files ${library_files})
  set(bench_files ${library_files})
  list(FILTER library_files EXCLUDE REGEX "/(terminal[^/]*|bench\\.c)$")
  list(FILTER program_files INCLUDE REGEX "/terminal[^/]*$")
  list(FILTER bench_files INCLUDE REGEX "/bench\\.c$")
  set(${library} ${library_files} PARENT_SCOPE)
  set(${program} ${program_files} PARENT_SCOPE)
  set(${bench} ${bench_files} PARENT_SCOPE)
endfunction()

# Writes C files with the tables of these games: `list` with es_games and es_status_lists (of games
# that have a status.c), `terminals` with cli_terminals (of those that have a terminal.c), `benches`
# with bench_ways (of those that have a bench.c).
function(es_game_tables list terminals benches)
  set(list_text "#include <endstation/game.h>\n#include <endstation/status.h>\n")
  set(terminals_text "#include \"cli/terminal.h\"\n")
  set(benches_text "#include <games.h>\n")
  set(names "")
  set(faces "")
  set(ways "")
  set(statuses "")
  foreach(game ${ARGN})
    string(APPEND list_text "extern const struct es_game es_${game};\n")
    string(APPEND names "&es_${game}, ")
    if(EXISTS ${CMAKE_SOURCE_DIR}/src/games/${game}/status.c)
      string(APPEND list_text "extern const struct es_status_list es__${game}_statuses;\n")
      string(APPEND statuses "&es__${game}_statuses, ")
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/src/games/${game}/terminal.c)
      string(APPEND terminals_text "extern const struct cli_terminal cli_terminal_${game};\n")
      string(APPEND faces "&cli_terminal_${game}, ")
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/src/games/${game}/bench.c)
      string(APPEND benches_text "extern const struct bench_ways bench_ways_${game};\n")
      string(APPEND ways "&bench_ways_${game}, ")
    endif()
  endforeach()
  string(APPEND list_text "const struct es_game *const es_games[] = {${names}NULL};\n")
  string(APPEND list_text
         "const struct es_status_list *const es_status_lists[] = {${statuses}NULL};\n")
  string(APPEND terminals_text
         "const struct cli_terminal *const cli_terminals[] = {${faces}NULL};\n")
  string(APPEND benches_text "const struct bench_ways *const bench_ways[] = {${ways}NULL};\n")
  file(CONFIGURE OUTPUT ${list} CONTENT "${list_text}" @ONLY)
  file(CONFIGURE OUTPUT ${terminals} CONTENT "${terminals_text}" @ONLY)
  file(CONFIGURE OUTPUT ${benches} CONTENT "${benches_text}" @ONLY)
endfunction()

# The elements that replace @GAMES@ in index.html, for the faces of these games: styles, then
# modules. They run in this order, before app.js.
function(es_game_links result)
  set(styles "")
  set(modules "")
  foreach(game ${ARGN})
    set(face ${CMAKE_SOURCE_DIR}/web/games/${game}/face)
    set(address "/v/@VERSION@/games/${game}/face")
    if(EXISTS ${face}.css)
      string(APPEND styles "<link rel=\"stylesheet\" href=\"${address}.css\">\n")
    endif()
    if(EXISTS ${face}.js)
      string(APPEND modules "<script type=\"module\" src=\"${address}.js\"></script>\n")
    endif()
  endforeach()
  string(STRIP "${styles}${modules}" links)
  set(${result} "${links}" PARENT_SCOPE)
endfunction()

# The files of web/ that belong to the faces of these games, relative to web/.
function(es_face_files result)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR}/web CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/web/games/*)
  list(JOIN ARGN "|" names)
  list(FILTER files INCLUDE REGEX "^games/(${names})/")
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# All files of web/ for a page with these games: what serves any game, and their faces.
function(es_web_files result)
  file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR}/web CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/web/*)
  list(FILTER files EXCLUDE REGEX "^games/[^/]+/")
  es_face_files(faces ${ARGN})
  set(${result} ${files} ${faces} PARENT_SCOPE)
endfunction()
