#include "Assembly.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>

namespace heed::tests {

namespace {

using Lines = std::vector<std::string>;

/// Of x86-64 in AT&T's form, and of AArch64.
const std::regex symbol("^# (heed_\\w+)$"), label("^(\\.L\\w+):.*"),
    jump("^\\s+(?:j\\w+|b|b\\.\\w+|cbn?z\\s+\\w+,|tbn?z\\s+\\w+, #\\d+,)\\s+(\\.L\\w+).*"),
    fused("^\\s+(?:vfmadd\\w*p[sd]|vdpbf16ps|fmla)\\s.*"), dot("^\\s+vdpbf16ps\\s.*"),
    broadcast("^\\s+(?:vp?broadcast\\w+\\s+[^%]*\\(|.*\\{1to16\\}).*"),
    loaded("^\\s+vmov[au]p[sd]\\s+[^%]*\\(.*"), gather("^\\s+vp?gather.*"),
    multiplied("^\\s+v?mulp[sd]\\s.*"), added("^\\s+v?addp[sd]\\s.*"),
    notMultiplied("^\\s+(?:v?pslld|shl|v?cmp\\w*p[sd]|v?m(?:in|ax)p[sd]|fcm\\w+|fm(?:in|ax)\\w*)\\s.*"),
    spill(".*(?:16|32|64)-byte (?:Folded )?(?:Spill|Reload).*"); // LLVM's own words

std::map<std::string, Lines> functionsOf(const std::string &assembly) {
  std::map<std::string, Lines> functions;
  std::istringstream stream(assembly);
  Lines *current = nullptr;
  std::smatch match;
  for (std::string line; std::getline(stream, line);)
    if (std::regex_match(line, match, symbol))
      current = &functions[match[1]];
    else if (current)
      current->push_back(line);
  return functions;
}

struct Range {
  size_t first, last;
  bool holds(const Range &other) const { return first <= other.first && other.last <= last; }
  bool operator==(const Range &) const = default;
};

/// From a label to the last jump back to it; those that hold no other.
std::vector<Range> innermostLoops(const Lines &lines) {
  std::map<std::string, size_t> labels;
  std::vector<Range> loops;
  std::smatch match;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_match(lines[i], match, label))
      labels[match[1]] = i;
    else if (std::regex_match(lines[i], match, jump) && labels.count(match[1]))
      loops.push_back({labels[match[1]], i});
  }
  std::vector<Range> innermost;
  for (const Range &loop : loops)
    if (std::none_of(loops.begin(), loops.end(),
                     [&](const Range &other) { return !(other == loop) && loop.holds(other); }))
      innermost.push_back(loop);
  return innermost;
}

/// Nothing when the loop does something else.
std::optional<Loop> multiplying(const Lines &lines, const Range &range) {
  Loop loop;
  int products = 0, sums = 0;
  for (size_t i = range.first; i <= range.last; ++i) {
    if (std::regex_match(lines[i], notMultiplied))
      return std::nullopt;
    loop.products += std::regex_match(lines[i], fused);
    loop.dots += std::regex_match(lines[i], dot);
    loop.broadcasts += std::regex_match(lines[i], broadcast);
    loop.loads += std::regex_match(lines[i], loaded);
    loop.gathers += std::regex_match(lines[i], gather);
    products += std::regex_match(lines[i], multiplied);
    sums += std::regex_match(lines[i], added);
    if (std::regex_match(lines[i], spill))
      loop.spills.push_back(lines[i]);
  }
  loop.products += std::min(products, sums);
  return loop.products > 0 ? std::optional(loop) : std::nullopt;
}

} // namespace

std::map<std::string, std::vector<Loop>> microKernels(const std::string &assembly) {
  std::map<std::string, std::vector<Loop>> result;
  for (const auto &[name, lines] : functionsOf(assembly)) {
    std::vector<Loop> loops;
    int most = 0;
    for (const Range &range : innermostLoops(lines))
      if (std::optional<Loop> loop = multiplying(lines, range)) {
        loops.push_back(*loop);
        most = std::max(most, loop->products);
      }
    for (const Loop &loop : loops)
      if (2 * loop.products >= most)
        result[name].push_back(loop);
  }
  return result;
}

} // namespace heed::tests
