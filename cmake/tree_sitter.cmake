# tree-sitter's core and its Python grammar: archives pinned in archives.txt, kept in SA_ARCHIVES,
# unpacked into the build directory. Gives the library tree_sitter.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(cache "$ENV{XDG_CACHE_HOME}")
else()
  set(cache "$ENV{HOME}/.cache")
endif()
set(SA_ARCHIVES "${cache}/sa-lint/archives" CACHE PATH "Where downloaded sources are kept")

set(list ${CMAKE_CURRENT_LIST_DIR}/archives.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/fetch.py ${SA_ARCHIVES}
  RESULT_VARIABLE status ERROR_VARIABLE message)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${message}")
endif()

set(unpacked ${CMAKE_BINARY_DIR}/tree-sitter)
file(STRINGS ${list} rows REGEX "^[^#]")
foreach(row ${rows})
  string(REGEX MATCH "([^ ]+) +([^ ]+) +([^ ]+)" row "${row}")
  set(project ${CMAKE_MATCH_1})
  set(archive ${SA_ARCHIVES}/${CMAKE_MATCH_2})
  set(wanted ${CMAKE_MATCH_3})
  file(SHA256 ${archive} found)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${archive} has SHA-256 ${found}, not ${wanted}")
  endif()
  string(REGEX REPLACE "\\.tar\\.gz$" "" top "${CMAKE_MATCH_2}")
  set(${project}_dir ${unpacked}/${top})
  if(NOT EXISTS ${unpacked}/${top}/${wanted})
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${unpacked})
    file(TOUCH ${unpacked}/${top}/${wanted})
  endif()
endforeach()

# The grammar's archive lacks the headers that its sources include; the core's has them by other paths.
set(core ${tree-sitter_dir}/tree_sitter/core/lib)
set(grammar ${tree-sitter-python_dir}/src)
foreach(header alloc array parser ts_assert)
  configure_file(${core}/src/${header}.h ${unpacked}/include/tree_sitter/${header}.h COPYONLY)
endforeach()

add_library(tree_sitter STATIC ${core}/src/lib.c ${grammar}/parser.c ${grammar}/scanner.c)
target_include_directories(tree_sitter SYSTEM PUBLIC ${core}/include)
target_include_directories(tree_sitter SYSTEM PRIVATE ${unpacked}/include ${core}/src)
# Sources of others: their warnings are theirs.
target_compile_options(tree_sitter PRIVATE -w)
set_target_properties(tree_sitter PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
set(SA_TREE_SITTER_INCLUDE ${core}/include) # for the test that compiles every header alone
