# Everything the compiler needs and the generated code does not. Versions are pinned in cmake/versions.txt.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLVM 22.1 REQUIRED CONFIG HINTS ${MLIR_DIR}/../llvm)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Halide comes as a Python wheel in .venv (./dev setup); a system-wide Halide is found as usual.
file(GLOB heed_halide_packages "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide/lib64/cmake")
if(heed_halide_packages AND NOT Halide_DIR)
  list(GET heed_halide_packages 0 heed_halide_package)
  set(Halide_DIR "${heed_halide_package}/Halide" CACHE PATH "Halide's CMake package")
  set(HalideHelpers_DIR "${heed_halide_package}/HalideHelpers" CACHE PATH "Halide's CMake helpers")
endif()
find_package(Halide 21 REQUIRED)

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

if(NOT TARGET heed_plot)
  message(FATAL_ERROR "heed plot: pkg-config does not find pangocairo and cairo-svg, they are needed; "
    "install libpango1.0-dev")
endif()
