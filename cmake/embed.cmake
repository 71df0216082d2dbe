# Writes FILES (a list) as a C table of ids and texts named TABLE into OUT. The id of a map is its
# file's name.
set(body "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  get_filename_component(id ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND body "static const unsigned char text${number}[] = {${bytes}};\n")
  string(APPEND rows
         "    {\"${id}\", {(const char *)text${number}, sizeof text${number}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed.cmake. */\n#include <endstation/map.h>\n"
     "extern const struct es_builtin_map ${TABLE}[];\n${body}"
     "const struct es_builtin_map ${TABLE}[] = {\n${rows}    {NULL, {NULL, 0}},\n};\n")
