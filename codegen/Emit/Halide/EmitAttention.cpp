//===- EmitAttention.cpp - Fused attention --------------------------------===//
///
/// \file
/// Three families (Kernels/Attention.h says how they compute): blocks of query rows, small blocks of them,
/// and few rows against chunks of keys, whose parts a second launch merges. Where only elements of tensors
/// tell which keys a block of rows sees, a first launch lists them. A device has one family; there output and
/// statistics are launches of their own.
///
//===----------------------------------------------------------------------===//

#include "Kernels/Device/Attention.h"
#include "KeyLists.h"
#include "ScoreLaunch.h"

using namespace mlir;

namespace heed {
namespace {

using Launches = FailureOr<std::vector<program::Launch>>;

class AttentionEmitter {
public:
  /// `zeroProbability` is a dropout's probability that is known to be 0.
  AttentionEmitter(Emitter &emitter, ir::AttentionOp op, const Captures &captures,
                   const ScoreProgram &program, Value zeroProbability)
      : emitter(emitter), builder(emitter.builder), op(op), captures(captures), extents(op),
        program(program) {
    kernel.types.q = elementTypeOf(op.getQuery());
    kernel.types.k = elementTypeOf(op.getKey());
    for (auto [value, type] : {std::pair(Value(op.getValue()), &kernel.types.v),
                               std::pair(Value(op.getSink()), &kernel.types.sink),
                               std::pair(Value(op.getOutput()), &kernel.types.output)})
      if (value)
        *type = elementTypeOf(value);
    kernel.depth = staticValue(extents.depth);
    if (op.getValue())
      kernel.valueDepth = staticValue(valueDepth = ir::tensorType(op.getValue()).getExtent(-1));
    kernel.scale = op.getScale().convertToDouble();
    kernel.program = program.functions(zeroProbability);
    kernel.grouped = extents.isGrouped();
    kernel.hasValue = bool(op.getValue());
    kernel.statistics = bool(op.getLargest());
    kernel.logSumExp = bool(op.getLogSumExp());
    kernel.hasSink = bool(op.getSink());
    kernel.unnormalized = op.getUnnormalized();
    kernel.nanForEmpty = op.getNanForEmpty();
    key = keyOf(kernel.types.q, kernel.types.k, kernel.types.v, kernel.types.sink, kernel.types.output,
                extents.depth.str(), valueDepth ? valueDepth.str() : "", kernel.scale, kernel.grouped,
                kernel.hasValue, kernel.statistics, kernel.logSumExp, kernel.hasSink, kernel.unnormalized,
                kernel.nanForEmpty, bool(zeroProbability), program.text());
    if (zeroProbability)
      suffix = "_kept";
  }

  /// Blocks of query rows; with `listed`, over lists of the keys that they see.
  Launches rows(StringRef part, const RowsTile &tile, bool listed) {
    AttentionSchedule described{.rows = tile, .small = tile};
    kernel.listed = listed;
    FailureOr<std::string> function = tileFunction(part, printSchedule("", described) + keyOf(listed), [&] {
      return kernels::buildAttentionRows(kernel, tile, emitter.target);
    });
    if (failed(function))
      return failure();
    std::vector<program::Launch> launches;
    std::optional<KeyLists> lists;
    if (listed) {
      FailureOr<KeyLists> made =
          KeyLists::add(emitter, op, extents, program, captures,
                        {tile.queryBlock, [&](kernels::AttentionKernel &kernel, const std::string &key) {
                           return emitter.tileFunction(op, "key_lists", key, [&](const std::string &symbol) {
                             kernel.name = symbol;
                             return kernels::buildKeyLists(kernel, tile, emitter.target);
                           });
                         }});
      if (failed(made))
        return failure();
      lists = std::move(*made);
      launches.push_back(lists->launch);
    }
    ScoreLaunch launch(emitter, extents, std::move(*function), part, {});
    launch.addQueries(tile.queryBlock);
    launch.addScalars(program.readExtents());
    addInputs(launch);
    if (op.getSink())
      launch.addSink(op.getSink());
    if (lists)
      lists->addOperands(launch);
    addResults(launch);
    launches.push_back(launch.take(work()));
    return launches;
  }

