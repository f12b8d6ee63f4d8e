#include "Ptx.h"

#include <algorithm>
#include <regex>

namespace checking {

namespace {

std::string withoutComments(std::string_view text) {
  std::string code;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size()), comment = text.find("//", begin);
    code.append(text.substr(begin, std::min(end, comment) - begin)).append("\n");
    begin = end + 1;
  }
  return code;
}

/// The number behind a word; 0 if there is none.
double numberBehind(const std::string &code, const std::string &word) {
  const size_t found = code.find(word);
  return found == std::string::npos ? 0 : std::strtod(code.c_str() + found + word.size(), nullptr);
}

/// The parameters between the parentheses of an entry; false if one is not understood.
bool parseParameters(const std::string &text, std::vector<Parameter> &parameters) {
  static const std::regex form(R"(\.param\s+\.[a-z](\d+)(\s+\.ptr.*?)?\s+([$\w]+)\s*$)");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    std::smatch match;
    const std::string one = text.substr(begin, end - begin);
    begin = end + 1;
    if (one.find_first_not_of(" \t\n") == std::string::npos)
      continue;
    if (!std::regex_search(one, match, form))
      return false;
    parameters.push_back({match[3], std::stoi(match[1]) / 8, match[2].matched});
  }
  return true;
}

/// `.global .align 4 .b8 NAME[24] = {65, 144, …};`: its numbers, and where they are.
void parseTables(const std::string &code, std::map<std::string, int64_t> &names, Ptx &ptx) {
  const std::string begins = "] = {";
  for (size_t at = code.find(begins); at != std::string::npos; at = code.find(begins, at + 1)) {
    const std::string line = code.substr(code.rfind('\n', at) + 1, at - code.rfind('\n', at) - 1);
    std::smatch match;
    if (!std::regex_search(line, match, std::regex(R"(\.b8 ([$\w]+)\[(\d+)$)")))
      continue;
    ptx.tables.resize((ptx.tables.size() + 15) / 16 * 16);
    names[match[1]] = int64_t(tablesBase + ptx.tables.size());
    std::vector<std::byte> bytes(size_t(std::stoi(match[2])));
    const char *number = code.c_str() + at + begins.size();
    for (std::byte &byte : bytes) {
      char *end = nullptr;
      byte = std::byte(std::strtol(number, &end, 0));
      number = end + 1;
    }
    ptx.tables.insert(ptx.tables.end(), bytes.begin(), bytes.end());
  }
}

/// Behind the bracket that closes the one at `open`.
size_t endOfBody(const std::string &code, size_t open) {
  int depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    depth += code[at] == '{' ? 1 : code[at] == '}' ? -1 : 0;
    if (depth == 0)
      return at + 1;
  }
  return std::string::npos;
}

/// Reads the entry whose name begins at `begin`; what is wrong with it, and where it ends.
std::string parseEntry(const std::string &code, size_t &begin, std::map<std::string, int64_t> names,
                       Ptx &ptx) {
  const size_t open = code.find('(', begin), close = code.find(')', begin), body = code.find('{', begin);
  if (open == std::string::npos || close == std::string::npos || body == std::string::npos || open > close ||
      close > body)
    return "an entry has no parameters or no body";
  const size_t end = endOfBody(code, body);
  if (end == std::string::npos)
    return "the body of an entry does not end";
  std::string name = code.substr(begin, open - begin);
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  Entry &entry = ptx.entries[name];
  if (!parseParameters(code.substr(open + 1, close - open - 1), entry.parameters))
    return "the parameters of " + name + " are not understood";
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    names[entry.parameters[i].name] = int64_t(i);
  entry.kernel = decode(std::string_view(code).substr(body + 1, end - body - 2), names);
  entry.kernel.tables = &ptx.tables;
  begin = end;
  return "";
}

} // namespace

std::string parse(std::string_view text, Ptx &ptx) {
  const std::string code = withoutComments(text);
  ptx.version = numberBehind(code, ".version ");
  ptx.target = int(numberBehind(code, ".target sm_"));
  if (ptx.version == 0 || ptx.target == 0 || numberBehind(code, ".address_size ") != 64)
    return ".version, .target or .address_size 64 is missing";
  std::map<std::string, int64_t> names;
  const std::string declaration = ".extern .shared ";
  if (const size_t found = code.find(declaration); found != std::string::npos) {
    std::smatch match;
    const std::string line = code.substr(found, code.find('\n', found) - found);
    if (!std::regex_search(line, match, std::regex(R"(([$\w]+)\[\];)")))
      return line + " is not understood";
    names[match[1]] = sharedBase;
    ptx.declaresShared = true;
  }
  parseTables(code, names, ptx);
  const std::string word = ".entry ";
  for (size_t at = code.find(word); at != std::string::npos; at = code.find(word, at)) {
    at += word.size();
    if (std::string wrong = parseEntry(code, at, names, ptx); !wrong.empty())
      return wrong;
  }
  return ptx.entries.empty() ? "there is no .entry" : "";
}

} // namespace checking
