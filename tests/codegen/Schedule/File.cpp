// Schedules as text: what is printed reads back the same, and every fault names its line.
#include "RandomFiles.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::tests;

namespace {

struct Read {
  std::string fault;
  ScheduleFile file;
};

Read readText(std::string_view text, int lanes = 16) {
  Read result;
  result.file.target = "unchanged";
  const ScheduleFile before = result.file;
  result.fault =
      parseScheduleFile(text, "file", limitsOf(lanes), everyOperation(lanes), result.file).value_or("");
  if (!result.fault.empty())
    CHECK(result.file == before);
  return result;
}

/// Of entries behind the line of the version.
std::string faultOf(const std::string &entries) { return readText("heed schedules 1\n" + entries).fault; }

template <class S> S only(const Read &read, const std::string &operation) {
  REQUIRE(read.fault == "");
  REQUIRE(read.file.entries.at(operation).size() == 1);
  return std::get<S>(read.file.entries.at(operation).front().schedule);
}

} // namespace

TEST_CASE("what is printed reads back the same and prints the same", "[schedule]") {
  for (int seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const int lanes = 4 << random() % 3;
    const ScheduleFile file = randomFile(random, lanes);
    const std::string text = printScheduleFile(file);
    const Read read = readText(text, lanes);
    REQUIRE(read.fault == "");
    CHECK(read.file == file);
    CHECK(printScheduleFile(read.file) == text);
  }
}

TEST_CASE("the canonical text has entries in order and one field per line", "[schedule]") {
  ScheduleFile file;
  file.target = "x86-64-v3";
  file.comments = {"tuned", ""};
  file.entries["block.matmul"] = {{{{"queries", 512}, {"keys", 64}}, MatmulSchedule{32, 64}, {"large\nbest"}},
                                  {{{"queries", 16}, {"keys", 16}}, MatmulSchedule{16, 64}},
                                  {{}, MatmulSchedule{8, 64}}};
  file.entries["block.softmax"] = {{{}, RowsSchedule{16}}};
  CHECK(printScheduleFile(file) == R"(heed schedules 1
target x86-64-v3
# tuned
#

matmul block.matmul {
  row_block 8
  column_block 64
}

matmul block.matmul at keys=16 queries=16 {
  row_block 16
  column_block 64
}

# large
# best
matmul block.matmul at keys=64 queries=512 {
  row_block 32
  column_block 64
}

rows block.softmax {
  row_block 16
}
)");
}

TEST_CASE("fields that are not named are those of the entry for any size, or the default", "[schedule]") {
  AttentionSchedule expected = defaultSchedule(AttentionSizes{}, 16);
  expected.rows.queryBlock = 128;
  CHECK(only<AttentionSchedule>(readText("heed schedules 1 attention block.attention{query_block 128}"),
                                "block.attention") == expected);
  const Read read = readText("heed schedules 1\nmatmul block.matmul at keys=8 {row_block 3}\n"
                             "matmul block.matmul {row_block 2 column_block 32}");
  REQUIRE(read.fault == "");
  const std::vector<SizedSchedule> &entries = read.file.entries.at("block.matmul");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].line == 3);
  CHECK(std::get<MatmulSchedule>(entries[1].schedule) == MatmulSchedule{3, 32});
  CHECK(readText("heed schedules 1").file == ScheduleFile{});
}

TEST_CASE("a tile without its height of outputs has as many vectors as fit", "[schedule]") {
  const auto heights = [](const std::string &fields) {
    const auto s = only<AttentionSchedule>(
        readText("heed schedules 1 attention block.attention{" + fields + "}"), "block.attention");
    return std::pair(s.rows.valueVectors, s.small.valueVectors);
  };
  CHECK(heights("value_tile 4") == std::pair(4, 1));
  CHECK(heights("query_block 48 vectors 3 key_tile 4 value_tile 8") == std::pair(1, 1));
  CHECK(heights("value_tile 10 value_vectors 2") == std::pair(2, 1));
  CHECK(heights("small_query_block 32 small_vectors 2 small_value_tile 8") ==
        std::pair(defaultSchedule(AttentionSizes{}, 16).rows.valueVectors, 2));
  CHECK(faultOf("attention block.attention { value_vectors 3 }") ==
        "file:2: attention block.attention: value_vectors is 3, needed a divisor of vectors, which is 4");
}

