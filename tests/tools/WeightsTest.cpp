// heed run and heed verify with weights from files.
#include "Session.h"
#include "weights/files.hpp"

#include <catch2/catch.hpp>

using namespace heed::tools;
using Catch::Matchers::Contains;
using heed::test::f32;
using heed::test::npy_f32;
using heed::test::safetensors;

namespace {

const char *const layersSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent rows{"rows"};
constexpr kernel twice{"twice", [](graph &g) {
  tensor x = g.input("x", f32, {rows, 2});
  x = linear(x, g.weight("layers_0_w", f32, {3, 2}), g.weight("layers_0_b", f32, {3}));
  g.output("y", linear(x, g.weight("layers_1_w", f32, {1, 3})));
}};
HEED_EXPORT(twice);
)";

/// x = (1, 2): layer 0 gives (1, 2, 3) + (10, 20, 30), layer 1 their sum.
const std::vector<heed::test::named> layers = {f32("layers.0.w", {3, 2}, {1, 0, 0, 1, 1, 1}),
                                               f32("layers.0.b", {3}, {10, 20, 30}),
                                               f32("layers.1.w", {1, 3}, {1, 1, 1}), f32("head", {1}, {7})};

} // namespace

TEST_CASE("run takes weights from a file, by name") {
  Session session(layersSpec);
  session.write("m.safetensors", safetensors(layers));
  Result result = session.run("run spec.cpp --in x=1,2 --weights m.safetensors");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("y: f32 (1, 1)  66"));
}

TEST_CASE("what is given by --in is not looked for in the files") {
  Session session(layersSpec);
  session.write("m.safetensors", safetensors({layers[0], layers[2]}));
  Result result = session.run("run spec.cpp --in x=1,2 --in layers_0_b=0,0,0 --weights m.safetensors");
  INFO(result.err);
  CHECK_THAT(result.out, Contains("y: f32 (1, 1)  6"));
}

TEST_CASE("several files, a folder, a name map and a prefix") {
  Session session(layersSpec);
  session.write("first.safetensors", safetensors({f32("model.block.0.kernel", {2, 3}, {1, 0, 1, 0, 1, 1}),
                                                  f32("model.bias", {6}, {0, 0, 0, 10, 20, 30})}));
  fs::create_directory(session.file("more"));
  session.write("more/model.layers.1.w.npy", npy_f32({1, 3}, {1, 1, 1}));
  session.write("names.txt", "layers_0_w = block.0.kernel.T  # (in, out)\nlayers_*_b = bias[1 of 2]\n");
  Result result =
      session.run("run spec.cpp --in x=1,2 --weights first.safetensors,more --map names.txt --prefix model.");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("y: f32 (1, 1)  66"));
}

TEST_CASE("everything that is wrong with weights is told with the other mistakes") {
  Session session(layersSpec);
  session.write("m.safetensors", safetensors({f32("layers.0.w", {2, 3}, {1, 2, 3, 4, 5, 6}),
                                              f32("layers.0.bias", {3}, {1, 2, 3}),
                                              {"layers.1.w", "I32", {1, 3}, std::string(12, '\0')}}));
  Result result = session.run("run spec.cpp --weights m.safetensors");
  CHECK(result.status == 1);
  CHECK_THAT(result.err,
             Contains("kernel twice can't be called") && Contains("x: no file given") &&
                 Contains("layers_0_b: no tensor is called 'layers_0_b', one is needed; did you mean "
                          "'layers.0.bias'?") &&
                 Contains("layers_0_w: 'layers.0.w' is (2,3) in m.safetensors, (3,2) is needed; "
                          "transposed it would fit, write 'layers_0_w = layers.0.w.T' in the name map") &&
                 Contains("layers_1_w: 'layers.1.w' in m.safetensors has type I32, f32 is needed"));
  CHECK(result.err.find("layers_0_w: no file given") == std::string::npos);

  session.write("names.txt", "layers_0_w\n");
  result = session.run("run spec.cpp --in x=1,2 --weights none.safetensors --map names.txt");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("none.safetensors: can't be read: No such file or directory\n") &&
                             Contains("names.txt:1: the name in the files is empty"));
}

TEST_CASE("verify takes trained weights and draws the rest") {
  Session session(layersSpec);
  session.write("m.safetensors", safetensors(layers));
  Result result = session.run("verify spec.cpp --weights m.safetensors --random 2");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("twice: 2 cases agree"));
  session.write("m.safetensors", safetensors({layers[0]}));
  CHECK_THAT(session.run("verify spec.cpp --weights m.safetensors").err,
             Contains("layers_1_w: no tensor is called 'layers_1_w'"));
}
