#include "source.hpp"

#include "shape_text.hpp"
#include "tensor_name.hpp"

#include <heed/weights/convert.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace heed::detail {
namespace {

constexpr std::string_view stack_mark = "{*}";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// A whole number that is all of the text.
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value)
                                                                                : std::nullopt;
}

/// "0 of 3"
std::optional<source_step> part_in(std::string_view text) {
  const std::size_t of = text.find(" of ");
  if (of == std::string_view::npos)
    return std::nullopt;
  const auto index = number_in(trimmed(text.substr(0, of))), count = number_in(trimmed(text.substr(of + 4)));
  if (!index || !count || *index >= *count)
    return std::nullopt;
  return source_step{*index, *count};
}

/// The parts of a pattern between its stars.
std::vector<std::string_view> pieces_of(std::string_view pattern) {
  std::vector<std::string_view> pieces;
  for (std::size_t star; (star = pattern.find('*')) != std::string_view::npos;) {
    pieces.push_back(pattern.substr(0, star));
    pattern.remove_prefix(star + 1);
  }
  pieces.push_back(pattern);
  return pieces;
}

/// Matches what follows a star, shortest stretch first.
bool match_rest(const std::vector<std::string_view> &pieces, std::size_t piece, std::string_view rest,
                std::vector<std::string_view> &stretches) {
  if (piece == pieces.size())
    return rest.empty();
  const bool last = piece + 1 == pieces.size();
  for (std::size_t at = 1; at <= rest.size(); ++at) {
    if (!rest.substr(at).starts_with(pieces[piece]) || (last && rest.size() - at != pieces[piece].size()))
      continue;
    stretches.push_back(rest.substr(0, at));
    if (match_rest(pieces, piece + 1, rest.substr(at + pieces[piece].size()), stretches))
      return true;
    stretches.pop_back();
  }
  return false;
}

/// What the stars of the pattern stand for.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view name) {
  const std::vector<std::string_view> pieces = pieces_of(pattern);
  std::vector<std::string_view> stretches;
  if (!name.starts_with(pieces.front()) ||
      !match_rest(pieces, 1, name.substr(pieces.front().size()), stretches))
    return std::nullopt;
  return stretches;
}

/// Stars of a right side that are not those of a stack.
std::size_t stars_in(std::string_view text) {
  const auto stars = static_cast<std::size_t>(std::count(text.begin(), text.end(), '*'));
  return stars - (text.find(stack_mark) != std::string_view::npos);
}

