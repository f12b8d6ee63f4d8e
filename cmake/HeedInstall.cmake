# The package that `cmake --install` writes and find_package(heed) finds: heed::dsl, heed::runtime, heed::weights,
# the program heed::heed and heed_add_library. The installed folder can be moved or copied.
include(CMakePackageConfigHelpers)

set(heed_package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/heed")

set_target_properties(heed_dsl PROPERTIES EXPORT_NAME dsl)
set_target_properties(heed_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(heed_weights PROPERTIES EXPORT_NAME weights)
install(TARGETS heed_dsl heed_runtime heed_weights EXPORT heed)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/dsl/include/" "${PROJECT_SOURCE_DIR}/runtime/include/"
  "${PROJECT_SOURCE_DIR}/weights/include/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

if(HEED_BUILD_COMPILER)
  # libHalide comes from a Python wheel that no linker path knows, so it is installed along, where only heed looks.
  set(heed_private_directory "${CMAKE_INSTALL_LIBDIR}/heed")
  file(RELATIVE_PATH heed_to_private "/${CMAKE_INSTALL_BINDIR}" "/${heed_private_directory}")
  set_target_properties(heed PROPERTIES INSTALL_RPATH "$ORIGIN/${heed_to_private};${LLVM_LIBRARY_DIR}")
  install(TARGETS heed EXPORT heed)
  install(IMPORTED_RUNTIME_ARTIFACTS Halide::Halide LIBRARY DESTINATION "${heed_private_directory}")
endif()

if(TARGET heed_plot)
  set_target_properties(heed_plot PROPERTIES EXPORT_NAME plot)
  install(TARGETS heed_plot EXPORT heedPlot)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/plot/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT heedPlot FILE heedPlotTargets.cmake NAMESPACE heed:: DESTINATION "${heed_package_directory}")
endif()

install(EXPORT heed FILE heedTargets.cmake NAMESPACE heed:: DESTINATION "${heed_package_directory}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/heedConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/heedConfig.cmake" INSTALL_DESTINATION "${heed_package_directory}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/heedConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/heedConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/heedConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/HeedAddLibrary.cmake"
  DESTINATION "${heed_package_directory}")
