#pragma once
/// \file
/// What attention does beside the plain form.

#include <heed/dsl/ops/dropout.hpp>
#include <heed/dsl/ops/mask.hpp>
#include <heed/dsl/ops/score_mod.hpp>
#include <heed/dsl/ops/where.hpp>

#include <optional>
#include <type_traits>

namespace heed {

/// A mask that fills: where `visible` is 0, the score becomes `value`. A finite value, such as the -1e9 of
/// many published modules, leaves a row in which nothing is visible weighing all keys alike.
struct masked_fill {
  tensor visible; ///< broadcast from the right
  double value;
};

namespace detail {

/// A step from scores to scores whose type is hidden: it owns a copy of the user's function.
class score_step {
public:
  constexpr score_step() = default;
  template <class function>
  constexpr explicit score_step(const function &step) : held_(new held<function>(step)) {}
  score_step(const score_step &) = delete;
  score_step &operator=(const score_step &) = delete;
  constexpr ~score_step() { delete held_; }

  constexpr tensor apply(const tensor &scores, location where) const {
    return held_ != nullptr ? held_->apply(scores, where) : scores;
  }

private:
  struct holder {
    constexpr virtual ~holder() {}
    constexpr virtual tensor apply(const tensor &scores, location where) const = 0;
  };
  template <class function> struct held final : holder {
    function step;
    constexpr explicit held(const function &from) : step(from) {}
    constexpr ~held() override {} // g++ 12 does not find an implicit one in a constant expression
    constexpr tensor apply(const tensor &scores, location where) const override {
      return step(scores, where);
    }
  };

  const holder *held_ = nullptr;
};

/// What may be meant as a function of the user; mask and score_mod say so if it is none.
template <class type>
concept step_function = std::is_class_v<type> && !std::is_base_of_v<score_step, type> &&
                        !std::is_same_v<type, tensor> && !std::is_same_v<type, masked_fill>;

/// A mask: nothing, a program, a tensor whose nonzero elements are visible, or one that fills.
class mask_option : public score_step {
public:
  constexpr mask_option() = default;
  constexpr mask_option(const tensor &visible)
      : score_step([visible](const tensor &scores, location where) {
          return heed::where(visible, scores, -infinity, where);
        }) {}
  constexpr mask_option(const masked_fill &fill)
      : score_step([fill](const tensor &scores, location where) {
          return heed::where(fill.visible, scores, fill.value, where);
        }) {}
  template <step_function function>
  constexpr mask_option(const function &keep)
      : score_step([keep](const tensor &scores, location where) { return mask(scores, keep, where); }) {}
};

/// A score program, or nothing.
class score_mod_option : public score_step {
public:
  constexpr score_mod_option() = default;
  template <step_function function>
  constexpr score_mod_option(const function &change)
      : score_step(
            [change](const tensor &scores, location where) { return score_mod(scores, change, where); }) {}
};

} // namespace detail

struct dropout_options {
  detail::operand p = 0; ///< a number or a scalar of f32 or f64
  tensor seed = {};      ///< a scalar of i64
};

/// Everything has a default. The steps are in the order in which they are taken.
struct attention_options {
  std::optional<double> scale = {};        ///< 1 / sqrt(depth) if not given
  detail::score_mod_option score_mod = {}; ///< a score function such as softcap(30)
  detail::mask_option mask =
      {};           ///< a mask function such as causal(), a tensor: where it is 0, hidden, or masked_fill
  tensor sink = {}; ///< (heads): one logit per head that only softmax's denominator has
  dropout_options dropout = {}; ///< of the weights
};

} // namespace heed
