// Data that no spec of this version would hold: each is a sentence at the spec's line, and nothing is read.
#include "Support.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed::spec;
using Catch::Matchers::Contains;

namespace {

/// y = softmax(mask(x, k <= q)), to be broken by each test.
struct Data {
  const char *symbols[1] = {"n"};
  extent extents[2] = {{1, 1, 1, {{0, 1}}}, {2, 1, 0, {}}};
  node nodes[3] = {};
  instruction instructions[3] = {};
  output outputs[1] = {{"y", 2, 5}};
  graph kernel;

  Data() {
    for (node &n : nodes) {
      n.rank = 4;
      n.shape[0] = n.shape[1] = 1;
      n.shape[2] = n.shape[3] = 0;
    }
    nodes[0].kind = op::input;
    nodes[0].name = "x";
    nodes[0].line = 3;
    nodes[1].kind = op::mask;
    nodes[1].operand_count = 1;
    nodes[1].program = 2;
    nodes[1].line = 4;
    nodes[2].kind = op::softmax;
    nodes[2].operand_count = 1;
    nodes[2].operands[0] = 1;
    nodes[2].line = 5;
    instructions[0].kind = instructions[1].kind = scalar_op::position;
    instructions[0].reference = 3;
    instructions[1].reference = 2;
    instructions[2].kind = scalar_op::less_equal;
    instructions[2].type = scalar_type::truth;
    instructions[2].operand_count = 2;
    instructions[2].operands[1] = 1;
    kernel.name = "broken";
    kernel.file = "spec.cpp";
    kernel.line = 2;
    kernel.symbol_count = 1;
    kernel.extent_count = 2;
    kernel.node_count = 3;
    kernel.instruction_count = 3;
    kernel.output_count = 1;
    kernel.symbols = symbols;
    kernel.extents = extents;
    kernel.nodes = nodes;
    kernel.instructions = instructions;
    kernel.outputs = outputs;
  }
};

template <typename Break> void check(Break break_, const char *sentence) {
  Data data;
  break_(data);
  Imported result = import(data.kernel);
  CHECK_FALSE(result.succeeded);
  CHECK(result.errors == std::string(sentence) + "\n");
  CHECK_THAT(result.text, !Contains("heed.kernel"));
}

} // namespace

TEST_CASE("the data as written are read") {
  Data data;
  Imported result = import(data.kernel);
  CHECK(result.errors == "");
  CHECK(result.succeeded);
}

TEST_CASE("the head of a graph is checked") {
  check([](Data &d) { d.kernel.version = 77; }, "spec.cpp:2: graph: the data have version 77, needed 4; "
                                                "rebuild the spec with the headers of this heed");
  check([](Data &d) { d.kernel.name = nullptr; }, "spec.cpp:2: graph: the kernel has no name, needed one");
  check([](Data &d) { d.kernel.nodes = nullptr; },
        "spec.cpp:2: graph: 3 nodes at a null pointer, needed a count of at least 0 and their data");
  check([](Data &d) { d.kernel.extent_count = -1; },
        "spec.cpp:2: graph: -1 extents, needed a count of at least 0 and their data");
  check([](Data &d) { d.symbols[0] = nullptr; }, "spec.cpp:2: graph: symbol 0 has no name, needed one");
}

TEST_CASE("extents are checked") {
  check([](Data &d) { d.extents[1].denominator = 0; },
        "spec.cpp:2: graph: extent 1 is 2/0, needed a numerator of at least 0 and a positive denominator");
  check([](Data &d) { d.extents[0].factor_count = 5; },
        "spec.cpp:2: graph: extent 0 has 5 factors, needed 0 to 4");
  check([](Data &d) { d.extents[0].factors[0].symbol = 1; },
        "spec.cpp:2: graph: a symbol of an extent is 1, needed 0 to 0");
}

TEST_CASE("nodes are checked") {
  check([](Data &d) { d.nodes[2].kind = op(99); },
        "spec.cpp:5: graph: node 2 has kind 99 and type 5, needed ones of this version");
  check([](Data &d) { d.nodes[2].rank = 7; }, "spec.cpp:5: graph: node 2 has 7 axes, needed at most 6");
  check([](Data &d) { d.nodes[2].operand_count = 3; },
        "spec.cpp:5: graph: node 2 has 3 operands, needed 1 to 2");
  check([](Data &d) { d.nodes[2].kind = op::dropout; },
        "spec.cpp:5: graph: node 2 has 1 operands, needed 3 to 3");
  check([](Data &d) { d.nodes[2].kind = op::append_axis, d.nodes[2].operand_count = 2; },
        "spec.cpp:5: graph: node 2 has 2 operands, needed 1 to 1");
  check([](Data &d) { d.nodes[2].kind = op::tabulate, d.nodes[2].operand_count = 9; },
        "spec.cpp:5: graph: node 2 has 9 operands, needed 0 to 8");
  check([](Data &d) { d.nodes[2].kind = op::rms_norm, d.nodes[2].operand_count = 3; },
        "spec.cpp:5: graph: node 2 has 3 operands, needed 1 to 2");
  check([](Data &d) { d.nodes[2].kind = op::amax, d.nodes[2].operand_count = 2; },
        "spec.cpp:5: graph: node 2 has 2 operands, needed 1 to 1");
  check([](Data &d) { d.nodes[2].kind = op::slice, d.nodes[2].start = 2; },
        "spec.cpp:5: graph: the start of a slice is 2, needed 0 to 1");
  check([](Data &d) { d.nodes[2].shape[3] = -1; },
        "spec.cpp:5: graph: an extent of a node is -1, needed 0 to 1");
  check([](Data &d) { d.nodes[1].operands[0] = 1; },
        "spec.cpp:4: graph: an operand of a node is 1, needed 0 to 0");
  check([](Data &d) { d.nodes[0].name = nullptr; }, "spec.cpp:3: graph: an argument has no name, needed one");
}

