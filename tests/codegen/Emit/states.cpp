// States: caches to which a call appends rows, in place.
#include "Compiled.h"
#include "Naive.h"
#include "Pieces.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::text;

namespace {

/// q (b, h, n, d) sees the keys up to its own position.
const std::string upToHere =
    "%p = heed.element %m[] : !heed.tensor<[], INT> -> i64\n%last = arith.addi %i, %p : i64\n"
    "%see = arith.cmpi sle, %j, %last : i64\nheed.yield %score, %see : f32, i1\n";
const std::string causal = "%see = arith.cmpi sle, %j, %i : i64\nheed.yield %score, %see : f32, i1\n";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// k and v (b, h, n, d) go into caches (b, h, capacity, d), or (b, capacity, h, d) if they are token-major; y
/// is the attention over all that lies there.
std::string decoder(const std::string &name, const std::string &d, const std::string &integer,
                    bool tokenMajor) {
  std::string rows = tensor("b, h, n, " + d), keys = tensor("b, h, capacity, " + d),
              tokens = tensor("b, n, h, " + d), position = tensor("", integer);
  std::string cache = tokenMajor ? tensor("b, capacity, h, " + d) : keys, body;
  for (std::string k : {"k", "v"}) {
    std::string new_ = k;
    if (tokenMajor) {
      body += line(k + "_tokens", "permute %" + k + " [0, 2, 1, 3]", {rows}, tokens);
      new_ += "_tokens";
    }
    body += line(k + "_cache_after",
                 "append %" + k + "_cache, %" + new_ + ", %position axis " + (tokenMajor ? "1" : "2"),
                 {cache, tokenMajor ? tokens : rows, position}, cache);
    if (tokenMajor)
      body += line(k + "_all", "permute %" + k + "_cache_after [0, 2, 1, 3]", {cache}, keys);
  }
  std::string all = tokenMajor ? "_all" : "_cache_after";
  body += attention("y", {{"q", rows}, {"k" + all, keys}, {"v" + all, keys}}, rows,
                    replaced(upToHere, "INT", integer), {"position", position});
  return kernel(name,
                {{"q", rows},
                 {"k", rows},
                 {"v", rows},
                 {"position", position, "scalar"},
                 {"k_cache", cache, "state"},
                 {"v_cache", cache, "state"}},
                {{"y", rows}, {"k_cache", cache, "state"}, {"v_cache", cache, "state"}}, body);
}

std::string wholeSequence(const std::string &d) {
  std::string rows = tensor("b, h, n, " + d);
  return kernel("causal", {{"q", rows}, {"k", rows}, {"v", rows}}, {{"y", rows}},
                attention("y", {{"q", rows}, {"k", rows}, {"v", rows}}, rows, causal));
}

/// The view of some tokens of (b, h, s, d).
heed_view tokens(Tensor<float> &all, int64_t first, int64_t count) {
  heed_view view = all.view();
  view.data = all.begin() + first * all.strides[2];
  view.extents[2] = count;
  return view;
}

heed_view scalar(const int32_t &value) { return {const_cast<int32_t *>(&value), HEED_I32, 0, {}, {}}; }
heed_view scalar(const int64_t &value) { return {const_cast<int64_t *>(&value), HEED_I64, 0, {}, {}}; }

/// A cache, with NaN in the rows that nobody wrote.
Tensor<float> emptyCache(Index shape) { return Tensor<float>(std::move(shape)); }

bool sameBits(Tensor<float> &a, Tensor<float> &b) {
  return std::memcmp(a.begin(), b.begin(), (a.end() - a.begin()) * sizeof(float)) == 0;
}

/// A sequence fed to the cache in pieces, and in one causal call.
struct Sequence {
  Index shape; ///< (b, h, n, d)
  Tensor<float> q = Tensor<float>::random(shape, 1), k = Tensor<float>::random(shape, 2),
                v = Tensor<float>::random(shape, 3), whole{shape}, pieces{shape};

