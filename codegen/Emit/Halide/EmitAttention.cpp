//===- EmitAttention.cpp - Fused attention --------------------------------===//
///
/// \file
/// Three families (Kernels/Attention.h says how they compute): blocks of query rows, small blocks of them,
/// and few rows against chunks of keys, whose parts a second launch merges. Where only elements of tensors
/// tell which keys a block of rows sees, a first launch lists them. Where many blocks of rows take dot
/// products of pairs of bf16, a first launch pairs the values for all of them.
///
//===----------------------------------------------------------------------===//

#include "AttentionLaunches.h"
#include "KeyLists.h"
#include "ValuePairs.h"

using namespace mlir;

namespace heed {
namespace {

using Launches = FailureOr<std::vector<program::Launch>>;

class AttentionEmitter : AttentionLaunches {
public:
  using AttentionLaunches::AttentionLaunches;

  /// How blocks of query rows meet their keys: over lists of those that they see, with values in pairs if
  /// there are more than so many queries.
  struct Meeting {
    bool listed = false;
    std::optional<int64_t> pairedFrom;
  };
  Launches rows(StringRef part, const RowsTile &tile, const Meeting &meeting) {
    AttentionSchedule described{.rows = tile, .small = tile};
    kernel.listed = meeting.listed;
    kernel.pairedValues = meeting.pairedFrom.has_value();
    FailureOr<std::string> function =
        tileFunction(part, printSchedule("", described) + keyOf(kernel.listed, kernel.pairedValues),
                     [&] { return kernels::buildAttentionRows(kernel, tile, emitter.target); });
    if (failed(function))
      return failure();
    std::vector<program::Launch> launches;
    std::optional<KeyLists> lists;
    if (kernel.listed) {
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
    std::optional<ValuePairs> pairs;
    if (kernel.pairedValues) {
      FailureOr<ValuePairs> made = ValuePairs::add(emitter, op, extents, *meeting.pairedFrom);
      if (failed(made))
        return failure();
      pairs = std::move(*made);
      launches.push_back(pairs->launch);
    }
    ScoreLaunch launch(emitter, extents, std::move(*function), part, {});
    launch.addQueries(tile.queryBlock);
    launch.addScalars(program.readExtents());
    addInputs(launch);
    if (op.getSink())
      launch.addSink(op.getSink());
    if (lists)
      lists->addOperands(launch);
    if (pairs)
      pairs->addOperand(launch);
    addResults(launch);
    launches.push_back(launch.take(work()));
    return launches;
  }

  /// Few rows: parts per chunk of keys, then their merge.
  Launches depth(const AttentionSchedule &schedule) {
    int rows = schedule.depthRowLimit, keyChunk = schedule.depthKeyChunk;
    setRowsToMembers();
    if (kernel.memberRows)
      rows = memberBlock();
    std::string sizes = keyOf(rows, keyChunk, kernel.memberRows);
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

  Parts addParts(int rows, int keyChunk) {
    unsigned chunks = partsOf(keyChunk);
    auto add = [&](ArrayRef<ir::ExtentAttr> inner) { return addTemporary(chunks, rows, inner); };
    Parts parts{{}, add({}), add({}), chunks};
    if (op.getValue())
      parts.output = add(valueDepth);
    return parts;
  }

  void addResults(ScoreLaunch &launch) {
    addOutput(launch);
    addStatistics(launch);
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
    return launch.take(mergeWork());
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
};

} // namespace

LogicalResult Emitter::emit(ir::AttentionOp op) {
  Captures captures = Captures::of(op);
  if (failed(checkRegions(op)))
    return failure();
  if (device)
    return emitOnDevice(op, captures);
  const AttentionSchedule &schedule = this->schedule<AttentionSchedule>();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), deriveMaskRanges(op), captures);
  bool listed = program.needsKeyLists(),
       paired = schedule.rows.keyChunk % 2 == 0 && ValuePairs::areTaken(op, target);

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
        [&](AttentionEmitter &emitter) { return emitter.rows("small", schedule.small, {}); });
    const int64_t fewRows = ValuePairs::fewBlocks * schedule.rows.queryBlock;
    auto rows = [&schedule](StringRef part, const AttentionEmitter::Meeting &meeting) {
      return [=, &schedule](AttentionEmitter &emitter) { return emitter.rows(part, schedule.rows, meeting); };
    };
    if (!paired)
      return add(-1, rows("", {listed, {}}));
    add(fewRows, rows("few_blocks", {listed, {}}));
    add(-1, rows("", {listed, fewRows}));
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(op.getScoreShape().end()[-2], families);
}

} // namespace heed
