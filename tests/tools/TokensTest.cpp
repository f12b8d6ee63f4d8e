// Lists of tokens from the command line and from files.
#include "Plot/Tokens.h"

#include "Support/Process.h"
#include "Support/ToolError.h"

#include <catch2/catch.hpp>
#include <fstream>

using namespace heed::tools;
using Catch::Matchers::Contains;
using Tokens = std::vector<std::string>;

TEST_CASE("tokens of the command line have commas between them or are a JSON array") {
  CHECK(readTokens("--source", "a,b,,c d") == Tokens{"a", "b", "", "c d"});
  CHECK(readTokens("--source", "[CLS],the,[SEP]") == Tokens{"[CLS]", "the", "[SEP]"});
  CHECK(readTokens("--source", R"(["a,b", "\u00e9", ""])") == Tokens{"a,b", "é", ""});
  CHECK(readTokens("--source", "1/2,3/4") == Tokens{"1/2", "3/4"});
  CHECK_THROWS_WITH(readTokens("--source", "[1, 2]"), "--source [1, 2]: element 0 is 1, a string is needed");
}

TEST_CASE("tokens of a file are its lines or a JSON array") {
  TemporaryDirectory directory;
  auto file = [&](const std::string &name, const std::string &content) {
    std::string path = (directory.path() / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  };
  CHECK(readTokens("--source", file("a.txt", "a\n b,c\n\nd\n")) == Tokens{"a", " b,c", "", "d"});
  CHECK(readTokens("--source", file("b.txt", "\xef\xbb\xbfx\r\ny")) == Tokens{"x", "y"});
  CHECK(readTokens("--source", file("c", "[\"a\\n\", \"b\"]\n")) == Tokens{"a\n", "b"});
  CHECK(readTokens("--source", file("d.txt", "[CLS]\n[SEP]\n")) == Tokens{"[CLS]", "[SEP]"});
  CHECK(readTokens("--source", file("e.txt", "")).empty());
  CHECK(readTokens("--source", file("f.txt", "\n")) == Tokens{""});
  CHECK_THROWS_WITH(readTokens("--source", file("g.json", "{}")), Contains("it holds no JSON array"));
  CHECK_THROWS_WITH(readTokens("--source", file("h.json", "[\"a\", null]")),
                    Contains("element 1 is null, a string is needed"));
}

TEST_CASE("a file that isn't there is no list") {
  CHECK_THROWS_WITH(readTokens("--target", "none.txt"),
                    "--target none.txt: can't be read, a file of tokens is needed");
  CHECK_THROWS_AS(readTokens("--target", "none/tokens"), ToolError);
  CHECK_THROWS_AS(readTokens("--target", "/"), ToolError);
}
