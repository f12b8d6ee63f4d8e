#include "DeviceProduct.h"

#include "Numerics.h"

#include <algorithm>

using namespace Halide;

namespace heed::kernels {

namespace {

/// Where a block of threads works.
struct BlockPlace {
  Expr columns, rows; ///< numbers of its block of columns and of its block of rows
  GridIndices tile;
};

/// From shared memory, of one thread. On CUDA, reads of 16 bytes would take fewer instructions, and with them
/// the registers of a second block on each processor. Other interfaces have vectors of four.
int bytesPerRead(DeviceAPI api) { return api == DeviceAPI::CUDA ? 8 : 16; }

class ProductBuilder {
public:
  ProductBuilder(const DeviceProductShape &shape, const DeviceFactor &left, const DeviceFactor &right,
                 const DeviceResult &result, const DeviceTile &tile, DeviceAPI api)
      : shape(shape), left(left), right(right), result(result), tile(tile), type(shape.accumulator),
        read(bytesPerRead(api) / shape.accumulator.bytes()),
        wholeChunks(shape.knownDepth && *shape.knownDepth % tile.depthChunk == 0) {}

  DeviceProduct build();

private:
  /// A factor's chunk in shared memory, and the part of it that a thread multiplies.
  struct Staged {
    Func shared, own;
  };

  void defineOutput();
  Expr blocksOf(const Expr &lines, int threads, int perThread) const;
  BlockPlace placeOf(Expr block) const;
  Staged stage(const DeviceFactor &factor, const std::string &name, const Expr &linesBlock, int threads,
               int perThread);
  void sum();
  void store();
  void schedule(Staged &staged, bool alongDepth, int lines);
  void scheduleSums();
  void scheduleOutput();

  const DeviceProductShape &shape;
  const DeviceFactor &left, &right;
  const DeviceResult &result;
  const DeviceTile tile;
  const Type type;
  const int read; ///< elements of one read from shared memory
  const bool wholeChunks;

