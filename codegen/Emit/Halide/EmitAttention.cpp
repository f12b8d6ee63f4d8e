//===- EmitAttention.cpp - Fused attention --------------------------------===//
///
/// \file
/// Three families (Kernels/Attention.h says how they compute): blocks of query rows, small blocks of them,
/// and few rows against chunks of keys, whose parts a second launch merges.
///
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScoreProgram.h"

using namespace mlir;

namespace heed {
namespace {

using Launches = FailureOr<std::vector<program::Launch>>;

/// The axes that every launch of one attention walks. Batch and head are grid axes 0 and 1.
struct Walk {
  ir::ExtentAttr one, batch, head, queries, keys, depth, valueDepth;
  bool hasHead;

  explicit Walk(ir::AttentionOp op) : one(ir::ExtentAttr::get(op.getContext(), 1)), batch(one), head(one) {
    SmallVector<ir::ExtentAttr, 4> scores = op.getScoreShape();
    size_t leading = scores.size() - 2;
    hasHead = leading == 2;
    if (leading > 0)
      batch = scores[0];
    if (hasHead)
      head = scores[1];
    queries = scores[leading];
    keys = scores[leading + 1];
    depth = ir::tensorType(op.getQuery()).getExtent(-1);
    valueDepth = ir::tensorType(op.getValue()).getExtent(-1);
  }

  /// A matrix (rows, inner) of query, key, value or output, per batch and head; `rowGrid` runs along its
  /// rows.
  SmallVector<AxisUse> matrix(Value value, ir::ExtentAttr inner, ir::ExtentAttr rows, int rowGrid) const {
    int64_t rank = ir::tensorType(value).getRank();
    return {{inner, rank - 1},
            {rows, rank - 2, rowGrid},
            {head, hasHead ? leadingAxis(value, 2, 0) : std::nullopt, 1},
            {batch, leadingAxis(value, 2, hasHead), 0}};
  }

  /// A capture as the tile function sees it, (keys, rows), whatever axes the tensor has.
  SmallVector<AxisUse> captured(const Capture &capture, int rowGrid, int keyGrid) const {
    return {{keys, capture.axes[3], keyGrid},
            {queries, capture.axes[2], rowGrid},
            {head, capture.axes[1], 1},
            {batch, capture.axes[0], 0}};
  }
};

class AttentionEmitter {
public:
  AttentionEmitter(Emitter &emitter, ir::AttentionOp op, const Captures &captures)
      : emitter(emitter), builder(emitter.builder), op(op), captures(captures), axes(op),
        program(op, captures) {
    kernel.element = halideType(ir::tensorType(op.getResult()).getElementType());
    kernel.depth = staticValue(axes.depth);
    kernel.valueDepth = staticValue(axes.valueDepth);
    kernel.scale = op.getScale().convertToDouble();
    kernel.program = program.functions();
    key = keyOf(kernel.element, axes.depth.str(), axes.valueDepth.str(), kernel.scale, program.text());
  }

  /// Blocks of query rows.
  Launches rows(StringRef part, const RowsTile &tile) {
    AttentionSchedule described{.rows = tile, .small = tile};
    FailureOr<std::string> function = tileFunction(part, printSchedule("", described), [&] {
      return kernels::buildAttentionRows(kernel, tile, emitter.target);
    });
    if (failed(function))
      return failure();
    program::Launch launch = begin(std::move(*function), part);
    int queries = emitter.addGridAxis(launch, axes.queries, tile.queryBlock);
    addScalars(launch, {queries});
    addInputs(launch, queries, /*keyGrid=*/-1);
    addOutput(launch, queries);
    launch.work = work();
    return std::vector<program::Launch>{std::move(launch)};
  }

  /// Few rows: parts per chunk of keys, then their merge.
  Launches depth(const AttentionSchedule &schedule) {
    int rows = schedule.depthRowLimit, keyChunk = schedule.depthKeyChunk;
    std::string sizes = keyOf(rows, keyChunk);
    FailureOr<std::string> part = tileFunction(
        "depth_part", sizes, [&] { return kernels::buildDepthPart(kernel, rows, keyChunk, emitter.target); });
    FailureOr<std::string> merge = tileFunction(
        "depth_merge", sizes, [&] { return kernels::buildDepthMerge(kernel, rows, emitter.target); });
    if (failed(part) || failed(merge))
      return failure();
    Parts parts = addParts(rows, keyChunk);
    return std::vector<program::Launch>{partLaunch(std::move(*part), rows, keyChunk, parts),
                                        mergeLaunch(std::move(*merge), parts)};
  }

private:
  /// Temporaries between part and merge: output (b, h, chunks, rows, e), largest score and sum (b, h, chunks,
  /// rows).
  struct Parts {
    unsigned output, largest, sum; ///< buffers
    unsigned chunks;               ///< extent
  };

  FailureOr<std::string> tileFunction(StringRef part, const std::string &sizes,
                                      llvm::function_ref<kernels::TileFunction()> build) {
    return emitter.tileFunction(op, part, key + sizes, [&](const std::string &symbol) {
      kernel.name = symbol;
      return build();
    });
  }

  program::Launch begin(std::string function, StringRef part) {
    program::Launch launch = emitter.launch(std::move(function), part);
    emitter.addGridAxis(launch, axes.batch);
    emitter.addGridAxis(launch, axes.head);
    return launch;
  }

  /// Batch, head, then the first index along these grid axes, then the extents that the program reads.
  void addScalars(program::Launch &launch, ArrayRef<int> tileStarts) {
    for (unsigned axis : {0, 1})
      launch.scalars.push_back({HEED_TILE_START, axis});
    for (int axis : tileStarts)
      launch.scalars.push_back({HEED_TILE_START, unsigned(axis)});
    for (ir::ExtentAttr extent : program.readExtents())
      launch.scalars.push_back({HEED_EXTENT, builder.extent(extent)});
  }

