#include "Epilogue.h"

#include "Table.h"
#include "VectorMath.h"

using namespace Halide;

namespace heed::kernels {

namespace {

bool isTable(const EpilogueOperand &operand) { return operand.tableRank >= 0; }

ImageParam parameterOf(const EpilogueOperand &operand, const std::string &name) {
  ImageParam parameter(operand.type, isTable(operand) ? operand.tableRank : 2, name);
  for (int axis = 0; axis < parameter.dimensions(); ++axis)
    parameter.dim(axis).set_min(0);
  const bool isDense = !isTable(operand) && operand.alongColumns && operand.isDense;
  if (parameter.dimensions() > 0 && !isDense)
    parameter.dim(0).set_stride(Expr());
  return parameter;
}

} // namespace

EpilogueArguments::EpilogueArguments(const Epilogue &epilogue) : epilogue(epilogue) {
  for (int n = 0; n < epilogue.scalars; ++n)
    scalars.emplace_back("scalar_" + std::to_string(n));
  for (const EpilogueOperand &operand : epilogue.operands)
    operands.push_back(parameterOf(operand, "operand_" + std::to_string(operands.size())));
}

Expr EpilogueArguments::apply(const Expr &sum, const Expr &column, const Expr &row) const {
  if (!epilogue.apply)
    return sum;
  const OperandAt element = [&](size_t n, const std::vector<Expr> &indices) -> Expr {
    const EpilogueOperand &operand = epilogue.operands[n];
    if (isTable(operand))
      return tableElement(operands[n], indices);
    return operands[n](operand.alongColumns ? column : 0, operand.alongRows ? row : 0);
  };
  const std::vector<Expr> values(scalars.begin(), scalars.end());
  // The code of users may hold infinities and NaN anywhere.
  return useVectorMath(strict_float(epilogue.apply(sum, element, {column, row}, values)));
}

std::vector<Argument> EpilogueArguments::around(const std::vector<Argument> &inner) const {
  std::vector<Argument> all(scalars.begin(), scalars.end());
  all.insert(all.end(), inner.begin(), inner.end());
  all.insert(all.end(), operands.begin(), operands.end());
  return all;
}

} // namespace heed::kernels
