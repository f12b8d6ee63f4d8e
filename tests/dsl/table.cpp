#include <heed/dsl/table.hpp>

#include <catch2/catch.hpp>

namespace {

constexpr int sum_of(int count) {
  heed::detail::table<int> t;
  for (int i = 0; i < count; ++i)
    t.push_back(i);
  int sum = 0;
  for (int i : t)
    sum += i;
  return t.size() == static_cast<std::size_t>(count) ? sum : -1;
}
static_assert(sum_of(0) == 0);
static_assert(sum_of(32) == 496);
static_assert(sum_of(33) == 528);
static_assert(sum_of(1000) == 499500);

} // namespace

TEST_CASE("a table keeps its elements when it grows") {
  heed::detail::table<int> t;
  for (int i = 0; i < 500; ++i) {
    t.push_back(i * i);
    REQUIRE(t[i / 2] == (i / 2) * (i / 2));
  }
  CHECK(t.size() == 500);
}
