/// Arguments that a call changes in place: what is checked before anything is written.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace heed::test;

namespace {

/// cache (2, capacity, 4), rows (2, n, 4), position: the rows + 1 go into the cache from position on.
template <typename Integer = std::int32_t> struct fixture {
  fixture() {
    const number two = t(2), four = t(4), capacity = t.symbol("capacity"), n = t.symbol("n");
    const number cache = t.state("cache", {two, capacity, four}), rows = t.input("rows", {two, n, four}),
                 position = t.scalar("position", sizeof(Integer) == 4 ? HEED_I32 : HEED_I64);
    t.bound(position, capacity, n);
    t.step({{increment,
             {{two, 0, 1}, {n, 0, 2}},
             {operand(rows, 2, {axis(four, 2), axis(n, 1, 1), axis(two, 0, 0)}),
              from(written(cache, 2, {axis(four, 2), axis(n, 1, 1), axis(two, 0, 0)}),
                   {{HEED_OFFSET_ARGUMENT, 1, position}})}}});
  }
  heed_status call(std::int64_t n, Integer position) {
    return run(t.program(), {cache, heed::view{in.data(), {2, n, 4}}, heed::view{&position}});
  }
  /// Refused, and nothing is written.
  void refuses(std::int64_t n, Integer position, const std::string &message) {
    check_refused(call(n, position), HEED_INVALID_ARGUMENT, message);
    for (int i = 0; i < memory.size(); ++i)
      CHECK(std::isnan(memory[i]));
  }

  table t;
  std::vector<float> in = counting(2 * 9 * 4);
  guarded memory{2 * 8 * 4};
  heed_view cache = heed::view{memory.data(), {2, 8, 4}};
};

} // namespace

TEST_CASE_METHOD(fixture<>, "rows go where the position says, the others stay") {
  auto [n, position] = GENERATE(std::pair(3, 2), std::pair(1, 7), std::pair(8, 0), std::pair(0, 8));
  const heed_status status = call(n, position);
  INFO(status.message);
  REQUIRE(status.code == HEED_OK);
  for (int b = 0; b < 2; ++b)
    for (int row = 0; row < 8; ++row)
      for (int i = 0; i < 4; ++i) {
        const float found = memory[(b * 8 + row) * 4 + i];
        if (row < position || row >= position + n)
          CHECK(std::isnan(found));
        else
          CHECK(found == static_cast<float>((b * n + row - position) * 4 + i + 1));
      }
}

TEST_CASE_METHOD(fixture<>, "a position outside is refused before anything is written") {
  refuses(3, 6, "position: it is 6, at most 5 is needed for rows 3 of 8; pass a position that leaves room");
  refuses(0, 9, "position: it is 9, at most 8 is needed for rows 0 of 8; pass a position that leaves room");
  refuses(1, -1, "position: it is -1, 0 or more is needed; pass the index of the first row to write");
  refuses(9, 0, "position: 9 rows begin at it, at most 8 fit; pass fewer rows or a state of more");
}

TEST_CASE_METHOD(fixture<std::int64_t>, "a position of 64 bits is read whole") {
  CHECK(call(1, 7).code == HEED_OK);
  CHECK(memory[7 * 4] == 1);
  const std::int64_t above = std::int64_t{1} << 32;
  check_refused(
      call(1, above), HEED_INVALID_ARGUMENT,
      "position: it is 4294967296, at most 7 is needed for rows 1 of 8; pass a position that leaves "
      "room");
  check_refused(
      call(1, std::numeric_limits<std::int64_t>::min()), HEED_INVALID_ARGUMENT,
      "position: it is -9223372036854775808, 0 or more is needed; pass the index of the first row to "
      "write");
  CHECK(call(1, std::numeric_limits<std::int64_t>::max()).code == HEED_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(fixture<>, "a state must not overlap another argument") {
  std::vector<float> both(200);
  std::int32_t position = 0;
  const auto overlaps = [&](std::int64_t rows_at) {
    return run(t.program(), {heed::view{both.data(), {2, 8, 4}}, heed::view{both.data() + rows_at, {2, 1, 4}},
                             heed::view{&position}});
  };
  check_refused(overlaps(60), HEED_INVALID_ARGUMENT,
                "cache: its memory overlaps that of rows, a state needs memory of its own; pass a separate "
                "buffer");
  CHECK(overlaps(64).code == HEED_OK);
  auto *inside = reinterpret_cast<std::int32_t *>(both.data() + 5);
  *inside = 0;
  check_refused(
      run(t.program(),
          {heed::view{both.data(), {2, 8, 4}}, heed::view{in.data(), {2, 1, 4}}, heed::view{inside}}),
      HEED_INVALID_ARGUMENT,
      "cache: its memory overlaps that of position, a state needs memory of its own; pass a separate "
      "buffer");
}

TEST_CASE_METHOD(fixture<>, "the strides of a state are checked as an output's") {
  cache = heed::view{memory.data(), {2, 8, 4}, {0, 4, 1}};
  refuses(1, 0,
          "cache: strides (0,4,1) with extents (2,8,4) make elements share memory, a state needs memory of "
          "its own for each; pass a dense state");
  cache = heed::view{memory.data(), {2, 8, 4}, {32, 4, 2}};
  refuses(1, 0,
          "cache: the stride of the last axis is 2, 1 is needed; copy the tensor so that the last axis is "
          "contiguous");
}

TEST_CASE_METHOD(fixture<>, "the rows of a token-major cache lie apart") {
  cache = heed::view{memory.data(), {2, 8, 4}, {4, 8, 1}};
  REQUIRE(call(2, 3).code == HEED_OK);
  for (int row = 0; row < 8; ++row)
    for (int b = 0; b < 2; ++b)
      if (row < 3 || row >= 5)
        CHECK(std::isnan(memory[row * 8 + b * 4]));
      else
        CHECK(memory[row * 8 + b * 4] == static_cast<float>((b * 2 + row - 3) * 4 + 1));
}
