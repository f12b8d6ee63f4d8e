#include <heed/dsl/dtype.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace heed;

static_assert(detail::is_floating(f16) && detail::is_floating(bf16) && detail::is_floating(f32));
static_assert(detail::is_floating(f64) && !detail::is_floating(b8) && !detail::is_floating(i64));
static_assert(detail::is_integer(i32) && detail::is_integer(i64));
static_assert(!detail::is_integer(b8) && !detail::is_integer(f16));

TEST_CASE("element types have the names that users write") {
  const char *const names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  const dtype types[] = {b8, i32, i64, f16, bf16, f32, f64};
  for (int i = 0; i < 7; ++i) {
    CHECK(std::string(detail::dtype_name(types[i])) == names[i]);
    CHECK(static_cast<int>(types[i]) == i);
  }
}
