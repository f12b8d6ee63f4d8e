# The package without CMake: `heed compile` on a .cpp file, then a C++ and a C program built with -I and -L alone.
include("${CMAKE_CURRENT_LIST_DIR}/../run.cmake")
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{CXX} "${CXX}")
set(ENV{XDG_CACHE_HOME} "${WORK}/cache")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")

run("${PREFIX}/bin/heed" compile "${CONSUMER}/first.cpp" --name first -o "${WORK}")
set(include "-I${PREFIX}/include" "-I${WORK}")
set(link "-L${WORK}" -lfirst "-L${PREFIX}/lib" -lheed_runtime)
run("${CXX}" ${flags} -std=c++20 -Wall -Wextra -Werror ${include} "${SOURCE}/use.cpp" ${link} -pthread
  -o "${WORK}/use_from_cpp")
run("${WORK}/use_from_cpp")
run("${C}" ${flags} -std=c11 -Wall -Wextra -Werror ${include} "${CONSUMER}/from_c.c" ${link} -lstdc++ -lm -pthread
  -o "${WORK}/use_from_c")
run("${WORK}/use_from_c")
