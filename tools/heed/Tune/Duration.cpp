#include "Tune/Duration.h"

#include "Support/ToolError.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace heed::tools {

double parseDuration(const std::string &option, const std::string &text) {
  double number = 0;
  const char *last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, number);
  std::string unit(end, last);
  double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || !std::isfinite(number))
    throw ToolError(
        fmt::format("{}: '{}' is no span of time; write for example 90s, 5m or 1h", option, text));
  return number * factor;
}

} // namespace heed::tools
