//===- PtxCode.h - The instructions of a kernel -----------------*- C++ -*-===//
///
/// \file
/// PTX, decoded: what an instruction does is a function, its operands are numbered registers or numbers.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_PTXCODE_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_PTXCODE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace checking {

struct Thread;
class Block;
struct Instruction;
using Operation = void (*)(Block &, Thread &, const Instruction &);

/// Where shared and local memory, and the tables of a module, begin among all addresses. What lies before the
/// shared memory of a block is the system's, as on devices of compute capability 9.0.
inline constexpr uint64_t sharedBase = 1024, localBase = uint64_t(1) << 40, tablesBase = uint64_t(1) << 42,
                          globalBase = uint64_t(1) << 44;

/// A register's number, or the bits of a number.
struct Operand {
  bool isRegister = false;
  uint64_t value = 0;
};

/// A type of PTX: `kind` is one of b, u, s, f, p.
struct NumberType {
  char kind = 'b';
  int bits = 32;
};

struct Instruction {
  Operation run = nullptr;
  int guard = -1; ///< the predicate's register
  bool isGuardNegated = false;
  std::vector<Operand> to, from; ///< elements of vectors one by one
  Operand base;                  ///< of a memory operand
  int64_t offset = 0;
  NumberType type, fromType;
  char rounding = 0; ///< of a conversion to whole numbers: n, z, m (down), p (up)
  size_t target = 0; ///< of a branch
  std::string text;  ///< for messages
};

struct Kernel {
  std::vector<Instruction> code;
  std::map<std::string, int, std::less<>> registers; ///< by name, %tid.x and the like among them
  int localBytes = 0;
  const std::vector<std::byte> *tables = nullptr; ///< of the module
  std::string fault;                              ///< what is not understood
};

/// Decodes what stands between the braces of an entry. `parameters` are the places of its parameters.
Kernel decode(std::string_view body, const std::map<std::string, int64_t> &parameters);

/// What the operation is called without the parts that say nothing here, and the function; null if unknown.
Operation findOperation(const std::string &name, Instruction &instruction);

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_PTXCODE_H
