#include "RandomKernel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heed::tests {

namespace {

using detail::operand;

Sizes drawSizes(Dice &dice) {
  Sizes sizes;
  sizes.batch = dice.pick({1, 2, 2, 3});
  sizes.keyHeads = dice.pick({1, 1, 2, 3});
  sizes.heads = sizes.keyHeads * dice.pick({1, 1, 1, 2, 3});
  sizes.queries = dice.chance(0.25) ? dice.between(1, 4) : dice.between(1, 150);
  sizes.keys = dice.chance(0.1) ? dice.between(1, 3) : dice.between(1, 200);
  sizes.depth = dice.chance(0.3) ? dice.pick({8, 16, 32, 64}) : dice.between(1, 80);
  sizes.valueDepth = dice.chance(0.6) ? sizes.depth : dice.between(1, 80);
  // The evaluator visits every pair.
  constexpr int64_t mostPairs = 24000;
  while (sizes.batch * sizes.heads * sizes.queries * sizes.keys > mostPairs)
    (sizes.queries > sizes.keys ? sizes.queries : sizes.keys) /= 2;
  return sizes;
}

class KernelWriter {
public:
  KernelWriter(Dice &dice, RandomKernel &made) : dice(dice), made(made), sizes(made.sizes) {}

  void write(graph &graph) {
    g = &graph;
    type = dice.pick({f32, f32, f32, f32, f32, bf16, bf16, f16, f16, f64});
    mixes = dice.chance(0.3);
    chooseExtents();
    tensor raw[] = {tokens(0, heads, queries, depth), tokens(1, keyHeads, keys, depth),
                    tokens(2, keyHeads, keys, valueDepth)};
    tensor q = normed(view(0, raw[0], heads)), own = view(1, raw[1], keyHeads), k = normed(own);
    tensor v = view(2, raw[2], keyHeads);
    made.hasNormedKeys = k.node() != own.node();
    for (int64_t count = dice.between(0, 4); count > 0; --count)
      addTable();
    scores = product(q, k);
    tensor before = scores;
    for (int64_t steps = dice.between(0, 4); steps > 0; --steps)
      changeScores();
    made.scores = scores.node();
    tensor weights = normalized();
    tensor dropped = !mayBeNan && dice.chance(0.2) ? dropOut(weights) : weights;
    output(before, weights, dropped, activated(matmul(dropped, share(v))));
  }

private:
  /// A number in the kernel, or a symbol that the call binds.
  extent maybeSymbol(const char *symbol, int64_t size, double chance) {
    return dice.chance(chance) || size == 0 ? extent(symbol) : extent(size);
  }

  /// The type of one more floating argument.
  dtype floating() { return mixes && type != f64 ? dice.pick({f32, bf16, f16}) : type; }

  void chooseExtents() {
    if (dice.chance(0.04))
      sizes.keys = 0;
    batch = maybeSymbol("batch", sizes.batch, 0.5);
    keyHeads = sizes.keyHeads;
    heads = sizes.heads;
    queries = maybeSymbol("queries", sizes.queries, 0.1);
    keys = maybeSymbol("keys", sizes.keys, 0.4);
    depth = maybeSymbol("depth", sizes.depth, 0.1);
    valueDepth = maybeSymbol("width", sizes.valueDepth, 0.1);
  }

  tensor argument(Argument argument, std::initializer_list<extent> extents) {
    name called("x", int(made.arguments.size()));
    made.arguments.push_back(argument);
    if (extents.size() == 0)
      return g->scalar(called, argument.type);
    return argument.isState ? g->state(called, argument.type, extents)
                            : g->input(called, argument.type, extents);
  }

  /// The argument of q, k or v, which may be a state. One that has no keys can't be appended to.
  tensor tokens(int operand, const extent &h, const extent &s, const extent &d) {
    TokenLayout &layout = made.layouts[operand] = TokenLayout(dice, h.number(), sizeOf(s), sizeOf(d), d);
    bool isState = operand > 0 && sizes.keys > 0 && dice.chance(0.15);
    return argumentOf({floating(), layout.shape(sizes.batch, sizeOf(s)), Content::numbers, 0, isState},
                      layout.extents(batch, h, s));
  }

  /// (b, h, s, d), of a state with new rows.
  tensor view(int operand, tensor raw, const extent &h) {
    const TokenLayout &layout = made.layouts[operand];
    if (made.arguments[operand].isState) {
      int64_t rows = dice.between(1, std::min<int64_t>(sizes.keys, dice.pick({1, 3, 200})));
      tensor fresh =
          argumentOf({floating(), layout.shape(sizes.batch, rows)}, layout.extents(batch, h, rows));
      tensor position = argument({dice.pick({i32, i64}), {}, Content::position, sizes.keys - rows}, {});
      raw = append(raw, fresh, position, layout.tokenAxis());
    }
    return layout.view(raw, h);
  }

