// Files with random damage: read or refused, but never read outside. The damage is the same in every run.
#include "files.hpp"
#include "guarded_bytes.hpp"

#include <heed/weights.hpp>

#include <catch2/catch.hpp>
#include <random>

using namespace heed;
using namespace heed::test;

namespace {

/// A few changes: bytes, bits, digits, pieces copied, cut or repeated.
void damage(std::string &text, std::mt19937 &random) {
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random()) % std::max<std::size_t>(n, 1);
  };
  const char *const words[] = {"0",
                               "1",
                               "-1",
                               "[",
                               "]",
                               "{",
                               "}",
                               ",",
                               "\"",
                               ":",
                               "4294967296",
                               "9223372036854775807",
                               "18446744073709551615",
                               "F16",
                               "(",
                               "'"};
  for (std::size_t count = 1 + below(4); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(text.size()),
                      length = below(std::min<std::size_t>(text.size() - at, 24) + 1);
    switch (below(7)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text[at] = static_cast<char>(text[at] ^ 1 << below(8));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(below(text.size()), length));
      break;
    case 4:
      text.insert(at, words[below(std::size(words))]);
      break;
    case 5:
      text.resize(at);
      break;
    default:
      text[below(std::min<std::size_t>(text.size(), 12))] = static_cast<char>(random());
    }
  }
}

/// Inside the data or at one end of it.
bool is_within(std::span<const std::byte> part, std::span<const std::byte> whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

/// Keeps the header's length right, so that damage reaches what comes after.
void mend_length(std::string &text, std::size_t data_bytes) {
  if (text.size() < 8 + data_bytes)
    return;
  const std::uint64_t length = text.size() - 8 - data_bytes;
  std::memcpy(text.data(), &length, sizeof length);
}

} // namespace

TEST_CASE("damaged safetensors files are read within their bytes or refused") {
  const std::string data(22, '\x3c');
  const std::string whole =
      safetensors({{"a.w", "F32", {2, 2}, data.substr(0, 16)}, {"b", "F16", {3}, data.substr(0, 6)}});
  std::mt19937 random(1);
  guarded_bytes memory(1 << 14);
  int read = 0, refused = 0;
  for (int i = 0; i < 400000; ++i) {
    std::string text = whole;
    damage(text, random);
    if (i % 2)
      mend_length(text, data.size());
    const std::span<const std::byte> bytes = memory.hold(text);
    const auto tensors = parse_safetensors(bytes, "x");
    tensors ? ++read : ++refused;
    if (!tensors) {
      REQUIRE_FALSE(std::string(tensors.message()).empty());
      continue;
    }
    for (const stored_tensor &tensor : *tensors) {
      REQUIRE(is_within(tensor.data, bytes));
      REQUIRE(load(tensor).ok() == tensor.type.has_value());
    }
  }
  CHECK(read > 1000);
  CHECK(refused > 10000);
}

TEST_CASE("damaged .npy files are read within their bytes or refused") {
  const std::string whole = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
                                bytes_of<float>({1, 2, 3, 4, 5, 6}));
  std::mt19937 random(2);
  guarded_bytes memory(1 << 14);
  int read = 0, refused = 0;
  for (int i = 0; i < 400000; ++i) {
    std::string text = whole;
    damage(text, random);
    const std::span<const std::byte> bytes = memory.hold(text);
    const auto tensor = parse_npy(bytes, "x");
    tensor ? ++read : ++refused;
    if (!tensor) {
      REQUIRE_FALSE(std::string(tensor.message()).empty());
      continue;
    }
    REQUIRE(is_within(tensor->data, bytes));
    REQUIRE(load(*tensor).ok());
  }
  CHECK(read > 1000);
  CHECK(refused > 10000);
}
