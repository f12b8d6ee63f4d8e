# heed_add_library(NAME SPEC FILE... [SCHEDULE FILE] [TARGET TARGET])
#
# Compiles the kernels of a spec ahead of time and makes NAME a library target to link against: it carries the folder
# of the generated headers NAME.h (C++) and NAME_c.h (C), the archive libNAME.a and the runtime.
#
#   SPEC      the spec's source files, built by this project's own C++ compiler, which reports the mistakes in them
#   SCHEDULE  schedules in the form that `heed compile --emit=schedule` prints; without it those beside the spec's
#             sources (attention.x86-64-v4.schedule for attention.cpp), else the defaults
#   TARGET    CPU levels to compile for, as in `heed compile --target`: x86-64 (one library for every level; a call runs
#             the best that its CPU has), or names with commas between them, such as x86-64-v3,x86-64-v4; this machine's
#             level without it
#
# Editing a spec, a header it includes or a schedule, or adding or removing a schedule beside a source, rebuilds this
# library and what links it, nothing else.

# CMake makes the paths in depfiles those of the generator, whatever version the project asks for.
cmake_policy(SET CMP0116 NEW)

function(heed_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCHEDULE;TARGET" "SPEC")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heed_add_library(${name}): found '${arg_UNPARSED_ARGUMENTS}', SPEC, SCHEDULE or TARGET is "
      "needed; write heed_add_library(${name} SPEC file.cpp)")
  endif()
  if(NOT arg_SPEC)
    message(FATAL_ERROR "heed_add_library(${name}): no SPEC, at least one source file is needed; "
      "write heed_add_library(${name} SPEC file.cpp)")
  endif()
  if(NOT TARGET heed::heed)
    message(FATAL_ERROR "heed_add_library(${name}): this heed was built without its compiler, the program heed is "
      "needed; install one built with HEED_BUILD_COMPILER=ON")
  endif()

  # A module holds constant data only, and the program that loads it has no sanitizer runtime.
  set(no_sanitizers "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-fno-sanitize=all>")
  add_library(${name}_spec MODULE ${arg_SPEC})
  target_link_libraries(${name}_spec PRIVATE heed::dsl)
  target_compile_options(${name}_spec PRIVATE ${no_sanitizers})
  target_link_options(${name}_spec PRIVATE ${no_sanitizers})

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/heed/${name}")
  file(MAKE_DIRECTORY "${directory}")
  set(options --name ${name} -o "${directory}")
  set(inputs ${name}_spec heed::heed)
  if(arg_SCHEDULE)
    cmake_path(ABSOLUTE_PATH arg_SCHEDULE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND options --schedule "${arg_SCHEDULE}")
    list(APPEND inputs "${arg_SCHEDULE}")
  endif()
  # The module doesn't say for certain where its sources are. The pattern finds schedules that appear later; one that
  # goes away stands in the depfile.
  set(patterns)
  foreach(source IN LISTS arg_SPEC)
    if(NOT source MATCHES "\\$<")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      list(APPEND options --source "${source}")
      cmake_path(REMOVE_EXTENSION source LAST_ONLY OUTPUT_VARIABLE stem)
      list(APPEND patterns "${stem}.*.schedule")
    endif()
  endforeach()
  file(GLOB schedules CONFIGURE_DEPENDS ${patterns})
  list(APPEND inputs ${schedules})
  if(arg_TARGET)
    list(APPEND options --target "${arg_TARGET}")
  endif()
  set(environment)
  if(CMAKE_C_COMPILER)
    set(environment "${CMAKE_COMMAND}" -E env "CC=${CMAKE_C_COMPILER}")
  endif()
  set(archive "${directory}/lib${name}.a")
  set(headers "${directory}/${name}.h" "${directory}/${name}_c.h")
  add_custom_command(OUTPUT "${archive}" ${headers}
    COMMAND ${environment} $<TARGET_FILE:heed::heed> compile "$<TARGET_FILE:${name}_spec>" ${options}
      --depfile "${archive}.d"
    DEPENDS ${inputs}
    DEPFILE "${archive}.d"
    COMMENT "Compiling the kernels of ${name}"
    VERBATIM)
  add_custom_target(${name}_kernels DEPENDS "${archive}" ${headers})

  # Imported, not INTERFACE: a linker needs the archive before the runtime.
  add_library(${name} STATIC IMPORTED GLOBAL)
  add_dependencies(${name} ${name}_kernels)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${archive}")
  target_include_directories(${name} INTERFACE "${directory}")
  target_link_libraries(${name} INTERFACE heed::runtime)
endfunction()