TEST_CASE("comments are kept: at the head, above their entry, or with the entry they stand in",
          "[schedule]") {
  const Read read =
      readText("# head\nheed schedules 1 # version\n# also head\n\n# of the first\n"
               "rows block.softmax { # any size\n  # why\n  row_block 3\n} # done\n# of the second\n\n"
               "matmul block.matmul {}\n# last\n");
  REQUIRE(read.fault == "");
  using Lines = std::vector<std::string>;
  CHECK(read.file.comments == Lines{"head", "version", "also head", "last"});
  CHECK(read.file.entries.at("block.softmax")[0].comments ==
        Lines{"of the first", "any size", "why", "done"});
  CHECK(read.file.entries.at("block.matmul")[0].comments == Lines{"of the second"});
}

TEST_CASE("the form of the bytes is free", "[schedule]") {
  const RowsSchedule three{3};
  CHECK(only<RowsSchedule>(readText("\xef\xbb\xbfheed schedules 1\r\nrows block.softmax {\r\n  row_block "
                                    "3\r\n}\r\n"),
                           "block.softmax") == three);
  CHECK(only<RowsSchedule>(readText("heed\tschedules\n1 rows block.softmax{row_block 3}#"),
                           "block.softmax") == three);
  CHECK(
      faultOf(std::string("rows block.softmax {\n row_block 3\0\n}", 36)) ==
      "file:3: heed schedules: found the control character 0x00, needed text; write the file as plain UTF-8");
  CHECK(
      faultOf("# a\rb\n") ==
      "file:2: heed schedules: found the control character 0x0d, needed text; write the file as plain UTF-8");
  const std::string longWord(1000000, 'x');
  CHECK(faultOf("rows " + longWord + " {}").size() < 400);
  CHECK(faultOf("rows block.softmax { " + longWord + " 3 }").size() < 400);
  CHECK(faultOf("rows block.softmax { row_block " + longWord + " }").size() < 400);
  CHECK(faultOf("rows block.softmax at " + longWord + "=1 { }").size() < 400);
  CHECK(readText(longWord).fault.size() < 400);
}

TEST_CASE("a file says which form it has and for which target", "[schedule]") {
  const std::string missing = ", needed the version of the form; write 'heed schedules 1' as the first line";
  CHECK(readText("").fault == "file:1: heed schedules: found end of file" + missing);
  CHECK(readText("# old\nrows block.softmax {\n}").fault == "file:2: heed schedules: found 'rows'" + missing);
  CHECK(readText("heed schedules 2\nanything { } }").fault ==
        "file:1: heed schedules: found version 2, this heed reads 1; print the schedules anew with heed "
        "compile "
        "--emit=schedule, or use the heed that wrote them");
  CHECK(readText("heed schedules")
            .fault.starts_with("file:1: heed schedules: found no version, this heed reads 1"));
  CHECK(readText("heed schedules 1\ntarget x86-64-v3\n").file.target == "x86-64-v3");
  CHECK(faultOf("target {") ==
        "file:2: target: found '{', needed a name; write for example 'target x86-64-v3'");
  CHECK(faultOf("target a target b") ==
        "file:2: target: found a second one, needed one; write one file per target");

  std::string target = "none";
  CHECK(parseScheduleTarget("heed schedules 1 target a nonsense", "file", target) == std::nullopt);
  CHECK(target == "a");
  CHECK(parseScheduleTarget("heed schedules 1", "file", target) == std::nullopt);
  CHECK(target == "");
  CHECK(parseScheduleTarget("heed schedule 1", "file", target).has_value());
}

