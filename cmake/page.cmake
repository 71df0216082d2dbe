# The page as it is served, in build/page: web/ joined to a few files (bundle.cmake), the library as
# WebAssembly, the texts. The target `page` makes all of it; page_made is newer than its files. The
# target `page_test` makes the same with the games that only tests know, in build/test/page.
find_program(ES_WASM_CC NAMES clang REQUIRED)
find_program(ES_WASM_LD NAMES wasm-ld wasm-ld-14 wasm-ld-15 wasm-ld-16 wasm-ld-17 wasm-ld-18
             wasm-ld-19 REQUIRED)
find_program(ES_ESBUILD esbuild REQUIRED)

# ---- WebAssembly -----------------------------------------------------------------------------

# No -ffreestanding: it would turn every memcpy into a call. src/page/wasm is the whole C library.
# With SIMD, verplant's bots think three times as fast; every browser that can run the page has it.
set(wasm_flags --target=wasm32 -std=c17 -mbulk-memory -msimd128 -fno-math-errno
    -ffp-contract=off -nostdlib -nostdlibinc -isystem ${CMAKE_SOURCE_DIR}/src/page/wasm
    -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src -I${CMAKE_SOURCE_DIR}/bench -Wall
    -Wextra -Wframe-larger-than=34000)
if(ES_WERROR)
  list(APPEND wasm_flags -Werror)
endif()
# Stack below the data: an overflow traps instead of overwriting globals. Twice ES_STACK_BYTES.
set(wasm_link --no-entry --strip-all --stack-first -z stack-size=131072)

# A first visit waits for the module, so it is small: -Oz, and -Os for the files in which bots and
# pictures spend their time. There -O2 is larger and no faster, and with -Oz bots take 1.2 to 1.5
# times as long (docs/performance.md).
set(wasm_quick
    "/(core/text|analysis/[a-z]+|games/[a-z]+/(bots|rules|board|sheet|analysis)[^/]*)\\.c$")

# Compiles C files separately; `objects` names the list of the results.
function(es_wasm_objects objects)
  set(result "")
  foreach(source ${ARGN})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    string(REGEX REPLACE "^.*build/" "" name ${name})
    set(object ${CMAKE_BINARY_DIR}/wasm/${name}.o)
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    set(own -Oz)
    if(source MATCHES ${wasm_quick})
      set(own -Os)
    endif()
    if(source MATCHES "/memory\\.c$")
      list(APPEND own -fno-builtin)
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
es_wasm_objects(wasm_library ${library} ${bare_maps_c} ${results_c} ${wasm})
es_wasm_objects(wasm_games ${games_c})
es_wasm_objects(wasm_exports ${CMAKE_SOURCE_DIR}/src/page/exports.c)
es_wasm_objects(wasm_analysis ${CMAKE_SOURCE_DIR}/src/page/exports_analysis.c
                ${CMAKE_SOURCE_DIR}/src/page/exports_stats.c)
# The module of a first visit goes without what only the analysis needs; one with all of it is
# loaded when it is wanted.
set(module ${CMAKE_BINARY_DIR}/wasm-page.wasm)
set(wasm_small ${wasm_library})
list(FILTER wasm_small EXCLUDE REGEX
     "/(page/(picture_moves|stats)|stats/[a-z]+|builtin_results)\\.c\\.o$")
list(FILTER wasm_small EXCLUDE REGEX
     "/games/[a-z]+/(analysis|table_compare|picture_instead)\\.c\\.o$")
es_wasm_module(${module} ${wasm_small} ${wasm_games} ${wasm_exports})
set(analysis_module ${CMAKE_BINARY_DIR}/wasm-analysis.wasm)
es_wasm_module(${analysis_module} ${wasm_library} ${wasm_games} ${wasm_exports} ${wasm_analysis})

# For tests, from the same objects: the modules with their games, and one with the games of `bench`.
set(test_module ${CMAKE_BINARY_DIR}/wasm-test.wasm)
set(test_analysis_module ${CMAKE_BINARY_DIR}/wasm-test-analysis.wasm)
es_wasm_objects(wasm_test_games ${test_game_files} ${test_games_c})
es_wasm_module(${test_module} ${wasm_library} ${wasm_test_games} ${wasm_exports})
es_wasm_module(${test_analysis_module} ${wasm_library} ${wasm_test_games} ${wasm_exports}
               ${wasm_analysis})
es_wasm_objects(wasm_check ${CMAKE_SOURCE_DIR}/bench/check.c ${CMAKE_SOURCE_DIR}/bench/games.c
                ${bench_files} ${test_bench_files} ${test_benches_c} ${bench_c})
es_wasm_module(${CMAKE_BINARY_DIR}/wasm-check.wasm ${wasm_library} ${wasm_test_games}
               ${wasm_check})

# ---- The folders -----------------------------------------------------------------------------

# Makes the folder `dir` of a page with modules and games; `made` is newer than its files.
function(es_page dir made module analysis)
  es_web_files(names ${ARGN})
  list(TRANSFORM names PREPEND ${CMAKE_SOURCE_DIR}/web/ OUTPUT_VARIABLE files)
  list(SORT names)
  set(list ${made}.names)
  # Newer when a file goes, or the games change places.
  file(CONFIGURE OUTPUT ${list} CONTENT "${names};${ARGN}" @ONLY)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -DWEB=${CMAKE_SOURCE_DIR}/web -DOUT=${dir} "-DNAMES=${names}"
            "-DGAMES=${ARGN}" -DMODULE=${module} -DANALYSIS=${analysis} "-DLANG=${lang_files}"
            -DESBUILD=${ES_ESBUILD} -P ${CMAKE_SOURCE_DIR}/cmake/bundle.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${made}
    DEPENDS ${files} ${list} ${module} ${analysis} ${lang_files}
            ${CMAKE_SOURCE_DIR}/cmake/bundle.cmake
    VERBATIM)
endfunction()

set(page_dir ${CMAKE_BINARY_DIR}/page)
set(page_made ${CMAKE_BINARY_DIR}/page.made)
es_page(${page_dir} ${page_made} ${module} ${analysis_module} ${games})
add_custom_target(page ALL DEPENDS ${page_made})
add_dependencies(page sheets)

set(test_page_dir ${CMAKE_BINARY_DIR}/test/page)
set(test_page_made ${CMAKE_BINARY_DIR}/test/page.made)
es_page(${test_page_dir} ${test_page_made} ${test_module} ${test_analysis_module} ${games}
        ${test_games})
add_custom_target(page_test DEPENDS ${test_page_made})
add_dependencies(page_test page) # which makes the objects that both need
if(ES_TESTS)
  add_custom_target(wasm_check ALL DEPENDS ${CMAKE_BINARY_DIR}/wasm-check.wasm)
  add_dependencies(wasm_check page_test)
endif()
