// Schedules that can be built, and those that cannot.
#include "Schedule/Schedule.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

std::string faultOf(const Schedule &schedule) { return checkSchedule(schedule, 16).value_or(""); }

AttentionSchedule attention() { return defaultSchedule(AttentionSizes{}, 16); }
LinearSchedule linear() { return defaultSchedule(LinearSizes{}, 16); }

} // namespace

TEST_CASE("every default can be built", "[schedule]") {
  for (int lanes : {4, 8, 16}) {
    CHECK(checkSchedule(defaultSchedule(AttentionSizes{}, lanes), lanes).value_or("") == "");
    CHECK(checkSchedule(defaultSchedule(LinearSizes{}, lanes), lanes).value_or("") == "");
    CHECK(checkSchedule(defaultSchedule(LinearSizes{.widensWeights = true}, lanes), lanes).value_or("") ==
          "");
    for (int64_t inputs : {512, 4096})
      CHECK(checkSchedule(defaultSchedule(LinearSizes{.inputs = inputs, .inPairs = true}, lanes), lanes)
                .value_or("") == "");
    CHECK(checkSchedule(defaultSchedule(AttentionSizes{.inPairs = true}, lanes), lanes).value_or("") == "");
    CHECK(checkSchedule(defaultScoresSchedule(lanes), lanes).value_or("") == "");
    CHECK(checkSchedule(defaultMatmulSchedule(lanes), lanes).value_or("") == "");
    CHECK(checkSchedule(defaultMapSchedule(lanes), lanes).value_or("") == "");
    for (int64_t length : {0, 1, 512, 1 << 30})
      CHECK(checkSchedule(defaultRowsSchedule(length), lanes).value_or("") == "");
  }
}

TEST_CASE("by itself the tile of outputs is as high as the sums of the tile of scores allow", "[schedule]") {
  CHECK(RowsTile{64, 256, 4, 4, 4}.valueVectorsThatFit() == 4);
  CHECK(RowsTile{64, 256, 4, 4, 8}.valueVectorsThatFit() == 2);
  CHECK(RowsTile{64, 256, 4, 4, 5}.valueVectorsThatFit() == 2);
  CHECK(RowsTile{48, 256, 3, 4, 5}.valueVectorsThatFit() == 1);
  CHECK(RowsTile{16, 128, 1, 8, 32}.valueVectorsThatFit() == 1);
}

TEST_CASE("what can't be built says which field and why", "[schedule]") {
  AttentionSchedule a = attention();
  a.rows.queryBlock = 65;
  CHECK(faultOf(a) == "query_block is 65, needed a multiple of 64 (vectors · lanes)");
  a = attention();
  a.rows.keyTile = 3;
  CHECK(faultOf(a) == "key_chunk is 1024, needed a multiple of 3 (key_tile)");
  a = attention();
  a.small.vectors = 0;
  CHECK(faultOf(a) == "small_vectors is 0, needed at least 1");
  a = attention();
  a.rows.valueVectors = 3;
  CHECK(faultOf(a) == "value_vectors is 3, needed a divisor of vectors, which is 4");
  a = attention();
  a.small.valueVectors = 0;
  CHECK(faultOf(a) == "small_value_vectors is 0, needed at least 1");
  a = attention();
  a.depthRowLimit = 9;
  CHECK(faultOf(a) == "depth_row_limit is 9, needed at most 8");
  a = attention();
  a.rows.queryBlock = a.rows.keyChunk = 1 << 13;
  CHECK(faultOf(a) == "query_block · key_chunk is 67108864, needed at most 16777216");
  LinearSchedule l = linear();
  l.block.columnTile = 33;
  CHECK(faultOf(l) == "column_tile is 33, needed at most 32");
  l = linear();
  l.block.depthChunk = 0;
  CHECK(faultOf(l) == "depth_chunk is 0, needed at least 1");
  l = linear();
  l.fewRowLimit = 9;
  CHECK(faultOf(l) == "few_row_limit is 9, needed at most 8");
  l = linear();
  l.few.rowTile = 0;
  CHECK(faultOf(l) == "few_row_tile is 0, needed at least 1");
  l = linear();
  l.few.columnBlock = 12;
  CHECK(faultOf(l) == "few_column_block is 12, needed a multiple of 8 (few_column_tile)");
  l.few.columnTile = 0;
  CHECK(faultOf(l) == "few_column_tile is 0, needed at least 1");
  l = linear();
  l.small.depthChunk = 65537;
  CHECK(faultOf(l) == "small_depth_chunk is 65537, needed at most 65536");
  CHECK(faultOf(MatmulSchedule{16, 8}) == "column_block is 8, needed a multiple of 16 (lanes)");
  CHECK(faultOf(RowsSchedule{0}) == "row_block is 0, needed at least 1");
  CHECK(faultOf(MapSchedule{1048577, 1}) == "inner_block is 1048577, needed at most 1048576");
  CHECK(faultOf(MapSchedule{1, -1}) == "outer_block is -1, needed at least 1");
}
