#include "AttentionProblem.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heed::kernels {

namespace {

using Axes = std::initializer_list<Operand::Axis>;

template <class T> Operand matrixOf(const T *data, int64_t inner, int64_t outer, int64_t step = 1) {
  return {data, halide_type_of<T>(), {{inner, 1}, {outer, inner * step}}};
}

template <class T> Operand vectorOf(const T *data, int64_t count, int64_t step = 1) {
  return {data, halide_type_of<T>(), {{count, step}}};
}

std::vector<Operand *> pointers(std::vector<Operand> &operands) {
  std::vector<Operand *> list;
  for (Operand &operand : operands)
    list.push_back(&operand);
  return list;
}

void checkReleased(const ScratchContext &scratch) {
  if (!scratch.inOrder || scratch.current != 0)
    throw std::runtime_error("scratch: released out of order or not at all");
}

AttentionKernel renamed(AttentionKernel kernel, const std::string &suffix) {
  kernel.name += suffix;
  return kernel;
}

/// How far two numbers are apart, as `error` counts it.
double distance(double found, double right) {
  if (std::isnan(found) && std::isnan(right))
    return 0;
  if (std::isinf(right) || std::isnan(right) || std::isnan(found))
    return found == right ? 0 : INFINITY;
  return std::abs(found - right) / (1 + std::abs(right));
}

} // namespace

PlainScore plainScore(double score, int, int, int) { return {score, true}; }

