# Compiles the kernels of spec.cpp with heed, the runtime and main.cpp with a (cross) compiler, and runs the program in
# an emulator, whose CPU may differ from this machine's.
#
#   HEED, SOURCE, WORK  the program heed, the project's folder, a folder to work in
#   TARGET, CXX         what `heed compile --target` and the C++ compiler compile for
#   RUNS                LEVEL=COMMAND WORDS,…: the level that must run, and the emulator
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${HEED}" compile "${SOURCE}/tests/cross/spec.cpp" --target "${TARGET}" -o "${WORK}"
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE runtime "${SOURCE}/runtime/src/*.cpp")
execute_process(COMMAND "${CXX}" -std=c++20 -O1 -static -pthread -I "${SOURCE}/runtime/include" -I "${SOURCE}/runtime/src"
  -I "${WORK}" "${SOURCE}/tests/cross/main.cpp" ${runtime} "${WORK}/libkernels.a" -o "${WORK}/main"
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "," ";" runs "${RUNS}")
foreach(run IN LISTS runs)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${run}")
  set(level "${CMAKE_MATCH_1}")
  separate_arguments(emulator UNIX_COMMAND "${CMAKE_MATCH_2}")
  message(STATUS "${level}: ${CMAKE_MATCH_2}")
  execute_process(COMMAND ${emulator} "${WORK}/main" "${level}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