TEST_CASE("a state is the cache of an append, whose position is an argument") {
  check([](Data &d) { d.nodes[0].kind = op::state; },
        "spec.cpp:4: graph: a state is read by another operation than append, needed append of a state");
  check([](Data &d) { d.nodes[2].kind = op::append, d.nodes[2].operand_count = 3; },
        "spec.cpp:5: graph: append has a cache that is no state, needed append of a state");
  check(
      [](Data &d) {
        d.nodes[0].kind = op::state;
        d.nodes[1].kind = op::input;
        d.nodes[1].name = "rows";
        d.nodes[1].operand_count = 0;
        d.nodes[2].kind = op::append;
        d.nodes[2].operand_count = 3;
        d.nodes[2].operands[0] = 0;
        d.nodes[2].operands[1] = d.nodes[2].operands[2] = 1;
      },
      "spec.cpp:5: graph: append has a position that is no scalar argument, needed one");
}

TEST_CASE("instructions are checked") {
  check([](Data &d) { d.instructions[2].kind = scalar_op(200); },
        "spec.cpp:2: graph: instruction 2 has kind 200 and type 2, needed ones of this version");
  check([](Data &d) { d.instructions[2].operand_count = 1; },
        "spec.cpp:2: graph: instruction 2 has 1 operands, needed 2 to 2");
  check([](Data &d) { d.instructions[2].operands[1] = 2; },
        "spec.cpp:2: graph: an operand of an instruction is 2, needed 0 to 1");
  check(
      [](Data &d) {
        d.instructions[1].kind = scalar_op::extent;
        d.instructions[1].reference = 2;
      },
      "spec.cpp:2: graph: the extent of an instruction is 2, needed 0 to 1");
  check(
      [](Data &d) {
        d.instructions[1].kind = scalar_op::number;
        d.instructions[1].number = 1e19;
      },
      "spec.cpp:2: graph: instruction 1 is the integer 1.000000e+19, needed a whole number of 64 bits");
  check(
      [](Data &d) {
        d.nodes[0].kind = op::constant;
        d.nodes[0].type = dtype::i32;
        d.nodes[0].value = std::nan("");
      },
      "spec.cpp:3: graph: a constant is the integer nan, needed a whole number of 64 bits");
}

TEST_CASE("what a program refers to is checked for its node") {
  check([](Data &d) { d.nodes[1].program = 3; },
        "spec.cpp:4: graph: the program of a node is 3, needed 0 to 2");
  check([](Data &d) { d.instructions[0].reference = 4; },
        "spec.cpp:4: graph: the axis of a position is 4, needed 0 to 3");
  check([](Data &d) { d.instructions[0].reference = -1; },
        "spec.cpp:4: graph: the axis of a position is -1, needed 0 to 3");
  check(
      [](Data &d) {
        d.nodes[1].kind = op::tabulate;
        d.nodes[1].operand_count = 0;
        d.nodes[1].rank = 3;
      },
      "spec.cpp:4: graph: the axis of a position is 3, needed 0 to 2");
  check(
      [](Data &d) {
        d.instructions[1].kind = scalar_op::element;
        d.instructions[1].reference = 1;
      },
      "spec.cpp:4: graph: an element of operand 1 is read, needed 1 to 0");
  check(
      [](Data &d) {
        d.nodes[1].kind = op::tabulate;
        d.instructions[1].kind = scalar_op::element;
        d.instructions[1].reference = 0;
      },
      "spec.cpp:4: graph: an element of 4 axes has 0 indices, needed one per axis");
  check([](Data &d) { d.instructions[1].kind = scalar_op::score; },
        "spec.cpp:4: graph: mask reads a score, needed only positions; use score_mod");
  check([](Data &d) { d.nodes[1].kind = op::tabulate, d.instructions[1].kind = scalar_op::score; },
        "spec.cpp:4: graph: tabulate reads a score, needed only positions; use score_mod");
}

TEST_CASE("outputs are checked") {
  check([](Data &d) { d.outputs[0].name = nullptr; }, "spec.cpp:5: graph: an output has no name, needed one");
  check([](Data &d) { d.outputs[0].node = 3; },
        "spec.cpp:5: graph: the node of an output is 3, needed 0 to 2");
  check([](Data &d) { d.kernel.output_count = 0; },
        "spec.cpp:2: kernel: broken has no output, needed at least one");
}

TEST_CASE("shapes that don't follow from the operands are errors at their line") {
  check([](Data &d) { d.nodes[2].shape[3] = 1; }, "spec.cpp:5: softmax: result is '!heed.tensor<[2, 2, n, "
                                                  "2], f32>', needed '!heed.tensor<[2, 2, n, n], f32>'");
  check([](Data &d) { d.nodes[2].kind = op::split_heads, d.nodes[2].rank = 3; },
        "spec.cpp:5: split_heads: result is (2, 2, n), needed four axes");
}
