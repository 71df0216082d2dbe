# The page as it is served, in build/page: web/ as it is, the library as WebAssembly, the texts. The
# target `page` makes all of it; page_files names its files. The target `page_test` makes the same
# with the games that only tests know, in build/test/page.
find_program(ES_WASM_CC NAMES clang REQUIRED)
find_program(ES_WASM_LD NAMES wasm-ld wasm-ld-14 wasm-ld-15 wasm-ld-16 wasm-ld-17 wasm-ld-18
             wasm-ld-19 REQUIRED)
set(page_dir ${CMAKE_BINARY_DIR}/page)
set(page_files ${lang_files})

# ---- WebAssembly -----------------------------------------------------------------------------

# No -ffreestanding: it would turn every memcpy into a call. src/page/wasm is the whole C library.
# With SIMD, verplant's bots think three times as fast; every browser that can run the page has it.
set(wasm_flags --target=wasm32 -std=c17 -O2 -mbulk-memory -msimd128 -fno-math-errno
    -ffp-contract=off -nostdlib -nostdlibinc -isystem ${CMAKE_SOURCE_DIR}/src/page/wasm
    -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/bench -Wall
    -Wextra)
if(ES_WERROR)
  list(APPEND wasm_flags -Werror)
endif()
# Stack below the data: an overflow traps instead of overwriting globals.
set(wasm_link --no-entry --strip-all --stack-first -z stack-size=2097152)

# Compiles C files separately; `objects` names the list of the results.
function(es_wasm_objects objects)
  set(result "")
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    string(REGEX REPLACE "^.*build/" "" name ${name})
    set(object ${CMAKE_BINARY_DIR}/wasm/${name}.o)
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    set(own "")
    if(source MATCHES "/memory\\.c$")
      set(own -fno-builtin)
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${ES_WASM_CC} ${wasm_flags} ${own} -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/page.cmake DEPFILE ${object}.d VERBATIM)
    list(APPEND result ${object})
  endforeach()
  set(${objects} ${result} PARENT_SCOPE)
endfunction()

# Links a module; the list of its objects is a file that is rewritten when the list changes, so that
# a removed file triggers a rebuild.
function(es_wasm_module file)
  list(JOIN ARGN "\n" names)
  cmake_path(GET file FILENAME name)
  set(list ${CMAKE_BINARY_DIR}/wasm/${name}.objects)
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}" @ONLY)
  add_custom_command(OUTPUT ${file} COMMAND ${ES_WASM_LD} ${wasm_link} @${list} -o ${file}
                     DEPENDS ${ARGN} ${list} VERBATIM)
endfunction()

file(GLOB wasm CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/page/wasm/*.c)
es_wasm_objects(wasm_library ${library} ${maps_c} ${wasm})
es_wasm_objects(wasm_games ${games_c})
es_wasm_objects(wasm_exports ${CMAKE_SOURCE_DIR}/src/page/exports.c)
es_wasm_module(${page_dir}/endstation.wasm ${wasm_library} ${wasm_games} ${wasm_exports})
list(APPEND page_files ${page_dir}/endstation.wasm)

# For tests, from the same objects: the module with their games, and one with the games of `bench`.
set(test_module ${CMAKE_BINARY_DIR}/wasm-test.wasm)
es_wasm_objects(wasm_test_games ${test_game_files} ${test_games_c})
es_wasm_module(${test_module} ${wasm_library} ${wasm_test_games} ${wasm_exports})
es_wasm_objects(wasm_check ${CMAKE_SOURCE_DIR}/bench/check.c ${CMAKE_SOURCE_DIR}/bench/games.c
                ${bench_files} ${test_bench_files} ${test_benches_c} ${bench_c})
es_wasm_module(${CMAKE_BINARY_DIR}/wasm-check.wasm ${wasm_library} ${wasm_test_games}
               ${wasm_check})

# ---- web/ ------------------------------------------------------------------------------------

es_web_files(web ${games})
foreach(name ${web})
  add_custom_command(
    OUTPUT ${page_dir}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/web/${name} ${page_dir}/${name}
    DEPENDS ${CMAKE_SOURCE_DIR}/web/${name} VERBATIM)
  list(APPEND page_files ${page_dir}/${name})
endforeach()

# ---- All of it -------------------------------------------------------------------------------

# Removes files that are no longer part of the page.
file(MAKE_DIRECTORY ${page_dir})
file(GLOB_RECURSE old ${page_dir}/*)
list(REMOVE_ITEM old ${page_files})
if(old)
  file(REMOVE ${old})
endif()
add_custom_target(page ALL DEPENDS ${page_files})
add_dependencies(page sheets)

# ---- For tests -------------------------------------------------------------------------------

# The page for tests, with the other module and the faces of the games for tests. It is rebuilt as a
# whole, so that no old files stay.
set(test_page_dir ${CMAKE_BINARY_DIR}/test/page)
set(test_page_files ${CMAKE_BINARY_DIR}/test/page.made)
es_face_files(test_faces ${test_games})
set(copy_faces "")
foreach(name ${test_faces})
  cmake_path(GET name PARENT_PATH folder)
  list(APPEND copy_faces
       COMMAND ${CMAKE_COMMAND} -E make_directory ${test_page_dir}/${folder}
       COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/web/${name} ${test_page_dir}/${name})
endforeach()
list(TRANSFORM test_faces PREPEND ${CMAKE_SOURCE_DIR}/web/ OUTPUT_VARIABLE test_face_files)
add_custom_command(
  OUTPUT ${test_page_files}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${test_page_dir}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${page_dir} ${test_page_dir}
  COMMAND ${CMAKE_COMMAND} -E copy ${test_module} ${test_page_dir}/endstation.wasm
  ${copy_faces}
  COMMAND ${CMAKE_COMMAND} -E touch ${test_page_files}
  DEPENDS ${page_files} ${test_module} ${test_face_files} VERBATIM)
add_custom_target(page_test DEPENDS ${test_page_files})
add_dependencies(page_test page) # which makes the objects that both need
if(ES_TESTS)
  add_custom_target(wasm_check ALL DEPENDS ${CMAKE_BINARY_DIR}/wasm-check.wasm)
  add_dependencies(wasm_check page_test)
endif()
