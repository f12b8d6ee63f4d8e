# Wrong calls of heed_add_library end the configuration in a sentence.
function(expect call sentence)
  string(MD5 folder "${call}")
  file(WRITE "${WORK}/${folder}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(misuse CXX)\n"
    "find_package(heed REQUIRED)\n${call}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/${folder}" -B "${WORK}/${folder}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${PREFIX}" RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${sentence}" position)
  if(result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "${call}: expected '${sentence}', found (${result}) ${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
expect("heed_add_library(a)" "heed_add_library(a): no SPEC, at least one source file is needed")
expect("heed_add_library(a a.cpp)" "heed_add_library(a): found 'a.cpp', SPEC, SCHEDULE or TARGET is needed")
