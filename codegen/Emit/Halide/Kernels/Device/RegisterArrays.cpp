#include "RegisterArrays.h"

#include "Barriers.h"

#include <algorithm>
#include <map>
#include <stdexcept>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

std::string arrayOf(const std::string &func, int value, int values) {
  return values == 1 ? func : func + "." + std::to_string(value);
}

/// What stands for readings of an array has a name of its own: Halide knows the array's as a buffer's.
static std::string readingOf(const std::string &array) { return "own:" + array; }

Expr ownElement(const Type &type, const std::string &array, const Expr &others,
                const std::vector<Expr> &step) {
  std::vector<Expr> arguments = {others};
  arguments.insert(arguments.end(), step.begin(), step.end());
  return Call::make(type, readingOf(array), arguments, Call::PureExtern);
}

Expr ownScalar(const std::string &array) { return ownElement(Int(32), array, 0, {}); }

namespace {

[[noreturn]] void fail(const std::string &array, const std::string &found, const std::string &needed) {
  throw std::logic_error(array + ": " + found + ", " + needed);
}

bool isReading(const Expr &e) {
  class Find : public IRVisitor {
  public:
    bool found = false;

  private:
    using IRVisitor::visit;
    void visit(const Call *op) override {
      found |= op->name.rfind(readingOf(""), 0) == 0;
      IRVisitor::visit(op);
    }
  } find;
  e.accept(&find);
  return find.found;
}

/// Of one kernel.
class OwnElements : public IRMutator {
public:
  explicit OwnElements(const std::vector<RegisterArray> &arrays) : arrays(arrays) {}

  using IRMutator::mutate;
  using IRMutator::visit;

private:
  struct Array {
    Type type;
    int threadsX, threadsY, elements;
  };

  struct ThreadLoop {
    std::string name;
    Expr extent;
  };

  const RegisterArray *arrayNamed(const std::string &name) const {
    for (const RegisterArray &array : arrays)
      if (name == array.func || name.rfind(array.func + ".", 0) == 0)
        return &array;
    return nullptr;
  }

  Stmt visit(const Allocate *op) override {
    const RegisterArray *array = arrayNamed(op->name);
    if (!array)
      return IRMutator::visit(op);
    if (op->memory_type != MemoryType::Register || !threads.empty())
      fail(op->name, "not in registers above the loops over threads", "a register array is");
    const int64_t size = op->constant_allocation_size(), ofAll = array->threadsX * array->threadsY;
    if (size == 0 || size % ofAll != 0)
      fail(op->name, std::to_string(size) + " elements", "a constant multiple of the threads is needed");
    found.emplace(op->name, Array{op->type, array->threadsX, array->threadsY, int(size / ofAll)});
    readings.emplace(readingOf(op->name.substr(0, op->name.rfind('.'))),
                     op->name); // without the number Halide appends
    return mutate(op->body);
  }

  Stmt visit(const Free *op) override { return found.count(op->name) ? Evaluate::make(0) : Stmt(op); }

  /// The arrays' own allocations go into the innermost loop over threads.
  Stmt visit(const For *op) override {
    if (op->for_type != ForType::GPUThread)
      return IRMutator::visit(op);
    threads.push_back({op->name, op->extent});
    const size_t depth = threads.size();
    Stmt body = mutate(op->body);
    if (innermost < depth) {
      innermost = depth;
      for (const auto &[name, array] : found)
        body = Allocate::make(name, array.type, MemoryType::Register, {array.elements}, const_true(),
                              Block::make(body, Free::make(name)));
    }
    threads.pop_back();
    return For::make(op->name, op->min, op->extent, op->for_type, op->partition_policy, op->device_api, body);
  }

  Stmt visit(const LetStmt *op) override {
    if (threads.empty() && isReading(op->value))
      return mutate(substitute(op->name, op->value, op->body));
    const Expr value = mutate(op->value);
    lets.push_back({op->name, op->value});
    const Stmt body = mutate(op->body);
    lets.pop_back();
    return LetStmt::make(op->name, value, body);
  }

  Expr visit(const Let *op) override {
    const Expr value = mutate(op->value);
    lets.push_back({op->name, op->value});
    const Expr body = mutate(op->body);
    lets.pop_back();
    return Let::make(op->name, value, body);
  }

