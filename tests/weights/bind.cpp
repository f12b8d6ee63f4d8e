// Weights of a kernel from files: by name, part, stack and transpose, and every mistake at once.
#include "files.hpp"
#include "runtime/table.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::test;

namespace {

/// A kernel with weights, one file with tensors.
struct problem {
  table kernel;
  folder place;
  std::string file = place / "m.safetensors";

  number weight(const char *name, std::vector<number> extents, heed_dtype dtype = HEED_F32) {
    return kernel.argument(name, HEED_WEIGHT, std::move(extents), dtype);
  }

  result<bound_weights> bound(const std::vector<named> &tensors, const bind_options &options = {}) const {
    const auto store = load_weights({place.write("m.safetensors", safetensors(tensors))});
    REQUIRE(store.ok());
    return bind_weights(kernel.program(), *store, options);
  }

  /// The lines of the message without the first; FILE stands for the file.
  std::string mistakes(const std::vector<named> &tensors, const bind_options &options = {}) const {
    std::string text = bound(tensors, options).message();
    const std::string head = "kernel kernel: its weights can't be bound\n";
    REQUIRE(text.starts_with(head));
    text.erase(0, head.size());
    for (std::size_t at; (at = text.find(file)) != std::string::npos;)
      text.replace(at, file.size(), "FILE");
    return text;
  }
};

template <class T> std::vector<T> values_of(const heed_view &view) {
  std::int64_t count = 1;
  for (int axis = view.rank; axis-- > 0; count *= view.extents[axis])
    REQUIRE((view.extents[axis] <= 1 || view.strides[axis] == count));
  const T *const data = static_cast<const T *>(view.data);
  return {data, data + count};
}

std::vector<std::int64_t> shape_of(const heed_view &view) { return {view.extents, view.extents + view.rank}; }

named counted(const std::string &name, std::vector<std::int64_t> shape, float first = 0) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape)
    count *= extent;
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(first + static_cast<float>(i));
  return f32(name, std::move(shape), values);
}

using floats = std::vector<float>;

} // namespace

TEST_CASE("weights are found by name in any spelling, the others of the file are told") {
  problem p;
  p.kernel.input("x", {p.kernel(2)});
  p.weight("layers_3_self_attn_w_q", {p.kernel(2), p.kernel(3)});
  p.weight("bias", {p.kernel(2)});
  const auto bound = p.bound({counted("more", {1}), counted("layers.3.self_attn/w_q", {2, 3}, 10),
                              counted("bias", {2}, 20), counted("left.over", {})});
  INFO(bound.message());
  REQUIRE(bound.ok());
  REQUIRE(bound->items().size() == 2);
  CHECK(bound->items()[0].argument == 1);
  CHECK(shape_of(bound->items()[0].view) == std::vector<std::int64_t>{2, 3});
  CHECK(values_of<float>(bound->items()[0].view) == floats{10, 11, 12, 13, 14, 15});
  CHECK(values_of<float>(bound->items()[1].view) == floats{20, 21});
  CHECK(bound->unused() == std::vector<std::string>{"more", "left.over"});
}

TEST_CASE("16-bit floats and wider kernels are converted") {
  problem p;
  p.weight("half", {p.kernel(2)});
  p.weight("brain", {p.kernel(1)}, HEED_F64);
  p.weight("ids", {p.kernel(1)}, HEED_I64);
  const auto bound = p.bound({{"half", "F16", {2}, bytes_of<std::uint16_t>({0x3c00, 0xc000})},
                              {"brain", "BF16", {1}, bytes_of<std::uint16_t>({0x3fc0})},
                              {"ids", "I64", {1}, bytes_of<std::int64_t>({-5})}});
  INFO(bound.message());
  REQUIRE(bound.ok());
  CHECK(values_of<float>(bound->items()[0].view) == floats{1, -2});
  CHECK(values_of<double>(bound->items()[1].view) == std::vector<double>{1.5});
  CHECK(values_of<std::int64_t>(bound->items()[2].view) == std::vector<std::int64_t>{-5});
}