TEST_CASE("faults of entries name the line, what was found and what is needed", "[schedule]") {
  CHECK(faultOf("rows block.softmax {\n  row_blok 3\n}") ==
        "file:3: rows block.softmax: found field 'row_blok', needed one of row_block; did you mean "
        "'row_block'?");
  CHECK(faultOf("rows block.softmax {\n  row_block x3\n}") ==
        "file:3: rows block.softmax: row_block is 'x3', needed an integer");
  CHECK(faultOf("rows block.softmax {\n  row_block\n}") ==
        "file:4: rows block.softmax: row_block is '}', needed an integer; write one behind the field's name");
  CHECK(faultOf("rows block.softmax {\n row_block 2147483648\n}") ==
        "file:3: rows block.softmax: row_block is '2147483648', needed an integer of at most 2147483647");
  CHECK(
      faultOf("attention block.attention { small_limit 9223372036854775808 }") ==
      "file:2: attention block.attention: small_limit is '9223372036854775808', needed an integer of at most "
      "9223372036854775807");
  CHECK(faultOf("rows block.softmax {\n row_block 3\n row_block 3\n}") ==
        "file:4: rows block.softmax: found row_block a second time after line 3, needed it once; leave one "
        "out");
  CHECK(faultOf("rows block.softmax {\n") == "file:3: rows block.softmax: found end of file, needed '}'; "
                                             "write it, or the rest of a file that was cut off");
  CHECK(faultOf("\nrows block.softmax\n") ==
        "file:4: rows block.softmax: found end of file, needed '{'; write 'KIND NAME {' or 'KIND NAME at "
        "SIZE=NUMBER {'");
  CHECK(faultOf("}") == "file:2: entry: found '}', needed 'KIND NAME {'; write one entry per operation");
  CHECK(faultOf("rows") ==
        "file:2: entry: found end of file, needed 'KIND NAME {'; write one entry per operation");
  CHECK(
      faultOf("rows block.softmx { }") ==
      "file:2: rows block.softmx: no such operation, needed one of block.attention, block.linear, block.map, "
      "block.matmul, block.scores, block.softmax, device.attention, device.linear, device.map, "
      "device.matmul, device.scores, device.softmax; did you mean 'block.softmax'?");
  CHECK(faultOf("linear block.softmax { }") ==
        "file:2: linear block.softmax: found kind 'linear', needed 'rows'");
  CHECK(faultOf("rows block.softmax { }\nrows block.softmax { }") ==
        "file:3: rows block.softmax: found the same operation and sizes as line 2, needed one entry; leave "
        "one out");
  CHECK(faultOf("attention block.attention { query_block 65 }") ==
        "file:2: attention block.attention: query_block is 65, needed a multiple of 64 (vectors · lanes)");
}

TEST_CASE("faults of sizes", "[schedule]") {
  const std::string head = "matmul block.matmul at ",
                    instead = " after 'at', needed NAME=NUMBER with a number of at "
                              "least 1; write for example 'at queries=512'";
  CHECK(faultOf(head + "{ }") == "file:2: matmul block.matmul: found '{'" + instead);
  for (const std::string word :
       {"keys", "keys=", "=3", "keys=0", "keys=-1", "keys=1.5", "keys=1=2", "keys=9223372036854775808", "="})
    CHECK(faultOf(head + word + " { }") == "file:2: matmul block.matmul: found '" + word + "'" + instead);
  CHECK(faultOf(head + "keys=1 keys=2 { }") ==
        "file:2: matmul block.matmul at keys=1: found a second size of 'keys', needed one; leave one out");
  CHECK(faultOf(head + "keis=1 { }") == "file:2: matmul block.matmul at keis=1: found the size of 'keis', "
                                        "needed symbolic extents of the operation: "
                                        "keys, queries; did you mean 'keys'?");
  CHECK(faultOf("rows block.softmax at keys=1 { }") == "file:2: rows block.softmax at keys=1: found the size "
                                                       "of 'keys', needed symbolic extents of the operation, "
                                                       "which has none; leave 'at' out");
  CHECK(faultOf(head + "keys=1 { }\n" + head + "queries=2 { }") ==
        "file:3: matmul block.matmul at queries=2: found sizes of other extents than line 2, needed the same "
        "ones in "
        "all entries of an operation; add or leave out some");
  CHECK(faultOf(head + "keys=4 queries=2 { }\n" + head + "keys=2 queries=4 { }") ==
        "file:3: matmul block.matmul at keys=2 queries=4: found sizes with the same product as line 2, "
        "needed different "
        "ones, since the product decides which entry is nearest; leave one out");
  CHECK(faultOf(head + "keys=4 { }\n" + head + "keys=4 { }")
            .starts_with(
                "file:3: matmul block.matmul at keys=4: found the same operation and sizes as line 2"));
  CHECK(
      faultOf(head + "keys=4294967296 queries=4294967296 { }") ==
      "file:2: matmul block.matmul at keys=4294967296 queries=4294967296: found sizes whose product is above "
      "2^63 - 1, needed a smaller one; leave extents out");
  std::string many;
  for (int size = 1; size <= 65; ++size)
    many += head + "keys=" + std::to_string(size) + " { }\n";
  CHECK(faultOf(many).starts_with("file:66: matmul block.matmul at keys=65: found more than 64 entries"));
}
