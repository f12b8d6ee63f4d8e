# heed_add_lit_test(NAME): the .mlir files of the calling folder as one ctest.
function(heed_add_lit_test name)
  find_program(heed_lit lit HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  add_test(NAME ${name}
    COMMAND ${heed_lit} -sv --param build=${CMAKE_CURRENT_BINARY_DIR} --param tools=${LLVM_TOOLS_BINARY_DIR}
            --param heed_opt=$<TARGET_FILE:heed-opt> ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
