#include <heed/weights/npy.hpp>

#include <heed/weights/convert.hpp>

#include "file_bytes.hpp"
#include "guarded.hpp"
#include "shape_text.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace heed {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct npy_header {
  std::string type;
  bool column_major = false;
  std::vector<std::int64_t> shape;
};

/// Reads the header's Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }. Every
/// function returns false where the text is anything else.
class header_parser {
public:
  explicit header_parser(std::string_view text) : text_(text) {}

  bool parse(npy_header &header) {
    if (!accept('{'))
      return false;
    while (!accept('}')) {
      std::string key;
      if (!quoted(key) || !accept(':') || !member(key, header))
        return false;
      accept(',');
    }
    return have_ == 7;
  }

private:
  bool member(const std::string &key, npy_header &header) {
    if (key == "descr")
      return seen(1) && quoted(header.type);
    if (key == "fortran_order")
      return seen(2) && truth(header.column_major);
    return key == "shape" && seen(4) && tuple(header.shape);
  }

  bool seen(int bit) {
    const bool first = (have_ & bit) == 0;
    have_ |= bit;
    return first;
  }

  bool accept(char c) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
    const bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found;
    return found;
  }

  bool quoted(std::string &value) {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept(quote))
      return false;
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos)
      return false;
    value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool truth(bool &value) {
    accept(' ');
    value = text_.substr(at_).starts_with("True");
    const bool known = value || text_.substr(at_).starts_with("False");
    at_ += value ? 4 : 5;
    return known;
  }

  bool tuple(std::vector<std::int64_t> &shape) {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      std::int64_t value = 0;
      const std::size_t start = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
            __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value))
          return false;
      if (at_ == start)
        return false;
      shape.push_back(value);
      accept(',');
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int have_ = 0;
};

std::optional<heed_dtype> type_of(std::string_view descr) {
  constexpr std::pair<std::string_view, heed_dtype> types[] = {
      {"|b1", HEED_B8},  {"|u1", HEED_B8},  {"<b1", HEED_B8},  {"<u1", HEED_B8}, {"<i4", HEED_I32},
      {"<i8", HEED_I64}, {"<f2", HEED_F16}, {"<f4", HEED_F32}, {"<f8", HEED_F64}};
  for (const auto &[name, type] : types)
    if (name == descr)
      return type;
  return std::nullopt;
}

result<stored_tensor> parse(std::span<const std::byte> bytes, const std::string &file) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
  if (text.size() < 8 || !text.starts_with(magic))
    return failure{file + ": is not a .npy file"};
  if (byte(6) < 1 || byte(6) > 3)
    return failure{file + ": has .npy format " + std::to_string(byte(6)) + "." + std::to_string(byte(7)) +
                   ", 1.0, 2.0 or 3.0 is needed; save the array with numpy.save"};
  const std::size_t begin = byte(6) == 1 ? 10 : 12;
  if (text.size() < begin)
    return failure{file + ": ends within its header"};
  const std::size_t length = byte(8) | byte(9) << 8 | (byte(6) == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > text.size() - begin)
    return failure{file + ": ends within its header"};
  npy_header header;
  if (!header_parser(text.substr(begin, length)).parse(header)) {
    constexpr std::size_t shown = 200;
    return failure{file + ": the .npy header is not understood: " +
                   std::string(text.substr(begin, std::min(length, shown)))};
  }
  const std::optional<heed_dtype> type = type_of(header.type);
  if (!type)
    return failure{file + ": has type '" + header.type +
                   "'; b1, u1, i4, i8, f2, f4 or f8 in little endian is needed"};
  const std::span<const std::byte> data = bytes.subspan(begin + length);
  std::uint64_t needed = 0;
  const bool fits = detail::dense_bytes(header.shape, bytes_per_element(*type), needed);
  if (!fits || needed != data.size())
    return failure{file + ": holds " + std::to_string(data.size()) + " bytes of data, its shape " +
                   detail::shape_text(header.shape) + " needs " +
                   (fits ? std::to_string(needed) : "more than 2^63")};
  return stored_tensor{std::filesystem::path(file).stem().string(),
                       file,
                       header.type,
                       type,
                       std::move(header.shape),
                       header.column_major,
                       data};
}

} // namespace

result<stored_tensor> parse_npy(std::span<const std::byte> bytes, const std::string &file) noexcept {
  return detail::guarded(file.c_str(), [&] { return parse(bytes, file); });
}

result<dense_array> read_npy(const std::string &file) noexcept {
  return detail::guarded(file.c_str(), [&]() -> result<dense_array> {
    const auto content = detail::read_file(file);
    if (!content)
      return failure{content.message()};
    const auto array = parse(content->bytes, file);
    return array ? load(*array) : failure{array.message()};
  });
}

} // namespace heed
