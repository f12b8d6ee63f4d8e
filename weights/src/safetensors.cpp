#include <heed/weights/safetensors.hpp>

#include "guarded.hpp"
#include "safetensors_header.hpp"
#include "shape_text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <tuple>

namespace heed {
namespace {

using detail::header_entry;

static_assert(std::endian::native == std::endian::little, "files are little endian and used as they are");

struct file_type {
  std::string_view name;
  std::uint64_t bytes;
  std::optional<heed_dtype> type;
};

/// Types that no kernel takes are no reason to refuse the other tensors of a file.
constexpr file_type types[] = {
    {"BOOL", 1, HEED_B8},         {"U8", 1, HEED_B8},           {"I32", 4, HEED_I32},
    {"I64", 8, HEED_I64},         {"F16", 2, HEED_F16},         {"BF16", 2, HEED_BF16},
    {"F32", 4, HEED_F32},         {"F64", 8, HEED_F64},         {"I8", 1, std::nullopt},
    {"F8_E4M3", 1, std::nullopt}, {"F8_E5M2", 1, std::nullopt}, {"F8_E8M0", 1, std::nullopt},
    {"I16", 2, std::nullopt},     {"U16", 2, std::nullopt},     {"U32", 4, std::nullopt},
    {"U64", 8, std::nullopt},     {"C64", 8, std::nullopt}};

std::string numbers(std::uint64_t begin, std::uint64_t end) {
  return std::to_string(begin) + " to " + std::to_string(end);
}

/// One tensor, checked by itself.
result<stored_tensor> checked(const header_entry &entry, std::span<const std::byte> data,
                              const std::string &file) {
  const std::string what = file + ": " + entry.name;
  if (!entry.dtype || !entry.shape || !entry.offsets)
    return failure{what + " lacks " +
                   (!entry.dtype   ? "dtype"
                    : !entry.shape ? "shape"
                                   : "data_offsets") +
                   ", dtype, shape and data_offsets are needed; write the file anew"};
  const auto type = std::find_if(std::begin(types), std::end(types),
                                 [&](const file_type &known) { return known.name == *entry.dtype; });
  if (type == std::end(types))
    return failure{what + " has type " + *entry.dtype +
                   ", one of BOOL, U8, I32, I64, F16, BF16, F32 and F64 is needed; convert it"};
  if (entry.offsets->size() != 2)
    return failure{what + " has " + std::to_string(entry.offsets->size()) +
                   " data_offsets, begin and end are needed; write the file anew"};
  const auto begin = static_cast<std::uint64_t>((*entry.offsets)[0]),
             end = static_cast<std::uint64_t>((*entry.offsets)[1]);
  if (begin > end || end > data.size())
    return failure{what + " lies at " + numbers(begin, end) + ", a range within the " +
                   std::to_string(data.size()) + " bytes of data is needed; the file may be cut short"};
  std::uint64_t needed = 0;
  const bool fits = detail::dense_bytes(*entry.shape, type->bytes, needed);
  if (!fits || needed != end - begin)
    return failure{what + " has " + std::to_string(end - begin) + " bytes, its shape " +
                   detail::shape_text(*entry.shape) + " of " + *entry.dtype + " needs " +
                   (fits ? std::to_string(needed) : "more than 2^63") + "; write the file anew"};
  return stored_tensor{
      entry.name, file, *entry.dtype, type->type, *entry.shape, false, data.subspan(begin, end - begin)};
}

result<std::vector<stored_tensor>> parse(std::span<const std::byte> bytes, const std::string &file) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length)
    return failure{file + ": has " + std::to_string(bytes.size()) +
                   " bytes, a safetensors file begins with the 8 of its header's length"};
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes = bytes.subspan(sizeof length);
  if (length > bytes.size())
    return failure{file + ": its header should have " + std::to_string(length) + " bytes, only " +
                   std::to_string(bytes.size()) + " follow; this is no safetensors file or it is cut short"};
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), length);
  if (!text.starts_with('{'))
    return failure{file + ": its header does not begin with '{', a JSON object is needed; this is no "
                          "safetensors file"};
  const auto entries = detail::read_safetensors_header(text, file);
  if (!entries)
    return failure{entries.message()};

  const std::span<const std::byte> data = bytes.subspan(length);
  std::vector<stored_tensor> tensors;
  for (const header_entry &entry : *entries) {
    result<stored_tensor> tensor = checked(entry, data, file);
    if (!tensor)
      return failure{tensor.message()};
    tensors.push_back(*std::move(tensor));
  }
  // Empty tensors first among those at one place: they end where the next begins.
  const auto place = [](const stored_tensor &tensor) {
    return std::tuple(tensor.data.data(), tensor.data.size(), std::string_view(tensor.name));
  };
  std::sort(tensors.begin(), tensors.end(),
            [&](const stored_tensor &a, const stored_tensor &b) { return place(a) < place(b); });
  std::uint64_t covered = 0;
  for (const stored_tensor &tensor : tensors) {
    const auto begin = static_cast<std::uint64_t>(tensor.data.data() - data.data());
    if (begin != covered)
      return failure{file + ": " + tensor.name + " begins at byte " + std::to_string(begin) +
                     " of the data, the tensors before it end at " + std::to_string(covered) +
                     " and gaps and overlaps are not allowed; write the file anew"};
    covered += tensor.data.size();
  }
  if (covered != data.size())
    return failure{file + ": holds " + std::to_string(data.size()) + " bytes of data, its tensors need " +
                   std::to_string(covered) + "; write the file anew"};
  return tensors;
}

} // namespace

result<std::vector<stored_tensor>> parse_safetensors(std::span<const std::byte> bytes,
                                                     const std::string &file) noexcept {
  return detail::guarded(file.c_str(), [&] { return parse(bytes, file); });
}

} // namespace heed