  template <typename Integer>
  void feed(const Compiled &library, const std::string &name, const heed_view &kCache,
            const heed_view &vCache, const std::vector<int64_t> &lengths) {
    REQUIRE(library.call("causal", {q.view(), k.view(), v.view(), whole.view()}) == "");
    Integer at = 0;
    for (int64_t length : lengths) {
      REQUIRE(library.call(name, {tokens(q, at, length), tokens(k, at, length), tokens(v, at, length),
                                  scalar(at), kCache, vCache, tokens(pieces, at, length)}) == "");
      at += Integer(length);
    }
    REQUIRE(at == shape[2]);
    CHECK(largestDifference(pieces, [&](const Index &i) { return whole.at(i); }) < 1e-5);
    CHECK(pieces.guardsIntact());
  }
};

} // namespace

TEST_CASE("decoding n tokens one by one through the cache equals one causal call, within 1e-5") {
  static const Compiled narrow(decoder("decode", "16", "i32", false) + wholeSequence("16"));
  static const Compiled wide(decoder("decode", "64", "i32", false) + wholeSequence("64"));
  auto depth = GENERATE(16, 64);
  auto capacity = GENERATE(37, 64, 1500);
  Sequence sequence{{2, 4, 37, depth}};
  Tensor<float> kCache = emptyCache({2, 4, capacity, depth}), vCache = emptyCache({2, 4, capacity, depth});
  sequence.feed<int32_t>(depth == 16 ? narrow : wide, "decode", kCache.view(), vCache.view(),
                         std::vector<int64_t>(37, 1));
  for (auto *cache : {&kCache, &vCache}) {
    Tensor<float> &rows = cache == &kCache ? sequence.k : sequence.v;
    CHECK(cache->guardsIntact());
    forEachIndex(cache->shape, [&](const Index &i) {
      if (i[2] < 37 ? cache->at(i) != rows.at(i) : !std::isnan(cache->at(i)))
        FAIL_CHECK("row " << i[2] << " of a cache");
    });
  }
}

TEST_CASE("a prompt, pieces and single tokens give what one call gives") {
  static const Compiled library(decoder("decode", "16", "i64", false) + wholeSequence("16"));
  auto lengths = GENERATE(std::vector<int64_t>{90}, std::vector<int64_t>{60, 1, 1, 28},
                          std::vector<int64_t>{1, 0, 70, 3, 16, 0});
  Sequence sequence{{2, 3, 90, 16}};
  Tensor<float> kCache = emptyCache({2, 3, 90, 16}), vCache = emptyCache({2, 3, 90, 16});
  sequence.feed<int64_t>(library, "decode", kCache.view(), vCache.view(), lengths);
  CHECK(sameBits(kCache, sequence.k)); // exactly full
  CHECK(sameBits(vCache, sequence.v));
}

TEST_CASE("token-major caches with room between their rows") {
  static const Compiled library(decoder("decode", "16", "i32", true) + wholeSequence("16"));
  Sequence sequence{{2, 3, 20, 16}};
  // (b, capacity, h, d) in rows of 3 · 20 and batch entries of 2000 elements.
  Tensor<float> memory({2 * 2000});
  Tensor<float> others({2 * 2000});
  auto cache = [](Tensor<float> &memory) {
    return heed_view{memory.begin(), HEED_F32, 4, {2, 30, 3, 16}, {2000, 60, 20, 1}, HEED_MEMORY_HOST, 0};
  };
  sequence.feed<int32_t>(library, "decode", cache(memory), cache(others), {7, 1, 1, 11});
  CHECK(memory.guardsIntact());
  int64_t written = 0;
  for (float element : memory)
    written += !std::isnan(element);
  CHECK(written == 2 * 20 * 3 * 16);
  for (int64_t s = 0; s < 20; ++s)
    CHECK(memory.at({2000 + s * 60 + 2 * 20 + 5}) == sequence.k.at({1, 2, s, 5}));
}

