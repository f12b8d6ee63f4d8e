#include "SpreadPrefetch.h"

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

constexpr int lineBytes = 64;

/// The first load of an operand in a statement: its row, from the first column on.
class FirstLoad : public IRVisitor {
public:
  explicit FirstLoad(const std::string &operand) : operand(operand) {}
  Expr index;
  Type type;

private:
  using IRVisitor::visit;
  void visit(const Load *op) override {
    if (op->name != operand || index.defined())
      return IRVisitor::visit(op);
    const Ramp *ramp = op->index.as<Ramp>();
    index = ramp ? ramp->base : op->index;
    type = op->type.element_of();
  }

  const std::string &operand;
};

/// Puts a statement before the innermost one, where everything that the latter reads is known.
class BeforeInnermost : public IRMutator {
public:
  explicit BeforeInnermost(const RowPasses &rows, const Expr &pass) : rows(rows), pass(pass) {}

  Stmt around(const Stmt &body) {
    if (const LetStmt *let = body.as<LetStmt>())
      return LetStmt::make(let->name, let->value, around(let->body));
    FirstLoad load(rows.operand);
    body.accept(&load);
    if (!load.index.defined() || load.index.type().lanes() != 1)
      return body;
    const int linesPerPass = (rows.linesPerRow + rows.passes - 1) / rows.passes;
    const int elements = lineBytes / load.type.bytes();
    const Type type = load.index.type();
    const Expr stride = cast(type, Variable::make(Int(32), rows.operand + ".stride.1"));
    Stmt result = body;
    for (int line = 0; line < linesPerPass; ++line) {
      const Expr column = cast(type, (pass * linesPerPass + line) * elements);
      const Expr at = load.index + stride * make_const(type, rows.rowsAhead) + column;
      const Expr fetch =
          Call::make(load.type, Call::prefetch, {Variable::make(Handle(), rows.operand), at, 1, elements},
                     Call::Intrinsic);
      result = Block::make(Evaluate::make(fetch), result);
    }
    return result;
  }

private:
  const RowPasses &rows;
  const Expr pass;
};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

Stmt SpreadPrefetch::visit(const For *op) {
  if (endsWith(op->name, rows.passLoop)) {
    pass = Variable::make(Int(32), op->name);
    const Stmt result = IRMutator::visit(op);
    pass = Expr();
    return result;
  }
  if (!pass.defined() || op->name.find(rows.rowLoop) == std::string::npos)
    return IRMutator::visit(op);
  return For::make(op->name, op->min, op->extent, op->for_type, op->partition_policy, op->device_api,
                   BeforeInnermost(rows, pass).around(op->body));
}

} // namespace heed::kernels
