// What kernels for Vulkan are read from: every word of it, and nothing where some is missing.
#include "vulkan_code.hpp"

#include <catch2/catch.hpp>
#include <cstring>

using namespace heed::runtime::device::vulkan;

namespace {

using words = std::vector<std::uint32_t>;

constexpr std::uint32_t magic = 0x07230203, capability = 17, memory_model = 14;

words text(const std::string &value) {
  words all(value.size() / 4 + 2);
  all[0] = static_cast<std::uint32_t>(all.size() - 1);
  std::memcpy(all.data() + 1, value.data(), value.size());
  return all;
}

void append(words &to, const words &more) { to.insert(to.end(), more.begin(), more.end()); }

/// SPIR-V that needs f64 and i16.
const words spirv = {
    magic, 0x10000, 0, 9, 0, 2 << 16 | capability, 10, 2 << 16 | capability, 22, 3 << 16 | memory_model,
    0,     1};

words kernel(const std::string &entry) {
  words list = {0, 1};
  append(list, text(entry));
  append(list, {1, 3, 1}); // buffers of scalars and of operands, open numbers
  append(list, text("length"));
  append(list, {5, 4, 2}); // its id and bytes; shared arrays
  append(list, text("fixed"));
  append(list, {0, 4, 100});
  append(list, text("open"));
  append(list, {5, 8, 1});
  append(list, {6, 7, 8}); // sizes of a block
  list[0] = static_cast<std::uint32_t>(list.size());
  append(list, spirv);
  return list;
}

std::vector<char> module() {
  const words first = kernel("one"), second = kernel("another");
  words all = {2};
  all.push_back(static_cast<std::uint32_t>(first.size() * 4));
  append(all, text("one"));
  all.push_back(static_cast<std::uint32_t>(second.size() * 4));
  append(all, text("another"));
  append(all, first);
  append(all, second);
  std::vector<char> bytes(all.size() * 4);
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return bytes;
}

} // namespace

TEST_CASE("vulkan: kernels are read with what they bind") {
  const std::vector<char> code = module();
  std::vector<kernel_code> kernels;
  heed_status status{};
  REQUIRE(read_code(code.data(), code.size(), kernels, &status) == HEED_OK);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].entry == "one");
  const kernel_code &second = kernels[1];
  CHECK(second.entry == "another");
  CHECK(second.uniform_buffers == 1);
  CHECK(second.storage_buffers == 3);
  REQUIRE(second.shared.size() == 2);
  CHECK(second.shared[0].constant == 0);
  CHECK(second.shared[0].elements == 100);
  CHECK(second.shared[1].constant == 5);
  CHECK(second.shared[1].element_bytes == 8);
  CHECK(second.size_constants[2] == 8);
  CHECK(second.spirv == spirv);
  CHECK(capabilities(second.spirv) == words{10, 22});
}

TEST_CASE("vulkan: code of which something is missing is refused in words") {
  const std::vector<char> code = module();
  // Only instructions behind those that are looked at may be missing.
  for (std::size_t bytes = 0; bytes < code.size() - spirv.size() * 4; ++bytes) {
    const std::vector<char> part(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(bytes));
    std::vector<kernel_code> kernels;
    heed_status status{};
    INFO(bytes << " of " << code.size());
    REQUIRE(read_code(part.data(), part.size(), kernels, &status) == HEED_UNSUPPORTED);
    REQUIRE(std::string(status.message).find("vulkan: ") == 0);
  }
}

TEST_CASE("vulkan: numbers that don't fit are refused in words") {
  const std::vector<char> whole = module();
  const std::uint32_t wrong = GENERATE(0u, 1000u, 0xFFFFFFFFu);
  for (std::size_t at = 0; at < 10; ++at) { // how many kernels, their sizes and names
    std::vector<char> code = whole;
    std::memcpy(code.data() + at * 4, &wrong, 4);
    std::vector<kernel_code> kernels;
    heed_status status{};
    const heed_code result = read_code(code.data(), code.size(), kernels, &status);
    CHECK((result == HEED_UNSUPPORTED || kernels.size() == 2));
  }
}
