#include <heed/weights/name_map.hpp>

#include "file_bytes.hpp"
#include "guarded.hpp"
#include "source.hpp"

namespace heed {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || blanks.find(line[at - 1]) != std::string_view::npos)
      return line.substr(0, at);
  return line;
}

result<name_map> parse(std::string_view text, const std::string &file) {
  name_map names;
  std::string errors;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty())
      continue;
    const std::size_t equals = line.find('=');
    const name_map::entry entry{
        std::string(trimmed(line.substr(0, equals))),
        equals == std::string_view::npos ? std::string() : std::string(trimmed(line.substr(equals + 1)))};
    if (const auto mistake = detail::entry_mistake(entry))
      errors += (errors.empty() ? "" : "\n") + file + ":" + std::to_string(number) + ": " + *mistake;
    names.add(entry.kernel, entry.file);
  }
  if (!errors.empty())
    return failure{errors};
  return names;
}

} // namespace

name_map::name_map(std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  for (const auto &[kernel, file] : entries)
    add(kernel, file);
}

void name_map::add(std::string_view kernel, std::string_view file) {
  entries_.push_back({std::string(trimmed(kernel)), std::string(trimmed(file))});
}

result<name_map> parse_name_map(std::string_view text, const std::string &file) noexcept {
  return detail::guarded(file.c_str(), [&] { return parse(text, file); });
}

result<name_map> read_name_map(const std::string &file) noexcept {
  return detail::guarded(file.c_str(), [&]() -> result<name_map> {
    const auto content = detail::read_file(file);
    if (!content)
      return failure{content.message()};
    return parse({reinterpret_cast<const char *>(content->bytes.data()), content->bytes.size()}, file);
  });
}

} // namespace heed
