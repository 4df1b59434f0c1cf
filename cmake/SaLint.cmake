# Lints targets of a CMake project.
#
#   find_package(sa-lint REQUIRED)            # or include(SaLint.cmake)
#   sa_lint_target(my_library)                # a target my_library-sa-lint, and part of `sa-lint`
#   sa_lint_target(my_library CO_COMPILE)     # C and C++ sources are also linted as they are compiled
#
# Options: FAIL_ON LEVEL (warning), ARGS arguments for sa-lint, ALL to make the target part of the default
# build. The flags come from compile_commands.json in the build directory. Findings end the build of
# my_library-sa-lint; while compiling they are warnings, which CMake prints.
include_guard(GLOBAL)

find_program(SA_LINT_PROGRAM sa-lint HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin
  DOC "The linter of record_stream calls")
if(NOT SA_LINT_PROGRAM AND (sa-lint_FIND_REQUIRED OR NOT CMAKE_FIND_PACKAGE_NAME))
  message(FATAL_ERROR "sa-lint is not installed; set SA_LINT_PROGRAM to its path")
endif()
set(sa-lint_FOUND TRUE)

function(sa_lint_target name)
  cmake_parse_arguments(ARG "CO_COMPILE;ALL" "FAIL_ON" "ARGS" ${ARGN})
  if(NOT TARGET ${name})
    message(FATAL_ERROR "sa_lint_target: there is no target '${name}'")
  elseif(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sa_lint_target: unknown arguments '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_FAIL_ON)
    set(ARG_FAIL_ON warning)
  endif()
  set_target_properties(${name} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  set(command ${SA_LINT_PROGRAM} --root ${CMAKE_SOURCE_DIR} -p ${CMAKE_BINARY_DIR} --fail-on ${ARG_FAIL_ON}
    ${ARG_ARGS})

  get_target_property(sources ${name} SOURCES)
  get_target_property(directory ${name} SOURCE_DIR)
  set(paths)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.(c|cc|cpp|cxx|cu|hip)$")
      get_filename_component(path ${source} ABSOLUTE BASE_DIR ${directory})
      list(APPEND paths ${path})
    endif()
  endforeach()
  set(all)
  if(ARG_ALL)
    set(all ALL)
  endif()
  add_custom_target(${name}-sa-lint ${all} COMMAND ${command} ${paths} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMENT "sa-lint: ${name}" VERBATIM)
  if(NOT TARGET sa-lint)
    add_custom_target(sa-lint)
  endif()
  add_dependencies(sa-lint ${name}-sa-lint)

  if(ARG_CO_COMPILE)
    # CMake runs what stands in this property with each source and prints what it says.
    set_target_properties(${name} PROPERTIES C_CPPLINT "${command};--quiet" CXX_CPPLINT "${command};--quiet")
  endif()
endfunction()
