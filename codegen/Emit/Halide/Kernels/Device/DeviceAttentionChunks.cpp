#include "DeviceAttentionChunks.h"

#include "DeviceMath.h"
#include "Numerics.h"
#include "RegisterArrays.h"

using namespace Halide;

namespace heed::kernels {

AttentionChunks::AttentionChunks(AttentionBlock &block, const Func &range, const Expr &count,
                                 const std::vector<Expr> &initial)
    : chunks(0, count, 0, 1, "chunk"), block(block), range(range), initial(initial) {
  define();
}

AttentionChunks::AttentionChunks(AttentionBlock &block, const Func &range, const Func &again,
                                 const std::vector<Expr> &initial)
    : chunks(0, ownScalar(again.name()), 0, 1, "careful_chunk"), block(block), range(range), again(again),
      initial(initial) {
  define();
}

void AttentionChunks::define() {
  const auto &[in, x, y, c] = std::tie(block.in, block.x, block.y, block.c);
  const Expr first = range.defined() ? range(block.at({x, y}))[0] : Expr(0);
  if (in.kernel.listed) {
    const int ofBlock = keyBlock / block.keyChunk;
    entry(block.args({x, y, c})) = first + c / ofBlock;
    // Nobody needs to know the bounds of the list's part that is read.
    const Expr hidden = ownElement(Int(32), entry.name(), 0, {c});
    const Expr found =
        select(entry(block.at({x, y, c})) < 0, 0, in.listed(block.head(), block.queries, hidden));
    start(block.args({x, y, c})) =
        clamp(found, 0, max(in.keys - 1, 0) / keyBlock) * keyBlock + c % ofBlock * block.keyChunk;
  } else {
    start(block.args({x, y, c})) = first + c * block.keyChunk;
  }
  defineScores();
  defineWeights();
  if (in.kernel.hasValue)
    defineProduct();
}

/// A part of the thread's state before the chunk. Halide would see a cycle.
Expr AttentionChunks::stateNow(int part) const {
  const Type type = block.in.accumulator;
  const Expr now = ownElement(type, arrayOf(block.state.name(), part, block.parts()), block.v, {block.c});
  return isCareful() ? choose(block.c == 0, initial[part], now) : now;
}

/// Every thread knows the chunk's first key. Halide is told its bounds; a later chunk of the last block of a
/// list may begin behind the last key.
Expr AttentionChunks::keyAt(const Expr &p) const {
  return bounded(ownElement(Int(32), start.name(), 0, {block.c})) + p;
}

Expr AttentionChunks::bounded(const Expr &start) const {
  return unsafe_promise_clamped(start, 0,
                                max(block.in.keys - 1, 0) + (block.in.kernel.listed ? keyBlock : 0));
}

/// q kᵀ, slice by slice of the depth. What lies behind the last column counts as 0.
void AttentionChunks::defineScores() {
  const auto &[in, tile, x, y, u, v] = std::tie(block.in, block.tile, block.x, block.y, block.u, block.v);
  const auto &[c, s, p, d, r] = std::tie(block.c, block.s, block.p, block.d, block.r);
  const Expr zero = number(in.accumulator, 0);
  const Expr column = s * tile.depthChunk + d;
  const bool isWhole = in.kernel.depth && *in.kernel.depth % tile.depthChunk == 0;
  const Expr known = isWhole ? column : min(column, max(in.depth - 1, 0));
  const auto orZero = [&](const Expr &value) {
    return isWhole ? value : select(column < in.depth, value, zero);
  };
  const Expr row = block.knownRow(block.queries * block.queryBlock + r);
  queries(block.args({d, r, s})) = orZero(in.query(block.head(), known, row));
  keys(block.args({d, p, s, c})) = orZero(in.key(block.head(), known, block.knownKey(keyAt(p))));
  queryVectors(block.args({d, y, v, s})) = queries(block.at({d, v * tile.threadsY + y, s}));
  keyVectors(block.args({d, x, u, s, c})) = keys(block.at({d, u * tile.threadsX + x, s, c}));
  depths = RDom(0, 4, 0, tile.depthChunk / 4, 0, (in.depth + tile.depthChunk - 1) / tile.depthChunk, "depth");
  const Expr place = depths.y * 4 + depths.x;
  dot(block.args({x, y, u, v, c})) = zero;
  dot(block.args({x, y, u, v, c})) +=
      queryVectors(block.at({place, y, v, depths.z})) * keyVectors(block.at({place, x, u, depths.z, c}));

  const Expr key = bounded(start(block.at({x, y, c}))) + u * tile.threadsX + x;
  const Expr score = in.score(dot(block.at({x, y, u, v, c})), block.head(), block.knownRow(block.rowAt(y, v)),
                              block.knownKey(key));
  const Expr last = block.ownKeys().end,
             end = isCareful() ? select(again(block.at({x, y})) > 0, last, 0) : last;
  const Expr visible = hideUnless(key < end, score);
  // No score is 0, but where all are hidden Halide would drop what tells the first key.
  scores(block.args({x, y, u, v, c})) = in.hidesAll ? choose(key < min(end, 0), zero, visible) : visible;
}

void AttentionChunks::defineWeights() {
  const auto &[in, tile, x, y, u, v] = std::tie(block.in, block.tile, block.x, block.y, block.u, block.v);
  const auto &[c, p] = std::tie(block.c, block.p);
  const Expr score = scores(block.at({x, y, u, v, c}));
  if (!block.isNormalized()) {
    weights(block.args({x, y, u, v, c})) = choose(isHidden(score), number(in.accumulator, 0), score);
  } else {
    Expr ofThread = scores(block.at({x, y, 0, v, c}));
    for (int key = 1; key < tile.keyTile; ++key)
      ofThread = largerOf(ofThread, scores(block.at({x, y, key, v, c})));
    largestOfThread(block.args({x, y, v, c})) = ofThread;
    others = RDom(0, tile.threadsX, "other");
    largest(block.args({x, y, v, c})) = stateNow(0);
    const Expr now = largest(block.at({x, y, v, c}));
    largest(block.args({x, y, v, c})) = largerOf(now, largestOfThread(block.at({others, y, v, c})));
    rescale(block.args({x, y, v, c})) = exp2OnDevice(strictDifference(stateNow(0), now) * in.unit);
    weights(block.args({x, y, u, v, c})) = exp2OnDevice(strictDifference(score, now) * in.unit);
  }
  if (!in.kernel.hasValue)
    return;
  const Expr thread = p % tile.threadsX, key = p / tile.threadsX;
  const Expr weight = weights(block.at({thread, y, key, v, c})), markOfHidden = number(in.accumulator, -0.0);
  factors(block.args({p, y, v, c})) =
      isCareful() ? choose(isHidden(scores(block.at({thread, y, key, v, c}))), markOfHidden, weight) : weight;
  if (!in.kernel.program.weigh)
    return;
  // In a loop of its own: the program may be long.
  const Expr before = factors(block.at({p, y, v, c}));
  const Expr weighed =
      in.weighed(before, block.head(), block.knownRow(block.rowAt(y, v)), block.knownKey(keyAt(p)));
  factors(block.args({p, y, v, c})) =
      isCareful() ? choose(bitsOf(before) == bitsOf(markOfHidden), before, weighed) : weighed;
}

/// The running sums of weight · v, rescaled, and this chunk's, slice by slice of its keys.
void AttentionChunks::defineProduct() {
  const auto &[in, tile, x, y, n, v] = std::tie(block.in, block.tile, block.x, block.y, block.n, block.v);
  const auto &[c, s, p, i] = std::tie(block.c, block.s, block.p, block.i);
  const Expr zero = number(in.accumulator, 0);
  const Expr column = min(block.valueColumns * block.columnBlock + i, max(in.valueDepth - 1, 0));
  const Expr key = keyAt(s * tile.valueChunk + p);
  values(block.args({i, p, s, c})) =
      select(key < block.ownKeys().end, in.value(block.head(), column, block.knownKey(key)), zero);
  const Var g("g");
  valueVectors(block.args({i, x, g, p, s, c})) = values(block.at({(g * tile.threadsX + x) * 4 + i, p, s, c}));
  factorVectors(block.args({p, y, v, s, c})) = factors(block.at({s * tile.valueChunk + p, y, v, c}));
  std::vector<Expr> before;
  for (int part = block.columnsAt(); part < block.parts(); ++part)
    before.push_back(stateNow(part));
  const Expr running = mux(n, before);
  sums(block.args({x, y, n, v, c})) =
      block.isNormalized() ? running * rescale(block.at({x, y, v, c})) : running;
  slices = RDom(0, 4, 0, tile.valueChunk / 4, 0, block.keyChunk / tile.valueChunk, "slice");
  const Expr place = slices.y * 4 + slices.x;
  const Expr factor = factorVectors(block.at({place, y, v, slices.z, c}));
  const Expr product = factor * valueVectors(block.at({n % 4, x, n / 4, place, slices.z, c}));
  const Expr hidden = bitsOf(factor) == bitsOf(number(in.accumulator, -0.0));
  sums(block.args({x, y, n, v, c})) += isCareful() ? choose(hidden, zero, product) : product;
}

std::vector<Expr> AttentionChunks::next() const {
  const auto &[x, y, v, c] = std::tie(block.x, block.y, block.v, block.c);
  std::vector<Expr> parts;
  if (block.isNormalized()) {
    Expr sum = stateNow(1) * rescale(block.at({x, y, v, c}));
    for (int key = 0; key < block.tile.keyTile; ++key)
      sum += weights(block.at({x, y, key, v, c}));
    parts = {largest(block.at({x, y, v, c})), sum};
  }
  for (int column = 0; column < block.columns; ++column)
    parts.push_back(sums(block.at({x, y, column, v, c})));
  for (Expr &part : parts)
    part = Internal::substitute(c.name(), chunks.x + chunks.y, part);
  return parts;
}

void AttentionChunks::schedule(int number) {
  block.update(block.state, number, {block.v}, {}, {chunks.x, chunks.y});
  const LoopLevel chunk(block.state, RVar(chunks.x));
  for (Func *func : {&entry, &start})
    if (func->defined()) {
      block.keepInRegisters(*func, {}, chunk);
      func->bound_extent(block.c, 1);
    }
  scheduleScores(chunk);
  scheduleWeights(chunk);
  if (block.in.kernel.hasValue)
    scheduleProduct(chunk);
}

void AttentionChunks::scheduleScores(const LoopLevel &chunk) {
  const LoopLevel slice(dot, RVar(depths.z)), step(dot, RVar(depths.y));
  for (Func *ofPair : {&dot, &scores}) {
    block.keepInRegisters(*ofPair, {block.u, block.v}, chunk);
    ofPair->bound_extent(block.c, 1);
  }
  block.update(dot, 0, {depths.x, block.u, block.v}, {depths.y}, {depths.z});
  block.stage(queries, block.d, block.tile.depthChunk, block.r, block.queryBlock, slice);
  block.stage(keys, block.d, block.tile.depthChunk, block.p, block.keyChunk, slice);
  queryVectors.compute_at(step).vectorize(block.d, 4).unroll(block.v);
  keyVectors.compute_at(step).vectorize(block.d, 4).unroll(block.u);
}

void AttentionChunks::scheduleWeights(const LoopLevel &chunk) {
  const auto &[p, u, v, x] = std::tie(block.p, block.u, block.v, block.x);
  block.keepInRegisters(weights, {u, v}, chunk);
  weights.bound_extent(block.c, 1);
  if (block.isNormalized()) {
    for (Func *ofRow : {&largest, &rescale})
      block.keepInRegisters(*ofRow, {v}, chunk);
    block.share(largestOfThread, {v}, chunk);
    block.update(largest, 0, {others.x, v});
    for (Func *ofRow : {&largest, &rescale, &largestOfThread})
      ofRow->bound_extent(block.c, 1);
  }
  if (!block.in.kernel.hasValue)
    return;
  factors.bound(p, 0, block.keyChunk).bound_storage(p, block.keyChunk + block.tile.threadsX);
  factors.split(p, u, x, block.tile.threadsX).bound_extent(block.c, 1);
  block.share(factors, {u, v}, chunk);
  if (!block.in.kernel.program.weigh)
    return;
  Stage weigh = factors.update();
  weigh.split(p, u, x, block.tile.threadsX).reorder(u, v, x, block.y);
  weigh.gpu_threads(x, block.y, block.target.api);
}

void AttentionChunks::scheduleProduct(const LoopLevel &chunk) {
  const LoopLevel slice(sums, RVar(slices.z)), step(sums, RVar(slices.y));
  block.keepInRegisters(sums, {block.n, block.v}, chunk);
  sums.bound_extent(block.c, 1);
  block.update(sums, 0, {slices.x, block.n, block.v}, {slices.y}, {slices.z});
  block.stage(values, block.i, block.columnBlock, block.p, block.tile.valueChunk, slice);
  const Var g = valueVectors.args()[2];
  valueVectors.compute_at(step).vectorize(block.i, 4).unroll(g).unroll(block.p);
  factorVectors.compute_at(step).vectorize(block.p, 4).unroll(block.v);
}

} // namespace heed::kernels