TEST_CASE("every view is aligned, whatever the file's header is") {
  for (const char *padding : {"", " ", "  ", "   ", "       "}) {
    problem p;
    p.weight("w", {p.kernel(2)});
    const std::string header =
        std::string(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})") + padding;
    const auto store =
        load_weights({p.place.write("m.safetensors", safetensors(header, bytes_of<float>({1, 2})))});
    REQUIRE(store.ok());
    const auto bound = bind_weights(p.kernel.program(), *store);
    REQUIRE(bound.ok());
    const heed_view view = bound->items()[0].view;
    CHECK(reinterpret_cast<std::uintptr_t>(view.data) % alignof(float) == 0);
    CHECK(values_of<float>(view) == floats{1, 2});
  }
}

TEST_CASE("views live as long as what was bound, without store and file") {
  problem p;
  p.weight("w", {p.kernel(2)});
  bound_weights copy;
  {
    auto bound = p.bound({counted("w", {2}, 5)});
    REQUIRE(bound.ok());
    copy = *bound;
  }
  std::filesystem::remove(p.file);
  CHECK(values_of<float>(copy.items()[0].view) == floats{5, 6});
}

TEST_CASE("a stacked projection gives its parts") {
  problem p;
  const number three = p.kernel(3), two = p.kernel(2);
  for (const char *name : {"layers_0_w_q", "layers_0_w_k", "layers_0_w_v"})
    p.weight(name, {two, three});
  p.weight("layers_0_b_k", {two});
  p.weight("layers_0_all", {p.kernel(6), three});
  const auto bound = p.bound({counted("enc.layers.0.self_attn.in_proj_weight", {6, 3}),
                              counted("enc.layers.0.self_attn.in_proj_bias", {6})},
                             {.names = {{"layers_*_w_q", "layers.*.self_attn.in_proj_weight[0 of 3]"},
                                        {"layers_*_w_k", "layers.*.self_attn.in_proj_weight [1 of 3]"},
                                        {"layers_*_w_v", "layers.*.self_attn.in_proj_weight[2 of 3]"},
                                        {"layers_*_b_k", "layers.*.self_attn.in_proj_bias[1 of 3]"},
                                        {"layers.*.all", "layers.*.self_attn.in_proj_weight"}},
                              .prefix = "enc."});
  INFO(bound.message());
  REQUIRE(bound.ok());
  CHECK(values_of<float>(bound->items()[0].view) == floats{0, 1, 2, 3, 4, 5});
  CHECK(values_of<float>(bound->items()[1].view) == floats{6, 7, 8, 9, 10, 11});
  CHECK(values_of<float>(bound->items()[2].view) == floats{12, 13, 14, 15, 16, 17});
  CHECK(values_of<float>(bound->items()[3].view) == floats{2, 3});
  CHECK(values_of<float>(bound->items()[4].view).size() == 18);
  CHECK(bound->unused().empty());
}

TEST_CASE("transposes, and parts before and after them") {
  problem p;
  p.weight("w", {p.kernel(3), p.kernel(2)});
  p.weight("part_of_transposed", {p.kernel(1), p.kernel(2)});
  p.weight("transposed_part", {p.kernel(3), p.kernel(1)});
  const auto bound = p.bound(
      {counted("w", {2, 3})},
      {.names = {{"w", "w.T"}, {"part_of_transposed", "w.T[2 of 3]"}, {"transposed_part", "w[1 of 2].T"}}});
  INFO(bound.message());
  REQUIRE(bound.ok());
  CHECK(values_of<float>(bound->items()[0].view) == floats{0, 3, 1, 4, 2, 5});
  CHECK(values_of<float>(bound->items()[1].view) == floats{2, 5});
  CHECK(values_of<float>(bound->items()[2].view) == floats{3, 4, 5});
}

TEST_CASE("layers are stacked in the order of their numbers") {
  problem p;
  p.weight("w", {p.kernel.symbol("layers"), p.kernel(1), p.kernel(2)});
  std::vector<named> tensors;
  for (const int layer : {10, 2, 9, 3, 8, 4, 7, 5, 6, 1, 0})
    tensors.push_back(
        counted("layers." + std::to_string(layer) + ".w", {2, 1}, static_cast<float>(10 * layer)));
  tensors.push_back(counted("layers.x.w", {2, 1}));
  const auto bound = p.bound(tensors, {.names = {{"w", "layers.{*}.w.T"}}});
  INFO(bound.message());
  REQUIRE(bound.ok());
  CHECK(shape_of(bound->items()[0].view) == std::vector<std::int64_t>{11, 1, 2});
  const floats values = values_of<float>(bound->items()[0].view);
  for (std::size_t layer = 0; layer < 11; ++layer)
    CHECK(values[2 * layer + 1] == static_cast<float>(10 * layer + 1));
  CHECK(bound->unused() == std::vector<std::string>{"layers.x.w"});
}

