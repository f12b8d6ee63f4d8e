#pragma once
/// \file
/// Which tensor of the files a kernel's weight is.
///
/// An entry is `kernel_name = file.name`. In both names `*` stands for one or more characters; the first `*`
/// of the file's name is what the first of the kernel's name stands for, and so on. '.', '/' and '_' are the
/// same. What follows the file's name is done from left to right:
///
///     w_up        = mlp.up.T                        transposed: the last two axes exchanged
///     layers_*_wq = layers.*.in_proj_weight[0 of 3] the first of three equal parts along axis 0
///     w_q         = layers.{*}.w_q                  layers.0.w_q, layers.1.w_q, …: stacked along a new axis
///     0

#include <heed/weights/result.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed {

/// The first entry whose kernel name matches a weight counts. A weight without entry has its own name.
class name_map {
public:
  struct entry {
    std::string kernel, file;
  };

  name_map() = default;
  name_map(std::initializer_list<std::pair<std::string_view, std::string_view>> entries);

  void add(std::string_view kernel, std::string_view file);
  const std::vector<entry> &entries() const noexcept { return entries_; }

private:
  std::vector<entry> entries_;
};

/// Reads an entry a line; '#' at a line's begin or after a blank starts a comment. `file` and the line begin
/// every message, and all wrong lines are told.
result<name_map> parse_name_map(std::string_view text, const std::string &file) noexcept;

/// The same from a file.
result<name_map> read_name_map(const std::string &file) noexcept;

} // namespace heed
