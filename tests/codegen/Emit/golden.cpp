// Generated text, compared with the files in Golden. HEED_UPDATE_GOLDEN=1 rewrites them.
#include "Compiled.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace heed;

namespace {

void checkGolden(const std::string &name, const std::string &text) {
  std::string path = std::string(HEED_GOLDEN_FOLDER) + "/" + name;
  if (std::getenv("HEED_UPDATE_GOLDEN"))
    std::ofstream(path) << text;
  std::ifstream file(path);
  INFO(path << ": HEED_UPDATE_GOLDEN=1 writes it");
  REQUIRE(file);
  std::ostringstream golden;
  golden << file.rdbuf();
  CHECK(text == golden.str());
}

const std::string block = R"(
heed.kernel @block(%x: !heed.tensor<[batch, tokens, 2*d], f32> {heed.name = "x", heed.role = "input"},
                   %visible: !heed.tensor<[batch, 1, tokens], i1> {heed.name = "visible", heed.role = "input"},
                   %w: !heed.tensor<[8, 2*d], f32> {heed.name = "class", heed.role = "weight"})
    -> (!heed.tensor<[batch, tokens, 8], f32> {heed.name = "y"}) {
  %0 = heed.linear %x, %w : (!heed.tensor<[batch, tokens, 2*d], f32>, !heed.tensor<[8, 2*d], f32>)
      -> !heed.tensor<[batch, tokens, 8], f32>
  %1 = heed.split_heads %0 into <2> : (!heed.tensor<[batch, tokens, 8], f32>) -> !heed.tensor<[batch, 2, tokens, 4], f32>
  %2 = heed.attention %1, %1, %1 captures(%visible) scale 0.5
      : (!heed.tensor<[batch, 2, tokens, 4], f32>, !heed.tensor<[batch, 2, tokens, 4], f32>,
         !heed.tensor<[batch, 2, tokens, 4], f32>, !heed.tensor<[batch, 1, tokens], i1>)
      -> !heed.tensor<[batch, 2, tokens, 4], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64, %v: !heed.tensor<[batch, 1, tokens], i1>):
    %zero = arith.constant 0 : i64
    %see = heed.element %v[%b, %zero, %k] : !heed.tensor<[batch, 1, tokens], i1> -> i1
    heed.yield %score, %see : f32, i1
  }
  %3 = heed.merge_heads %2 : (!heed.tensor<[batch, 2, tokens, 4], f32>) -> !heed.tensor<[batch, tokens, 8], f32>
  heed.return %3 : !heed.tensor<[batch, tokens, 8], f32>
}
)";

const std::string dropped = R"(
heed.kernel @dropped(%x: !heed.tensor<[n], f32> {heed.name = "x", heed.role = "input"},
                     %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"},
                     %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"})
    -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
  %0 = heed.map %x, %p, %seed : (!heed.tensor<[n], f32>, !heed.tensor<[], f32>, !heed.tensor<[], i64>)
      -> !heed.tensor<[n], f32> {
  ^bb0(%element: f32, %probability: f32, %key: i64):
    %at = heed.position 0
    %number = heed.uniform %key, %at site 1
    %keeps = arith.cmpf oge, %number, %probability : f32
    %zero = arith.constant 0.0 : f32
    %kept = arith.select %keeps, %element, %zero : f32
    heed.yield %kept : f32
  }
  heed.return %0 : !heed.tensor<[n], f32>
}
)";

const std::string appended = R"(
heed.kernel @appended(%rows: !heed.tensor<[batch, n, 8], f32> {heed.name = "rows", heed.role = "input"},
                      %at: !heed.tensor<[], i32> {heed.name = "position", heed.role = "scalar"},
                      %w: !heed.tensor<[2*d, 8], f32> {heed.name = "w", heed.role = "weight"},
                      %cache: !heed.tensor<[batch, capacity, 8], f32> {heed.name = "cache", heed.role = "state"})
    -> (!heed.tensor<[batch, n, d], f32> {heed.name = "y"},
        !heed.tensor<[batch, capacity, 8], f32> {heed.name = "cache", heed.role = "state"}) {
  %0 = heed.append %cache, %rows, %at axis 1
      : (!heed.tensor<[batch, capacity, 8], f32>, !heed.tensor<[batch, n, 8], f32>, !heed.tensor<[], i32>)
      -> !heed.tensor<[batch, capacity, 8], f32>
  %1 = heed.slice %w axis 0 start <d> : (!heed.tensor<[2*d, 8], f32>) -> !heed.tensor<[d, 8], f32>
  %2 = heed.linear %rows, %1 : (!heed.tensor<[batch, n, 8], f32>, !heed.tensor<[d, 8], f32>)
      -> !heed.tensor<[batch, n, d], f32>
  heed.return %2, %0 : !heed.tensor<[batch, n, d], f32>, !heed.tensor<[batch, capacity, 8], f32>
}
)";

// Defaults change as kernels get faster; the text of a given schedule does not.
const std::string schedule = R"(
attention block.attention {
  query_block 48
  small_query_block 8
  small_limit 24
  depth_row_limit 2
  depth_key_chunk 512
}
linear block.linear {
  row_block 48
  column_block 256
  small_row_block 8
  small_vectors 1
  small_column_block 64
  small_limit 24
  few_row_limit 0
}
)";

} // namespace

TEST_CASE("the driver and the headers of a block") {
  Written text = written(block, "golden", schedule);
  checkGolden("block.c.txt", text.driver);
  checkGolden("block.h.txt", text.header);
  checkGolden("block_c.h.txt", text.cHeader);
}

TEST_CASE("a state is a view that the call writes, and a slice an offset") {
  Written text = written(appended, "golden", "");
  for (const char *part : {"{\"cache\", HEED_STATE, ", ", 1, {{HEED_OFFSET_ARGUMENT, 1, 1}}},",
                           ", 1, {{HEED_OFFSET_EXTENT, 0, 5}}},", "// 0 <= position <= capacity - n",
                           "    .bound_count = 1,\n    .bounds = appended_bounds,\n"})
    CHECK_THAT(text.driver, Catch::Matchers::Contains(part));
  checkGolden("appended.h.txt", text.header);
  checkGolden("appended_c.h.txt", text.cHeader);
}

TEST_CASE("scalars are parameters by value") {
  Written text = written(dropped, "golden", "");
  checkGolden("dropped.h.txt", text.header);
  checkGolden("dropped_c.h.txt", text.cHeader);
}
