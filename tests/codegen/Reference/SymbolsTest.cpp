// Symbolic extents: as text, as numbers, and bound from the shapes of arguments.
#include "Support.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using reference::Shape;
using reference::SymbolValues;

namespace {

constexpr extent m{"m"}, n{"n"};

constexpr kernel pair{"pair", [](graph &g) {
                        tensor a = g.input("a", f32, {m, n}), b = g.input("b", f32, {2 * m, n / 4});
                        g.output("y", transpose(a));
                        g.output("z", b);
                      }};

std::string bind(std::vector<Shape> shapes, SymbolValues *values = nullptr) {
  SymbolValues found(2, -1);
  std::string errors = reference::bindSymbols(pair, shapes, found);
  if (values)
    *values = found;
  return errors;
}

} // namespace

TEST_CASE("symbols are bound from shapes") {
  SymbolValues values;
  CHECK(bind({{3, 8}, {6, 2}}, &values).empty());
  CHECK(values == SymbolValues{3, 8});
  CHECK(bind({{0, 0}, {0, 0}}).empty());
}

TEST_CASE("extents are printed as the spec writes them") {
  CHECK(reference::shapeText(pair, pair.nodes[0]) == "(m, n)");
  CHECK(reference::shapeText(pair, pair.nodes[1]) == "(2*m, n/4)");
  CHECK(reference::shapeText(Shape{3, 5}) == "(3, 5)");
}

TEST_CASE("shapes that do not fit are named, all at once") {
  CHECK(bind({{3, 8}, {5, 3}}) == "b axis 0: has extent 5, needs 2*m = 6 (m = 3 from a axis 0)\n"
                                  "b axis 1: has extent 3, needs n/4 = 2 (n = 8 from a axis 1)\n");
  CHECK(bind({{3}, {6, 2}}) == "a: has shape (3), needs (m, n)\n");
  CHECK(bind({{3, 8}}) == "arguments: 1 given, 2 needed\n");
  CHECK(bind({{3, 7}, {6, 1}}) == "b axis 1: has extent 1, needs n/4 (n = 7 from a axis 1)\n");
}

TEST_CASE("an evaluation with wrong shapes returns the errors") {
  std::vector<reference::Tensor> arguments = {reference::zeros({3, 8}), reference::zeros({6, 1})};
  CHECK(reference::evaluate(pair, arguments).error ==
        "b axis 1: has extent 1, needs n/4 = 2 (n = 8 from a axis 1)\n");
}
