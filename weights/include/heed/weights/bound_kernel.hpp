#pragma once
/// \file
/// A kernel with its weights, called by the names of its other arguments.

#include <heed/abi.h>
#include <heed/options.hpp>
#include <heed/status.hpp>
#include <heed/weights/bind.hpp>
#include <heed/weights/result.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace heed {

/// Made once of a program and files, called many times:
///
///     auto encoder = heed::bind_kernel(heed_program_encoder, *heed::load_weights({"model.safetensors"}));
///     encoder->set("x", x_view).set("position", 3).set("y", y_view);
///     heed::status status = encoder->call({.threads = 2});
///
/// Arguments stay set from call to call. Neither set nor call throws or allocates. An object is for one
/// thread at a time; copies share the weights and nothing else.
class bound_kernel {
public:
  /// The memory of an input, output or state, or another one for a weight. It is read and written by the
  /// calls, not here.
  bound_kernel &set(std::string_view name, const heed_view &view) noexcept;

  /// A scalar, which must hold the number: integers exactly, fractions rounded to the scalar's type.
  template <std::integral Integer> bound_kernel &set(std::string_view name, Integer number) noexcept {
    if constexpr (std::unsigned_integral<Integer>)
      return number > static_cast<std::uint64_t>(INT64_MAX)
                 ? set_fraction(name, static_cast<double>(number))
                 : set_integer(name, static_cast<std::int64_t>(number));
    else
      return set_integer(name, number);
  }
  template <std::floating_point Float> bound_kernel &set(std::string_view name, Float number) noexcept {
    return set_fraction(name, static_cast<double>(number));
  }

  /// Runs the kernel. The first mistake of a set since the last call, or the names of all arguments that are
  /// not set, come back as the status, as do the mistakes that the kernel finds.
  status call(const options &options = {}) noexcept;

  const heed_program &program() const noexcept { return *program_; }

  /// Tensors of the files that no weight took.
  const std::vector<std::string> &unused() const noexcept { return weights_->unused(); }

private:
  friend result<bound_kernel> bind_kernel(const heed_program &, const weights_store &,
                                          const bind_options &) noexcept;

  bound_kernel(const heed_program &program, std::shared_ptr<const bound_weights> weights);

  bound_kernel &set_integer(std::string_view name, std::int64_t number) noexcept;
  bound_kernel &set_fraction(std::string_view name, double number) noexcept;
  int find(std::string_view name) noexcept;
  bool is_scalar(int argument) noexcept;
  void report_unset(status &status) const noexcept;

  const heed_program *program_;
  std::shared_ptr<const bound_weights> weights_;
  std::vector<heed_view> views_;
  std::vector<std::int64_t> scalars_; ///< storage of 8 bytes for each argument
  std::vector<bool> is_set_;
  status fault_; ///< of the first wrong set since the last call
};

/// Finds the weights as bind_weights does.
result<bound_kernel> bind_kernel(const heed_program &program, const weights_store &store,
                                 const bind_options &options = {}) noexcept;

} // namespace heed