  /// On a device, with `listed` over lists of keys: the output, then the statistics, as far as they are asked
  /// for.
  Launches onDevice(const DeviceAttentionSchedule &schedule, bool listed) {
    kernel.listed = listed;
    std::vector<program::Launch> launches;
    std::optional<KeyLists> lists;
    if (listed) {
      FailureOr<KeyLists> made = KeyLists::add(
          emitter, op, extents, program, captures,
          {schedule.queryBlock(), [&](kernels::AttentionKernel &kernel, const std::string &key) {
             return emitter.deviceFunction(
                 op, "key_lists", key + printSchedule("", schedule), [&](const std::string &symbol) {
                   kernel.name = symbol;
                   return kernels::buildDeviceKeyLists(kernel, schedule, *emitter.device);
                 });
           }});
      if (failed(made))
        return failure();
      lists = std::move(*made);
      launches.push_back(lists->launch);
    }
    auto add = [&](StringRef part, bool isOutput, auto build) -> LogicalResult {
      std::string sizes = printSchedule("", schedule) + keyOf(listed);
      FailureOr<std::string> function =
          emitter.deviceFunction(op, part.str() + suffix, key + sizes, [&](const std::string &symbol) {
            kernel.name = symbol;
            return build(kernel, schedule, *emitter.device);
          });
      if (failed(function))
        return failure();
      ScoreLaunch launch(emitter, extents, std::move(*function), part, {});
      launch.addQueries(schedule.queryBlock());
      launch.addScalars(program.readExtents());
      addInputs(launch, /*withValue=*/isOutput);
      if (op.getSink())
        launch.addSink(op.getSink());
      if (lists)
        lists->addOperands(launch);
      if (isOutput)
        launch.addQueryRows("y", op.getOutput(), valueDepth, /*isOutput=*/true);
      else
        addStatistics(launch);
      launches.push_back(launch.take(work()));
      return success();
    };
    if (op.getOutput() && failed(add("", true, kernels::buildDeviceAttention)))
      return failure();
    if ((op.getLargest() || op.getLogSumExp()) &&
        failed(add("statistics", false, kernels::buildDeviceStatistics)))
      return failure();
    return launches;
  }

  /// Few rows: parts per chunk of keys, then their merge.
  Launches depth(const AttentionSchedule &schedule) {
    int rows = schedule.depthRowLimit, keyChunk = schedule.depthKeyChunk;
    kernel.memberRows = extents.isGrouped() && !program.indexesByHead();
    if (kernel.memberRows)
      rows = memberBlock();
    std::string sizes = keyOf(rows, keyChunk, kernel.memberRows);
    kernel.program = program.functions(zeroProbability, kernel.memberRows);
    FailureOr<std::string> part = tileFunction(
        "depth_part", sizes, [&] { return kernels::buildDepthPart(kernel, rows, keyChunk, emitter.target); });
    FailureOr<std::string> merge = tileFunction(
        "depth_merge", sizes, [&] { return kernels::buildDepthMerge(kernel, rows, emitter.target); });
    if (failed(part) || failed(merge))
      return failure();
    Parts parts = addParts(schedule.depthRowLimit, keyChunk);
    return std::vector<program::Launch>{partLaunch(std::move(*part), rows, keyChunk, parts),
                                        mergeLaunch(std::move(*merge), rows, parts)};
  }

private:
  /// Temporaries between part and merge: output (b, h, chunks, rows, e), largest score and sum (b, h, chunks,
  /// rows).
  struct Parts {
    std::optional<unsigned> output; ///< buffers
    unsigned largest, sum;
    unsigned chunks; ///< extent
  };

  FailureOr<std::string> tileFunction(StringRef part, const std::string &sizes,
                                      llvm::function_ref<kernels::TileFunction()> build) {
    std::string name = part.str() + suffix;
    return emitter.tileFunction(op, name, key + sizes, [&](const std::string &symbol) {
      kernel.name = symbol;
      return build();
    });
  }

