#include "Barriers.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// What a kernel does to shared memory, in the order of its text.
struct Event {
  enum Kind { Read, Write, Barrier, Enter, Leave } kind; ///< Enter, Leave: the body of a loop or of a branch
  std::string array;                                     ///< that is read or written
  const Evaluate *barrier = nullptr;
};

bool isBarrier(const Evaluate *op) {
  const Call *call = op->value.as<Call>();
  return call && call->is_intrinsic(Call::gpu_thread_barrier);
}

class Events : public IRVisitor {
public:
  std::vector<Event> list;

private:
  using IRVisitor::visit;

  void visit(const Allocate *op) override {
    if (op->memory_type == MemoryType::GPUShared || op->memory_type == MemoryType::Heap)
      shared.insert(op->name);
    IRVisitor::visit(op);
  }

  void visit(const Load *op) override {
    IRVisitor::visit(op);
    if (shared.count(op->name))
      list.push_back({Event::Read, op->name});
  }

  void visit(const Store *op) override {
    IRVisitor::visit(op);
    if (shared.count(op->name))
      list.push_back({Event::Write, op->name});
  }

  void visit(const Evaluate *op) override {
    IRVisitor::visit(op);
    if (isBarrier(op))
      list.push_back({Event::Barrier, "", op});
  }

  void visit(const For *op) override {
    list.push_back({Event::Enter});
    IRVisitor::visit(op);
    list.push_back({Event::Leave});
  }

  void visit(const IfThenElse *op) override {
    op->condition.accept(this);
    for (const Stmt &branch : {op->then_case, op->else_case}) {
      if (!branch.defined())
        continue;
      list.push_back({Event::Enter});
      branch.accept(this);
      list.push_back({Event::Leave});
    }
  }

  std::set<std::string> shared;
};

/// The barriers that order nothing. Between a barrier and its neighbours, the next ones in the same body, lie
/// bodies as a whole.
class UselessBarriers {
public:
  explicit UselessBarriers(const std::vector<Event> &events) : events(events) {
    for (size_t at = 0; at < events.size(); ++at)
      if (events[at].kind == Event::Barrier && isUseless(at))
        found.insert(events[at].barrier);
  }

  std::set<const Evaluate *> found;

private:
  struct Accesses {
    std::set<std::string> read, written;
    bool reachesEnd = false; ///< of the body

    void add(const Event &event) {
      if (event.kind == Event::Read)
        read.insert(event.array);
      if (event.kind == Event::Write)
        written.insert(event.array);
    }
  };

  Accesses around(size_t barrier, int step) const {
    Accesses result;
    const Event::Kind in = step > 0 ? Event::Enter : Event::Leave,
                      out = step > 0 ? Event::Leave : Event::Enter;
    int depth = 0;
    for (size_t at = barrier + step; at < events.size(); at += step) {
      const Event &event = events[at];
      depth += (event.kind == in) - (event.kind == out);
      if (depth < 0)
        break;
      if (depth == 0 && event.kind == Event::Barrier && !found.count(event.barrier))
        return result;
      result.add(event);
    }
    result.reachesEnd = true;
    return result;
  }

  static bool meets(const std::set<std::string> &written, const Accesses &others) {
    return std::any_of(written.begin(), written.end(), [&](const std::string &array) {
      return others.read.count(array) || others.written.count(array);
    });
  }

  bool isUseless(size_t barrier) const {
    const Accesses before = around(barrier, -1), after = around(barrier, 1);
    return !after.reachesEnd && !meets(before.written, after) && !meets(after.written, before);
  }

  const std::vector<Event> &events;
};

class Drop : public IRMutator {
public:
  explicit Drop(const std::set<const Evaluate *> &barriers) : barriers(barriers) {}

private:
  using IRMutator::visit;

  Stmt visit(const Evaluate *op) override { return barriers.count(op) ? Evaluate::make(0) : Stmt(op); }

  const std::set<const Evaluate *> &barriers;
};

} // namespace

Stmt dropBarriers(const Stmt &kernel) {
  Events events;
  kernel.accept(&events);
  return Drop(UselessBarriers(events.list).found).mutate(kernel);
}

} // namespace heed::kernels
