// What a softmax must do with hidden pairs, infinities, NaN and huge scores.
#include "AttentionProblem.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace heed;
using namespace heed::kernels;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// score + bias where keep != 0; both captured.
AttentionKernel biasAndMask() {
  AttentionKernel kernel;
  kernel.name = "edges";
  kernel.program.captures = {{Halide::Float(32)}, {Halide::Float(32)}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score + element(0, {}), element(1, {}) != 0.0f};
  };
  return kernel;
}

/// A problem of one head whose bias and mask are full matrices.
struct Masked : AttentionProblem {
  Masked(int queries, int keys, int depth, float bias = 0, float keep = 1)
      : AttentionProblem(1, queries, keys, depth, depth) {
    for (float value : {bias, keep}) {
      CaptureData data;
      data.elements.assign(size_t(queries) * keys, value);
      data.keyStride = 1;
      data.rowStride = keys;
      addCapture(data);
    }
  }
  void set(int capture, int query, int key, float value) {
    captures[capture].elements[query * keys + key] = value;
    (*captureArrays[capture])[query * keys + key] = value;
  }
  PlainProgram program() const {
    return [this](double score, int head, int query, int key) {
      return PlainScore{double(float(score) + float(captures[0].at(head, query, key))),
                        captures[1].at(head, query, key) != 0};
    };
  }
};

struct Families {
  Families()
      : block(biasAndMask(), defaultSchedule(AttentionSizes{}, hostTarget().lanes).rows),
        small(biasAndMask(), defaultSchedule(AttentionSizes{}, hostTarget().lanes).small),
        depth(biasAndMask(), 2, 16) {}
  template <class F> void forEach(AttentionProblem &problem, F check) const {
    problem.run(block);
    check();
    problem.run(small);
    check();
    problem.run(depth);
    check();
  }
  AttentionProblem::Rows block, small;
  AttentionProblem::Depth depth;
};

const Families &families() {
  static const Families compiled;
  return compiled;
}

} // namespace

TEST_CASE("a row with nothing visible is zero, its neighbours are untouched", "[attention]") {
  Masked problem(4, 4, 2);
  for (int key = 0; key < 4; ++key)
    problem.set(1, 1, key, 0);
  families().forEach(problem, [&] {
    CHECK(problem.error(biasAndMask(), problem.program()) < 1e-6);
    CHECK(problem.out[2] == 0.0f);
    CHECK(problem.out[3] == 0.0f);
  });
}

TEST_CASE("hidden keys and values never matter, whatever they hold", "[attention]") {
  for (float poison : {std::nanf(""), infinity, -infinity, 1e30f, -3e38f})
    for (bool inKeys : {true, false}) {
      Masked problem(5, 40, 4);
      for (int query = 0; query < 5; ++query)
        for (int key : {1, 20, 39})
          problem.set(1, query, key, 0);
      std::vector<float> clean;
      problem.run(families().block);
      clean.assign(problem.out.begin(), problem.out.end());
      for (int key : {1, 20, 39})
        for (int n = 0; n < 4; ++n)
          (inKeys ? problem.k : problem.v)[key * 4 + n] = poison;
      INFO(poison << (inKeys ? " in keys" : " in values"));
      families().forEach(problem, [&] {
        for (size_t n = 0; n < clean.size(); ++n)
          CHECK(problem.out[n] == Approx(clean[n]).margin(1e-6));
      });
    }
}

TEST_CASE("a poisoned value reaches exactly the rows that see it", "[attention]") {
  Masked problem(3, 10, 4);
  problem.set(1, 0, 6, 0);
  problem.set(1, 2, 6, 0);
  problem.v[6 * 4 + 2] = std::nanf("");
  families().forEach(problem, [&] {
    for (int query = 0; query < 3; ++query)
      for (int column = 0; column < 4; ++column)
        CHECK(std::isnan(problem.out[query * 4 + column]) == (query == 1 && column == 2));
  });
}

TEST_CASE("NaN in a visible score reaches its row and no other", "[attention]") {
  for (uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7fffffffu, 0x7f800001u, 0x7fc00155u}) {
    float poison;
    std::memcpy(&poison, &bits, sizeof poison);
    for (int at : {0, 3, 6}) {
      Masked problem(4, 7, 4);
      problem.set(0, 2, at, poison);
      families().forEach(problem, [&] {
        for (int n = 0; n < 16; ++n)
          CHECK(std::isnan(problem.out[n]) == (n / 4 == 2));
      });
    }
  }
  Masked problem(4, 7, 4);
  for (int n = 0; n < 4; ++n)
    problem.q[4 + n] = std::nanf("");
  families().forEach(problem, [&] {
    for (int n = 0; n < 16; ++n)
      CHECK(std::isnan(problem.out[n]) == (n / 4 == 1));
  });
}