  tensor normed(const tensor &x) {
    switch (dice.between(0, 15)) {
    case 0:
      return rms_norm(x);
    case 1:
      return layer_norm(x, 1e-3);
    case 2:
      return rms_norm(x, argumentOf({floating(), {sizes.depth}}, {depth}));
    default:
      return x;
    }
  }

  /// What follows an attention element by element.
  tensor activated(const tensor &x) {
    switch (dice.between(0, 19)) {
    case 0:
      return relu(x);
    case 1:
      return gelu(x);
    case 2:
      return gelu_tanh(x);
    case 3:
      return silu(x);
    default:
      return x;
    }
  }

  int64_t sizeOf(const extent &of) {
    if (of.is_number())
      return of.number();
    std::string_view symbol = of.at(0).symbol;
    return symbol == "batch"     ? sizes.batch
           : symbol == "queries" ? sizes.queries
           : symbol == "keys"    ? sizes.keys
           : symbol == "depth"   ? sizes.depth
                                 : sizes.valueDepth;
  }

  /// A tensor along some axes of the scores, 1 along others or without leading ones, or a free table.
  struct Drawn {
    std::vector<Axis> axes;
    tools::Shape shape;
    tensor elements;
  };
  tensor argumentOf(Argument made, const std::vector<extent> &e) {
    switch (e.size()) {
    case 0:
      return argument(made, {});
    case 1:
      return argument(made, {e[0]});
    case 2:
      return argument(made, {e[0], e[1]});
    case 3:
      return argument(made, {e[0], e[1], e[2]});
    default:
      return argument(made, {e[0], e[1], e[2], e[3]});
    }
  }

  /// Broadcasts to the scores.
  tensor broadcastArgument(spec::dtype element, Content content) {
    const extent axes[] = {batch, heads, queries, keys};
    std::vector<extent> extents;
    Argument made{element, {}, content, sizes.keys};
    for (int64_t axis = dice.pick({0, 0, 0, 1, 2, 3}); axis < 4; ++axis) {
      extents.push_back(dice.chance(0.35) ? extent(1) : axes[axis]);
      made.shape.push_back(sizeOf(extents.back()));
    }
    return argumentOf(made, extents);
  }

  void addTable() {
    const extent axes[] = {batch, heads, queries, keys};
    Table table;
    std::vector<extent> extents;
    Argument made;
    for (Axis axis : {Axis::batch, Axis::head, Axis::query, Axis::key})
      if (dice.chance(0.3) && extents.size() < 3) {
        table.axes.push_back(axis);
        extents.push_back(axes[size_t(axis)]);
      }
    if (dice.chance(0.4)) {
      table.axes.push_back(Axis::free);
      extents.push_back(dice.between(1, 40));
    }
    for (const extent &extent : extents)
      made.shape.push_back(sizeOf(extent));
    made.limit = sizes.keys;
    drawElements(made, table.axes);
    bool computed = made.type == type && table.axes == std::vector{Axis::free};
    table.elements = computed && dice.chance(0.5) ? tabulated(extents[0]) : argumentOf(made, extents);
    tables.push_back(table);
  }

  void drawElements(Argument &made, const std::vector<Axis> &axes) {
    switch (dice.between(0, 3)) {
    case 0:
      made.type = axes.empty() ? detail::at_least_f32(type) : floating();
      break;
    case 1:
      made.type = b8;
      made.content = Content::conditions;
      break;
    case 2:
      made.type = dice.pick({i32, i64});
      made.content = axes.empty() || dice.chance(0.2) ? Content::anything : Content::lengths;
      break;
    default:
      made.type = dice.pick({i32, i64});
      made.content = axes.empty() ? Content::lengths : Content::documents;
    }
  }

  tensor tabulated(const extent &count) {
    return tabulate(*g, type, {count}, [&](index i) -> scalar {
      ScalarWriter writer(dice, tables, {i}, keys);
      return writer.real(2).value;
    });
  }

  tensor share(const tensor &x) {
    return sizes.heads == sizes.keyHeads ? x : repeat_heads(x, sizes.heads / sizes.keyHeads);
  }

  /// The scale stands before the product or behind it.
  tensor product(const tensor &q, const tensor &k) {
    double scale = dice.chance(0.8) ? 1 / std::sqrt(double(sizes.depth)) : dice.real(0.05, 0.2);
    switch (dice.between(0, 2)) {
    case 0:
      return matmul(q * scale, transpose(share(k)));
    case 1:
      return matmul(q, transpose(share(k * scale)));
    default:
      return matmul(q, transpose(share(k))) * scale;
    }
  }

