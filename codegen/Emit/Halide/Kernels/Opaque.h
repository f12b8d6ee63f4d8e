//===- Opaque.h - Scalars that Halide can't look into -----------*- C++ -*-===//
//
// Halide reasons about every expression that bounds a loop or an access. Where such a scalar is a choice
// between several formulas (which keys a block of rows sees), that reasoning finds nothing, and leaves guards
// and copies of the loops behind. So a scalar of the whole tile is a parameter while Halide works, and
// becomes a variable of the function afterwards; and a scalar of a loop that only a score program looks at is
// the call of an unknown function, in whose place its formula is put afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_OPAQUE_H
#define HEED_CODEGEN_KERNELS_OPAQUE_H

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

namespace heed::kernels {

class OpaqueScalars {
public:
  /// The int32 `value`, of parameters, extents of operands and single elements of operands, as a parameter of
  /// this name. An element may stand in a branch of if_then_else that is not taken where it does not exist.
  Halide::Expr derive(const std::string &name, const Halide::Expr &value);

  /// The int32 `value`, of any variables, as a call. It must stay a scalar when the schedule is applied.
  Halide::Expr hide(const Halide::Expr &value);

  /// The derived parameters, as Halide must be told of them.
  std::vector<Halide::Argument> arguments() const;

  /// Takes the derived parameters out of the function's arguments and defines them in its body.
  void define(Halide::Internal::LoweredFunc &function) const;

  /// The formula of a call made by `hide`, for its arguments; undefined for any other call.
  Halide::Expr reveal(const Halide::Internal::Call *call) const;

private:
  struct Derived {
    Halide::Param<int32_t> parameter;
    Halide::Expr value;
  };
  struct Hidden {
    std::vector<std::string> variables;
    Halide::Expr value;
  };
  std::vector<Derived> derived;
  std::map<std::string, Hidden> hidden; ///< by the name of the call
};

/// Puts the hidden formulas back.
class RevealScalars : public Halide::Internal::IRMutator {
public:
  explicit RevealScalars(OpaqueScalars scalars) : scalars(std::move(scalars)) {}
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Expr visit(const Halide::Internal::Call *op) override;

  OpaqueScalars scalars;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_OPAQUE_H