TEST_CASE("stacks with gaps, doubles and unequal shapes are refused") {
  problem p;
  p.weight("w", {p.kernel.symbol("layers"), p.kernel(2)});
  const bind_options stack{.names = {{"w", "l.{*}.w"}}, .prefix = {}};
  CHECK(p.mistakes({counted("l.0.w", {2}), counted("l.2.w", {2})}, stack) ==
        "w: 'l.{*}.w' has number 2 but not 1, numbers without gap are needed; add the missing tensor");
  CHECK(p.mistakes({counted("l.1.w", {2}), counted("l.01.w", {2})}, stack) ==
        "w: 'l.{*}.w' is both l.1.w and l.01.w, one tensor is needed for each number; rename one");
  CHECK(
      p.mistakes({counted("l.0.w", {2}), counted("l.1.w", {3})}, stack) ==
      "w: 'l.0.w' in FILE is (2), 'l.1.w' in FILE is (3) and a stack needs equal shapes; name other tensors");
  CHECK(p.mistakes({counted("l.w", {2})}, stack) == "w: no tensor is called 'l.{*}.w' with a number for {*}, "
                                                    "one for each layer is needed; did you mean 'l.w'?");
}

TEST_CASE("missing, wrong and ambiguous weights are told together") {
  problem p;
  const number d = p.kernel.symbol("d");
  p.weight("w_query", {p.kernel(2), p.kernel(2)});
  p.weight("zzzzzzzzzz", {p.kernel(2)});
  p.weight("encoder_w", {p.kernel(1)});
  p.weight("ids", {p.kernel(1)}, HEED_F32);
  p.weight("narrow", {p.kernel(1)}, HEED_F16);
  p.weight("a_b", {p.kernel(1)});
  p.weight("up", {p.kernel(6), p.kernel(2)});
  p.weight("rank", {d, d});
  CHECK(p.mistakes({counted("w.qeury", {2, 2}),
                    counted("model.encoder.w", {1}),
                    {"ids", "I64", {1}, std::string(8, '\0')},
                    counted("narrow", {1}),
                    counted("a.b", {1}),
                    counted("a/b", {1}),
                    counted("up", {2, 6}),
                    counted("rank", {2})}) ==
        "w_query: no tensor is called 'w_query', one is needed; did you mean 'w.qeury'?\n"
        "zzzzzzzzzz: no tensor is called 'zzzzzzzzzz', one is needed\n"
        "encoder_w: no tensor is called 'encoder_w', one is needed; did you mean 'model.encoder.w'?\n"
        "ids: 'ids' in FILE has type I64, f32 is needed; convert the file\n"
        "narrow: 'narrow' in FILE has type F32, f16 is needed; convert the file\n"
        "a_b: 'a_b' is both a.b and a/b, one tensor is needed; write its name with '.' and '/' in the name "
        "map\n"
        "up: 'up' is (2,6) in FILE, (6,2) is needed; transposed it would fit, write 'up = up.T' in the name "
        "map\n"
        "rank: 'rank' is (2) in FILE, (d,d) is needed; name another tensor or change the kernel");
}

TEST_CASE("weights that contradict each other about an extent are told with both sides") {
  problem p;
  const number d = p.kernel.symbol("d"), twice = p.kernel.extent(2, 1, {{0, 1}});
  p.weight("first", {d, d});
  p.weight("second", {d});
  p.weight("doubled", {twice, d});
  CHECK(p.bound({counted("first", {3, 3}), counted("second", {3}), counted("doubled", {6, 3})}).ok());
  CHECK(
      p.mistakes({counted("first", {3, 3}), counted("second", {4}), counted("doubled", {5, 3})}) ==
      "second: 'second' is (4) in FILE, (d) is needed as d is 3 in first; name another tensor or change the "
      "kernel\n"
      "doubled: 'doubled' is (5,3) in FILE, (2*d,d) is needed as d is 3 in first; name another tensor or "
      "change "
      "the kernel");
  CHECK(p.mistakes({counted("first", {4, 4}), counted("second", {4}), counted("doubled", {4, 8})}) ==
        "doubled: 'doubled' is (4,8) in FILE, (2*d,d) is needed as d is 4 in first; transposed it would fit, "
        "write "
        "'doubled = doubled.T' in the name map");
}

