#include "DeviceEpilogue.h"

#include "Table.h"

using namespace Halide;

namespace heed::kernels {

DeviceEpilogue::DeviceEpilogue(const Epilogue &epilogue, int gridRank) : epilogue(epilogue) {
  for (int n = 0; n < epilogue.scalars; ++n)
    scalars.emplace_back("scalar_" + std::to_string(n));
  for (const EpilogueOperand &operand : epilogue.operands)
    operands.emplace_back(operand.type, operand.tableRank >= 0 ? operand.tableRank : 2, gridRank,
                          "operand_" + std::to_string(operands.size()));
}

Expr DeviceEpilogue::apply(const Expr &sum, const std::vector<Expr> &within, const GridIndices &tile) const {
  if (!epilogue.apply)
    return sum;
  const OperandAt element = [&](size_t n, const std::vector<Expr> &indices) -> Expr {
    const EpilogueOperand &operand = epilogue.operands[n];
    if (operand.tableRank < 0)
      return operands[n]({operand.alongColumns ? within[0] : 0, operand.alongRows ? within[1] : 0}, tile);
    return operands[n](tableIndices(indices, [&](int axis) { return operands[n].extent(axis); }), tile);
  };
  const std::vector<Expr> values(scalars.begin(), scalars.end());
  // The code of users may hold infinities and NaN anywhere.
  return strict_float(epilogue.apply(sum, element, within, values));
}

std::vector<Argument> DeviceEpilogue::arguments() const {
  return std::vector<Argument>(scalars.begin(), scalars.end());
}

} // namespace heed::kernels
