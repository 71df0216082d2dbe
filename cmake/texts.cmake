# Translations of the page: build/lang/*.json from po/*.po, made with the page (lang_files), and the
# target `texts` that brings po/*.po up to date with the sources.
add_executable(po EXCLUDE_FROM_ALL tools/po.c tools/po_file.c tools/po_sources.c src/core/text.c
               src/core/status.c)
target_include_directories(po PRIVATE include)

file(GLOB po_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/po/*.po)
# Only the shipped games are translated; the others are in English.
es_web_files(text_sources ${games})
list(FILTER text_sources INCLUDE REGEX "\\.(html|js|webmanifest)$")
list(TRANSFORM text_sources PREPEND web/)
list(SORT text_sources)
file(GLOB status_lists CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
     ${CMAKE_SOURCE_DIR}/include/endstation/*/status.h)
list(APPEND text_sources include/endstation/status.h ${status_lists} src/draw/title.c
     src/draw/chart.c src/draw/instead.c src/draw/plot.c src/draw/scale.c)
foreach(game IN LISTS games)
  file(GLOB pictures CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
       ${CMAKE_SOURCE_DIR}/src/games/${game}/picture*.c)
  list(APPEND text_sources ${pictures})
endforeach()

set(lang_files "")
foreach(file IN LISTS po_files)
  get_filename_component(code ${file} NAME_WE)
  set(lang ${CMAKE_BINARY_DIR}/lang/${code}.json)
  add_custom_command(
    OUTPUT ${lang}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lang
    COMMAND po json ${file} ${lang}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    DEPENDS po ${file} VERBATIM)
  list(APPEND lang_files ${lang})
endforeach()

list(TRANSFORM po_files REPLACE "^${CMAKE_SOURCE_DIR}/" "" OUTPUT_VARIABLE po_names)
add_custom_target(texts COMMAND po update ${po_names} -- ${text_sources}
                  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
