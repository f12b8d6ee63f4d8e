#include <heed/weights/store.hpp>

#include <heed/weights/npy.hpp>
#include <heed/weights/safetensors.hpp>

#include "file_bytes.hpp"
#include "guarded.hpp"
#include "tensor_name.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

namespace heed {
namespace {

namespace fs = std::filesystem;

/// The file itself, or what a folder holds, in the order of names.
result<std::vector<std::string>> files_of(const std::string &name) {
  std::error_code error;
  if (!fs::is_directory(name, error))
    return std::vector{name};
  std::vector<std::string> files;
  for (fs::directory_iterator entry(name, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".npy")
      files.push_back(entry->path().string());
  if (error)
    return failure{name + ": can't be read: " + error.message()};
  if (files.empty())
    return failure{name + ": is a folder without .npy files, at least one is needed; name a file or a folder "
                          "of .npy files"};
  std::sort(files.begin(), files.end());
  return files;
}

result<std::vector<stored_tensor>> parse(std::span<const std::byte> bytes, const std::string &file) {
  if (fs::path(file).extension() != ".npy")
    return parse_safetensors(bytes, file);
  result<stored_tensor> array = parse_npy(bytes, file);
  if (!array)
    return failure{array.message()};
  return std::vector{*std::move(array)};
}

void add_line(std::string &text, const std::string &line) { text += (text.empty() ? "" : "\n") + line; }

} // namespace

std::vector<const stored_tensor *> weights_store::find(std::string_view name) const {
  std::vector<const stored_tensor *> found;
  const std::string wanted = detail::kernel_spelling(name);
  for (const stored_tensor &tensor : tensors_) {
    if (tensor.name == name)
      return {&tensor};
    if (detail::kernel_spelling(tensor.name) == wanted)
      found.push_back(&tensor);
  }
  return found;
}

result<weights_store> load_weights(const std::vector<std::string> &files) noexcept {
  return detail::guarded("weights", [&]() -> result<weights_store> {
    weights_store store;
    std::string errors;
    for (const std::string &name : files) {
      const auto parts = files_of(name);
      if (!parts) {
        add_line(errors, parts.message());
        continue;
      }
      for (const std::string &file : *parts) {
        const auto content = detail::read_file(file);
        auto tensors = content ? parse(content->bytes, file) : failure{content.message()};
        if (!tensors) {
          add_line(errors, tensors.message());
          continue;
        }
        std::move(tensors->begin(), tensors->end(), std::back_inserter(store.tensors_));
        store.memory_.push_back(content->memory);
      }
    }
    std::unordered_map<std::string_view, const stored_tensor *> seen;
    for (const stored_tensor &tensor : store.tensors_)
      if (const auto [first, is_new] = seen.emplace(tensor.name, &tensor); !is_new)
        add_line(errors, tensor.name + ": is in " + first->second->file + " and in " + tensor.file +
                             ", one file is needed; leave one of them out");
    if (!errors.empty())
      return failure{errors};
    return store;
  });
}

} // namespace heed
