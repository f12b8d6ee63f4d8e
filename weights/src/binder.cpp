#include "binder.hpp"

#include "shape_text.hpp"
#include "tensor_name.hpp"

#include <heed/weights/convert.hpp>

#include <algorithm>
#include <unordered_set>

namespace heed::detail {
namespace {

std::string place_of(const stored_tensor &tensor) { return "'" + tensor.name + "' in " + tensor.file; }

} // namespace

std::string binder::find() {
  for (const name_map::entry &entry : options_.names.entries())
    if (const auto mistake = entry_mistake(entry))
      add_error("name map", *mistake);
  if (!lines_.empty())
    return all_lines();
  for (std::int32_t argument = 0; argument < program_.argument_count; ++argument)
    if (program_.arguments[argument].role == HEED_WEIGHT)
      candidates.push_back(find(argument));
  suggest_names();
  check_shapes();
  return all_lines();
}

candidate binder::find(std::int32_t argument) {
  const heed_argument &wanted = program_.arguments[argument];
  candidate found{argument, options_.prefix + source_text(options_.names, wanted.name), {}, {}, {}, false};
  const auto source = parse_source(found.source);
  if (!source) {
    add_error(wanted.name, source.message());
    return found;
  }
  const located located = locate(store_, source->name);
  if (!located.mistake.empty()) {
    if (!located.missing.empty())
      missing_.emplace_back(lines_.size(), located.missing);
    add_error(wanted.name, located.mistake);
    return found;
  }
  found.tensors = located.tensors;
  if (!located.stacked)
    found.source.replace(found.source.find(source->name), source->name.size(), found.tensors.front()->name);
  for (const stored_tensor *tensor : located.tensors)
    if (!add_part(found, wanted, *source, *tensor))
      return found;
  found.shape = found.parts.front().shape;
  if (located.stacked)
    found.shape.insert(found.shape.begin(), static_cast<std::int64_t>(found.parts.size()));
  found.is_found = true;
  return found;
}

bool binder::add_part(candidate &found, const heed_argument &wanted, const source &source,
                      const stored_tensor &tensor) {
  const auto type = static_cast<heed_dtype>(wanted.dtype);
  if (!tensor.type || !converts(*tensor.type, type)) {
    add_error(wanted.name, place_of(tensor) + " has type " + tensor.type_name + ", " + type_name(type) +
                               " is needed; convert the file");
    return false;
  }
  strided_tensor part = strided(tensor, *tensor.type);
  if (const auto mistake = apply(source.steps, part)) {
    add_error(wanted.name, place_of(tensor) + ": " + *mistake);
    return false;
  }
  if (!found.parts.empty() && found.parts.front().shape != part.shape) {
    add_error(wanted.name, place_of(*found.tensors.front()) + " is " + shape_text(found.parts.front().shape) +
                               ", " + place_of(tensor) + " is " + shape_text(part.shape) +
                               " and a stack needs equal shapes; name other tensors");
    return false;
  }
  found.parts.push_back(std::move(part));
  return true;
}

/// Adds the nearest names to the lines about missing tensors: of those that no weight has taken, else of
/// all.
void binder::suggest_names() {
  std::unordered_set<const stored_tensor *> taken;
  for (const candidate &found : candidates)
    taken.insert(found.tensors.begin(), found.tensors.end());
  std::vector<std::string_view> names, free_names;
  for (const stored_tensor &tensor : store_.tensors()) {
    names.push_back(tensor.name);
    if (!taken.contains(&tensor))
      free_names.push_back(tensor.name);
  }
  for (const auto &[line, name] : missing_) {
    std::string nearest = nearest_name(name, free_names);
    if (nearest.empty())
      nearest = nearest_name(name, names);
    if (!nearest.empty())
      lines_[line] += "; did you mean '" + nearest + "'?";
  }
}

void binder::check_shapes() {
  std::vector<found_shape> shapes;
  shapes.reserve(candidates.size());
  for (const candidate &found : candidates)
    shapes.push_back({found.argument, found.is_found ? &found.shape : nullptr});
  const symbols symbols(program_, shapes);
  for (const candidate &found : candidates)
    if (found.is_found && !symbols.fit(found.argument, found.shape))
      add_error(program_.arguments[found.argument].name, shape_mistake(found, symbols));
}

std::string binder::shape_mistake(const candidate &found, const symbols &symbols) const {
  std::string text = "'" + found.source + "' is " + shape_text(found.shape) + " in " +
                     found.tensors.front()->file + ", " + symbols.shape_text(found.argument) + " is needed" +
                     symbols.origins(found.argument);
  std::vector<std::int64_t> transposed = found.shape;
  if (transposed.size() >= 2)
    std::swap(transposed[transposed.size() - 2], transposed.back());
  if (transposed != found.shape && symbols.fit(found.argument, transposed))
    return text + "; transposed it would fit, write '" + program_.arguments[found.argument].name + " = " +
           without_prefix(found.source) + ".T' in the name map";
  return text + "; name another tensor or change the kernel";
}

std::string binder::without_prefix(const std::string &source) const {
  return source.substr(source.starts_with(options_.prefix) ? options_.prefix.size() : 0);
}

void binder::add_error(const std::string &what, const std::string &mistake) {
  lines_.push_back(what + ": " + mistake);
}

std::string binder::all_lines() const {
  std::string text;
  for (const std::string &line : lines_)
    text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

} // namespace heed::detail
