#pragma once
/// \file
/// The weights of a kernel, found in files by name and checked.

#include <heed/abi.h>
#include <heed/weights/dense_array.hpp>
#include <heed/weights/name_map.hpp>
#include <heed/weights/result.hpp>
#include <heed/weights/store.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heed {

struct bind_options {
  name_map names = {};
  std::string prefix = {}; ///< begins every name in the files: "encoder."
};

/// A view for each weight of a kernel. Elements of the kernel's own type, dense and aligned, stay in the
/// files' memory; others are converted copies. Copies share both.
class bound_weights {
public:
  struct item {
    std::int32_t argument; ///< of the kernel
    heed_view view;
  };

  const std::vector<item> &items() const noexcept { return items_; }

  /// Tensors of the files that no weight took, in the files' order.
  const std::vector<std::string> &unused() const noexcept { return unused_; }

private:
  friend result<bound_weights> bind_weights(const heed_program &, const weights_store &,
                                            const bind_options &) noexcept;

  std::vector<item> items_;
  std::vector<std::string> unused_;
  std::vector<dense_array> copies_;
  weights_store store_;
};

/// Finds every argument of role HEED_WEIGHT. All mistakes are told at once, a line each: names that no file
/// has, with the nearest; shapes that differ, also from what other weights say about a symbolic extent, with
/// the remark where the transpose would fit; types that do not convert.
result<bound_weights> bind_weights(const heed_program &program, const weights_store &store,
                                   const bind_options &options = {}) noexcept;

} // namespace heed
