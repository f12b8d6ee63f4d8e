#include "PtxCode.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <regex>

namespace checking {

namespace {

using Names = std::map<std::string, int64_t>;

/// Text without spaces around it.
std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? ""
                                         : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// At commas outside of braces and brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size())
      depth += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      if (const std::string_view part = trimmed(text.substr(begin, i - begin)); !part.empty())
        parts.push_back(part);
      begin = i + 1;
    }
  }
  return parts;
}

class Decoder {
public:
  Decoder(Kernel &kernel, const Names &names) : kernel(kernel), names(names) {}

  void decode(std::string_view body) {
    for (size_t begin = 0; begin < body.size();) {
      const size_t end = std::min(body.find_first_of(";:\n", begin), body.size() - 1);
      const std::string_view text = trimmed(body.substr(begin, end - begin));
      if (body[end] == ':')
        labels[std::string(text)] = kernel.code.size();
      else if (body[end] == ';' && !text.empty())
        statement(text);
      else if (text.find_first_not_of("{} \t") != std::string_view::npos)
        fail(text);
      begin = end + 1;
    }
    for (const auto &[at, label] : branches)
      kernel.code[at].target = labels.count(label) ? labels[label] : kernel.code.size();
  }

private:
  void fail(std::string_view text) {
    if (kernel.fault.empty())
      kernel.fault = text;
  }

  void statement(std::string_view text) {
    while (text.starts_with('{') || text.starts_with('}'))
      text = trimmed(text.substr(1));
    if (text.empty() || text.starts_with(".pragma"))
      return;
    if (text.starts_with(".reg"))
      return declare(text);
    if (text.starts_with(".local"))
      return local(std::string(text));
    Instruction instruction;
    instruction.text = text;
    if (text[0] == '@') {
      instruction.isGuardNegated = text[1] == '!';
      const size_t space = text.find_first_of(" \t"), name = instruction.isGuardNegated ? 2 : 1;
      instruction.guard = registerOf(text.substr(name, space - name));
      text = trimmed(text.substr(space));
    }
    const size_t space = std::min(text.find_first_of(" \t"), text.size());
    const std::string name(text.substr(0, space));
    const std::vector<std::string_view> operands = split(text.substr(space));
    if (name.starts_with("bra"))
      branches.emplace_back(kernel.code.size(), operands.empty() ? "" : operands[0]);
    else
      for (size_t i = 0; i < operands.size(); ++i)
        operand(operands[i], i == 0 ? instruction.to : instruction.from, instruction);
    instruction.run = findOperation(name, instruction);
    if (!instruction.run)
      fail(instruction.text);
    kernel.code.push_back(std::move(instruction));
  }

  /// `.reg .b32 tmp`; names like %r<7> need no declaration here.
  void declare(std::string_view text) {
    const size_t space = text.find_last_of(" \t");
    if (text.find('%') == std::string_view::npos && space != std::string_view::npos)
      plain.push_back(std::string(text.substr(space + 1)));
  }

  /// `.local .align 16 .b8 __local_depot0[64]`
  void local(const std::string &text) {
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(R"(([$\w]+)\[(\d+)\])")))
      return fail(text);
    names[match[1]] = int64_t(localBase) + kernel.localBytes;
    kernel.localBytes += (std::stoi(match[2]) + 15) / 16 * 16;
  }

  void operand(std::string_view text, std::vector<Operand> &list, Instruction &instruction) {
    if (text[0] == '{') {
      for (const std::string_view part : split(text.substr(1, text.size() - 2)))
        list.push_back(value(part));
    } else if (text[0] == '[') {
      const std::string_view inside = trimmed(text.substr(1, text.size() - 2));
      const size_t plus = inside.find('+', 1);
      instruction.base = value(trimmed(inside.substr(0, plus)));
      if (plus != std::string_view::npos)
        instruction.offset = std::strtoll(std::string(inside.substr(plus + 1)).c_str(), nullptr, 0);
    } else {
      list.push_back(value(text));
    }
  }

  int registerOf(std::string_view name) {
    const auto found = kernel.registers.find(name);
    if (found != kernel.registers.end())
      return found->second;
    const int number = int(kernel.registers.size());
    return kernel.registers[std::string(name)] = number;
  }

  /// A register, a number, a name.
  Operand value(std::string_view text) {
    const std::string word(text);
    if (text[0] == '%' || text == "_" || std::find(plain.begin(), plain.end(), word) != plain.end())
      return {true, uint64_t(registerOf(text))};
    if (const auto found = names.find(word); found != names.end())
      return {false, uint64_t(found->second)};
    if (word.starts_with("0f") || word.starts_with("0d") || word.starts_with("0F") || word.starts_with("0D"))
      return {false, std::strtoull(word.c_str() + 2, nullptr, 16)};
    if (text[0] != '-' && (text[0] < '0' || text[0] > '9'))
      fail(text);
    return {false, text[0] == '-' ? uint64_t(std::strtoll(word.c_str(), nullptr, 0))
                                  : std::strtoull(word.c_str(), nullptr, 0)};
  }

  Kernel &kernel;
  Names names;
  std::vector<std::string> plain; ///< registers without %
  std::map<std::string, size_t> labels;
  std::vector<std::pair<size_t, std::string>> branches;
};

} // namespace

Kernel decode(std::string_view body, const std::map<std::string, int64_t> &parameters) {
  Kernel kernel;
  Decoder(kernel, parameters).decode(body);
  return kernel;
}

} // namespace checking
