// Name maps: which tensor a weight is, and every wrong line.
#include "files.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

namespace {

std::string error_of(const std::string &text) { return parse_name_map(text, "names").message(); }

} // namespace

TEST_CASE("entries, comments and blank lines") {
  const auto names = parse_name_map("# all of it\n"
                                    "w_q = layers.0.w_q\n"
                                    "\n"
                                    "  w_k=a#b   # a comment; the '#' before is part of the name\r\n"
                                    "w_* = layers.*.weight [1 of 3] .T",
                                    "names");
  REQUIRE(names.ok());
  REQUIRE(names->entries().size() == 3);
  CHECK(names->entries()[0].kernel == "w_q");
  CHECK(names->entries()[0].file == "layers.0.w_q");
  CHECK(names->entries()[1].kernel == "w_k");
  CHECK(names->entries()[1].file == "a#b");
  CHECK(names->entries()[2].file == "layers.*.weight [1 of 3] .T");
  CHECK(parse_name_map("", "names")->entries().empty());
}

TEST_CASE("all wrong lines are told with their numbers") {
  CHECK(
      error_of("w_q\n\nw_k = \n = x\nw = x[3 of 3]\nw = x[1/3]\nw = x]\nw_* = *.*\nw_ok = x.{*}.y") ==
      "names:1: the name in the files is empty, a tensor's name is needed; write kernel_name = file.name\n"
      "names:3: the name in the files is empty, a tensor's name is needed; write kernel_name = file.name\n"
      "names:4: the kernel's name is empty, a weight's name is needed; write kernel_name = file.name\n"
      "names:5: 'x[3 of 3]' ends in a part that is not understood, [i of n] with i below n is needed; write "
      "NAME[0 of 3]\n"
      "names:6: 'x[1/3]' ends in a part that is not understood, [i of n] with i below n is needed; write "
      "NAME[0 of 3]\n"
      "names:7: 'x]' ends in a part that is not understood, [i of n] with i below n is needed; write "
      "NAME[0 of 3]\n"
      "names:8: '*.*' has 2 stars, 'w_*' has 1 and each must stand for one of them; write {*} for the layers "
      "of a stack");
}

TEST_CASE("a map from a file, or the reason why there is none") {
  const folder place;
  const auto names = read_name_map(place.write("names.txt", "w = x"));
  REQUIRE(names.ok());
  CHECK(names->entries().front().file == "x");
  CHECK(std::string(read_name_map(place / "none").message()) ==
        place / "none" + ": can't be read: No such file or directory");
}