RowsTiles::RowsTiles(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
    : kernel(kernel), tile(tile), function(buildAttentionRows(kernel, tile, target), target) {
  if (kernel.listed)
    lists.emplace(buildKeyLists(renamed(kernel, "_lists"), tile, target), target);
  if (kernel.pairedValues)
    pairs.emplace(buildValuePairs(kernel.name + "_pairs", *kernel.valueDepth), target);
}

DepthTiles::DepthTiles(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target)
    : kernel(kernel), rows(rows), keyChunk(keyChunk),
      part(buildDepthPart(kernel, rows, keyChunk, target), target),
      merge(buildDepthMerge(renamed(kernel, "_merge"), rows, target), target) {}

MatrixTiles::MatrixTiles(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
    : kernel(kernel), tile(tile), function(buildScoreMatrix(kernel, tile, target), target) {}

template <class Q, class K, class V>
ProblemOf<Q, K, V>::ProblemOf(int heads, int queries, int keys, int depth, int valueDepth, unsigned seed,
                              int members)
    : heads(heads), queries(queries), keys(keys), depth(depth), valueDepth(valueDepth), members(members),
      q(heads * queries * depth), k(heads / members * keys * depth), v(heads / members * keys * valueDepth),
      sinks(heads), out(heads * queries * valueDepth), largest(heads * queries), sum(heads * queries),
      logSumExp(heads * queries), matrix(heads * queries * keys) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  const auto fill = [&](auto &array) {
    for (auto &element : array)
      element = std::decay_t<decltype(element)>(normal(generator));
  };
  fill(q);
  fill(k);
  fill(v);
  fill(sinks);
}

template <class Q, class K, class V> AttentionTypes ProblemOf<Q, K, V>::types() {
  return {halide_type_of<Q>(), halide_type_of<K>(), halide_type_of<V>(), halide_type_of<Q>(),
          halide_type_of<Q>()};
}

template <class Q, class K, class V> void ProblemOf<Q, K, V>::addCapture(CaptureData data) {
  captureArrays.push_back(std::make_unique<PagedArray<float>>(data.elements.size()));
  std::copy(data.elements.begin(), data.elements.end(), captureArrays.back()->begin());
  captures.push_back(std::move(data));
}

template <class Q, class K, class V>
std::vector<int32_t> ProblemOf<Q, K, V>::scalars(const AttentionKernel &kernel, const Block &block,
                                                 int firstKey) const {
  std::vector<int32_t> list = {0, block.head};
  if (kernel.grouped)
    list = {0, block.head / members, block.head % members, members};
  list.push_back(block.first);
  if (firstKey >= 0)
    list.push_back(firstKey);
  list.insert(list.end(), extents.begin(), extents.end());
  return list;
}

template <class Q, class K, class V>
void ProblemOf<Q, K, V>::addCaptures(std::vector<Operand> &operands, const AttentionKernel &kernel,
                                     const Block &block, int firstKey, int count) const {
  for (size_t n = 0; n < captures.size(); ++n) {
    const CaptureData &capture = captures[n];
    const float *data = captureArrays[n]->data();
    const halide_type_t type = halide_type_of<float>();
    const int64_t rowStride = kernel.memberRows ? capture.headStride : capture.rowStride;
    if (capture.table.empty())
      operands.emplace_back(data + block.head * capture.headStride + block.first * capture.rowStride +
                                firstKey * capture.keyStride,
                            type, Axes{{count, capture.keyStride}, {block.rows, rowStride}});
    else if (capture.table.size() == 1)
      operands.emplace_back(data, type, Axes{{capture.table[0], 1}});
    else
      operands.emplace_back(data, type, Axes{{capture.table[0], 1}, {capture.table[1], capture.table[0]}});
  }
}

/// q, k, v, captures.
template <class Q, class K, class V>
void ProblemOf<Q, K, V>::addInputs(std::vector<Operand> &operands, const AttentionKernel &kernel,
                                   const Block &block, int firstKey, int count) const {
  const int row = block.head * queries + block.first, key = block.head / members * keys + firstKey;
  operands.push_back(matrixOf(q.data() + row * depth, depth, block.rows, rowStep(kernel)));
  operands.push_back(matrixOf(k.data() + key * depth, depth, count));
  if (kernel.hasValue)
    operands.push_back(matrixOf(v.data() + key * valueDepth, valueDepth, count));
  addCaptures(operands, kernel, block, firstKey, count);
}

template <class Q, class K, class V>
void ProblemOf<Q, K, V>::addResults(std::vector<Operand> &operands, const AttentionKernel &kernel,
                                    const Block &block) {
  const int row = block.head * queries + block.first;
  if (kernel.hasValue)
    operands.push_back(matrixOf(out.data() + row * valueDepth, valueDepth, block.rows, rowStep(kernel)));
  if (kernel.statistics)
    for (PagedArray<Statistic> *statistic : {&largest, &sum})
      operands.push_back(vectorOf(statistic->data() + row, block.rows, rowStep(kernel)));
  if (kernel.logSumExp)
    operands.push_back(vectorOf(logSumExp.data() + row, block.rows, rowStep(kernel)));
}

template <class Q, class K, class V> void ProblemOf<Q, K, V>::clearResults() {
  std::fill(out.begin(), out.end(), Q(NAN));
  for (PagedArray<Statistic> *result : {&largest, &sum, &logSumExp})
    std::fill(result->begin(), result->end(), NAN);
}

template <class Q, class K, class V> void ProblemOf<Q, K, V>::run(const RowsTiles &kernel) {
  ScratchContext scratch;
  clearResults();
  for (int head = 0; head < heads; ++head)
    for (int first = 0; first < queries; first += kernel.tile.queryBlock)
      runBlock(kernel, {head, first, std::min(kernel.tile.queryBlock, queries - first)}, scratch);
  checkReleased(scratch);
}

/// Tile by tile.
template <class Q, class K, class V>
void ProblemOf<Q, K, V>::pairValues(const RowsTiles &kernel, int head, PagedArray<uint32_t> &pairs,
                                    ScratchContext &scratch) const {
  constexpr int pairsOfTile = 7;
  const int count = (keys + 1) / 2, strips = valueDepth / pairColumns;
  for (int first = 0; first < count; first += pairsOfTile) {
    std::vector<Operand> operands = {
        matrixOf(v.data() + head / members * keys * valueDepth, valueDepth, keys)};
    operands.emplace_back(pairs.data() + first * pairColumns, halide_type_of<uint32_t>(),
                          Axes{{pairColumns, 1},
                               {std::min(pairsOfTile, count - first), pairColumns},
                               {strips, count * pairColumns}});
    (*kernel.pairs)(scratch, {first}, pointers(operands));
  }
}

template <class Q, class K, class V>
void ProblemOf<Q, K, V>::runBlock(const RowsTiles &kernel, const Block &block, ScratchContext &scratch) {
  const int blocks = (keys + keyBlock - 1) / keyBlock;
  PagedArray<int32_t> list(blocks), counts(2);
  if (kernel.lists) {
    std::vector<Operand> operands = {Operand(nullptr, halide_type_of<Q>(), Axes{{keys, 0}, {block.rows, 0}})};
    addCaptures(operands, kernel.kernel, block, 0, keys);
    operands.push_back(vectorOf(list.data(), blocks));
    operands.push_back(vectorOf(counts.data(), 2));
    (*kernel.lists)(scratch, scalars(kernel.kernel, block), pointers(operands));
  }
  std::vector<Operand> operands;
  addInputs(operands, kernel.kernel, block, 0, keys);
  if (kernel.kernel.hasSink)
    operands.push_back(vectorOf(&sinks[block.head], 1));
  if (kernel.lists) {
    operands.push_back(vectorOf(list.data(), blocks));
    operands.push_back(vectorOf(counts.data(), 2));
  }
  const int pairCount = (keys + 1) / 2;
  PagedArray<uint32_t> pairs(kernel.pairs ? pairCount * valueDepth : 0);
  if (kernel.pairs) {
    pairValues(kernel, block.head, pairs, scratch);
    operands.emplace_back(pairs.data(), halide_type_of<uint32_t>(),
                          Axes{{pairColumns, 1},
                               {pairCount, pairColumns},
                               {valueDepth / pairColumns, pairCount * pairColumns}});
  }
  addResults(operands, kernel.kernel, block);
  kernel.function(scratch, scalars(kernel.kernel, block), pointers(operands));
}

template <class Q, class K, class V> void ProblemOf<Q, K, V>::run(const DepthTiles &kernel) {
  ScratchContext scratch;
  clearResults();
  if (kernel.kernel.memberRows)
    for (int head = 0; head < heads; head += std::min(kernel.rows, members - head % members))
      for (int query = 0; query < queries; ++query)
        runBlock(kernel, {head, query, std::min(kernel.rows, members - head % members)}, scratch);
  else
    for (int head = 0; head < heads; ++head)
      for (int first = 0; first < queries; first += kernel.rows)
        runBlock(kernel, {head, first, std::min(kernel.rows, queries - first)}, scratch);
  checkReleased(scratch);
}

template <class Q, class K, class V>
void ProblemOf<Q, K, V>::runBlock(const DepthTiles &kernel, const Block &block, ScratchContext &scratch) {
  const int chunks = (keys + kernel.keyChunk - 1) / kernel.keyChunk, rows = block.rows;
  PagedArray<Statistic> output(chunks * rows * valueDepth), partLargest(2 * chunks * rows),
      partSum(2 * chunks * rows); // every second element
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int firstKey = chunk * kernel.keyChunk, count = std::min(kernel.keyChunk, keys - firstKey);
    std::vector<Operand> operands;
    addInputs(operands, kernel.kernel, block, firstKey, count);
    if (kernel.kernel.hasValue)
      operands.push_back(matrixOf(output.data() + chunk * rows * valueDepth, valueDepth, rows));
    for (PagedArray<Statistic> *part : {&partLargest, &partSum})
      operands.push_back(vectorOf(part->data() + 2 * chunk * rows, rows, 2));
    kernel.part(scratch, scalars(kernel.kernel, block, firstKey), pointers(operands));
  }
  std::vector<Operand> operands;
  if (kernel.kernel.hasValue)
    operands.emplace_back(output.data(), halide_type_of<Statistic>(),
                          Axes{{valueDepth, 1}, {rows, valueDepth}, {chunks, rows * valueDepth}});
  for (PagedArray<Statistic> *part : {&partLargest, &partSum})
    operands.emplace_back(part->data(), halide_type_of<Statistic>(), Axes{{rows, 2}, {chunks, 2 * rows}});
  if (kernel.kernel.hasSink)
    operands.push_back(vectorOf(&sinks[block.head], kernel.kernel.memberRows ? rows : 1));
  addResults(operands, kernel.kernel, block);
  std::vector<int32_t> heads = scalars(kernel.kernel, block);
  heads.resize(kernel.kernel.grouped ? 4 : 2);
  kernel.merge(scratch, heads, pointers(operands));
}

