#pragma once
/// \file
/// The tensors of several files under their names.

#include <heed/weights/result.hpp>
#include <heed/weights/stored_tensor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

/// Copies share the files' memory, which lives as long as the last of them.
class weights_store {
public:
  weights_store() = default;

  /// File by file, in the order of each file.
  const std::vector<stored_tensor> &tensors() const noexcept { return tensors_; }

  /// Those called `name`: the one with exactly this name, else all whose names become equal when '.' and '/'
  /// are '_' in both, which is how kernels spell them.
  std::vector<const stored_tensor *> find(std::string_view name) const;

private:
  friend result<weights_store> load_weights(const std::vector<std::string> &files) noexcept;

  std::vector<stored_tensor> tensors_;
  std::vector<std::shared_ptr<const void>> memory_;
};

/// Opens safetensors files, .npy files, and folders of .npy files, whose names are the tensors' names. Files
/// are mapped into memory where that is possible, so they must not be cut short while they are in use. All
/// files that can't be read, and names that two files have, are told at once.
result<weights_store> load_weights(const std::vector<std::string> &files) noexcept;

} // namespace heed
