#pragma once
/// \file
/// The right side of a name map's entry: tensors of the files and what is done to them.

#include "layout.hpp"

#include <heed/weights/name_map.hpp>
#include <heed/weights/result.hpp>
#include <heed/weights/store.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::detail {

/// A part, index of count, along axis 0; count 0 is a transposition.
struct source_step {
  std::int64_t index = 0, count = 0;
};

struct source {
  std::string name;               ///< with "{*}" in it where it is a stack
  std::vector<source_step> steps; ///< done to each tensor, in order
};

/// Splits `name[i of n].T`. Failures are sentences without a beginning.
result<source> parse_source(std::string_view text);

/// Whether an entry's two sides belong together; a sentence without a beginning where they do not.
std::optional<std::string> entry_mistake(const name_map::entry &entry);

/// What the map says about a weight: the right side with each `*` replaced. The weight's own name where no
/// entry matches.
std::string source_text(const name_map &names, std::string_view weight);

/// The tensors, in the order in which they are stacked, and a sentence without a beginning where there are
/// none or the wrong ones.
struct located {
  std::vector<const stored_tensor *> tensors;
  bool stacked = false;
  std::string mistake;
  std::string missing; ///< the name that no tensor has, where that is the mistake
};
located locate(const weights_store &store, const std::string &name);

/// Does the steps; a sentence without a beginning where the shape does not allow one.
std::optional<std::string> apply(const std::vector<source_step> &steps, strided_tensor &tensor);

} // namespace heed::detail
