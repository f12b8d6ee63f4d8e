#include "Prefetch.h"

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// Where keys lie; there are as many of them as of values.
bool isPlaceOfKeys(const std::string &name) { return name == "k" || name == "k.stride.1"; }

/// The operand v in the place of k, and nothing that was computed of k.
class KeysToValues : public IRMutator {
public:
  explicit KeysToValues(const std::map<std::string, Expr> &lets) : lets(lets) {}

private:
  using IRMutator::visit;
  Expr visit(const Variable *op) override {
    if (isPlaceOfKeys(op->name))
      return Variable::make(op->type, "v" + op->name.substr(1));
    const auto let = lets.find(op->name);
    return let == lets.end() ? Expr(op) : mutate(let->second);
  }

  const std::map<std::string, Expr> &lets;
};

} // namespace

Stmt PrefetchValues::visit(const For *op) {
  if (op->name.rfind("prefetch_", 0) != 0)
    return IRMutator::visit(op);
  return Block::make(op, KeysToValues(lets).mutate(Stmt(op)));
}

Stmt PrefetchValues::visit(const LetStmt *op) {
  lets[op->name] = op->value;
  const Stmt body = mutate(op->body);
  lets.erase(op->name);
  return body.same_as(op->body) ? Stmt(op) : LetStmt::make(op->name, op->value, body);
}

} // namespace heed::kernels
