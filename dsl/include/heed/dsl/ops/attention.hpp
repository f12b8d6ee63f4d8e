#pragma once
/// \file
/// attention(q, k, v, {…}): the short form of scaled dot-product attention. It only calls other operations.

#include <heed/dsl/ops/arithmetic.hpp>
#include <heed/dsl/ops/mask.hpp>
#include <heed/dsl/ops/matmul.hpp>
#include <heed/dsl/ops/softmax.hpp>
#include <heed/dsl/ops/transpose.hpp>
#include <heed/dsl/ops/where.hpp>

#include <optional>

namespace heed {
namespace detail {

/// A mask of attention_options: nothing, a program, or a tensor whose nonzero elements are visible. It owns a
/// copy of the function, whose type it hides.
class mask_option {
public:
  constexpr mask_option() = default;
  constexpr mask_option(const tensor &visible) : visible_(visible), is_tensor_(true) {}
  template <mask_program function>
  constexpr mask_option(const function &keep) : program_(new held<function>(keep)) {}
  mask_option(const mask_option &) = delete;
  mask_option &operator=(const mask_option &) = delete;
  constexpr ~mask_option() { delete program_; }

  constexpr tensor apply(const tensor &scores, location where) const {
    if (is_tensor_)
      return heed::where(visible_, scores, -infinity, where);
    return program_ != nullptr ? program_->apply(scores, where) : scores;
  }

private:
  struct holder {
    constexpr virtual ~holder() {}
    constexpr virtual tensor apply(const tensor &scores, location where) const = 0;
  };
  template <class function> struct held final : holder {
    function keep;
    constexpr explicit held(const function &from) : keep(from) {}
    constexpr ~held() override {} // g++ 12 does not find an implicit one in a constant expression
    constexpr tensor apply(const tensor &scores, location where) const override {
      return mask(scores, keep, where);
    }
  };

  const holder *program_ = nullptr;
  tensor visible_;
  bool is_tensor_ = false;
};

} // namespace detail

/// What attention does beside the plain form; everything has a default.
struct attention_options {
  std::optional<double> scale = {}; ///< 1 / sqrt(depth) if not given
  detail::mask_option mask = {};    ///< a mask function such as causal(), or a tensor: where it is 0, hidden
};

/// y = softmax(mask(q kᵀ · scale)) v.
/// q (b, h, m, d), k (b, h, n, d), v (b, h, n, e) -> (b, h, m, e); batch and heads broadcast.
/// Errors: those of matmul and mask; a symbolic depth without a scale.
constexpr tensor attention(const tensor &q, const tensor &k, const tensor &v,
                           const attention_options &options = {}, location where = {}) {
  detail::builder *const owner = detail::begin("attention", where, {q, k, v});
  if (owner == nullptr)
    return {};
  for (const tensor &operand : {q, k, v})
    if (operand.rank() != 4)
      owner->fail(where, "attention: q is ", q.shape(), ", k is ", k.shape(), ", v is ", v.shape(),
                  ", four axes (batch, heads, tokens, depth) are needed");
  if (owner->failed())
    return {};
  const extent depth = q.size(-1);
  if (!options.scale && !depth.is_number())
    owner->fail(where, "attention: q is ", q.shape(), ", its depth ", depth,
                " is symbolic, a number is needed for the default scale; give .scale");
  if (owner->failed())
    return {};
  const double scale = options.scale ? *options.scale : 1 / sqrt(depth);
  const tensor scores = detail::binary(spec::op::multiply, detail::type_rule::number, "attention",
                                       {matmul(q, transpose(k, where), where), where}, {scale, where});
  return matmul(softmax(options.mask.apply(scores, where), {}, where), v, where);
}

} // namespace heed
