#include "Plot/Tokens.h"

#include "Support/ToolError.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace heed::tools {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// Nothing when the text is no JSON array.
std::optional<std::vector<std::string>> fromJson(const std::string &what, const std::string &text) {
  nlohmann::json array = nlohmann::json::parse(text, nullptr, false);
  if (!array.is_array())
    return std::nullopt;
  std::vector<std::string> tokens;
  for (const nlohmann::json &element : array) {
    if (!element.is_string())
      throw ToolError(fmt::format("{}: element {} is {}, a string is needed", what, tokens.size(),
                                  element.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    tokens.push_back(element.get<std::string>());
  }
  return tokens;
}

std::string contentOf(const std::string &what, const std::string &file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  std::error_code ignored;
  if (!stream || fs::is_directory(file, ignored))
    throw ToolError(fmt::format("{}: can't be read, a file of tokens is needed", what));
  return text.str();
}

/// Each line a token, also an empty one; what follows the last line's end is none.
std::vector<std::string> fromLines(std::string text) {
  if (text.ends_with('\n'))
    text.pop_back();
  else if (text.empty())
    return {};
  std::vector<std::string> tokens = split(text, '\n');
  for (std::string &token : tokens)
    if (token.ends_with('\r'))
      token.pop_back();
  return tokens;
}

std::vector<std::string> fromFile(const std::string &what, const std::string &file) {
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
  std::string text = contentOf(what, file);
  if (text.starts_with(byteOrderMark))
    text.erase(0, byteOrderMark.size());
  if (std::optional<std::vector<std::string>> tokens = fromJson(what, text))
    return *tokens;
  if (file.ends_with(".json"))
    throw ToolError(fmt::format("{}: it holds no JSON array, one of strings is needed", what));
  return fromLines(std::move(text));
}

bool namesFile(const std::string &given) {
  std::error_code ignored;
  return fs::exists(given, ignored) || given.ends_with(".txt") || given.ends_with(".json") ||
         (given.find('/') != std::string::npos && given.find(',') == std::string::npos);
}

} // namespace

std::vector<std::string> readTokens(const std::string &option, const std::string &given) {
  std::string what = fmt::format("{} {}", option, given);
  if (namesFile(given))
    return fromFile(what, given);
  if (std::optional<std::vector<std::string>> tokens = fromJson(what, given))
    return *tokens;
  return split(given, ',');
}

} // namespace heed::tools
