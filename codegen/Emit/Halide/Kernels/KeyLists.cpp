#include "AttentionOperands.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Asks the mask of every pair of a block of query rows and a block of keys, keys in lanes, and sorts the
/// blocks of keys by the answers.
class KeyListsBuilder {
public:
  KeyListsBuilder(const AttentionKernel &kernel, const CpuTarget &target)
      : in(kernel), lanes(target.lanes), shape(UInt(8), 2, "shape") {
    for (int axis : {0, 1})
      shape.dim(axis).set_min(0).set_stride(Expr());
    in.keys = shape.dim(0).extent();
    in.rows = shape.dim(1).extent();
  }

  TileFunction build();

private:
  enum Kind { None, Full, Partial };

  void defineKinds();
  void defineLists();
  void schedule();

  AttentionOperands in;
  const int lanes;
  ImageParam shape;
  OpaqueScalars scalars;

  Var j{"j"}, block{"block"}, i{"i"};
  RDom rows, seenKeys, missedKeys, blocks;
  bool dependsOnRow = true; ///< what is visible, among the rows of the tile
  Func pairs{"pairs"};      ///< (key of a block, block): whether a row sees it, whether a row doesn't
  Func seen{"seen"}, missed{"missed"}, kind{"kind"};
  Func before{"before"}; ///< (block): full and partial blocks before it
  Func list{"list"}, counts{"counts"};
};

void KeyListsBuilder::defineKinds() {
  rows = RDom(0, in.rows, "row");
  // Past the last key that one is asked again.
  const Expr key = min(likely(block * keyBlock + j), in.keys - 1);
  const Expr visible = in.visible(rows, key, in.elementsAt(rows, key));
  dependsOnRow = Internal::expr_uses_var(visible, rows.x.name());
  pairs(j, block) = Tuple(0, 0);
  pairs(j, block) = Tuple(select(visible, 1, pairs(j, block)[0]), select(visible, pairs(j, block)[1], 1));
  seenKeys = RDom(0, keyBlock, "seen_key");
  missedKeys = RDom(0, keyBlock, "missed_key");
  seen(block) = 0;
  seen(block) = max(seen(block), pairs(seenKeys, block)[0]);
  missed(block) = 0;
  missed(block) = max(missed(block), pairs(missedKeys, block)[1]);
  const Expr isWhole = (block + 1) * keyBlock <= in.keys;
  kind(block) = select(seen(block) == 0, int(None), missed(block) == 0 && isWhole, int(Full), int(Partial));
}

void KeyListsBuilder::defineLists() {
  const KeyRange visible = in.visibleKeys(in.keys);
  const Expr first = scalars.derive("first_block", visible.first / keyBlock);
  const Expr end = scalars.derive("end_block", (visible.end + keyBlock - 1) / keyBlock);
  blocks = RDom(first, max(end - first, 0), "listed_block");
  before(i) = Tuple(0, 0);
  before(blocks + 1) = Tuple(before(blocks)[0] + select(kind(blocks) == int(Full), 1, 0),
                             before(blocks)[1] + select(kind(blocks) == int(Partial), 1, 0));
  counts(i) = select(i == 0, before(max(first, end))[0], before(max(first, end))[1]);
  const Expr last = max((in.keys - 1) / keyBlock, 0);
  RDom listed(first, max(end - first, 0), "written_block");
  listed.where(kind(listed) != int(None));
  list(i) = undef<int32_t>();
  const Expr at = select(kind(listed) == int(Full), before(listed)[0], counts(0) + before(listed)[1]);
  list(clamp(at, 0, last)) = Expr(listed);
  list.output_buffer().dim(0).set_min(0);
  counts.output_buffer().dim(0).set_bounds(0, 2);
}

void KeyListsBuilder::schedule() {
  kind.compute_root();
  for (Func *stage : {&seen, &missed}) {
    stage->compute_at(kind, block);
    stage->update().atomic().vectorize(stage == &seen ? seenKeys : missedKeys, lanes);
  }
  pairs.compute_at(kind, block).bound_extent(block, 1).bound(j, 0, keyBlock).vectorize(j, lanes).unroll(j);
  Stage update = pairs.update();
  if (dependsOnRow)
    update.reorder(j, rows, block);
  update.vectorize(j, lanes).unroll(j);
  before.compute_root();
  counts.compute_root();
}

TileFunction KeyListsBuilder::build() {
  defineKinds();
  defineLists();
  schedule();
  std::vector<Argument> arguments = in.scalarArguments(false);
  arguments.push_back(shape);
  in.appendCaptures(arguments);
  return {in.kernel.name, Pipeline({list, counts}), arguments, scalars};
}

} // namespace

TileFunction buildKeyLists(const AttentionKernel &kernel, const RowsTile &, const CpuTarget &target) {
  return KeyListsBuilder(kernel, target).build();
}

} // namespace heed::kernels
