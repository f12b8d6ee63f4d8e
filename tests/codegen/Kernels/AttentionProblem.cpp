#include "AttentionProblem.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heed::kernels {

namespace {

const halide_type_t f32 = halide_type_of<float>();

Operand matrix(const float *data, int64_t inner, int64_t outer) {
  return {data, f32, {{inner, 1}, {outer, inner}}};
}

std::vector<Operand *> pointers(std::vector<Operand> &operands) {
  std::vector<Operand *> list;
  for (Operand &operand : operands)
    list.push_back(&operand);
  return list;
}

} // namespace

PlainScore plainScore(double score, int, int, int) { return {score, true}; }

AttentionProblem::AttentionProblem(int heads, int queries, int keys, int depth, int valueDepth, unsigned seed)
    : heads(heads), queries(queries), keys(keys), depth(depth), valueDepth(valueDepth),
      q(heads * queries * depth), k(heads * keys * depth), v(heads * keys * valueDepth),
      out(heads * queries * valueDepth) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (PagedArray<float> *array : {&q, &k, &v})
    for (float &element : *array)
      element = normal(generator);
}

void AttentionProblem::addCapture(CaptureData data) {
  captureArrays.push_back(std::make_unique<PagedArray<float>>(data.elements.size()));
  std::copy(data.elements.begin(), data.elements.end(), captureArrays.back()->begin());
  captures.push_back(std::move(data));
}

AttentionProblem::Rows::Rows(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
    : function(buildAttentionRows(kernel, tile, target), target), tile(tile) {}

AttentionProblem::Depth::Depth(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target)
    : part(buildDepthPart(kernel, rows, keyChunk, target), target),
      merge(
          [&] {
            AttentionKernel named = kernel;
            named.name += "_merge";
            return buildDepthMerge(named, rows, target);
          }(),
          target),
      rows(rows), keyChunk(keyChunk) {}

void AttentionProblem::run(const Rows &kernel) {
  ScratchContext scratch;
  std::fill(out.begin(), out.end(), NAN);
  for (int head = 0; head < heads; ++head)
    for (int first = 0; first < queries; first += kernel.tile.queryBlock) {
      const int rows = std::min(kernel.tile.queryBlock, queries - first);
      std::vector<Operand> operands = {matrix(&q[(head * queries + first) * depth], depth, rows),
                                       matrix(k.data() + head * keys * depth, depth, keys),
                                       matrix(v.data() + head * keys * valueDepth, valueDepth, keys)};
      for (size_t n = 0; n < captures.size(); ++n)
        operands.emplace_back(
            captureArrays[n]->data() + head * captures[n].headStride + first * captures[n].rowStride, f32,
            std::initializer_list<Operand::Axis>{{keys, captures[n].keyStride},
                                                 {rows, captures[n].rowStride}});
      operands.push_back(matrix(out.data() + (head * queries + first) * valueDepth, valueDepth, rows));
      std::vector<int32_t> scalars = {0, head, first};
      scalars.insert(scalars.end(), extents.begin(), extents.end());
      kernel.function(scratch, scalars, pointers(operands));
    }
  if (!scratch.inOrder || scratch.current != 0)
    throw std::runtime_error("scratch: released out of order or not at all");
}

void AttentionProblem::run(const Depth &kernel) {
  ScratchContext scratch;
  std::fill(out.begin(), out.end(), NAN);
  const int chunks = (keys + kernel.keyChunk - 1) / kernel.keyChunk;
  for (int head = 0; head < heads; ++head)
    for (int first = 0; first < queries; first += kernel.rows) {
      const int rows = std::min(kernel.rows, queries - first);
      PagedArray<float> output(chunks * rows * valueDepth), largest(chunks * rows), sum(chunks * rows);
      for (int chunk = 0; chunk < chunks; ++chunk) {
        const int firstKey = chunk * kernel.keyChunk, count = std::min(kernel.keyChunk, keys - firstKey);
        std::vector<Operand> operands = {
            matrix(&q[(head * queries + first) * depth], depth, rows),
            matrix(k.data() + (head * keys + firstKey) * depth, depth, count),
            matrix(v.data() + (head * keys + firstKey) * valueDepth, valueDepth, count)};
        for (size_t n = 0; n < captures.size(); ++n) {
          const CaptureData &capture = captures[n];
          operands.emplace_back(
              captureArrays[n]->data() + head * capture.headStride + first * capture.rowStride +
                  firstKey * capture.keyStride,
              f32,
              std::initializer_list<Operand::Axis>{{count, capture.keyStride}, {rows, capture.rowStride}});
        }
        operands.push_back(matrix(output.data() + chunk * rows * valueDepth, valueDepth, rows));
        for (PagedArray<float> *part : {&largest, &sum})
          operands.emplace_back(part->data() + chunk * rows, f32,
                                std::initializer_list<Operand::Axis>{{rows, 1}});
        std::vector<int32_t> scalars = {0, head, first, firstKey};
        scalars.insert(scalars.end(), extents.begin(), extents.end());
        kernel.part(scratch, scalars, pointers(operands));
      }
      std::vector<Operand> operands;
      operands.emplace_back(output.data(), f32,
                            std::initializer_list<Operand::Axis>{
                                {valueDepth, 1}, {rows, valueDepth}, {chunks, rows * valueDepth}});
      operands.push_back(matrix(largest.data(), rows, chunks));
      operands.push_back(matrix(sum.data(), rows, chunks));
      operands.push_back(matrix(out.data() + (head * queries + first) * valueDepth, valueDepth, rows));
      kernel.merge(scratch, {}, pointers(operands));
    }
  if (!scratch.inOrder || scratch.current != 0)
    throw std::runtime_error("scratch: released out of order or not at all");
}

double AttentionProblem::expected(const PlainProgram &program, double scale, int head, int query,
                                  int column) const {
  std::vector<double> scores(keys, -INFINITY);
  for (int key = 0; key < keys; ++key) {
    double dot = 0;
    for (int n = 0; n < depth; ++n)
      dot += double(q[(head * queries + query) * depth + n]) * k[(head * keys + key) * depth + n];
    const PlainScore result = program(dot * scale, head, query, key);
    if (result.visible)
      scores[key] = result.score;
  }
  double largest = -INFINITY, sum = 0, total = 0;
  for (double score : scores)
    largest = std::isnan(score) ? score : std::max(largest, score);
  for (int key = 0; key < keys; ++key)
    if (scores[key] != -INFINITY) {
      const double weight = std::exp(scores[key] - largest);
      sum += weight;
      total += weight * v[(head * keys + key) * valueDepth + column];
    }
  return sum == 0 ? 0 : total / sum;
}

double AttentionProblem::error(const PlainProgram &program, double scale) const {
  double worst = out.untouchedBefore() ? 0 : INFINITY;
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < queries; ++query)
      for (int column = 0; column < valueDepth; ++column) {
        const double right = expected(program, scale, head, query, column);
        const double found = out[(head * queries + query) * valueDepth + column];
        if (std::isnan(right) != std::isnan(found))
          worst = INFINITY;
        else if (!std::isnan(right))
          worst = std::max(worst, std::abs(found - right) / (1 + std::abs(right)));
      }
  return worst;
}

} // namespace heed::kernels