TEST_CASE("the weight that is outvoted is the wrong one, even when it comes first") {
  problem p;
  const number d = p.kernel.symbol("d"), f = p.kernel.symbol("f");
  p.weight("up", {f, d});
  p.weight("gate", {f, d});
  p.weight("down", {d, f});
  CHECK(p.mistakes({counted("up", {2, 6}), counted("gate", {6, 2}), counted("down", {2, 6})}) ==
        "up: 'up' is (2,6) in FILE, (f,d) is needed as f is 6 in gate and d is 2 in gate; transposed it "
        "would fit, "
        "write 'up = up.T' in the name map");
}

TEST_CASE("remarks name the file's tensor, with what the map does to it and without the prefix") {
  problem p;
  p.weight("a_b", {p.kernel(2), p.kernel(3)});
  CHECK(p.mistakes({counted("m/a.b", {3, 2})}, {.names = {}, .prefix = "m/"}) ==
        "a_b: 'm/a.b' is (3,2) in FILE, (2,3) is needed; transposed it would fit, write 'a_b = a.b.T' in the "
        "name map");
  CHECK(p.mistakes({counted("x", {6, 2})}, {.names = {{"a_b", "x[0 of 2]"}}}) ==
        "a_b: 'x[0 of 2]' is (3,2) in FILE, (2,3) is needed; transposed it would fit, write 'a_b = x[0 of "
        "2].T' in the "
        "name map");
}

TEST_CASE("an extent that only derived axes have is derived from them") {
  problem p;
  p.kernel.symbol("d");
  p.weight("a", {p.kernel.extent(2, 1, {{0, 1}})});
  p.weight("b", {p.kernel.extent(1, 3, {{0, 1}})});
  CHECK(p.bound({counted("a", {12}), counted("b", {2})}).ok());
  CHECK(p.mistakes({counted("a", {12}), counted("b", {3})}) ==
        "b: 'b' is (3) in FILE, (d/3) is needed as d is 6 in a; name another tensor or change the kernel");
}

TEST_CASE("parts and transposes that a shape does not have are refused") {
  problem p;
  p.weight("a", {p.kernel(2)});
  p.weight("b", {p.kernel(2)});
  CHECK(p.mistakes({counted("x", {5})}, {.names = {{"a", "x[0 of 3]"}, {"b", "x.T"}}}) ==
        "a: 'x' in FILE: it is (5), axis 0 must be a multiple of 3 for [0 of 3]\n"
        "b: 'x' in FILE: it is (5), two axes are needed for .T");
}

TEST_CASE("wrong entries of a map in the program are told before anything else") {
  problem p;
  p.weight("a", {p.kernel(2)});
  CHECK(p.mistakes({}, {.names = {{"a", "x[2]"}, {"", "y"}}}) ==
        "name map: 'x[2]' ends in a part that is not understood, [i of n] with i below n is needed; write "
        "NAME[0 of "
        "3]\n"
        "name map: the kernel's name is empty, a weight's name is needed; write kernel_name = file.name");
}

TEST_CASE("the first entry that matches counts, stars stand for the shortest stretches") {
  problem p;
  p.weight("a_1_2_w", {p.kernel(1)});
  const std::vector<named> tensors = {counted("x.1.y.2_w", {1}, 7), counted("other", {1}, 8)};
  const auto first_value = [&](const bind_options &options) {
    const auto bound = p.bound(tensors, options);
    INFO(bound.message());
    REQUIRE(bound.ok());
    return values_of<float>(bound->items()[0].view)[0];
  };
  CHECK(first_value({.names = {{"a_*_*", "x.*.y.*"}}}) == 7);
  CHECK(first_value({.names = {{"b*", "none"}, {"a_1_2_w", "other"}, {"*", "x.1.y.2_w"}}}) == 8);
  CHECK(first_value({.names = {{"a_1_2_wx", "none"}, {"*_w", "other"}}}) == 8);
}

TEST_CASE("a table of another version is refused") {
  problem p;
  heed_program program = p.kernel.program();
  program.version = HEED_ABI_VERSION + 1;
  CHECK(std::string(bind_weights(program, {}).message()) ==
        "kernel: its table has version " + std::to_string(HEED_ABI_VERSION + 1) + ", " +
            std::to_string(HEED_ABI_VERSION) + " is needed; compile it anew with this heed");
}