  Expr visit(const Load *op) override {
    const auto array = found.find(op->name);
    if (array == found.end())
      return IRMutator::visit(op);
    return Load::make(op->type, op->name, ownIndex(array->first, array->second, op->index), op->image,
                      op->param, op->predicate, ModulusRemainder());
  }

  Stmt visit(const Store *op) override {
    const auto array = found.find(op->name);
    if (array == found.end())
      return IRMutator::visit(op);
    return Store::make(op->name, mutate(op->value), ownIndex(array->first, array->second, op->index),
                       op->param, op->predicate, ModulusRemainder());
  }

  Expr visit(const Call *op) override {
    const auto array = readings.find(op->name);
    if (array == readings.end() && op->name.rfind(readingOf(""), 0) == 0)
      fail(op->name, "read where Halide dropped the array", "one that is read as a Func, too, is needed");
    if (array == readings.end())
      return IRMutator::visit(op);
    return element(array->second, op->type, simplify(op->args[0]));
  }

  static Expr element(const std::string &array, const Type &type, const Expr &at) {
    if (!is_const(at))
      fail(array, "an element that depends on a loop", "loops over elements must be unrolled");
    return Load::make(type, array, at, Buffer<>(), Parameter(), const_true(type.lanes()), ModulusRemainder());
  }

  Expr ownIndex(const std::string &name, const Array &array, const Expr &index) const {
    if (const Ramp *ramp = index.as<Ramp>()) {
      const Expr stride = simplify(ramp->stride / (array.threadsX * array.threadsY));
      if (!is_const_zero(simplify(ramp->stride % (array.threadsX * array.threadsY))))
        fail(name, "a vector across threads", "vectors must be of one thread's elements");
      return Ramp::make(ownIndex(name, array, ramp->base), stride, ramp->lanes);
    }
    if (const Broadcast *same = index.as<Broadcast>())
      return Broadcast::make(ownIndex(name, array, same->value), same->lanes);
    if (!index.type().is_scalar())
      fail(name, "a vector of scattered elements", "vectors must be dense");
    return elementOf(name, array, inlined(index));
  }

  /// Every let around put in.
  Expr inlined(Expr index) const {
    for (auto let = lets.rbegin(); let != lets.rend(); ++let)
      if (expr_uses_var(index, let->first))
        index = graph_substitute(let->first, let->second, index);
    return substitute_in_all_lets(index);
  }

  /// Along x or y. Halide has put in 0 for a lone one.
  Expr threadNumber(size_t axis) const {
    if (axis >= threads.size())
      return 0;
    const ThreadLoop &loop = threads[threads.size() - 1 - axis];
    return is_const_one(loop.extent) ? Expr(0) : Variable::make(Int(32), loop.name);
  }

  Expr elementOf(const std::string &name, const Array &array, const Expr &index) const {
    if (threads.empty())
      fail(name, "an access outside the loops over threads", "one thread has no elements of others");
    const Expr ofThread = threadNumber(0) + array.threadsX * threadNumber(1);
    Expr ofFirst = index;
    for (size_t axis = 0; axis < std::min<size_t>(threads.size(), 2); ++axis)
      ofFirst = substitute(threads[threads.size() - 1 - axis].name, 0, ofFirst);
    ofFirst = simplify(ofFirst);
    const Expr at = simplify(ofFirst / (array.threadsX * array.threadsY));
    const Expr rest = simplify(index - at * (array.threadsX * array.threadsY) - ofThread);
    if (!is_const(at) || !is_const_zero(rest)) {
      std::ostringstream found;
      found << "element " << simplify(index);
      fail(name, found.str(), "one of the thread itself at a constant place is needed");
    }
    return at;
  }

  const std::vector<RegisterArray> &arrays;
  std::map<std::string, Array> found;
  std::map<std::string, std::string> readings; ///< of arrays in `found`
  std::vector<ThreadLoop> threads;             ///< outermost first
  size_t innermost = 0;
  std::vector<std::pair<std::string, Expr>> lets;
};

} // namespace

/// A reading that Halide took out of the loops over threads is put back to where it is used.
Stmt RegisterArrays::visit(const LetStmt *op) {
  if (!isReading(op->value))
    return IRMutator::visit(op);
  return mutate(substitute(op->name, op->value, op->body));
}

Stmt RegisterArrays::visit(const For *op) {
  if (op->for_type != ForType::GPUBlock)
    return IRMutator::visit(op);
  return dropBarriers(OwnElements(arrays).mutate(Stmt(op)));
}

} // namespace heed::kernels
