# Writes OUT, a C file with the page's files (see files.h): scripts joined and made small by ESBUILD, with CODEMIRROR (the folder
# that has lib/codemirror.js), EXAMPLES (a folder of modules) and PROGRAMS (those that have been recorded) in them. Run by the build; WORK is a folder of its own.
#
#     cmake -D SRC=… -D WORK=… -D OUT=… -D ESBUILD=… -D CODEMIRROR=… -D EXAMPLES=… -D PROGRAMS=… -P bundle.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# The examples become a script: a list of [name, text].
file(GLOB modules RELATIVE ${EXAMPLES} ${EXAMPLES}/*.ll ${EXAMPLES}/documents/*.ll)
list(SORT modules)
set(imports)
set(rows)
set(number 0)
foreach(module ${modules})
    string(APPEND imports "import e${number} from \"${EXAMPLES}/${module}\"\n")
    string(APPEND rows "  [\"${module}\", e${number}],\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${WORK}/examples.in.js "${imports}window.smdExamples = [\n${rows}]\n")

set(flags --bundle --minify --format=iife --target=es2020 --charset=utf8 --legal-comments=none --log-level=warning
    --loader:.ll=text --alias:codemirror=${CODEMIRROR} --alias:examples=${EXAMPLES} --alias:runs=${EXAMPLES}/runs --alias:programs=${PROGRAMS})
function(esbuild to)
    execute_process(COMMAND ${ESBUILD} ${ARGN} --outfile=${WORK}/${to} ${flags} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
esbuild(examples.js ${WORK}/examples.in.js)
foreach(script app editor dashboard collection)
    esbuild(${script}.js ${SRC}/${script}.js)
endforeach()
foreach(style style editor)
    esbuild(${style}.css ${SRC}/${style}.css)
endforeach()
foreach(plain index.html dashboard.html collection.html icon.svg licences.txt)
    configure_file(${SRC}/${plain} ${WORK}/${plain} COPYONLY)
endforeach()

set(types
    "html:text/html. charset=utf-8" "js:text/javascript. charset=utf-8" "css:text/css. charset=utf-8" "svg:image/svg+xml"
    "txt:text/plain. charset=utf-8")
set(arrays)
set(table)
set(number 0)
foreach(file index.html app.js style.css editor.js editor.css examples.js dashboard.html dashboard.js collection.html collection.js icon.svg licences.txt)
    execute_process(COMMAND gzip -9 -n -c ${WORK}/${file} OUTPUT_FILE ${WORK}/${file}.gz COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${WORK}/${file}.gz hex HEX)
    file(SHA256 ${WORK}/${file}.gz digest)
    string(SUBSTRING ${digest} 0 24 digest)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    cmake_path(GET file EXTENSION LAST_ONLY extension)
    string(SUBSTRING ${extension} 1 -1 extension)
    foreach(row ${types})
        if(row MATCHES "^${extension}:(.*)$")
            string(REPLACE ". " "; " type "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    string(APPEND arrays "static const unsigned char f${number}[] = {${bytes}};\n")
    string(APPEND table "    {\"${file}\", \"${type}\", \"\\\"${digest}\\\"\", f${number}, sizeof f${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT}
    "/* Written by bundle.cmake. */\n#include \"files.h\"\n\n${arrays}\nconst struct page_bytes page_files[] = {\n${table}    {NULL, NULL, NULL, NULL, 0},\n};\n")
