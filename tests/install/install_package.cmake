# cmake -DBUILD=<build folder> -DPREFIX=<folder> -P install_package.cmake: installs, then moves the installed folder,
# so that whatever still points to the first place fails in the tests that use it.
file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}.first")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}.first"
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(RENAME "${PREFIX}.first" "${PREFIX}")
foreach(file IN ITEMS bin/heed include/heed/dsl.hpp include/heed/abi.h include/heed/plot.hpp include/heed/weights.hpp
    lib/libheed_runtime.a lib/libheed_weights.a lib/libheed_plot.a
    lib/cmake/heed/heedConfig.cmake lib/cmake/heed/HeedAddLibrary.cmake)
  if(NOT EXISTS "${PREFIX}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
