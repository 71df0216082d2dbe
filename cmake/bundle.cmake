# Makes the folder OUT, the page as it is served, of the files NAMES of the folder WEB: with the
# faces of GAMES, the WebAssembly modules MODULE and ANALYSIS, and the translations LANG (files).
# esbuild joins modules that are loaded together, so that a visitor waits for few and small files.
cmake_minimum_required(VERSION 3.25)
file(REAL_PATH ${WEB} WEB) # as esbuild names files
file(REAL_PATH ${OUT} page)
set(OUT ${page}.new)
set(work ${page}.work)
file(REMOVE_RECURSE ${work} ${OUT})
file(MAKE_DIRECTORY ${work} ${OUT})

# What index.html loads for each game is part of app.js and style.css here.
set(app "")
set(style "@import \"${WEB}/app/style.css\";\n")
foreach(game IN LISTS GAMES)
  if(EXISTS ${WEB}/games/${game}/face.js)
    string(APPEND app "import \"${WEB}/games/${game}/face.js\";\n")
  endif()
  if(EXISTS ${WEB}/games/${game}/face.css)
    string(APPEND style "@import \"${WEB}/games/${game}/face.css\";\n")
  endif()
endforeach()
file(WRITE ${work}/app/app.js "${app}import \"${WEB}/app/app.js\";\n")
file(WRITE ${work}/app/style.css "${style}")
set(entries ${work}/app/app.js ${work}/app/style.css)
# Everything else that is loaded by its name.
foreach(name IN ITEMS app/theme.js engine/botworker.js engine/analysisworker.js online/online.css
                      review/analysis.css review/problems.css review/statistics.css
                      screens/gamelist.css)
  if(name MATCHES "css$")
    file(WRITE ${work}/${name} "@import \"${WEB}/${name}\";\n")
  else()
    file(WRITE ${work}/${name} "import \"${WEB}/${name}\";\n")
  endif()
  list(APPEND entries ${work}/${name})
endforeach()
# Modules ask for other files relative to their own folder, which is directly below the root. So
# are the folders of what they are joined to.
execute_process(
  COMMAND ${ESBUILD} ${entries} --bundle --splitting --format=esm --minify --charset=utf8
          --target=esnext --outdir=${OUT} --outbase=${work} --entry-names=[dir]/[name]
          --chunk-names=chunks/[name]-[hash] --metafile=${work}/meta.json --log-level=warning
  WORKING_DIRECTORY ${WEB} RESULT_VARIABLE wrong)
if(wrong)
  message(FATAL_ERROR "esbuild failed: ${wrong}")
endif()

# The files that app.js imports are asked for together with it.
file(READ ${work}/meta.json meta)
file(RELATIVE_PATH app ${WEB} ${OUT}/app/app.js)
set(open ${app})
set(found ${app})
while(open)
  list(POP_FRONT open file)
  string(JSON count LENGTH "${meta}" outputs ${file} imports)
  set(i 0)
  while(i LESS count)
    string(JSON path GET "${meta}" outputs ${file} imports ${i} path)
    string(JSON kind GET "${meta}" outputs ${file} imports ${i} kind)
    if(kind STREQUAL "import-statement" AND NOT path IN_LIST found)
      list(APPEND open ${path})
      list(APPEND found ${path})
    endif()
    math(EXPR i "${i} + 1")
  endwhile()
endwhile()
list(REMOVE_ITEM found ${app})
list(SORT found)
set(links "")
foreach(path IN LISTS found)
  file(RELATIVE_PATH name ${OUT} ${WEB}/${path})
  list(APPEND links "<link rel=\"modulepreload\" href=\"/v/@VERSION@/${name}\">")
endforeach()
list(JOIN links "\n" links)

foreach(name IN LISTS NAMES)
  if(NOT name MATCHES "^games/[^/]+/|\\.(js|css)$")
    file(COPY ${WEB}/${name} DESTINATION ${OUT})
  endif()
endforeach()
foreach(game IN LISTS GAMES)
  if(EXISTS ${WEB}/games/${game}/problems.records)
    file(COPY ${WEB}/games/${game}/problems.records DESTINATION ${OUT}/games/${game})
  endif()
endforeach()
file(COPY ${WEB}/sw.js DESTINATION ${OUT})
file(COPY_FILE ${MODULE} ${OUT}/endstation.wasm)
file(COPY_FILE ${ANALYSIS} ${OUT}/analysis.wasm)
file(COPY ${LANG} DESTINATION ${OUT}/lang)
file(READ ${WEB}/index.html index)
string(REPLACE "@GAMES@" "${links}" index "${index}")
file(WRITE ${OUT}/index.html "${index}")
file(REMOVE_RECURSE ${work} ${page})
file(RENAME ${OUT} ${page})