std::string substituted(std::string_view text, const std::vector<std::string_view> &stretches) {
  std::string result;
  std::size_t next = 0;
  while (!text.empty()) {
    if (text.starts_with(stack_mark)) {
      result += stack_mark;
      text.remove_prefix(stack_mark.size());
    } else if (text.front() == '*') {
      result += stretches[next++];
      text.remove_prefix(1);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

located locate_stack(const weights_store &store, const std::string &name) {
  const std::size_t mark = name.find(stack_mark);
  const std::string before = kernel_spelling(name.substr(0, mark)),
                    after = kernel_spelling(name.substr(mark + stack_mark.size()));
  located found{{}, true, {}, {}};
  std::map<std::int64_t, const stored_tensor *> layers;
  for (const stored_tensor &tensor : store.tensors()) {
    const std::string spelt = kernel_spelling(tensor.name);
    if (spelt.size() <= before.size() + after.size() || !spelt.starts_with(before) || !spelt.ends_with(after))
      continue;
    const auto number =
        number_in(std::string_view(spelt).substr(before.size(), spelt.size() - before.size() - after.size()));
    if (!number)
      continue;
    if (const auto [first, is_new] = layers.emplace(*number, &tensor); !is_new && found.mistake.empty())
      found.mistake = "'" + name + "' is both " + first->second->name + " and " + tensor.name +
                      ", one tensor is needed for each number; rename one";
  }
  if (layers.empty()) {
    found.mistake = "no tensor is called '" + name + "' with a number for {*}, one for each layer is needed";
    found.missing = name.substr(0, mark) + "0" + name.substr(mark + stack_mark.size());
  }
  for (const auto &[number, tensor] : layers) {
    const std::int64_t expected = layers.begin()->first + static_cast<std::int64_t>(found.tensors.size());
    if (number != expected && found.mistake.empty())
      found.mistake = "'" + name + "' has number " + std::to_string(number) + " but not " +
                      std::to_string(expected) + ", numbers without gap are needed; add the missing tensor";
    found.tensors.push_back(tensor);
  }
  return found;
}

} // namespace

result<source> parse_source(std::string_view text) {
  text = trimmed(text);
  source parsed;
  while (true) {
    if (text.ends_with(".T")) {
      parsed.steps.push_back({});
      text = trimmed(text.substr(0, text.size() - 2));
    } else if (text.ends_with(']')) {
      const std::size_t open = text.rfind('[');
      const auto part = open == std::string_view::npos
                            ? std::nullopt
                            : part_in(text.substr(open + 1, text.size() - open - 2));
      if (!part)
        return failure{std::string("'").append(text) +
                       "' ends in a part that is not understood, [i of n] with i below n is needed; write "
                       "NAME[0 of 3]"};
      parsed.steps.push_back(*part);
      text = trimmed(text.substr(0, open));
    } else {
      break;
    }
  }
  std::reverse(parsed.steps.begin(), parsed.steps.end());
  parsed.name = text;
  if (parsed.name.empty())
    return failure{
        "the name in the files is empty, a tensor's name is needed; write kernel_name = file.name"};
  return parsed;
}

std::optional<std::string> entry_mistake(const name_map::entry &entry) {
  if (entry.kernel.empty())
    return "the kernel's name is empty, a weight's name is needed; write kernel_name = file.name";
  const auto parsed = parse_source(entry.file);
  if (!parsed)
    return parsed.message();
  const auto stars = static_cast<std::size_t>(std::count(entry.kernel.begin(), entry.kernel.end(), '*'));
  if (stars_in(entry.file) > stars)
    return "'" + entry.file + "' has " + std::to_string(stars_in(entry.file)) + " stars, '" + entry.kernel +
           "' has " + std::to_string(stars) +
           " and each must stand for one of them; write {*} for the layers of a stack";
  return std::nullopt;
}

std::string source_text(const name_map &names, std::string_view weight) {
  for (const name_map::entry &entry : names.entries())
    if (const auto stretches = match(kernel_spelling(entry.kernel), weight))
      return substituted(entry.file, *stretches);
  return std::string(weight);
}

located locate(const weights_store &store, const std::string &name) {
  if (name.find(stack_mark) != std::string::npos)
    return locate_stack(store, name);
  located found{store.find(name), false, {}, {}};
  if (found.tensors.empty()) {
    found.mistake = "no tensor is called '" + name + "', one is needed";
    found.missing = name;
  } else if (found.tensors.size() > 1) {
    found.mistake = "'" + name + "' is both " + found.tensors[0]->name + " and " + found.tensors[1]->name +
                    ", one tensor is needed; write its name with '.' and '/' in the name map";
  }
  return found;
}

std::optional<std::string> apply(const std::vector<source_step> &steps, strided_tensor &tensor) {
  for (const source_step &step : steps) {
    const std::size_t rank = tensor.shape.size();
    if (step.count == 0 && rank < 2)
      return "it is " + shape_text(tensor.shape) + ", two axes are needed for .T";
    if (step.count == 0) {
      std::swap(tensor.shape[rank - 2], tensor.shape[rank - 1]);
      std::swap(tensor.strides[rank - 2], tensor.strides[rank - 1]);
      continue;
    }
    if (rank == 0 || tensor.shape[0] % step.count != 0)
      return "it is " + shape_text(tensor.shape) + ", axis 0 must be a multiple of " +
             std::to_string(step.count) + " for [" + std::to_string(step.index) + " of " +
             std::to_string(step.count) + "]";
    tensor.shape[0] /= step.count;
    tensor.data += step.index * tensor.shape[0] * tensor.strides[0] *
                   static_cast<std::int64_t>(bytes_per_element(tensor.type));
  }
  return std::nullopt;
}

} // namespace heed::detail