template <class Q, class K, class V> void ProblemOf<Q, K, V>::run(const MatrixTiles &kernel) {
  ScratchContext scratch;
  std::fill(matrix.begin(), matrix.end(), Q(NAN));
  for (int head = 0; head < heads; ++head)
    for (int first = 0; first < queries; first += kernel.tile.queryBlock)
      for (int firstKey = 0; firstKey < keys; firstKey += kernel.tile.keyChunk) {
        const Block block{head, first, std::min(kernel.tile.queryBlock, queries - first)};
        const int count = std::min(kernel.tile.keyChunk, keys - firstKey), row = head * queries + first;
        AttentionKernel withoutValue = kernel.kernel;
        withoutValue.hasValue = false;
        std::vector<Operand> operands;
        addInputs(operands, withoutValue, block, firstKey, count);
        if (kernel.kernel.statistics)
          for (PagedArray<Statistic> *statistic : {&largest, &sum})
            operands.push_back(vectorOf(statistic->data() + row, block.rows));
        operands.emplace_back(matrix.data() + int64_t(row) * keys + firstKey, halide_type_of<Q>(),
                              Axes{{count, 1}, {block.rows, keys}});
        kernel.function(scratch, scalars(kernel.kernel, block, firstKey), pointers(operands));
      }
  checkReleased(scratch);
}

