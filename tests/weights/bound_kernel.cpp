// Kernels called by the names of their arguments.
#include "files.hpp"
#include "runtime/table.hpp"
#include "runtime/tile_functions.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

namespace {

/// out = x + w; with scalars that it does not read.
struct adding_kernel {
  table kernel;
  folder place;

  adding_kernel() {
    const number n = kernel.symbol("n");
    const number x = kernel.input("x", {n});
    const number w = kernel.argument("w", HEED_WEIGHT, {n});
    kernel.scalar("position", HEED_I32);
    kernel.scalar("factor", HEED_F32);
    const number y = kernel.output("y", {n});
    kernel.step({table::launch{
        sum, {}, {operand(x, 1, {axis(n, 0)}), operand(w, 1, {axis(n, 0)}), written(y, 1, {axis(n, 0)})}}});
  }

  result<bound_kernel> bound(const heed_program &program) const {
    const auto store = load_weights({place.write("w.npy", npy_f32({3}, {10, 20, 30}))});
    REQUIRE(store.ok());
    return bind_kernel(program, *store);
  }
};

std::string message_of(bound_kernel &kernel) { return kernel.call().message(); }

} // namespace

TEST_CASE("a bound kernel computes with its weights, again and again") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  auto add = k.bound(program);
  INFO(add.message());
  REQUIRE(add.ok());
  const float x[] = {1, 2, 3}, more[] = {4, 5, 6};
  guarded y(3);
  add->set("x", view{x, {3}}).set("position", 3).set("factor", 0.5).set("y", view{y.data(), {3}});
  const status first = add->call({.threads = 1});
  INFO(first.message());
  REQUIRE(first.ok());
  CHECK(std::vector(y.data(), y.data() + 3) == std::vector<float>{11, 22, 33});
  add->set("x", view{more, {3}});
  REQUIRE(add->call().ok());
  CHECK(std::vector(y.data(), y.data() + 3) == std::vector<float>{14, 25, 36});
}

TEST_CASE("a copy has arguments of its own") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  auto first = k.bound(program);
  REQUIRE(first.ok());
  const float x[] = {1, 2, 3}, more[] = {4, 5, 6};
  guarded y(3), z(3);
  first->set("x", view{x, {3}}).set("position", 0).set("factor", 1).set("y", view{y.data(), {3}});
  bound_kernel second = *first;
  second.set("x", view{more, {3}}).set("y", view{z.data(), {3}});
  REQUIRE(second.call().ok());
  REQUIRE(first->call().ok());
  CHECK(y.data()[0] == 11);
  CHECK(z.data()[0] == 14);
}

TEST_CASE("what is not set is listed, once it is set the call runs") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  auto add = k.bound(program);
  REQUIRE(add.ok());
  CHECK(message_of(*add) ==
        "kernel: not set: x, position, factor, y, every argument is needed; call set(name, view or "
        "number) before call");
  const float x[] = {1, 2, 3};
  add->set("x", view{x, {3}}).set("factor", 2);
  CHECK(message_of(*add) ==
        "kernel: not set: position, y, every argument is needed; call set(name, view or number) before call");
}

TEST_CASE("long lists of what is not set are cut") {
  table kernel;
  const std::vector<std::string> names(30, "argument_with_a_name");
  for (const std::string &name : names)
    kernel.input(name.c_str(), {kernel(1)});
  const heed_program program = kernel.program();
  auto bound = bind_kernel(program, {});
  REQUIRE(bound.ok());
  const std::string message = message_of(*bound);
  CHECK(message.find("...,") != std::string::npos);
  CHECK(message.ends_with("before call"));
}

TEST_CASE("wrong sets are told by the next call, the first of them") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  auto add = k.bound(program);
  REQUIRE(add.ok());
  const float x[] = {1, 2, 3};
  guarded y(3);
  add->set("x", view{x, {3}}).set("position", 7).set("factor", 1).set("y", view{y.data(), {3}});

  add->set("xx", view{x, {3}}).set("position", 0.5);
  CHECK(
      message_of(*add) ==
      "xx: kernel has no argument of this name, one of its own is needed; pass a name that its header lists");
  add->set("position", 0.5);
  CHECK(message_of(*add) == "position: the number is 0.5, an integer is needed for i32; pass one");
  add->set("position", std::int64_t{1} << 40);
  CHECK(message_of(*add) ==
        "position: the number is 1099511627776, one that i32 holds exactly is needed; pass another");
  add->set("factor", 16777217);
  CHECK(message_of(*add) ==
        "factor: the number is 16777217, one that f32 holds exactly is needed; pass another");
  add->set("x", 3);
  CHECK(message_of(*add) ==
        "x: a number was set, a view is needed; write set(\"x\", heed::view{data, extents})");
  add->set("position", view{x, {3}});
  CHECK(message_of(*add) == "position: a view was set, a number is needed; write set(\"position\", number)");
  CHECK(add->call().ok());
}

TEST_CASE("the kernel's own sentences come through") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  auto add = k.bound(program);
  REQUIRE(add.ok());
  const float x[] = {1, 2};
  guarded y(3);
  add->set("x", view{x, {2}}).set("position", 0).set("factor", 1).set("y", view{y.data(), {3}});
  CHECK(message_of(*add).starts_with("w: axis 0 (n) is 3, x says n is 2"));
}

TEST_CASE("a kernel without its weights is none") {
  const adding_kernel k;
  const heed_program program = k.kernel.program();
  const auto add = bind_kernel(program, {});
  CHECK(std::string(add.message()) ==
        "kernel kernel: its weights can't be bound\nw: no tensor is called 'w', one is needed");
}