  Var k{"k"}, line{"line"}, n{"n"}, thread{"thread"}, chunk{"chunk"}, block{"block"}, x{"x"}, y{"y"}, u{"u"},
      v{"v"};
  RDom depths, places;
  Expr columnBlocks, rowBlocks;
  Staged rows, columns;
  Func sums{"sums"}, output{"y"};
};

Expr ProductBuilder::blocksOf(const Expr &lines, int threads, int perThread) const {
  const int perBlock = threads * perThread;
  return (lines + perBlock - 1) / perBlock;
}

/// What lies in the output comes as an update, since its axes need not be those of the tiles.
void ProductBuilder::defineOutput() {
  std::vector<Var> axes;
  for (size_t axis = 0; axis < result.kernelRank + shape.walked.size(); ++axis)
    axes.emplace_back("axis_" + std::to_string(axis));
  output(axes) = undef(result.type);
  for (size_t axis = 0; axis < axes.size(); ++axis)
    output.output_buffer().dim(int(axis)).set_min(0);
  columnBlocks = blocksOf(right.lines, tile.threadsX, tile.columnTile);
  rowBlocks = blocksOf(left.lines, tile.threadsY, tile.rowTile);
}

/// Blocks of the same rows are neighbours. All are along one axis, the only one that may be long everywhere.
BlockPlace ProductBuilder::placeOf(Expr block) const {
  BlockPlace place{block % columnBlocks, block / columnBlocks % rowBlocks, {}};
  Expr others = block / columnBlocks / rowBlocks;
  for (size_t axis = 0; axis < shape.walked.size(); ++axis) {
    if (!shape.walked[axis]) {
      place.tile.push_back(0);
      continue;
    }
    const Expr extent = output.output_buffer().dim(int(result.kernelRank + axis)).extent();
    place.tile.push_back(others % extent);
    others = others / extent;
  }
  return place;
}

/// Lines past the last repeat it: nobody stores what comes of them. Past the depth there is 0.
ProductBuilder::Staged ProductBuilder::stage(const DeviceFactor &factor, const std::string &name,
                                             const Expr &linesBlock, int threads, int perThread) {
  Staged staged{Func(name), Func("own_" + name)};
  const Expr at = chunk * tile.depthChunk + k;
  const Expr known = wholeChunks ? at : min(at, shape.depth - 1);
  const Expr element = factor.element(known, min(linesBlock * threads * perThread + line, factor.lines - 1),
                                      placeOf(block).tile);
  staged.shared(k, line, chunk, block) =
      wholeChunks ? element : select(at < shape.depth, element, number(type, 0));
  staged.own(k, n, thread, chunk, block) = staged.shared(k, n * threads + thread, chunk, block);
  return staged;
}

void ProductBuilder::sum() {
  depths = RDom(0, read, 0, tile.depthChunk / read, 0, (shape.depth + tile.depthChunk - 1) / tile.depthChunk,
                "depth");
  const Expr inChunk = depths.y * read + depths.x;
  sums(x, y, u, v, block) = number(type, 0);
  sums(x, y, u, v, block) +=
      rows.own(inChunk, v, y, depths.z, block) * columns.own(inChunk, u, x, depths.z, block);
}

void ProductBuilder::store() {
  Expr blocks = columnBlocks * rowBlocks;
  for (size_t axis = 0; axis < shape.walked.size(); ++axis)
    if (shape.walked[axis])
      blocks *= output.output_buffer().dim(int(result.kernelRank + axis)).extent();
  places = RDom(0, tile.columnTile, 0, tile.rowTile, 0, tile.threadsX, 0, tile.threadsY, 0, blocks, "place");
  const BlockPlace place = placeOf(places[4]);
  const Expr column = (place.columns * tile.columnTile + places[0]) * tile.threadsX + places[2];
  const Expr row = (place.rows * tile.rowTile + places[1]) * tile.threadsY + places[3];
  places.where(column < right.lines);
  places.where(row < left.lines);
  std::vector<Expr> at = result.place(column, row);
  at.insert(at.end(), place.tile.begin(), place.tile.end());
  const Expr sum = sums(places[2], places[3], places[0], places[1], places[4]);
  output(at) = cast(result.type, result.value(sum, column, row, place.tile));
}

void ProductBuilder::scheduleOutput() {
  output.update()
      .allow_race_conditions()
      .reorder(places[0], places[1], places[2], places[3], places[4])
      .unroll(places[0])
      .unroll(places[1])
      .gpu_blocks(places[4])
      .gpu_threads(places[2], places[3]);
}

void ProductBuilder::scheduleSums() {
  sums.compute_at(output, places[4]).store_in(MemoryType::Register).bound_extent(block, 1);
  sums.bound(x, 0, tile.threadsX).bound(y, 0, tile.threadsY);
  sums.bound(u, 0, tile.columnTile).bound(v, 0, tile.rowTile);
  sums.reorder(u, v, x, y, block).unroll(u).unroll(v).gpu_threads(x, y);
  sums.update().reorder(u, v, depths.x, depths.y, x, y, depths.z, block);
  sums.update().unroll(u).unroll(v).unroll(depths.x).gpu_threads(x, y);
}

void ProductBuilder::schedule(Staged &staged, bool alongDepth, int lines) {
  const int threads = tile.threadsX * tile.threadsY, elements = lines * tile.depthChunk;
  Var element("element"), each("each"), tx("tx"), ty("ty");
  staged.shared.compute_at(sums, depths.z).store_in(MemoryType::GPUShared);
  // Neighbouring lines begin in other banks.
  staged.shared.bound(k, 0, tile.depthChunk).bound(line, 0, lines).align_storage(k, tile.depthChunk + read);
  if (alongDepth)
    staged.shared.fuse(k, line, element);
  else
    staged.shared.reorder(line, k).fuse(line, k, element);
  staged.shared.split(element, each, element, threads,
                      elements % threads == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  staged.shared.split(element, ty, tx, tile.threadsX).reorder(each, tx, ty).unroll(each).gpu_threads(tx, ty);
  staged.own.compute_at(sums, depths.y).vectorize(k, read).unroll(n);
}

DeviceProduct ProductBuilder::build() {
  defineOutput();
  const BlockPlace place = placeOf(block);
  rows = stage(left, "rows", place.rows, tile.threadsY, tile.rowTile);
  columns = stage(right, "columns", place.columns, tile.threadsX, tile.columnTile);
  sum();
  store();
  scheduleOutput();
  scheduleSums();
  schedule(rows, left.alongDepth, tile.rowTile * tile.threadsY);
  schedule(columns, right.alongDepth, tile.columnTile * tile.threadsX);
  return {output, {sums.name(), tile.threadsX, tile.threadsY}};
}

} // namespace

/// Elements of 8 bytes take no more shared memory than others.
static DeviceTile fitted(DeviceTile tile, const Type &accumulator) {
  if (accumulator.bytes() == 8)
    tile.depthChunk = std::max(tile.depthChunk / 8 * 4, 4);
  return tile;
}

DeviceProduct multiply(const DeviceProductShape &shape, const DeviceFactor &left, const DeviceFactor &right,
                       const DeviceResult &result, const DeviceTile &tile, const DeviceTarget &target) {
  return ProductBuilder(shape, left, right, result, fitted(tile, shape.accumulator), target.api).build();
}

} // namespace heed::kernels
