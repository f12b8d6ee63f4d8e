// Caches that calls append to: every layout, several to a kernel, read and not read afterwards.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, rows{"rows"}, capacity{"capacity"};

/// One step of a decoder: new keys and values go into the caches, the queries see all up to themselves.
constexpr kernel decode{
    "decode", [](graph &g) {
      tensor q = g.input("q", f32, {batch, heads, rows, 16}), k = g.input("k", f32, {batch, heads, rows, 16}),
             v = g.input("v", f32, {batch, heads, rows, 16}), position = g.scalar("position", i64);
      tensor keys = append(g.state("k_cache", f32, {batch, heads, capacity, 16}), k, position, 2);
      tensor values = append(g.state("v_cache", f32, {batch, heads, capacity, 16}), v, position, 2);
      auto seen = [=](index, index, index q, index k) { return k <= q + position(); };
      g.output("y", matmul(softmax(mask(matmul(q, transpose(keys)) * 0.25, seen)), values));
    }};

/// Projections whose heads go into token-major caches, with grouped queries.
constexpr kernel token_major{
    "token_major", [](graph &g) {
      tensor x = g.input("x", f32, {batch, rows, 32}), position = g.scalar("position", i32);
      auto project = [&](const char *name, int width) { return linear(x, g.weight(name, f32, {width, 32})); };
      auto cached = [&](const char *name, const char *weight) {
        tensor tokens = permute(split_heads(project(weight, 16), 2), {0, 2, 1, 3});
        return permute(append(g.state(name, f32, {batch, capacity, 2, 8}), tokens, position, 1),
                       {0, 2, 1, 3});
      };
      tensor q = split_heads(project("w_q", 32), 4);
      tensor keys = repeat_heads(cached("k_cache", "w_k"), 2),
             values = repeat_heads(cached("v_cache", "w_v"), 2);
      auto seen = [=](index, index, index q, index k) { return k <= q + position(); };
      g.output("y", merge_heads(matmul(softmax(mask(matmul(q, transpose(keys)) * 0.3, seen)), values)));
    }};

/// Written straight into the cache by what computes them; two caches of different lengths share the position.
constexpr kernel written_in_place{
    "written_in_place", [](graph &g) {
      tensor x = g.input("x", f32, {rows, 12}), position = g.scalar("position", i64);
      append(g.state("projected", f32, {capacity, 20}), linear(x, g.weight("w", f32, {20, 12})), position, 0);
      tensor turned = append(g.state("turned", f32, {12, 2 * capacity}), transpose(x * 2.0), position, 1);
      g.output("y", turned + 1.0);
    }};

/// Rows that are also an output, in types other than f32.
constexpr kernel also_returned{
    "also_returned", [](graph &g) {
      tensor x = g.input("x", f64, {batch, rows, 5}), position = g.scalar("position", i32);
      tensor tripled = x * 3.0;
      g.output("tripled", tripled);
      g.output("all", append(g.state("cache", f64, {batch, capacity, 5}), tripled, position, 1));
    }};

HEED_EXPORT(decode);
HEED_EXPORT(token_major);
HEED_EXPORT(written_in_place);
HEED_EXPORT(also_returned);
