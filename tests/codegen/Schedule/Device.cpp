// Schedules for devices: defaults fit every device, and what doesn't fit says which field and why.
#include "Schedule/ScheduleFile.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

const ScheduleLimits smallest{32 << 10, 256};

std::string faultOf(const Schedule &schedule, const ScheduleLimits &limits = smallest) {
  return checkSchedule(schedule, limits).value_or("");
}

} // namespace

TEST_CASE("every default for a device fits every device", "[schedule]") {
  for (std::optional<int64_t> size :
       {std::optional<int64_t>(), std::optional<int64_t>(1), std::optional<int64_t>(7),
        std::optional<int64_t>(64), std::optional<int64_t>(130), std::optional<int64_t>(1 << 20)}) {
    for (int bytes : {4, 8}) {
      AttentionSizes attention{size, size, size, size};
      attention.accumulatorBytes = bytes;
      const DeviceAttentionSchedule ofAttention = defaultDeviceSchedule(attention);
      CHECK(faultOf(ofAttention) == "");
      CHECK(sharedBytes(ofAttention.block, bytes) <= smallest.sharedBytes);
      CHECK(sharedBytes(ofAttention.few, bytes) <= smallest.sharedBytes);
      LinearSizes linear{size, size, size};
      linear.accumulatorBytes = bytes;
      const DeviceLinearSchedule ofLinear = defaultDeviceSchedule(linear);
      CHECK(faultOf(ofLinear) == "");
      CHECK(sharedBytes(ofLinear.block, bytes) <= smallest.sharedBytes);
    }
    CHECK(faultOf(defaultDeviceRowsSchedule(size)) == "");
    for (int64_t rank : {0, 1, 2, 6})
      CHECK(faultOf(defaultDeviceMapSchedule(size, rank)) == "");
  }
  for (int bytes : {4, 8}) {
    CHECK(sharedBytes(defaultDeviceScoresSchedule(bytes).block, bytes) <= smallest.sharedBytes);
    CHECK(sharedBytes(defaultDeviceMatmulSchedule(bytes).block, bytes) <= smallest.sharedBytes);
  }
}

TEST_CASE("what doesn't fit a device says which field and why", "[schedule]") {
  CHECK(faultOf(DeviceMapSchedule{64, 8, 4}) == "threads_x · threads_y is 512, needed at most 256");
  CHECK(faultOf(DeviceMapSchedule{64, 8, 4}, {48 << 10, 1024}) == "");
  CHECK(faultOf(DeviceMapSchedule{64, 0, 4}) == "threads_y is 0, needed at least 1");
  CHECK(faultOf(DeviceRowsSchedule{48, 1}) == "threads is 48, needed a power of two");
  CHECK(faultOf(DeviceRowsSchedule{128, 4}) == "threads · rows is 512, needed at most 256");
  CHECK(faultOf(DeviceLinearSchedule{{8, 8, 16, 16, 18}}) ==
        "depth_chunk is 18, needed a multiple of 4 (values of one vector)");
  CHECK(faultOf(DeviceLinearSchedule{{8, 8, 16, 16, 64}}) ==
        "shared memory in bytes is 69632, needed at most 32768");
  CHECK(faultOf(DeviceMatmulSchedule{{16, 16, 16, 16, 8}}) ==
        "row_tile · column_tile is 256, needed at most 128");
  DeviceAttentionSchedule attention;
  attention.block.keyTile = 4;
  attention.block.valueChunk = 12;
  CHECK(faultOf(attention) == "value_chunk is 12, needed a divisor of threads_x · key_tile, which is 32");
  attention = {};
  attention.block.threadsX = 0;
  CHECK(faultOf(attention) == "threads_x is 0, needed at least 1");
  attention = {};
  attention.few.threadsY = 64;
  CHECK(faultOf(attention) == "few_threads_x · few_threads_y is 512, needed at most 256");
  attention = {};
  attention.few.keyTile = 0;
  CHECK(faultOf(attention) == "few_key_tile is 0, needed at least 1");
  attention = {};
  attention.few.depthChunk = 256;
  CHECK(faultOf(attention) == "few rows' shared memory in bytes is 133120, needed at most 32768");
  attention = {};
  attention.fewPartKeys = 96;
  CHECK(faultOf(attention) == "few_part_keys is 96, needed a multiple of 64 (few_threads_x · few_key_tile)");
  attention = {};
  attention.fewRowLimit = 65;
  CHECK(faultOf(attention) == "few_row_limit is 65, needed at most 64");
  attention.fewRowLimit = -1;
  CHECK(faultOf(attention) == "few_row_limit is -1, needed at least 0");
}

TEST_CASE("few rows take parts of the keys, unless there are too many rows or too few keys", "[schedule]") {
  const auto limit = [](std::optional<int64_t> queries, std::optional<int64_t> keys) {
    return defaultDeviceSchedule(AttentionSizes{queries, keys, 64, 64}).fewRowLimit;
  };
  CHECK(limit({}, {}) == 8);
  CHECK(limit(1, {}) == 8);
  CHECK(limit(8, 4096) == 8);
  CHECK(limit(9, {}) == 0);
  CHECK(limit(1, 256) == 0);
  CHECK(limit({}, 257) == 8);
  AttentionSizes grouped{1, {}, 128, 128};
  for (int64_t members : {2, 4, 7, 8, 32}) {
    grouped.members = members;
    const DeviceAttentionTile few = defaultDeviceSchedule(grouped).few;
    CHECK(few.queryBlock() >= std::min<int64_t>(members, 8));
    CHECK(few.queryBlock() <= 8);
  }
}

TEST_CASE("an operation of a device is not scheduled as on a CPU", "[schedule]") {
  ScheduleFile file;
  const ScheduledOperations operations = {{"block.map", {defaultDeviceMapSchedule(64, 2), {}}}};
  CHECK(parseScheduleFile("heed schedules 1\nmap block.map {\n  inner_block 64\n}\n", "file", smallest,
                          operations, file)
            .value_or("")
            .find("found kind 'map', needed 'device_map'") != std::string::npos);
}
