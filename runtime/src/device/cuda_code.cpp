#include "cuda_code.hpp"

#include <algorithm>

namespace heed::runtime::device::cuda {
namespace {

constexpr std::string_view declaration = ".extern .shared .align 16 .b8 heed_shared[];\n";

/// At the begin of a function; registers of 32 bits hold addresses, too.
constexpr std::string_view addresses = "\t.reg .b64 %heed_base64, %heed_at64;\n"
                                       "\t.reg .b32 %heed_base32, %heed_at32;\n"
                                       "\tmov.u64 %heed_base64, heed_shared;\n"
                                       "\tmov.u32 %heed_base32, heed_shared;\n";

bool is_of_name(char c) noexcept {
  return c == '_' || c == '$' || c == '%' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/// Where the address of a shared access begins: in `st.shared.b32 [%rd5+1152], %r1;` behind the bracket. The
/// end of the line where there is none.
std::size_t find_address(std::string_view line) noexcept {
  const std::string_view code = line.substr(0, line.find("//"));
  const std::size_t first = code.find_first_not_of(" \t"), space = code.find(".shared");
  if (space == std::string_view::npos || code[first] == '.')
    return line.size();
  const std::size_t bracket = code.find('[', space);
  return bracket == std::string_view::npos ? line.size() : bracket + 1;
}

/// Appends an access, its address counted from the name.
void append_access(std::string &text, std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_of_name(line[end]))
    ++end;
  const std::string_view base = line.substr(at, end - at);
  const bool is_wide = base.starts_with("%rd"), is_number = !base.empty() && base[0] >= '0' && base[0] <= '9';
  if (base.starts_with('%')) {
    text.append(is_wide ? "\tadd.s64 %heed_at64, %heed_base64, " : "\tadd.s32 %heed_at32, %heed_base32, ");
    text.append(base).append(";\n").append(line.substr(0, at));
    text.append(is_wide ? "%heed_at64" : "%heed_at32").append(line.substr(end));
  } else {
    text.append(line.substr(0, at)).append(is_number ? "heed_shared+" : "").append(line.substr(at));
  }
}

} // namespace

std::string with_declared_shared_memory(std::string_view ptx) {
  std::string text;
  if (ptx.find(".shared") == std::string_view::npos)
    return text.append(ptx);
  text.reserve(ptx.size() + ptx.size() / 4);
  for (std::size_t begin = 0; begin < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', begin), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(begin, end - begin);
    begin = end;
    if (const std::size_t at = find_address(line); at < line.size())
      append_access(text, line, at);
    else
      text.append(line);
    if (line.starts_with(".address_size"))
      text.append(declaration);
    if (line.starts_with('{'))
      text.append(addresses);
  }
  return text;
}

} // namespace heed::runtime::device::cuda
