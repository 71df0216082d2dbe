# Writes FILES (a list) as a C table named TABLE into OUT: ids, texts, hashes. A map's file is named
# ID.map, and that of an earlier version ID.HASH.map. BARE: without comments and empty lines.
set(body "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  get_filename_component(id ${file} NAME_WE)
  if(BARE)
    file(READ ${file} text)
    string(REGEX REPLACE "(\n#[^\n]*)+" "" text "${text}")
    string(REGEX REPLACE "\n+" "\n" text "${text}")
    string(HEX "${text}" hex)
  else()
    file(READ ${file} hex HEX)
  endif()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND body "static const unsigned char text${number}[] = {${bytes}};\n")
  set(hash NULL)
  if(file MATCHES "\\.([0-9a-f]+)\\.map$")
    set(hash "\"${CMAKE_MATCH_1}\"")
  endif()
  string(APPEND rows
         "    {\"${id}\", {(const char *)text${number}, sizeof text${number}}, ${hash}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed.cmake. */\n#include <endstation/map.h>\n"
     "extern const struct es_builtin_map ${TABLE}[];\n${body}"
     "const struct es_builtin_map ${TABLE}[] = {\n${rows}    {NULL, {NULL, 0}, NULL},\n};\n")
