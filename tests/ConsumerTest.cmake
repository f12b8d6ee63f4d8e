# heed_consumer_test(NAME FOLDER COMMAND...): configures the project in FOLDER from nothing against the installed
# package, builds it and runs the command in its build folder.
function(heed_consumer_test name folder)
  set(build "${PROJECT_BINARY_DIR}/consumers/${name}")
  add_test(NAME ${name}.clean COMMAND ${CMAKE_COMMAND} -E rm -rf "${build}")
  set_tests_properties(${name}.clean PROPERTIES FIXTURES_SETUP ${name}.clean)
  add_test(NAME ${name} COMMAND ${CMAKE_CTEST_COMMAND}
    --build-and-test "${folder}" "${build}"
    --build-generator "${CMAKE_GENERATOR}" --build-makeprogram "${CMAKE_MAKE_PROGRAM}"
    --build-options "-DCMAKE_PREFIX_PATH=${HEED_TEST_PACKAGE}" "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
      "-DCMAKE_C_FLAGS=${CMAKE_C_FLAGS}" "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
    --test-command ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED "heed_package;${name}.clean")
endfunction()
