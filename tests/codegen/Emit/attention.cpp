// Attention against the formula: every family, size class, layout, mask shape and mask type.
#include "Compiled.h"
#include "Naive.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

/// `%name: !heed.tensor<[…], f32> {…}`
std::string input(const std::string &name, const std::string &type) {
  return "%" + name + ": " + type + " {heed.name = \"" + name + "\", heed.role = \"input\"}";
}

std::string tensor(const std::string &shape, const std::string &type = "f32") {
  return "!heed.tensor<[" + shape + "], " + type + ">";
}

/// A kernel of one attention on (b, h, s, d) with a region and at most one capture, `mask`.
std::string kernel(const std::string &name, const std::string &region, const std::string &d = "64",
                   const std::string &e = "64", const std::string &mask = "") {
  std::string q = tensor("batch, heads, queries, " + d), k = tensor("batch, heads, keys, " + d),
              v = tensor("batch, heads, keys, " + e), y = tensor("batch, heads, queries, " + e);
  std::string captures = mask.empty() ? "" : " captures(%mask)", captured = mask.empty() ? "" : ", " + mask;
  return "heed.kernel @" + name + "(" + input("q", q) + ", " + input("k", k) + ", " + input("v", v) +
         (mask.empty() ? "" : ", " + input("mask", mask)) + ") -> (" + y + " {heed.name = \"y\"}) {\n" +
         "%0 = heed.attention %q, %k, %v" + captures + " scale 0.125 : (" + q + ", " + k + ", " + v +
         captured + ") -> " + y + " {\n^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64" +
         (mask.empty() ? "" : ", %m: " + mask) + "):\n" + region + "}\nheed.return %0 : " + y + "\n}\n";
}

const std::string dense = "%true = arith.constant true\nheed.yield %score, %true : f32, i1\n";
const std::string causal = "%see = arith.cmpi sle, %j, %i : i64\nheed.yield %score, %see : f32, i1\n";

struct Sizes {
  int64_t batch, heads, queries, keys;
};

/// One call and its formula.
struct Problem {
  Problem(Sizes s, int64_t d, int64_t e)
      : q(Tensor<float>::random({s.batch, s.heads, s.queries, d}, 1)),
        k(Tensor<float>::random({s.batch, s.heads, s.keys, d}, 2)),
        v(Tensor<float>::random({s.batch, s.heads, s.keys, e}, 3)), y({s.batch, s.heads, s.queries, e}) {
    formula = {s.keys,
               d,
               0.125,
               [this](auto &i) { return q.at(i); },
               [this](auto &i) { return k.at(i); },
               [this](auto &i) { return v.at(i); }};
  }
  Problem(const Problem &) = delete;

  void check(const Compiled &library, const std::string &kernel, std::vector<heed_view> captures = {}) {
    std::vector<heed_view> views{q.view(), k.view(), v.view()};
    views.insert(views.end(), captures.begin(), captures.end());
    views.push_back(y.view());
    REQUIRE(library.call(kernel, views) == "");
    CHECK(largestDifference(y, formula) < 1e-5);
    CHECK(y.guardsIntact());
  }

  Tensor<float> q, k, v, y;
  AttentionFormula formula;
};

} // namespace

TEST_CASE("dense and causal attention of every size class") {
  static const Compiled library(kernel("dense", dense) + kernel("causal", causal));
  auto sizes = GENERATE(Sizes{1, 1, 1, 1}, Sizes{2, 3, 5, 7}, Sizes{2, 2, 1, 1000}, Sizes{1, 2, 67, 33},
                        Sizes{1, 1, 130, 1025}, Sizes{2, 1, 0, 5}, Sizes{2, 1, 3, 0}, Sizes{2, 1, 40, 0},
                        Sizes{0, 2, 3, 4});
  CAPTURE(sizes.batch, sizes.heads, sizes.queries, sizes.keys);
  Problem problem(sizes, 64, 64);
  SECTION("dense") { problem.check(library, "dense"); }
  SECTION("causal") {
    problem.formula.program = [](double score, const Index &at) {
      return at[3] <= at[2] ? score : -INFINITY;
    };
    problem.check(library, "causal");
  }
}

