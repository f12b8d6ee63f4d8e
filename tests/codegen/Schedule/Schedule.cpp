// Schedules as text: what is printed reads back the same, and every fault names its line.
#include "Schedule/Schedule.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

ScheduleTable defaults(int lanes) {
  return {{"block.attention", defaultSchedule(AttentionSizes{}, lanes)},
          {"block.linear", defaultSchedule(LinearSizes{}, lanes)},
          {"block.map", defaultMapSchedule(lanes)},
          {"block.matmul", defaultMatmulSchedule(lanes)},
          {"block.softmax", defaultRowsSchedule(512)}};
}

std::string faultOf(std::string_view text) {
  ScheduleTable table = defaults(16);
  const ScheduleTable before = table;
  const std::optional<std::string> fault = parseSchedules(text, "file", 16, table);
  CHECK(table == before);
  return fault.value_or("");
}

} // namespace

TEST_CASE("every default can be built and reads back as it was printed", "[schedule]") {
  for (int lanes : {4, 8, 16}) {
    ScheduleTable table = defaults(lanes);
    for (const auto &[name, schedule] : table)
      CHECK(checkSchedule(schedule, lanes).value_or("") == "");
    ScheduleTable read = defaults(lanes);
    std::get<AttentionSchedule>(table["block.attention"]).rows.keyChunk = 1024;
    std::get<MapSchedule>(table["block.map"]).innerBlock = 77;
    CHECK(parseSchedules(printSchedules(table), "file", lanes, read) == std::nullopt);
    CHECK(read == table);
  }
}

TEST_CASE("fields that are not named keep the default, comments and layout are free", "[schedule]") {
  ScheduleTable table = defaults(16);
  CHECK(parseSchedules("# all\nattention block.attention{query_block 128 # rows\n}", "file", 16, table) ==
        std::nullopt);
  AttentionSchedule expected = defaultSchedule(AttentionSizes{}, 16);
  expected.rows.queryBlock = 128;
  CHECK(std::get<AttentionSchedule>(table["block.attention"]) == expected);
  CHECK(parseSchedules("", "file", 16, table) == std::nullopt);
}

TEST_CASE("faults name the line, what was found and what is needed", "[schedule]") {
  CHECK(faultOf("rows block.softmax {\n  row_blok 3\n}") ==
        "file:2: rows block.softmax: found field 'row_blok', needed one of row_block");
  CHECK(faultOf("rows block.softmax {\n  row_block x3\n}") ==
        "file:2: rows block.softmax: row_block is 'x3', needed an integer");
  CHECK(faultOf("rows block.softmax {\n  row_block\n}") ==
        "file:3: rows block.softmax: row_block is '}', needed an integer");
  CHECK(faultOf("rows block.softmax {\n row_block 99999999999\n}") ==
        "file:2: rows block.softmax: row_block is '99999999999', needed an integer");
  CHECK(faultOf("rows block.softmax {\n") == "file:2: rows block.softmax: found end of file, needed '}'");
  CHECK(faultOf("\nrows block.softmax\n") == "file:3: rows block.softmax: found end of file, needed "
                                             "'KIND NAME {'; write one entry per operation");
  CHECK(faultOf("rows other { }") ==
        "file:1: rows other: no such operation, needed one of block.attention, block.linear, block.map, "
        "block.matmul, block.softmax");
  CHECK(faultOf("linear block.softmax { }") ==
        "file:1: linear block.softmax: found kind 'linear', needed 'rows'");
  CHECK(faultOf("attention block.attention { query_block 65 }") ==
        "file:1: attention block.attention: query_block is 65, needed a multiple of 64 (vectors · lanes)");
  CHECK(faultOf("attention block.attention { key_chunk 512 key_tile 3 }") ==
        "file:1: attention block.attention: key_chunk is 512, needed a multiple of 3 (key_tile)");
  CHECK(faultOf("attention block.attention { vectors 0 }") ==
        "file:1: attention block.attention: vectors is 0, needed at least 1");
  CHECK(faultOf("linear block.linear { column_tile 33 }") ==
        "file:1: linear block.linear: column_tile is 33, needed at most 32");
}
