#pragma once
/// \file
/// Files of weights, written byte by byte, and a folder for them.

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace heed::test {

/// A new folder that goes with the object.
class folder {
public:
  folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heed-weights-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  folder(const folder &) = delete;
  folder &operator=(const folder &) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string &name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }

private:
  std::filesystem::path path_;
};

template <class T> std::string bytes_of(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

inline std::span<const std::byte> as_bytes(const std::string &text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// A header of any length before data.
inline std::string safetensors(const std::string &header, const std::string &data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof length) + header + data;
}

inline std::string shape_list(const std::vector<std::int64_t> &shape) {
  std::string text;
  for (const std::int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return text;
}

struct named {
  std::string name, type;
  std::vector<std::int64_t> shape;
  std::string data;
};

inline named f32(const std::string &name, const std::vector<std::int64_t> &shape,
                 const std::vector<float> &values) {
  return {name, "F32", shape, bytes_of(values)};
}

inline std::string safetensors(const std::vector<named> &tensors) {
  std::string header = R"({"__metadata__": {"format": "pt"})", data;
  for (const named &tensor : tensors) {
    header += ", \"" + tensor.name + R"(": {"dtype": ")" + tensor.type + R"(", "shape": [)" +
              shape_list(tensor.shape) + R"(], "data_offsets": [)" + std::to_string(data.size()) + ", " +
              std::to_string(data.size() + tensor.data.size()) + "]}";
    data += tensor.data;
  }
  return safetensors(header + "}", data);
}

inline std::string npy(const std::string &header, const std::string &data, char version = 1) {
  std::string text = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(header.size() & 255) +
                     static_cast<char>(header.size() >> 8);
  if (version > 1)
    text += std::string(2, '\0');
  return text + header + data;
}

inline std::string npy_f32(const std::vector<std::int64_t> &shape, const std::vector<float> &values) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape_list(shape) + ",), }\n",
             bytes_of(values));
}

} // namespace heed::test