#if defined(__x86_64__)
TEST_CASE("older machines compute the same") {
  auto target = GENERATE(std::string("x86-64-v2"), std::string("x86-64-v3"));
  if (target.find("avx2") != std::string::npos && !__builtin_cpu_supports("avx2"))
    return;
  Compiled library(kernel("causal", causal, "20", "12"), "", target);
  for (Sizes sizes : {Sizes{2, 2, 2, 600}, Sizes{1, 2, 20, 20}, Sizes{2, 1, 70, 531}}) {
    Problem problem(sizes, 20, 12);
    problem.formula.program = [](double score, const Index &at) {
      return at[3] <= at[2] ? score : -INFINITY;
    };
    problem.check(library, "causal");
  }
}
#endif

TEST_CASE("a schedule file changes how, not what") {
  Compiled library(kernel("causal", causal, "20", "12"),
                   "attention causal.attention {\n  query_block 32\n  key_chunk 64\n  vectors 1\n"
                   "  small_limit 0\n  depth_row_limit 0\n}\n");
  CHECK(library.programs[0].steps[0].alternatives.size() == 1);
  CHECK(library.programs[0].steps[0].alternatives[0].launches[0].grid.back().block == 32);
  Problem problem({2, 1, 70, 531}, 20, 12);
  problem.formula.program = [](double score, const Index &at) { return at[3] <= at[2] ? score : -INFINITY; };
  problem.check(library, "causal");
}

TEST_CASE("head sizes: odd, symbolic, and different for values") {
  static const Compiled library(kernel("odd", dense, "5", "3") + kernel("one", dense, "1", "1") +
                                kernel("symbolic", causal, "d", "e"));
  auto sizes = GENERATE(Sizes{2, 2, 3, 9}, Sizes{2, 1, 70, 19});
  SECTION("5 and 3") { Problem(sizes, 5, 3).check(library, "odd"); }
  SECTION("1 and 1") { Problem(sizes, 1, 1).check(library, "one"); }
  SECTION("known at run time") {
    auto [d, e] = GENERATE(std::pair(40, 24), std::pair(7, 65), std::pair(0, 2));
    Problem problem(sizes, d, e);
    problem.formula.program = [](double score, const Index &at) {
      return at[3] <= at[2] ? score : -INFINITY;
    };
    problem.check(library, "symbolic");
  }
}

// ---- mask tensors

namespace {

/// The region of a mask tensor that is broadcast along the axes whose extent is 1, and its type.
struct MaskKernel {
  std::string name, region, type;
  Index shape;
};

MaskKernel maskKernel(int pattern, const std::string &element, const Sizes &sizes) {
  const char *extents[] = {"batch", "heads", "queries", "keys"}, *positions[] = {"%b", "%h", "%i", "%j"};
  const int64_t values[] = {sizes.batch, sizes.heads, sizes.queries, sizes.keys};
  MaskKernel mask{
      "mask_" + element + "_" + std::to_string(pattern), "%zero = arith.constant 0 : i64\n", "", {}};
  std::string indices, shape;
  for (int axis = 0; axis < 4; ++axis) {
    bool isBroadcast = pattern >> axis & 1;
    std::string comma = axis ? ", " : "";
    indices += comma + (isBroadcast ? "%zero" : positions[axis]);
    shape += comma + (isBroadcast ? "1" : extents[axis]);
    mask.shape.push_back(isBroadcast ? 1 : values[axis]);
  }
  mask.type = tensor(shape, element);
  std::string scalar = element == "i32" ? "i64" : element;
  mask.region += "%e = heed.element %m[" + indices + "] : " + mask.type + " -> " + scalar + "\n";
  if (element == "i32")
    mask.region += "%see = arith.cmpi ne, %e, %zero : i64\nheed.yield %score, %see : f32, i1\n";
  else if (element == "f32")
    mask.region += "%none = arith.constant 0.0 : f32\n%see = arith.cmpf une, %e, %none : f32\n"
                   "heed.yield %score, %see : f32, i1\n";
  else
    mask.region += "heed.yield %score, %e : f32, i1\n";
  return mask;
}

template <typename T> void checkMasks(const std::string &element, std::initializer_list<int> patterns) {
  std::string text;
  for (int pattern : patterns) {
    MaskKernel mask = maskKernel(pattern, element, {});
    text += kernel(mask.name, mask.region, "8", "8", mask.type);
  }
  Compiled library(text);
  for (Sizes sizes : {Sizes{2, 3, 5, 7}, Sizes{3, 2, 50, 21}})
    for (int pattern : patterns) {
      CAPTURE(pattern, sizes.queries);
      MaskKernel mask = maskKernel(pattern, element, sizes);
      auto visible = Tensor<T>::random(mask.shape, 7 + pattern, 0, 2);
      if (sizes.queries == 5) // a row without any visible key
        std::fill(visible.begin(), visible.begin() + std::min<int64_t>(7, visible.end() - visible.begin()),
                  T(0));
      Problem problem(sizes, 8, 8);
      problem.formula.program = [&](double score, const Index &at) {
        return visible.at(at) != 0 ? score : -INFINITY;
      };
      problem.check(library, mask.name, {visible.view()});
    }
}

} // namespace

