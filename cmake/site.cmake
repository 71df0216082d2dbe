# Turns the finished page (the folder PAGE, or its files that are listed in NAMES) into a C table of
# files for src/server/site.h: OUT, with the embedded data in the folder OUT.d. The version is a
# hash of the files, as they are in PAGE, and of GAMES. In the files at the root, the contents of
# the file GAMES replace @GAMES@, the version replaces @VERSION@ (also in what came from GAMES), and
# a list of every address replaces @FILES@. Everything is compressed here, unless PLAIN is set.
# Files in OUT.d are named by their hash, so that unchanged files are not compressed again, and OUT
# changes when any of them does.
cmake_minimum_required(VERSION 3.25)
file(READ ${NAMES} files)
if(NOT files)
  file(GLOB_RECURSE files RELATIVE ${PAGE} ${PAGE}/*)
endif()
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

# Writes a blob's name for C and the assembler, and its row; nothing if compression saves too
# little.
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
    math(EXPR limit "${size} * 9 / 10") # PNG files do not shrink that much
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

# Removes blobs that are no longer used.
file(GLOB there RELATIVE ${blobs} ${blobs}/*)
foreach(name IN LISTS there)
  if(NOT name IN_LIST used)
    get_filename_component(base ${name} NAME_WE)
    if(NOT base IN_LIST used)
      file(REMOVE ${blobs}/${name})
    endif()
  endif()
endforeach()