  void addInputs(program::Launch &launch, int rowGrid, int keyGrid) {
    auto add = [&](StringRef name, Value value, SmallVector<AxisUse> uses) {
      launch.operands.push_back(builder.operand(name, value, uses, 2));
    };
    add("q", op.getQuery(), axes.matrix(op.getQuery(), axes.depth, axes.queries, rowGrid));
    add("k", op.getKey(), axes.matrix(op.getKey(), axes.depth, axes.keys, keyGrid));
    add("v", op.getValue(), axes.matrix(op.getValue(), axes.valueDepth, axes.keys, keyGrid));
    for (auto [number, capture] : llvm::enumerate(captures.list()))
      add("capture " + std::to_string(number), capture.tensor, axes.captured(capture, rowGrid, keyGrid));
  }

  void addOutput(program::Launch &launch, int rowGrid) {
    launch.operands.push_back(builder.operand(
        "y", op.getResult(), axes.matrix(op.getResult(), axes.valueDepth, axes.queries, rowGrid), 2, true));
  }

  Parts addParts(int rows, int keyChunk) {
    program::Program &program = builder.program;
    unsigned queries = builder.extent(axes.queries);
    unsigned chunks = program.extent(program.extents[builder.extent(axes.keys)].ceilDivide(keyChunk));
    SmallVector<unsigned> extents{builder.extent(axes.batch), builder.extent(axes.head), chunks, queries};
    auto add = [&](ArrayRef<unsigned> extents) {
      unsigned buffer = program.addTemporary(HEED_F32, extents);
      program.temporaries.back().limited = queries;
      program.temporaries.back().atMost = rows;
      return buffer;
    };
    unsigned largest = add(extents), sum = add(extents);
    extents.push_back(builder.extent(axes.valueDepth));
    return {add(extents), largest, sum, chunks};
  }

  /// The parts as a launch sees them: one chunk per tile of `keyGrid`, or all of them when it is negative.
  void addPartOperands(program::Launch &launch, const Parts &parts, int rowGrid, int keyGrid) {
    bool isOutput = keyGrid >= 0;
    unsigned one = builder.program.number(1);
    program::Axis head{builder.extent(axes.head), one, 1, 1}, batch{builder.extent(axes.batch), one, 0, 0};
    program::Axis chunks{parts.chunks, one, 2, keyGrid, isOutput};
    program::Axis rows{builder.extent(axes.queries), one, 3, rowGrid};
    program::Axis inner{builder.extent(axes.valueDepth), one, 4};
    unsigned outer = isOutput ? 0 : 1; // the merge sees all chunks
    launch.operands.push_back(
        {"part output", parts.output, 2 + outer, isOutput, {inner, rows, chunks, head, batch}});
    launch.operands.push_back(
        {"part maximum", parts.largest, 1 + outer, isOutput, {rows, chunks, head, batch}});
    launch.operands.push_back({"part sum", parts.sum, 1 + outer, isOutput, {rows, chunks, head, batch}});
  }

  program::Launch partLaunch(std::string function, int rows, int keyChunk, const Parts &parts) {
    program::Launch launch = begin(std::move(function), "part");
    int queries = emitter.addGridAxis(launch, axes.queries, rows);
    int keys = emitter.addGridAxis(launch, axes.keys, keyChunk);
    addScalars(launch, {queries, keys});
    addInputs(launch, queries, keys);
    addPartOperands(launch, parts, queries, keys);
    launch.work = work();
    return launch;
  }

  program::Launch mergeLaunch(std::string function, const Parts &parts) {
    program::Launch launch = begin(std::move(function), "merge");
    addPartOperands(launch, parts, /*rowGrid=*/-1, /*keyGrid=*/-1);
    addOutput(launch, /*rowGrid=*/-1);
    program::Program &program = builder.program;
    launch.work = program.product({builder.extent(axes.batch), builder.extent(axes.head),
                                   builder.extent(axes.queries), builder.extent(axes.valueDepth)});
    return launch;
  }

  unsigned work() {
    int64_t perScore = 4;
    ir::ExtentAttr depth = axes.depth;
    if (kernel.depth && kernel.valueDepth) {
      perScore = 2 * (*kernel.depth + *kernel.valueDepth);
      depth = axes.one;
    }
    auto product = ir::ExtentAttr::get(op.getContext(), perScore).multiply(depth);
    for (ir::ExtentAttr axis : {axes.batch, axes.head, axes.queries, axes.keys})
      product = product.multiply(axis);
    return builder.extent(product);
  }

  Emitter &emitter;
  ProgramBuilder &builder;
  ir::AttentionOp op;
  const Captures &captures;
  Walk axes;
  ScoreProgram program;
  kernels::AttentionKernel kernel;
  std::string key;
};

} // namespace

LogicalResult Emitter::emit(ir::AttentionOp op) {
  FailureOr<Captures> captures = Captures::of(op);
  if (failed(captures) || failed(checkRegion(op.getBody().front())))
    return failure();
  const AttentionSchedule &schedule = this->schedule<AttentionSchedule>();
  AttentionEmitter emitter(*this, op, *captures);
  auto depth = [&] { return emitter.depth(schedule); };
  auto small = [&] { return emitter.rows("small", schedule.small); };
  auto rows = [&] { return emitter.rows("", schedule.rows); };
  return addStep(op.getScoreShape().end()[-2],
                 {{schedule.depthRowLimit, depth}, {schedule.smallLimit, small}, {-1, rows}});
}

} // namespace heed
