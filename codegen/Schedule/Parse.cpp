#include "Fields.h"

#include <charconv>
#include <vector>

namespace heed {

namespace {

struct Token {
  std::string_view text; ///< empty at the end of the file
  int line = 0;
};

/// Words and braces; `#` starts a comment.
std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n')
      ++line;
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '{' || c == '}') {
      tokens.push_back({text.substr(at++, 1), line});
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
    } else {
      const size_t end = std::min(text.find_first_of(" \t\r\n{}#", at), text.size());
      tokens.push_back({text.substr(at, end - at), line});
      at = end;
    }
  }
  tokens.push_back({{}, line});
  return tokens;
}

class Parser {
public:
  Parser(std::string_view text, std::string_view file, int lanes, ScheduleTable &table)
      : tokens(tokenize(text)), file(file), lanes(lanes), table(table) {}

  std::optional<std::string> run() {
    ScheduleTable result = table;
    while (!tokens[at].text.empty())
      if (std::optional<std::string> fault = parseEntry(result))
        return fault;
    table = std::move(result);
    return std::nullopt;
  }

private:
  Token next() { return tokens[at + 1 < tokens.size() ? at++ : at]; }

  std::string fault(const Token &token, std::string_view subject, std::string_view rest) const {
    return std::string(file) + ":" + std::to_string(token.line) + ": " + std::string(subject) + ": " +
           std::string(rest);
  }

  static std::string quoted(const Token &token) {
    return token.text.empty() ? "end of file" : "'" + std::string(token.text) + "'";
  }

  std::string names(const ScheduleTable &known) const {
    std::string list;
    for (const auto &[name, schedule] : known)
      list += (list.empty() ? "" : ", ") + name;
    return list.empty() ? "nothing: the spec has no fused operation" : "one of " + list;
  }

  std::optional<std::string> parseEntry(ScheduleTable &result) {
    const Token kind = next(), name = next(), brace = next();
    const std::string entry = std::string(kind.text) + " " + std::string(name.text);
    if (brace.text != "{")
      return fault(brace, entry,
                   "found " + quoted(brace) + ", needed 'KIND NAME {'; write one entry per operation");
    const auto known = result.find(std::string(name.text));
    if (known == result.end())
      return fault(name, entry, "no such operation, needed " + names(result));
    return std::visit(
        [&](auto &schedule) -> std::optional<std::string> {
          if (kind.text != kindName(schedule))
            return fault(kind, entry,
                         "found kind '" + std::string(kind.text) + "', needed '" +
                             std::string(kindName(schedule)) + "'");
          return parseFields(entry, name, schedule);
        },
        known->second);
  }

  template <class S>
  std::optional<std::string> parseFields(const std::string &entry, const Token &name, S &schedule) {
    for (Token field = next(); field.text != "}"; field = next()) {
      if (field.text.empty())
        return fault(field, entry, "found end of file, needed '}'");
      const Token value = next();
      std::string list;
      bool found = false, number = false;
      visitFields(schedule, [&](std::string_view candidate, auto &member) {
        list += (list.empty() ? "" : ", ") + std::string(candidate);
        if (candidate != field.text)
          return;
        found = true;
        const char *end = value.text.data() + value.text.size();
        const auto [stop, code] = std::from_chars(value.text.data(), end, member);
        number = code == std::errc() && stop == end && !value.text.empty();
      });
      if (!found)
        return fault(field, entry, "found field " + quoted(field) + ", needed one of " + list);
      if (!number)
        return fault(value, entry, std::string(field.text) + " is " + quoted(value) + ", needed an integer");
    }
    if (std::optional<std::string> impossible = checkSchedule(schedule, lanes))
      return fault(name, entry, *impossible);
    return std::nullopt;
  }

  std::vector<Token> tokens;
  size_t at = 0;
  std::string_view file;
  int lanes;
  ScheduleTable &table;
};

} // namespace

std::optional<std::string> parseSchedules(std::string_view text, std::string_view file, int lanes,
                                          ScheduleTable &table) {
  return Parser(text, file, lanes, table).run();
}

} // namespace heed