TEST_CASE("fills and biases of any finite size", "[attention]") {
  for (float bias : {-60000.0f, 60000.0f, -1e9f, -3.4028235e38f, 3e38f}) {
    Masked same(3, 18, 4, bias);
    INFO(bias);
    // In float a bias this large absorbs the score or rounds it; the naive evaluation adds in float too.
    families().forEach(same, [&] { CHECK(same.error(biasAndMask(), same.program()) < 2e-2); });
    Masked zero(3, 18, 4, bias);
    std::fill(zero.q.begin(), zero.q.end(), 0.0f);
    families().forEach(zero, [&] { CHECK(zero.error(biasAndMask(), zero.program()) < 1e-6); });
  }
}

TEST_CASE("an additive -infinity hides", "[attention]") {
  Masked problem(3, 20, 4);
  for (int key = 0; key < 20; key += 2)
    problem.set(0, 0, key, -infinity);
  for (int key = 0; key < 20; ++key)
    problem.set(0, 2, key, -infinity);
  problem.v[2 * 4 + 1] = std::nanf("");
  const AttentionProblem::Row right = problem.expected(biasAndMask(), problem.program(), 0, 0);
  families().forEach(problem, [&] {
    for (int column = 0; column < 4; ++column) {
      CHECK(problem.out[column] == Approx(right.output[column]).margin(1e-6));
      CHECK(problem.out[8 + column] == 0.0f);
      CHECK(std::isnan(problem.out[4 + column]) == (column == 1));
    }
  });
}

TEST_CASE("scores that would overflow without a maximum", "[attention]") {
  AttentionProblem problem(1, 2, 2, 128, 4);
  std::fill(problem.q.begin(), problem.q.end(), 256.0f);
  for (int n = 0; n < 256; ++n)
    problem.k[n] = n < 128 ? 256.0f : 0.0f;
  AttentionKernel kernel;
  kernel.name = "plain";
  kernel.scale = 1 / std::sqrt(128.0);
  problem.run(AttentionProblem::Rows(kernel, families().block.tile));
  CHECK(problem.error(kernel, plainScore) < 1e-6);
  problem.run(AttentionProblem::Depth(kernel, 1, 16));
  CHECK(problem.error(kernel, plainScore) < 1e-6);
}

TEST_CASE("masks of other element types", "[attention]") {
  const int queries = 20, keys = 21;
  const halide_type_t f32 = halide_type_of<float>();
  const PlainProgram program = [&](double score, int, int query, int key) {
    return PlainScore{score, (query * keys + key) % 3 != 0};
  };
  for (Halide::Type type : {Halide::UInt(8), Halide::Int(32), Halide::Int(64)})
    for (const RowsTile &block : {families().small.tile, families().block.tile}) {
      AttentionKernel kernel;
      kernel.name = "typed";
      kernel.program.captures = {{type}};
      kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element,
                                const Exprs &) {
        return ScoreAndVisible{score, element(0, {}) != Halide::Internal::make_zero(element(0, {}).type())};
      };
      AttentionProblem problem(1, queries, keys, 4, 4);
      PagedArray<uint8_t> mask(queries * keys * type.bytes());
      std::fill(mask.begin(), mask.end(), 0);
      for (int n = 0; n < queries * keys; ++n)
        mask[n * type.bytes()] = n % 3 == 0 ? 0 : 2 + n % 5;
      const LoadedTile tile(buildAttentionRows(kernel, block, hostTarget()), hostTarget());
      ScratchContext scratch;
      for (int first = 0; first < queries; first += block.queryBlock) {
        const int rows = std::min(block.queryBlock, queries - first);
        Operand q(&problem.q[first * 4], f32, {{4, 1}, {rows, 4}}),
            k(problem.k.data(), f32, {{4, 1}, {keys, 4}}), v(problem.v.data(), f32, {{4, 1}, {keys, 4}}),
            visible(mask.data() + first * keys * type.bytes(), type, {{keys, 1}, {rows, keys}}),
            out(&problem.out[first * 4], f32, {{4, 1}, {rows, 4}});
        tile(scratch, {0, 0, first}, {&q, &k, &v, &visible, &out});
      }
      INFO(type << ", block of " << block.queryBlock);
      CHECK(problem.error(kernel, program) < 2e-6);
    }
}
