//===- ModuleOutput.h - What Halide makes of a module -----------*- C++ -*-===//
#ifndef HEED_CODEGEN_KERNELS_MODULEOUTPUT_H
#define HEED_CODEGEN_KERNELS_MODULEOUTPUT_H

#include <Halide.h>

#include <string>

namespace heed::kernels {

/// A module in one of Halide's forms, which go through files.
std::string compiled(const Halide::Module &module, Halide::OutputFileType form);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_MODULEOUTPUT_H
