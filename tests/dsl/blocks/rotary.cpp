#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent batch{"batch"}, tokens{"tokens"};

template <bool interleaved, int dim> constexpr auto turned(const char *called) {
  return kernel{called, [](graph &g) {
                  tensor x = g.input("x", f32, {batch, 2, tokens, 8});
                  tensor cosine = g.input("cos", f32, {batch, tokens, dim / 2});
                  tensor sine = g.input("sin", f32, {batch, tokens, dim / 2});
                  g.output("y",
                           rotary(x, cosine, sine, {.interleaved = interleaved, .dim = dim == 8 ? 0 : dim}));
                }};
}
constexpr kernel halves = turned<false, 8>("halves");
constexpr kernel neighbours = turned<true, 8>("neighbours");
constexpr kernel some_halves = turned<false, 4>("some_halves");
constexpr kernel some_neighbours = turned<true, 6>("some_neighbours");
constexpr kernel cached{"cached", [](graph &g) {
                          tensor x = g.input("x", f32, {batch, 2, tokens, 8});
                          tensor ids = g.input("ids", i64, {batch, tokens});
                          g.output("y",
                                   rotary(x, g.input("cos", f32, {9, 4}), g.input("sin", f32, {9, 4}), ids));
                        }};

/// Every pair of x as a complex number, turned by multiplication; features beyond dim stay.
void check_turned(const spec::graph &kernel, bool interleaved, int dim) {
  const array x = mixed({2, 2, 3, 8}, 5), angles = mixed({2, 3, dim / 2}, 6);
  const auto map = [&](double (*function)(double)) {
    array result = angles;
    for (double &each : result.elements)
      each = function(each);
    return result;
  };
  const array y = evaluate(kernel, {{"x", x}, {"cos", map(std::cos)}, {"sin", map(std::sin)}},
                           {{"batch", 2}, {"tokens", 3}});
  array expected = x;
  for_each_position({2, 2, 3, dim / 2}, [&](const std::vector<std::int64_t> &at) {
    const std::int64_t b = at[0], h = at[1], s = at[2], i = at[3];
    const std::int64_t first = interleaved ? 2 * i : i, second = interleaved ? 2 * i + 1 : i + dim / 2;
    const double angle = angles.at({b, s, i}),
                 length = std::hypot(x.at({b, h, s, first}), x.at({b, h, s, second}));
    const double start = std::atan2(x.at({b, h, s, second}), x.at({b, h, s, first}));
    expected.at({b, h, s, first}) = length * std::cos(start + angle);
    expected.at({b, h, s, second}) = length * std::sin(start + angle);
  });
  for (std::size_t i = 0; i < y.elements.size(); ++i)
    CHECK(y.elements[i] == Approx(expected.elements[i]).margin(1e-12));
}
} // namespace

TEST_CASE("rotary turns pairs of features by an angle") {
  check_turned(halves, false, 8);
  check_turned(neighbours, true, 8);
  check_turned(some_halves, false, 4);
  check_turned(some_neighbours, true, 6);
}

TEST_CASE("rotary takes its angles from caches by position") {
  const array x = mixed({2, 2, 3, 8}, 7), cosine = mixed({9, 4}, 8), sine = mixed({9, 4}, 9);
  array ids({2, 3});
  ids.elements = {4, 0, 8, 1, 1, 2};
  const auto picked = [&](const array &table) {
    return filled({2, 3, 4}, [&](const std::vector<std::int64_t> &at) {
      return table.at({static_cast<std::int64_t>(ids.at({at[0], at[1]})), at[2]});
    });
  };
  const std::map<std::string, std::int64_t> sizes = {{"batch", 2}, {"tokens", 3}};
  const array y = evaluate(cached, {{"x", x}, {"ids", ids}, {"cos", cosine}, {"sin", sine}}, sizes);
  const array same = evaluate(halves, {{"x", x}, {"cos", picked(cosine)}, {"sin", picked(sine)}}, sizes);
  CHECK(y.elements == same.elements);
}

TEST_CASE("rotary says what does not fit") {
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {batch, 2, tokens, 8}), t = g.input("t", f32, {batch, tokens, 8});
          rotary(x, t, t);
        }) == "rotary: x is (batch,2,tokens,8), cos is (batch,tokens,8), sin is (batch,tokens,8), tables of "
              "shape (batch, tokens, dim / 2) are needed; dim is 8");
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {batch, 2, tokens, 7}), t = g.input("t", f32, {batch, tokens, 3});
          rotary(x, t, t);
        }) == "rotary: 7 features turn of x, which is (batch,2,tokens,7), an even number up to the depth is "
              "needed; give .dim");
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {batch, 2, tokens, 8}), t = g.input("t", f32, {9, 4});
          rotary(x, t, t, g.input("ids", f32, {batch, tokens}));
        }) == "rotary: x is (batch,2,tokens,8), position_ids are (batch,tokens) of f32, integers of shape "
              "(batch, tokens) are needed");
  CHECK(fault([](graph &g) {
          tensor x = g.input("x", f32, {batch, tokens, 8}), t = g.input("t", f32, {batch, tokens, 4});
          rotary(x, t, t);
        }) == "rotary: x is (batch,tokens,8), four axes (batch, heads, tokens, depth) are needed");
}