  void addInputs(ScoreLaunch &launch, bool withValue = true) {
    launch.addQueryRows("q", op.getQuery(), extents.depth);
    launch.addKeyRows("k", op.getKey(), extents.depth);
    if (op.getValue() && withValue)
      launch.addKeyRows("v", op.getValue(), valueDepth);
    for (auto [number, capture] : llvm::enumerate(captures.list()))
      launch.addCapture(number, capture);
  }

  void addResults(ScoreLaunch &launch) {
    if (Value output = op.getOutput())
      launch.addQueryRows("y", output, valueDepth, /*isOutput=*/true);
    addStatistics(launch);
  }

  void addStatistics(ScoreLaunch &launch) {
    for (auto [name, value] : {std::pair<StringRef, Value>{"largest", op.getLargest()},
                               {"sum", op.getSum()},
                               {"log-sum-exp", op.getLogSumExp()}})
      if (value)
        launch.addStatistic(name, value, /*isOutput=*/true);
  }

  Parts addParts(int rows, int keyChunk) {
    program::Program &program = builder.program;
    unsigned queries = builder.extent(extents.queries);
    unsigned chunks = program.extent(program.extents[builder.extent(extents.keys)].ceilDivide(keyChunk));
    SmallVector<unsigned> axes{builder.extent(extents.batch), builder.extent(extents.head), chunks, queries};
    heed_dtype type = kernel.types.q == Halide::Float(64) ? HEED_F64 : HEED_F32;
    auto add = [&] {
      unsigned buffer = program.addTemporary(type, axes);
      program.temporaries.back().limited = queries;
      program.temporaries.back().atMost = rows;
      return buffer;
    };
    Parts parts{{}, add(), add(), chunks};
    if (op.getValue()) {
      axes.push_back(builder.extent(valueDepth));
      parts.output = add();
    }
    return parts;
  }

  /// The parts as a launch sees them: one chunk per tile of its keys, or all of them if it has no such axis.
  void addPartOperands(ScoreLaunch &launch, const Parts &parts) {
    bool isOutput = launch.keyGrid >= 0;
    unsigned one = builder.program.number(1);
    program::Axis chunks{parts.chunks, one, 2, launch.keyGrid, isOutput};
    program::Axis rows = launch.rowsOfTemporary();
    unsigned outer = isOutput ? 0 : 1; // the merge sees all chunks
    if (parts.output)
      launch.addTemporary("part output", *parts.output, 2 + outer, isOutput,
                          {{builder.extent(valueDepth), one, 4}, rows, chunks});
    launch.addTemporary("part maximum", parts.largest, 1 + outer, isOutput, {rows, chunks});
    launch.addTemporary("part sum", parts.sum, 1 + outer, isOutput, {rows, chunks});
  }

  program::Launch partLaunch(std::string function, int rows, int keyChunk, const Parts &parts) {
    ScoreLaunch launch(emitter, extents, std::move(function), "part", {.memberRows = memberRows(rows)});
    launch.addQueries(kernel.memberRows ? 1 : rows);
    launch.addKeys(keyChunk);
    launch.addScalars(program.readExtents());
    addInputs(launch);
    addPartOperands(launch, parts);
    return launch.take(work());
  }

  program::Launch mergeLaunch(std::string function, int rows, const Parts &parts) {
    ScoreLaunch launch(emitter, extents, std::move(function), "merge", {.memberRows = memberRows(rows)});
    if (kernel.memberRows)
      launch.addQueries(1);
    launch.addHeadScalars();
    addPartOperands(launch, parts);
    if (op.getSink())
      launch.addSink(op.getSink());
    addResults(launch);
    unsigned perRow = op.getValue() ? builder.extent(valueDepth) : builder.program.number(1);
    return launch.take(builder.program.product({builder.extent(extents.batch), builder.extent(extents.head),
                                                builder.extent(extents.queries), perRow}));
  }

