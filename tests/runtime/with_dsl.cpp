// A file can hold a spec and its call: the headers of both name nothing twice.
#include <heed/dsl.hpp>
#include <heed/runtime.hpp>

#include <catch2/catch.hpp>
#include <type_traits>

TEST_CASE("the headers of the DSL and of the runtime go together") {
  STATIC_REQUIRE(std::is_same_v<decltype(heed::attention_part::output), heed::tensor>);
  STATIC_REQUIRE(std::is_same_v<decltype(heed::attention_view<float>::output), heed::view<float, 4>>);
}
