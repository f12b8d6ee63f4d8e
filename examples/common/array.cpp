#include "array.hpp"

#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <random>
#include <regex>
#include <stdexcept>

static std::size_t count(const std::vector<std::int64_t> &shape) {
  return static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

array filled(std::vector<std::int64_t> shape, float value) {
  std::vector<float> values(count(shape), value);
  return {std::move(shape), std::move(values)};
}

array random_array(std::vector<std::int64_t> shape, std::uint32_t seed, double range) {
  array result = filled(std::move(shape), 0);
  std::mt19937 generator(seed);
  for (float &value : result.values)
    value = static_cast<float>((generator() / 2147483648.0 - 1.0) * range);
  return result;
}

array read_npy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  char prefix[10];
  if (!file.read(prefix, sizeof prefix) || std::memcmp(prefix, "\x93NUMPY\x01", 7) != 0)
    throw std::runtime_error(path + ": not a .npy file of version 1");
  std::string header(static_cast<unsigned char>(prefix[8]) + 256 * static_cast<unsigned char>(prefix[9]),
                     ' ');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));

  std::smatch found;
  static const std::regex form(R"('descr': '<f4', 'fortran_order': False, 'shape': \(([0-9, ]*)\))");
  if (!std::regex_search(header, found, form))
    throw std::runtime_error(path + ": float32 in C order is needed, found " + header);
  array result;
  const std::string extents = found[1];
  static const std::regex number("[0-9]+");
  for (std::sregex_iterator it(extents.begin(), extents.end(), number), end; it != end; ++it)
    result.shape.push_back(std::stoll(it->str()));

  result.values.resize(count(result.shape));
  if (!file.read(reinterpret_cast<char *>(result.values.data()),
                 static_cast<std::streamsize>(result.values.size() * sizeof(float))))
    throw std::runtime_error(path + ": ends before its last element");
  return result;
}