template <class Q, class K, class V>
typename ProblemOf<Q, K, V>::Row ProblemOf<Q, K, V>::expected(const AttentionKernel &kernel,
                                                              const PlainProgram &program, int head,
                                                              int query) const {
  Row row;
  row.scores.assign(keys, -INFINITY);
  std::vector<double> factors(keys, 1);
  for (int key = 0; key < keys; ++key) {
    double dot = 0;
    for (int n = 0; n < depth; ++n)
      dot += double(q[(head * queries + query) * depth + n]) *
             double(k[(head / members * keys + key) * depth + n]);
    const PlainScore result = program(dot * kernel.scale, head, query, key);
    if (result.visible)
      row.scores[key] = result.score;
    factors[key] = result.factor;
  }
  row.largest = std::numeric_limits<Statistic>::lowest();
  if (kernel.hasSink)
    row.largest = std::max(row.largest, double(sinks[head]));
  for (double score : row.scores)
    row.largest = std::isnan(score) ? score : std::max(row.largest, score);
  row.sum = kernel.hasSink ? std::exp(double(sinks[head]) - row.largest) : 0;
  for (double score : row.scores)
    row.sum += score == -INFINITY ? 0 : std::exp(score - row.largest);
  row.logSumExp = row.sum == 0 ? -INFINITY : row.largest + std::log(row.sum);
  const double empty = kernel.nanForEmpty ? NAN : 0;
  row.output.assign(valueDepth, 0);
  for (int key = 0; key < keys; ++key) {
    const bool isHidden = row.scores[key] == -INFINITY;
    const double weight = isHidden              ? 0
                          : kernel.unnormalized ? row.scores[key]
                                                : std::exp(row.scores[key] - row.largest);
    for (int column = 0; column < valueDepth && !isHidden; ++column)
      row.output[column] +=
          weight * factors[key] * double(v[(head / members * keys + key) * valueDepth + column]);
    row.weights.push_back((row.sum == 0 ? empty : isHidden ? 0 : weight / row.sum) * factors[key]);
  }
  if (!kernel.unnormalized)
    for (double &element : row.output)
      element = row.sum == 0 ? empty : element / row.sum;
  return row;
}

template <class Q, class K, class V>
double ProblemOf<Q, K, V>::error(const AttentionKernel &kernel, const PlainProgram &program) const {
  double worst = 0;
  for (const PagedArray<Statistic> *result : {&largest, &sum, &logSumExp})
    worst = result->untouchedBefore() ? worst : INFINITY;
  worst = out.untouchedBefore() ? worst : INFINITY;
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < queries; ++query) {
      const Row right = expected(kernel, program, head, query);
      const int at = head * queries + query;
      for (int column = 0; column < valueDepth && kernel.hasValue; ++column)
        worst = std::max(worst, distance(double(out[at * valueDepth + column]), right.output[column]));
      if (kernel.statistics)
        worst = std::max({worst, distance(largest[at], right.largest), distance(sum[at], right.sum)});
      if (kernel.logSumExp)
        worst = std::max(worst, distance(logSumExp[at], right.logSumExp));
    }
  return worst;
}

template <class Q, class K, class V>
double ProblemOf<Q, K, V>::matrixError(const AttentionKernel &kernel, const PlainProgram &program) const {
  double worst = matrix.untouchedBefore() ? 0 : INFINITY;
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < queries; ++query) {
      const Row right = expected(kernel, program, head, query);
      for (int key = 0; key < keys; ++key)
        worst = std::max(worst, distance(double(matrix[(head * queries + query) * keys + key]),
                                         kernel.statistics ? right.weights[key] : right.scores[key]));
    }
  return worst;
}

template struct ProblemOf<float>;
template struct ProblemOf<double>;
template struct ProblemOf<Halide::bfloat16_t>;
template struct ProblemOf<Halide::float16_t>;
template struct ProblemOf<float, Halide::bfloat16_t, Halide::bfloat16_t>;
template struct ProblemOf<Halide::bfloat16_t, Halide::bfloat16_t, float>;
template struct ProblemOf<Halide::float16_t, float, Halide::bfloat16_t>;

} // namespace heed::kernels
