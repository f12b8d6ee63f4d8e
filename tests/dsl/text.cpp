#include <heed/dsl/text.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>
#include <string>

using heed::detail::text;

namespace {
template <class... parts> std::string written(parts... all) {
  text t;
  (t.append(all), ...);
  return {t.data(), t.size()};
}
} // namespace

TEST_CASE("numbers are written as read") {
  CHECK(written("a", 0, "b", -17) == "a0b-17");
  CHECK(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(written(0.5) == "0.5");
  CHECK(written(-1.25) == "-1.25");
  CHECK(written(3.0) == "3");
  CHECK(written(2.000001) == "2.000001");
  CHECK(written(0.9999999) == "1");
  CHECK(written(std::numeric_limits<double>::infinity()) == "infinity");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "-infinity");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "NaN");
}

TEST_CASE("text is cut, never overrun") {
  text t;
  for (int i = 0; i < 1000; ++i)
    t.append("ab").append(12);
  CHECK(t.size() == 600);
  CHECK(std::string(t.data(), 8) == "ab12ab12");
}

TEST_CASE("compare orders like strcmp") {
  using heed::detail::compare;
  static_assert(compare("a", "a") == 0 && compare("a", "b") < 0 && compare("b", "a") > 0);
  static_assert(compare("", "") == 0 && compare("", "a") < 0 && compare("ab", "a") > 0);
}