  ScalarWriter writer(index b, index h, index q, index k) { return {dice, tables, {b, h, q, k}, keys}; }

  void changeScores() {
    switch (dice.between(0, 9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      scores = mask(scores, [&](index b, index h, index q, index k) -> scalar {
        return writer(b, h, q, k).truth(int(dice.between(0, 2)));
      });
      hidden = true;
      break;
    case 4:
    case 5:
    case 6:
      scores = score_mod(scores, [&](value s, index b, index h, index q, index k) -> scalar {
        return writer(b, h, q, k).score(s, hidden);
      });
      mayBeNan |= hidden;
      break;
    case 7:
      scores = where(broadcastArgument(b8, Content::conditions), scores,
                     operand(dice.chance(0.7) ? -infinity : -1e9));
      hidden = true;
      break;
    case 8:
      scores = scores + broadcastArgument(floating(), dice.pick({Content::numbers, Content::biases}));
      hidden = true;
      break;
    default:
      changeByWords();
    }
  }

  /// Without a program.
  void changeByWords() {
    switch (dice.between(0, 3)) {
    case 0:
      scores = scores * dice.real(0.3, 1.2);
      break;
    case 1:
      scores = tanh(scores / 3.0) * 3.0;
      break;
    case 2:
      scores = min(scores, operand(dice.real(0, 2)));
      break;
    default:
      scores = -scores + broadcastArgument(floating(), Content::numbers);
      mayBeNan |= hidden;
    }
  }

  tensor normalized() {
    if (dice.chance(0.12)) {
      isSoftmax = false;
      return sigmoid(scores);
    }
    if (dice.chance(0.15))
      sink = argument({floating(), {sizes.heads}}, {heads});
    tensor weights = softmax(scores, {.sink = sink, .nan_for_empty = dice.chance(0.1)});
    if (!dice.chance(0.06))
      return weights;
    return score_mod(weights, [&](value w, index b, index h, index q, index k) -> scalar {
      return w * writer(b, h, q, k).real(1).value;
    });
  }

  tensor dropOut(const tensor &weights) {
    tensor seed = argument({i64, {}, Content::anything}, {});
    if (dice.chance(0.2))
      return dropout(weights, 0.25, seed);
    return dropout(weights, argument({detail::at_least_f32(type), {}, Content::probability}, {}), seed);
  }

  void output(const tensor &raw, const tensor &weights, const tensor &dropped, const tensor &result) {
    int count = 0;
    auto give = [&](const tensor &tensor) { g->output(name("y", count++), tensor); };
    bool others = dice.chance(0.35);
    if (others && dice.chance(0.4))
      give(dice.chance(0.5) ? weights : dropped);
    if (!others || dice.chance(0.85))
      give(dice.chance(0.7)   ? result
           : dice.chance(0.5) ? merge_heads(result)
                              : permute(result, {0, 2, 1, 3}));
    if (others && dice.chance(0.25))
      give(dice.chance(0.5) ? raw : scores);
    if (isSoftmax && others && dice.chance(0.5))
      give(log_sum_exp(scores, {.sink = sink}));
    if (others && dice.chance(0.2))
      give(reduced(result));
    if (count == 0)
      give(result);
  }

  tensor reduced(const tensor &x) {
    switch (dice.between(0, 3)) {
    case 0:
      return sum(x);
    case 1:
      return mean(x);
    case 2:
      return amax(x);
    default:
      return argmax(x);
    }
  }

  Dice &dice;
  RandomKernel &made;
  Sizes &sizes;
  graph *g = nullptr;
  dtype type = f32;   ///< of most arguments
  bool mixes = false; ///< types of 16 and 32 bits
  extent batch = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1, depth = 1, valueDepth = 1;
  std::vector<Table> tables;
  tensor scores, sink;
  bool hidden = false, isSoftmax = true;
  /// A program may make NaN of a hidden score. Whether dropout of a row that is NaN leaves a 0 is open.
  bool mayBeNan = false;
};

} // namespace

RandomKernel makeKernel(uint64_t seed) {
  Dice dice(seed);
  RandomKernel made;
  made.seed = seed;
  made.sizes = drawSizes(dice);
  KernelWriter writer(dice, made);
  made.kernel =
      std::make_unique<RuntimeKernel>("k" + std::to_string(seed), [&](graph &g) { writer.write(g); });
  return made;
}

} // namespace heed::tests
