// Tokens as they are seen.
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace heed::plot;

TEST_CASE("a token without a picture gets one") {
  CHECK(visible_token("word") == "word");
  CHECK(visible_token("") == "(empty)");
  CHECK(visible_token(" a  b") == "\u2423a\u2423\u2423b");
  CHECK(visible_token("\n\r\t") == "\\n\\r\\t");
  CHECK(visible_token(std::string_view("\0\x1b[0m\x7f", 6)) == "\\x00\\x1b[0m\\x7f");
  CHECK(visible_token("\u0085\u00a0\u3000\u2028") == "\\u0085\\u00a0\\u3000\\u2028");
}

TEST_CASE("characters that direct other text are escaped, those that shape it are kept") {
  CHECK(visible_token("\u202eevil") == "\\u202eevil");
  CHECK(visible_token("\u2066a\u2069") == "\\u2066a\\u2069");
  CHECK(visible_token("\ufeff") == "\\ufeff");
  CHECK(visible_token("a\u00adb") == "a\\u00adb");
  CHECK(visible_token("\u200b") == "\\u200b");
  std::string family = "\U0001F469\u200d\U0001F467";
  CHECK(visible_token(family) == family);
  CHECK(visible_token("\u200d") == "\\u200d");
}

TEST_CASE("letters of every script stay as they are") {
  for (const char *token : {"שלום", "مرحبا", "世界", "e\u0301", "हिन्दी", "😀", "ﬁ", "\u1100\u1161"})
    CHECK(visible_token(token) == token);
  CHECK(visible_token("\u0301") == "\u25cc\u0301");
}

TEST_CASE("bytes that are not UTF-8 are escaped") {
  CHECK(visible_token("\xff") == "\\xff");
  CHECK(visible_token("a\xe4\xb8") == "a\\xe4\\xb8");
  CHECK(visible_token("\xc0\x80") == "\\xc0\\x80");
  CHECK(visible_token("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(visible_token("\xe4\xb8\x96") == "世");
}

TEST_CASE("text keeps its spaces") {
  CHECK(visible_text("a b\n") == "a b\\n");
  CHECK(visible_text("").empty());
}

TEST_CASE("XML's own characters are escaped") {
  CHECK(xml_escaped("<a href=\"x\">&</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
}

TEST_CASE("tokens of every kind have a place on the page") {
  std::vector<std::string> tokens{
      "שלום",    "مرحبا بالعالم", "世界",   "e\u0301", "\u0301",   "😀",  "",
      "\x1b[0m", "\u202e",        "<&>\"'", "  ",      "\xff\xfe", "\\n", std::string(100000, 'm')};
  auto count = static_cast<std::int64_t>(tokens.size());
  page p = heat_map(sample(count, count), {.source = tokens, .target = tokens, .title = "<&> \u202e \xff"});
  CHECK(misplaced(p) == "");
  CHECK(labels_of(p, label_role::source).size() == tokens.size());
  for (const label &l : p.labels) {
    CHECK(l.width > 0);
    CHECK(l.width < 400);
  }
}