TEST_CASE("truth masks of all 16 broadcast shapes") {
  checkMasks<uint8_t>("i1", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
}
TEST_CASE("integer masks") { checkMasks<int32_t>("i32", {0, 6, 9}); }
TEST_CASE("float masks") { checkMasks<float>("f32", {0, 6, 9}); }

TEST_CASE("score programs with look-ups by position") {
  std::string slopes = tensor("heads"), lengths = tensor("batch", "i32");
  static const Compiled library(
      kernel("alibi",
             "%slope = heed.element %m[%h] : " + slopes +
                 " -> f32\n%gap = arith.subi %j, %i : i64\n%far = arith.sitofp %gap : i64 to f32\n"
                 "%bias = arith.mulf %slope, %far : f32\n%s = arith.addf %score, %bias : f32\n"
                 "%see = arith.cmpi sle, %j, %i : i64\nheed.yield %s, %see : f32, i1\n",
             "16", "16", slopes) +
      kernel("padding",
             "%length = heed.element %m[%b] : " + lengths +
                 " -> i64\n%see = arith.cmpi slt, %j, %length : i64\nheed.yield %score, %see : f32, i1\n",
             "16", "16", lengths));
  auto sizes = GENERATE(Sizes{2, 3, 4, 6}, Sizes{3, 2, 90, 70});
  Problem problem(sizes, 16, 16);
  SECTION("slope per head") {
    auto slope = Tensor<float>::random({sizes.heads}, 9, 0, 1);
    problem.formula.program = [&](double score, const Index &at) {
      return at[3] <= at[2] ? score + slope.at({at[1]}) * double(at[3] - at[2]) : -INFINITY;
    };
    problem.check(library, "alibi", {slope.view()});
  }
  SECTION("length per batch entry") {
    Tensor<int32_t> length({sizes.batch});
    for (int64_t b = 0; b < sizes.batch; ++b)
      length.begin()[b] = int32_t(b * 3); // the first has none
    problem.formula.program = [&](double score, const Index &at) {
      return at[3] < length.at({at[0]}) ? score : -INFINITY;
    };
    problem.check(library, "padding", {length.view()});
  }
}

TEST_CASE("token-major queries, keys and values are read and written in place") {
  auto type = [](const std::string &s, const std::string &h, const std::string &d) {
    return tensor("batch, " + s + ", " + h + ", " + d);
  };
  auto permuted = [&](const std::string &name, const std::string &s, const std::string &d) {
    return "%" + name + "t = heed.permute %" + name + " [0, 2, 1, 3] : (" + type(s, "heads", d) + ") -> " +
           type("heads", s, d) + "\n";
  };
  std::string q = type("queries", "heads", "6"), k = type("keys", "heads", "6"),
              v = type("keys", "heads", "4"), y = type("queries", "heads", "4"),
              inner = type("heads", "queries", "4");
  std::string text =
      "heed.kernel @tokens(" + input("q", q) + ", " + input("k", k) + ", " + input("v", v) + ") -> (" + y +
      " {heed.name = \"y\"}) {\n" + permuted("q", "queries", "6") + permuted("k", "keys", "6") +
      permuted("v", "keys", "4") + "%0 = heed.attention %qt, %kt, %vt scale 0.5 : (" +
      type("heads", "queries", "6") + ", " + type("heads", "keys", "6") + ", " + type("heads", "keys", "4") +
      ") -> " + inner + " {\n^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):\n" + dense +
      "}\n%1 = heed.permute %0 [0, 2, 1, 3] : (" + inner + ") -> " + y + "\nheed.return %1 : " + y + "\n}\n";
  static const Compiled library(text);
  CHECK(library.programs[0].steps.size() == 1);
  for (Sizes s : {Sizes{2, 3, 4, 9}, Sizes{2, 3, 66, 40}}) {
    auto query = Tensor<float>::random({s.batch, s.queries, s.heads, 6}, 1);
    auto key = Tensor<float>::random({s.batch, s.keys, s.heads, 6}, 2);
    auto value = Tensor<float>::random({s.batch, s.keys, s.heads, 4}, 3);
    Tensor<float> result({s.batch, s.queries, s.heads, 4});
    REQUIRE(library.call("tokens", {query.view(), key.view(), value.view(), result.view()}) == "");
    auto swapped = [](Tensor<float> &t) {
      return [&t](const Index &i) { return t.at({i[0], i[2], i[1], i[3]}); };
    };
    AttentionFormula formula{s.keys, 6, 0.5, swapped(query), swapped(key), swapped(value)};
    CHECK(largestDifference(result, [&](const Index &i) { return formula({i[0], i[2], i[1], i[3]}); }) <
          1e-5);
    CHECK(result.guardsIntact());
  }
}

TEST_CASE("leading axes that are missing or 1 are broadcast") {
  std::string q = tensor("batch, heads, queries, 8"), k = tensor("1, keys, 8"),
              v = tensor("batch, 1, keys, 8"), bare = tensor("queries, 8"), one = tensor("batch, queries, 8"),
              kv = tensor("keys, 8"), batched = tensor("batch, keys, 8");
  auto body = [](const std::string &q, const std::string &k, const std::string &v) {
    return "%0 = heed.attention %q, %k, %v scale 0.125 : (" + q + ", " + k + ", " + v + ") -> " + q +
           " {\n^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):\n" + causal +
           "}\nheed.return %0 : " + q + "\n}\n";
  };
  auto head = [](const std::string &name, const std::string &q, const std::string &k, const std::string &v) {
    return "heed.kernel @" + name + "(" + input("q", q) + ", " + input("k", k) + ", " + input("v", v) +
           ") -> (" + q + " {heed.name = \"y\"}) {\n";
  };
  static const Compiled library(head("shared", q, k, v) + body(q, k, v) + head("matrices", bare, kv, kv) +
                                body(bare, kv, kv) + head("batched", one, kv, batched) +
                                body(one, kv, batched));
  auto check = [](const std::string &name, Index qs, Index ks, Index vs) {
    auto query = Tensor<float>::random(qs, 1), key = Tensor<float>::random(ks, 2),
         value = Tensor<float>::random(vs, 3);
    Tensor<float> y(qs);
    REQUIRE(library.call(name, {query.view(), key.view(), value.view(), y.view()}) == "");
    AttentionFormula formula{
        ks[ks.size() - 2],
        8,
        0.125,
        [&](auto &i) { return query.at(i); },
        [&](auto &i) { return key.at(i); },
        [&](auto &i) { return value.at(i); },
        [](double score, const Index &at) { return at[3] <= at[2] ? score : -INFINITY; }};
    CHECK(largestDifference(y, [&](Index i) {
            while (i.size() < 4)
              i.insert(i.begin(), 0);
            return formula(i);
          }) < 1e-5);
  };
  check("shared", {2, 3, 20, 8}, {1, 11, 8}, {2, 1, 11, 8});
  check("matrices", {33, 8}, {12, 8}, {12, 8});
  check("batched", {3, 9, 8}, {5, 8}, {3, 5, 8});
}