TEST_CASE("a position outside and a shared cache are refused, and nothing is written") {
  static const Compiled library(decoder("decode", "16", "i32", false));
  Sequence sequence{{1, 1, 4, 16}};
  Tensor<float> kCache = emptyCache({1, 1, 64, 16}), vCache = emptyCache({1, 1, 64, 16});
  auto call = [&](int32_t position, const heed_view &k, const heed_view &v) {
    return library.call("decode", {sequence.q.view(), sequence.k.view(), sequence.v.view(), scalar(position),
                                   k, v, sequence.pieces.view()});
  };
  CHECK(call(61, kCache.view(), vCache.view()) ==
        "position: it is 61, at most 60 is needed for rows 4 of 64; pass a position that leaves room");
  CHECK(call(-1, kCache.view(), vCache.view()) ==
        "position: it is -1, 0 or more is needed; pass the index of the first row to write");
  CHECK(call(0, kCache.view(), kCache.view()) ==
        "k_cache: its memory overlaps that of v_cache, a state needs memory of its own; pass a separate "
        "buffer");
  heed_view output = sequence.pieces.view();
  output.extents[2] = 64, output.strides[1] = 0;
  CHECK(call(0, output, vCache.view()) ==
        "k_cache: its memory overlaps that of y, a state needs memory of its own; pass a separate buffer");
  for (Tensor<float> *tensor : {&kCache, &vCache, &sequence.pieces})
    for (float element : *tensor)
      CHECK(std::isnan(element));
  CHECK(call(60, kCache.view(), vCache.view()) == "");
}

TEST_CASE("what computes rows writes them into the state, where strides can say it") {
  std::string x = tensor("n, i"), w = tensor("o, i"), rows = tensor("n, o"), cache = tensor("capacity, o"),
              position = tensor("", "i32");
  std::string after =
      line("cache_after", "append %cache, %rows, %position axis 0", {cache, rows, position}, cache);
  std::vector<Named> arguments{
      {"x", x}, {"w", w, "weight"}, {"position", position, "scalar"}, {"cache", cache, "state"}};
  std::string linear = line("rows", "linear %x, %w", {x, w}, rows);
  static const Compiled library(
      kernel("alone", arguments, {{"cache", cache, "state"}}, linear + after) +
      kernel("also", arguments, {{"rows", rows}, {"cache", cache, "state"}}, linear + after));
  CHECK(library.programs[0].steps.size() == 1);
  CHECK(library.programs[0].temporaries.empty());
  CHECK(library.programs[1].steps.size() == 2); // the rows are an output too, so that they are copied
  auto input = Tensor<float>::random({5, 20}, 1), weight = Tensor<float>::random({33, 20}, 2);
  auto expected = [&](const Index &i) {
    return linearAt([&](auto &j) { return input.at(j); }, weight, nullptr, i);
  };
  bool also = GENERATE(false, true);
  Tensor<float> state({9, 33}), output({5, 33});
  int32_t at = 3;
  std::vector<heed_view> views{input.view(), weight.view(), scalar(at), state.view()};
  if (also)
    views.push_back(output.view());
  REQUIRE(library.call(also ? "also" : "alone", views) == "");
  forEachIndex(state.shape, [&](const Index &i) {
    bool isNew = i[0] >= 3 && i[0] < 8;
    CHECK(isNew == !std::isnan(state.at(i)));
    if (isNew)
      CHECK(state.at(i) == Approx(expected({i[0] - 3, i[1]})).margin(1e-5));
  });
  CHECK(state.guardsIntact());
  if (also)
    CHECK(largestDifference(output, expected) < 1e-5);
}

TEST_CASE("a call without memory for its temporaries leaves the states as they were") {
  std::string x = tensor("n, 64"), w = tensor("64, 64"), cache = tensor("capacity, 64"),
              position = tensor("", "i64");
  static const Compiled library(kernel(
      "step", {{"x", x}, {"w", w, "weight"}, {"position", position, "scalar"}, {"cache", cache, "state"}},
      {{"y", tensor("n, 64")}, {"cache", cache, "state"}},
      line("cache_after", "append %cache, %x, %position axis 0", {cache, x, position}, cache) +
          line("hidden", "linear %x, %w", {x, w}, x) + line("y", "linear %hidden, %w", {x, w}, x)));
  auto input = Tensor<float>::random({100, 64}, 1), weight = Tensor<float>::random({64, 64}, 2);
  Tensor<float> state({100, 64}), output({100, 64});
  const heed_allocator none{[](void *, uint64_t) -> void * { return nullptr; }, [](void *, void *) {},
                            nullptr};
  const heed_options options{1, nullptr, &none, nullptr, 0};
  int64_t at = 0;
  CHECK(library.call("step", {input.view(), weight.view(), scalar(at), state.view(), output.view()}, &options)
            .find("no memory for its temporaries") != std::string::npos);
  for (float element : state)
    CHECK(std::isnan(element));
}
