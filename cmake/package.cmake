# What is installed, and the Debian package. The component "program" is the linter alone; a Python wheel
# has nothing else. "extras" has the manual page, completions, documents and the CMake module.
include(GNUInstallDirs)

if(SKBUILD)
  install(TARGETS sa-lint RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT program)
  return()
endif()
install(TARGETS sa-lint RUNTIME COMPONENT program)

# All made from the one table of options, by the program itself.
if(NOT CMAKE_CROSSCOMPILING)
  set(made ${CMAKE_BINARY_DIR}/manual)
  foreach(pair man:sa-lint.1 bash:sa-lint.bash zsh:_sa-lint fish:sa-lint.fish)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 form)
    list(GET pair 1 file)
    add_custom_command(OUTPUT ${made}/${file}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
      COMMAND sa-lint --help-as ${form} > ${made}/${file}
      DEPENDS sa-lint VERBATIM)
    list(APPEND manual ${made}/${file})
  endforeach()
  add_custom_target(sa-lint-manual ALL DEPENDS ${manual})
  install(FILES ${made}/sa-lint.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT extras)
  install(FILES ${made}/sa-lint.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME sa-lint COMPONENT extras)
  install(FILES ${made}/_sa-lint DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT extras)
  install(FILES ${made}/sa-lint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT extras)
endif()

set(docs ${CMAKE_INSTALL_DATADIR}/doc/sa-lint)
install(FILES README.md LICENSE DESTINATION ${docs} COMPONENT extras)
install(DIRECTORY docs DESTINATION ${docs} COMPONENT extras PATTERN decisions EXCLUDE)
install(FILES cmake/SaLint.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sa-lint
  RENAME sa-lint-config.cmake COMPONENT extras)

set(CPACK_PACKAGE_NAME sa-lint)
set(CPACK_PACKAGE_VENDOR "The sa-lint authors")
set(CPACK_PACKAGE_CONTACT "The sa-lint authors <sa-lint@localhost>" CACHE STRING "Maintainer of packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "static analysis of record_stream calls")
set(CPACK_PACKAGE_HOMEPAGE_URL "${SA_PROJECT_ADDRESS}")
set(CPACK_COMPONENTS_ALL program extras)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libclang is loaded at run time, so nothing else names it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libclang1-19 | libclang1-21 | libclang1-20 | libclang1-18 | libclang1-17")
include(CPack)
