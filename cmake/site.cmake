# Makes of the finished page (the files of the folder PAGE that are listed in NAMES) a C table of
# files for src/server/site.h: OUT, beside it a folder OUT.d with what it embeds. One hash over all
# files, as they are in PAGE, is the version. In the files that stand at the root, the text of the
# file GAMES is filled in for @GAMES@, a list of every address for @FILES@, and the version for
# @VERSION@, also in these. Everything is compressed here, once, unless PLAIN is set: what lies in
# OUT.d is called by its hash, so that nothing is done again for files that did not change, and OUT
# changes when any of them does.
cmake_minimum_required(VERSION 3.25)
file(READ ${NAMES} files)
file(READ ${GAMES} games)
set(blobs ${OUT}.d)
file(MAKE_DIRECTORY ${blobs})
set(at_root index.html sw.js) # as in src/server/site.c

set(all "")
foreach(file IN LISTS files)
  file(SHA256 ${PAGE}/${file} hash)
  string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 version "${all}${games}")
string(SUBSTRING ${version} 0 16 version)

set(addresses "\"/\"")
foreach(file IN LISTS files)
  if(NOT file IN_LIST at_root)
    string(APPEND addresses ",\"/v/${version}/${file}\"")
  endif()
endforeach()

# A blob's name in C and the assembler, and its row; nothing if compression saves too little.
set(blob_number 0)
set(body "")
set(used "")
function(embed path limit row)
  file(SIZE ${path} size)
  if(size GREATER_EQUAL limit)
    set(${row} "{NULL, 0}" PARENT_SCOPE)
    return()
  endif()
  get_filename_component(name ${path} NAME)
  set(symbol site_blob_${blob_number})
  math(EXPR blob_number "${blob_number} + 1")
  string(APPEND body "BLOB(${symbol}, \"${path}\")\n")
  list(APPEND used ${name})
  set(${row} "{${symbol}, ${size}}" PARENT_SCOPE)
  set(blob_number ${blob_number} PARENT_SCOPE)
  set(body "${body}" PARENT_SCOPE)
  set(used "${used}" PARENT_SCOPE)
endfunction()

function(compress from to)
  if(NOT EXISTS ${to})
    execute_process(COMMAND ${ARGN} INPUT_FILE ${from} OUTPUT_FILE ${to}.new
                    RESULT_VARIABLE wrong)
    if(wrong)
      message(FATAL_ERROR "${ARGN} failed on ${from}: ${wrong}")
    endif()
    file(RENAME ${to}.new ${to})
  endif()
endfunction()

set(rows "")
foreach(file IN LISTS files)
  if(file IN_LIST at_root)
    file(READ ${PAGE}/${file} text)
    string(REPLACE "@GAMES@" "${games}" text "${text}")
    string(REPLACE "@VERSION@" "${version}" text "${text}")
    string(REPLACE "@FILES@" "[${addresses}]" text "${text}")
    file(WRITE ${blobs}/filled "${text}")
    set(source ${blobs}/filled)
  else()
    set(source ${PAGE}/${file})
  endif()
  file(SHA256 ${source} hash)
  string(SUBSTRING ${hash} 0 20 hash)
  file(COPY_FILE ${source} ${blobs}/${hash} ONLY_IF_DIFFERENT)
  embed(${blobs}/${hash} 1000000000 plain)
  set(gzip "{NULL, 0}")
  set(brotli "{NULL, 0}")
  if(NOT PLAIN)
    compress(${blobs}/${hash} ${blobs}/${hash}.gz gzip -9 -n -c)
    compress(${blobs}/${hash} ${blobs}/${hash}.br ${BROTLI} -q 11 -c)
    file(SIZE ${blobs}/${hash} size)
    math(EXPR limit "${size} * 9 / 10") # not for pictures
    embed(${blobs}/${hash}.gz ${limit} gzip)
    embed(${blobs}/${hash}.br ${limit} brotli)
  endif()
  string(APPEND rows "    {\"${file}\", \"${hash}\", ${plain}, ${gzip}, ${brotli}},\n")
endforeach()

string(REPLACE "\"" "\\\"" games_c "${games}")
string(REPLACE "\n" "\\n\"\n    \"" games_c "\"${games_c}\"")
file(WRITE ${OUT}.new "/* Made by cmake/site.cmake. */
#include \"server/site.h\"

#define BLOB(name, path) \\
    __asm__(\".section .rodata\\n.global \" #name \"\\n\" #name \":\\n\" \\
            \".incbin \\\"\" path \"\\\"\\n.byte 0\\n.previous\\n\"); \\
    extern const unsigned char name[];
${body}
const char site_version[] = \"${version}\";
const char site_games[] = ${games_c};
const struct site_file site_files[] = {
${rows}    {NULL, NULL, {NULL, 0}, {NULL, 0}, {NULL, 0}},
};
")
file(RENAME ${OUT}.new ${OUT})

# Removes blobs that no file needs any more.
file(GLOB there RELATIVE ${blobs} ${blobs}/*)
foreach(name IN LISTS there)
  if(NOT name IN_LIST used)
    get_filename_component(base ${name} NAME_WE)
    if(NOT base IN_LIST used)
      file(REMOVE ${blobs}/${name})
    endif()
  endif()
endforeach()
