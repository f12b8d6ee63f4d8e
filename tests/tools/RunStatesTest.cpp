// heed run, verify, bench and explain with a kernel that changes a state.
#include "Arrays/Npy.h"
#include "Session.h"

#include <catch2/catch.hpp>

using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

/// One query that sees the keys up to its position in a cache of 4096.
const char *const decodeSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent batch{"batch"}, n{"n"};
constexpr kernel decode{"decode", [](graph &g) {
  tensor q = g.input("q", f32, {batch, 2, n, 16}), k = g.input("k", f32, {batch, 2, n, 16});
  tensor v = g.input("v", f32, {batch, 2, n, 16}), position = g.scalar("position", i32);
  tensor keys = append(g.state("k_cache", f32, {batch, 2, 4096, 16}), k, position, 2);
  tensor values = append(g.state("v_cache", f32, {batch, 2, 4096, 16}), v, position, 2);
  auto seen = [=](index, index, index q, index k) { return k <= q + position(); };
  g.output("y", matmul(softmax(mask(matmul(q, transpose(keys)) * 0.25, seen)), values));
}};
constexpr kernel history{"history", [](graph &g) {
  append(g.state("log", f32, {4}), g.input("x", f32, {n}), g.scalar("at", i64), 0);
  g.output("last", g.input("y", f32, {n}) * 1.0);
}};
HEED_EXPORT(decode);
HEED_EXPORT(history);
)";

HostTensor numbers(const std::vector<double> &values) {
  HostTensor tensor = HostTensor::zeros(heed::spec::dtype::f32, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<std::int64_t>(i), values[i]);
  return tensor;
}

} // namespace

TEST_CASE("run takes a state and hands back what the call leaves in it") {
  Session session(decodeSpec);
  writeNpy(session.file("before.npy"), numbers({1, 2, 3, 4}));
  std::string call = "run spec.cpp -k history --in x=7,8 --in y=0,0 --in log=before.npy --in at=";
  Result result = session.run(call + "1");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("log: f32 (4)  1 7 8 4"));
  CHECK(session.run(call + "2 --out log=after.npy").status == 0);
  CHECK(readNpy(session.file("after.npy")).bytes == numbers({1, 2, 7, 8}).bytes);
  result = session.run(call + "3");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("at: it is 3, at most 2 is needed for rows 2 of 4; pass a position that "
                                  "leaves room"));
}

TEST_CASE("explain says where rows may go and which keys a query sees") {
  Session session(decodeSpec);
  Result result = session.run("explain spec.cpp -k decode --size batch=1 --size n=1");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("0 <= position <= 4096 - n = 4095"));
  CHECK_THAT(result.out, Contains("visit keys [0, min(4096, q1 + capture0[] + 1))"));
  CHECK_THAT(result.out, Contains("decode.attention part"));
}

TEST_CASE("bench fills states") {
  Session session(decodeSpec);
  Result result = session.run("bench spec.cpp --size batch=1 --size n=1 --threads 1 --repeats 3");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("decode ") && Contains("history "));
}
