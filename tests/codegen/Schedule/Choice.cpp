// Which entry runs at which size.
#include "Schedule/ScheduleChoice.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;

namespace {

SizedSchedule entry(std::map<std::string, int64_t> sizes, int rows, int line = 1) {
  return {std::move(sizes), RowsSchedule{rows}, {}, line};
}

int rowsAt(const ScheduleChoice &choice, int64_t product) {
  for (const ScheduleChoice::Range &range : choice.ranges)
    if (range.atMost < 0 || product <= range.atMost)
      return std::get<RowsSchedule>(range.schedule).rowBlock;
  return 0;
}

} // namespace

TEST_CASE("the entry nearest in ratio runs, exactly to the last size", "[schedule]") {
  for (int64_t base : {int64_t(1), int64_t(7), int64_t(1) << 31, int64_t(3037000499)})
    for (int64_t ratio : {2, 3, 10, 1000}) {
      if (base > INT64_MAX / ratio)
        continue;
      const int64_t other = base * ratio;
      const ScheduleChoice choice = chooseBySize({entry({{"n", other}}, 2), entry({{"n", base}}, 1)}, "file");
      REQUIRE(choice.ranges.size() == 2);
      CHECK(choice.symbols == std::vector<std::string>{"n"});
      const int64_t limit = choice.ranges[0].atMost;
      // limit² <= base · other < (limit + 1)²
      const auto wide = [](int64_t x) { return static_cast<unsigned __int128>(x); };
      CHECK(bool(wide(limit) * wide(limit) <= wide(base) * wide(other)));
      CHECK(bool(wide(limit + 1) * wide(limit + 1) > wide(base) * wide(other)));
      CHECK(rowsAt(choice, base) == 1);
      CHECK(rowsAt(choice, other) == 2);
      CHECK(rowsAt(choice, INT64_MAX) == 2);
    }
}

TEST_CASE("neighbours with equal schedules are one", "[schedule]") {
  const ScheduleChoice choice = chooseBySize(
      {entry({{"n", 1}}, 8, 1), entry({{"n", 4}}, 8, 2), entry({{"n", 64}}, 9, 3), entry({{"n", 256}}, 8, 4)},
      "file");
  REQUIRE(choice.ranges.size() == 3);
  CHECK(choice.ranges[0].atMost == 16);
  CHECK(choice.ranges[0].origin == "file:1 at n=1, file:2 at n=4");
  CHECK(choice.ranges[1].atMost == 128);
  CHECK(choice.ranges[2].atMost == -1);
  const ScheduleChoice one = chooseBySize({entry({{"n", 1}}, 8), entry({{"n", 4}}, 8)}, "file");
  CHECK(one.ranges.size() == 1);
  CHECK(one.ranges[0].atMost == -1);
  CHECK(one.symbols.empty());
}

TEST_CASE("an entry for any size runs alone or not at all", "[schedule]") {
  const ScheduleChoice alone = chooseBySize({entry({}, 3, 7)}, "file");
  REQUIRE(alone.ranges.size() == 1);
  CHECK(alone.ranges[0].origin == "file:7");
  CHECK(rowsAt(alone, 5) == 3);
  CHECK(rowsAt(chooseBySize({entry({}, 3), entry({{"n", 4}}, 8)}, "file"), 1) == 8);
}
