#pragma once
/// \file
/// The graph of a kernel as plain constant data: what the DSL builds at compile time and what the compiler
/// reads.
///
/// This is the whole contract between a spec and the `heed` program. A spec is compiled into a module (a
/// shared object) whose one exported function, `heed_spec_kernels`, returns the list of its kernels.
/// Everything here is a trivial type with a fixed layout; `format_version` changes whenever a layout or an
/// enumerator does.

#include <cstdint>

namespace heed::spec {

inline constexpr std::int32_t format_version = 4;
inline constexpr int max_rank = 6;     ///< axes of one tensor
inline constexpr int max_factors = 4;  ///< different symbols in one extent
inline constexpr int max_operands = 8; ///< operands of one node

/// Element types. b8 is one byte, zero or nonzero.
enum class dtype : std::uint8_t { b8, i32, i64, f16, bf16, f32, f64 };

/// An extent is numerator / denominator · Π symbol^power; a plain number has no factors. The fraction is
/// reduced, factors are sorted by symbol and have a nonzero power, so equal extents have equal
/// representations.
struct extent {
  struct factor {
    std::int16_t symbol = 0; ///< index into graph::symbols
    std::int16_t power = 0;
  };
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
  std::int32_t factor_count = 0;
  factor factors[max_factors] = {};
};

/// One operation on tensors. Shapes as in docs/ops.md; axes are counted from the left.
enum class op : std::uint8_t {
  input,        ///< an argument of the call
  weight,       ///< an argument that stays the same over many calls
  scalar,       ///< an argument that is one number, rank 0
  state,        ///< an argument that the call changes in place; its one use is by `append`
  constant,     ///< a number, rank 0; `value`
  linear,       ///< (…, in), (out, in)[, (out)] -> (…, out): x Wᵀ + b; in the first operand's type
  matmul,       ///< (…, m, k), (…, k, n) -> (…, m, n); leading axes broadcast; in the first operand's type
  transpose,    ///< last two axes exchanged
  split_heads,  ///< (b, s, h·d) -> (b, h, s, d)
  merge_heads,  ///< (b, h, s, d) -> (b, s, h·d)
  permute,      ///< axes reordered; result axis i is operand axis permutation[i]
  append_axis,  ///< (…) -> (…, 1)
  drop_axis,    ///< `axis`, whose extent is 1, goes
  slice,        ///< `axis` shortened to the result's extent, from index `start` on
  repeat_heads, ///< (b, h, s, d) -> (b, h·g, s, d): head i of the result is head i / g of the operand
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum, ///< element by element, broadcast from the right
  negate,
  absolute,
  square_root,
  exponential,
  logarithm,
  hyperbolic_tangent,
  error_function,
  logistic, ///< element by element
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal, ///< -> b8
  logical_and,
  logical_or,
  logical_not, ///< nonzero is true; -> b8
  where,       ///< condition (nonzero is true), then, otherwise; broadcast from the right
  softmax, ///< over the last axis; a row whose scores are all -infinity gives zeros, or NaN (nan_for_empty).
           ///< Operand 1, if there: sinks (h), one logit per head that only the denominator has
  log_sum_exp, ///< over the last axis, which goes: (…, k) -> (…); -infinity for an empty row; f32 of f16 and
               ///< bf16. Operand 1 as softmax
  sum,         ///< over the last axis, which goes; in the operand's type
  amax,        ///< the largest along the last axis, which goes; NaN if there is one
  argmax,      ///< its index, the first of equals, -> i32
  layer_norm,  ///< x[, gain (n)[, bias (n)]], along the last axis: (x - mean) / sqrt(variance + `value`)
               ///< · gain + bias; the variance is the mean of the squares
  rms_norm,    ///< x[, gain (n)]: x / sqrt(mean of the squares + `value`) · gain
  dropout,   ///< operands x, p and seed (scalars): x / (1 - p) where `site`'s number at the element is >= p,
             ///< else 0
  mask,      ///< operand 0 are scores (b, h, q, k); where `program` is false the score becomes -infinity
  score_mod, ///< operand 0 are scores or weights (b, h, q, k); `program` computes the new one
  tabulate,  ///< `program` computes every element from its position; the operands are what it reads
  append,    ///< cache (a state), rows, position (a scalar argument): the cache with the rows from `position`
             ///< on along `axis`; this is what the call leaves in the state
  convert,   ///< element by element: to the nearest number of the floating type; true is 1
};

/// One tensor value.
struct node {
  op kind = op::constant;
  dtype type = dtype::f32;
  std::uint8_t rank = 0;
  std::uint8_t operand_count = 0;
  std::int16_t shape[max_rank] = {};        ///< indices into graph::extents
  std::int16_t operands[max_operands] = {}; ///< earlier nodes
  std::int8_t permutation[max_rank] = {};   ///< permute
  std::int16_t program = -1;  ///< mask, score_mod, tabulate: the instruction that holds the result
  bool nan_for_empty = false; ///< softmax
  std::int32_t site = 0;      ///< dropout: tells the dropouts of one kernel apart
  std::int8_t axis = 0;       ///< drop_axis, slice, append
  std::int16_t start = -1;    ///< slice: index into graph::extents, or -1 for 0
  const char *name = nullptr; ///< an argument's
  double value = 0;           ///< constant; layer_norm and rms_norm: epsilon
  std::int32_t line = 0;      ///< where the user wrote it, in graph::file
};

/// One scalar operation of a mask or score program. The index of an instruction names its value; operands are
/// earlier instructions.
enum class scalar_op : std::uint8_t {
  position, ///< along axis `reference` of the node's result: 0 batch, 1 head, 2 query, 3 key of scores
  score,
  number,
  extent,
  element,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  minimum,
  maximum,
  negate,
  absolute,
  exponential,
  logarithm,
  sine,
  cosine,
  hyperbolic_tangent,
  error_function,
  logistic,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  select,
};

/// Type of a scalar: integers are 64 bits, division and remainder round towards minus infinity.
enum class scalar_type : std::uint8_t { integer, real, truth };

struct instruction {
  scalar_op kind = scalar_op::number;
  scalar_type type = scalar_type::integer;
  std::uint8_t operand_count = 0;
  std::int16_t operands[max_rank] = {}; ///< instructions; for `element` the indices, one per axis
  /// `position`: an axis; `extent`: index into graph::extents; `element`: operand number of the node, whose
  /// indices are clamped into its axes.
  std::int16_t reference = -1;
  double number = 0; ///< `number`
};

struct output {
  const char *name = nullptr;
  std::int16_t node = 0;
  std::int32_t line = 0;
};

/// A kernel. Nodes are in an order in which operands come before users; arguments of the generated function
/// are the inputs, weights, scalars and states in node order, then the outputs.
struct graph {
  std::int32_t version = format_version;
  const char *name = nullptr;
  const char *file = nullptr;
  std::int32_t line = 0;
  std::int32_t symbol_count = 0, extent_count = 0, node_count = 0, instruction_count = 0, output_count = 0;
  const char *const *symbols = nullptr;
  const extent *extents = nullptr;
  const node *nodes = nullptr;
  const instruction *instructions = nullptr;
  const output *outputs = nullptr;
};

/// One exported kernel of a module; `heed_spec_kernels` returns the first, null when nothing is exported.
struct registration {
  const graph *kernel = nullptr;
  const registration *next = nullptr;
};

/// Type and name of the function that a spec module exports.
using spec_kernels_function = const registration *();
inline constexpr const char *spec_kernels_symbol = "heed_spec_kernels";

} // namespace heed::spec
