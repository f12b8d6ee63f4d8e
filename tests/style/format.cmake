# cmake -DFORMAT=<clang-format> -DROOT=<source tree> -P format.cmake: fails when the formatter would change a file.
set(files)
foreach(folder IN ITEMS dsl runtime weights plot codegen tools examples tests bench)
  file(GLOB_RECURSE found
    "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.c")
  list(APPEND files ${found})
endforeach()
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "no sources under ${ROOT}")
endif()
execute_process(COMMAND "${FORMAT}" --dry-run -Werror --style=file:${ROOT}/.clang-format ${files}
  RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${output}\nwrite: ${FORMAT} -i FILE")
endif()
message(STATUS "${count} files are formatted")
