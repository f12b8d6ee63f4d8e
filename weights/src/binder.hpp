#pragma once
/// \file
/// Which tensors of the files are a kernel's weights, and everything that is wrong with them.

#include "layout.hpp"
#include "source.hpp"
#include "symbols.hpp"

#include <heed/weights/bind.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heed::detail {

/// Where a weight comes from.
struct candidate {
  std::int32_t argument;
  std::string source;                ///< as a name map would have it, with the prefix
  std::vector<strided_tensor> parts; ///< several where they are stacked
  std::vector<const stored_tensor *> tensors;
  std::vector<std::int64_t> shape;
  bool is_found = false;
};

class binder {
public:
  binder(const heed_program &program, const weights_store &store, const bind_options &options)
      : program_(program), store_(store), options_(options) {}

  /// Fills `candidates`, one for each weight in the order of the arguments. Returns the mistakes, a line
  /// each.
  std::string find();

  std::vector<candidate> candidates;

private:
  candidate find(std::int32_t argument);
  bool add_part(candidate &found, const heed_argument &wanted, const source &source,
                const stored_tensor &tensor);
  void suggest_names();
  void check_shapes();
  std::string shape_mistake(const candidate &found, const symbols &symbols) const;
  std::string without_prefix(const std::string &source) const;
  void add_error(const std::string &what, const std::string &mistake);
  std::string all_lines() const;

  const heed_program &program_;
  const weights_store &store_;
  const bind_options &options_;
  std::vector<std::string> lines_;
  std::vector<std::pair<std::size_t, std::string>> missing_; ///< line, name
};

} // namespace heed::detail
