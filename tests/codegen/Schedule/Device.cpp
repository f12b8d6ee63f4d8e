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
      CHECK(sharedBytes(ofAttention, bytes) <= smallest.sharedBytes);
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
  DeviceAttentionSchedule attention{.threadsX = 8, .keyTile = 4};
  attention.valueChunk = 12;
  CHECK(faultOf(attention) == "value_chunk is 12, needed a divisor of threads_x · key_tile, which is 32");
  attention = {};
  attention.threadsX = 0;
  CHECK(faultOf(attention) == "threads_x is 0, needed at least 1");
}

TEST_CASE("an operation of a device is not scheduled as on a CPU", "[schedule]") {
  ScheduleFile file;
  const ScheduledOperations operations = {{"block.map", {defaultDeviceMapSchedule(64, 2), {}}}};
  CHECK(parseScheduleFile("heed schedules 1\nmap block.map {\n  inner_block 64\n}\n", "file", smallest,
                          operations, file)
            .value_or("")
            .find("found kind 'map', needed 'device_map'") != std::string::npos);
}