  /// Members of a group in the rows of one tile.
  static constexpr int64_t mostMemberRows = 8;
  int memberBlock() const {
    std::optional<int64_t> members = staticValue(extents.members);
    if (!members)
      return mostMemberRows;
    int64_t tiles = llvm::divideCeil(*members, mostMemberRows); // of nearly equal size
    return llvm::divideCeil(*members, tiles);
  }
  int memberRows(int rows) const { return kernel.memberRows ? rows : 0; }

  unsigned work() {
    auto two = ir::ExtentAttr::get(op.getContext(), 2);
    if (!op.getValue())
      return scoreWork(builder, extents, two.multiply(extents.depth));
    if (kernel.depth && kernel.valueDepth)
      return scoreWork(builder, extents,
                       ir::ExtentAttr::get(op.getContext(), 2 * (*kernel.depth + *kernel.valueDepth)));
    return scoreWork(builder, extents, two.multiply(two).multiply(extents.depth));
  }

  Emitter &emitter;
  ProgramBuilder &builder;
  ir::AttentionOp op;
  const Captures &captures;
  ScoreExtents extents;
  ir::ExtentAttr valueDepth;
  const ScoreProgram &program;
  Value zeroProbability;
  kernels::AttentionKernel kernel;
  std::string key, suffix;
};

/// Whether weights are computed again from the largest score. It must then be one of those scores to the bit:
/// of large scores the last bit decides. With depth in lanes sums have another order than in heed.scores.
bool givesScoresTheirLargest(ir::AttentionOp op) {
  return op.getLargest() &&
         llvm::any_of(op.getLargest().getUsers(), [](Operation *user) { return isa<ir::ScoresOp>(user); });
}

} // namespace

LogicalResult Emitter::emit(ir::AttentionOp op) {
  Captures captures = Captures::of(op);
  if (failed(checkRegions(op)))
    return failure();
  if (device)
    return emitOnDevice(op, captures);
  const AttentionSchedule &schedule = this->schedule<AttentionSchedule>();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), deriveMaskRanges(op), captures);
  bool listed = program.needsKeyLists();

  if (listed && schedule.rows.keyChunk % kernels::keyBlock != 0)
    return op->emitError() << "attention: key_chunk is " << schedule.rows.keyChunk << ", a multiple of "
                           << kernels::keyBlock
                           << " is needed for a mask whose visible keys are listed; change the schedule";

  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    auto add = [&](int64_t atMost, auto launches) {
      families.push_back({atMost, zeroArgument, [=, this, &captures, &program] {
                            AttentionEmitter emitter(*this, op, captures, program, zero);
                            return launches(emitter);
                          }});
    };
    if (!givesScoresTheirLargest(op))
      add(schedule.depthRowLimit, [&](AttentionEmitter &emitter) { return emitter.depth(schedule); });
    add(schedule.smallLimit,
        [&](AttentionEmitter &emitter) { return emitter.rows("small", schedule.small, false); });
    add(-1, [&, listed](AttentionEmitter &emitter) { return emitter.rows("", schedule.rows, listed); });
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(op.getScoreShape().end()[-2], families);
}

LogicalResult Emitter::emitOnDevice(ir::AttentionOp op, const Captures &captures) {
  const auto &schedule = this->schedule<DeviceAttentionSchedule>();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), deriveMaskRanges(op), captures);
  bool listed = program.needsKeyLists();
  if (listed && kernels::keyBlock % schedule.threadsX != 0)
    return op->emitError() << "attention: threads_x is " << schedule.threadsX << ", a divisor of "
                           << kernels::keyBlock
                           << " is needed for a mask whose visible keys are listed; change the schedule";
  std::vector<Family> families;
  auto add = [&](std::optional<unsigned> zeroArgument, Value zero) {
    families.push_back({-1, zeroArgument, [=, this, &captures, &program, &schedule] {
                          AttentionEmitter emitter(*this, op, captures, program, zero);
                          return emitter.onDevice(schedule, listed);
                        }});
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    add(probability->argument, probability->inRegion);
  add(std::nullopt, {});
  return addStep(op.getScoreShape().end()[-2], families);
}

} // namespace heed
