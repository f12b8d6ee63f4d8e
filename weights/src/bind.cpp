#include <heed/weights/bind.hpp>

#include <heed/weights/convert.hpp>

#include "guarded.hpp"
#include "layout.hpp"
#include "shape_text.hpp"
#include "source.hpp"
#include "symbols.hpp"

#include <algorithm>
#include <unordered_set>

namespace heed {
namespace {

using detail::strided_tensor;

/// Where a weight comes from.
struct candidate {
  std::int32_t argument;
  std::string source;                ///< as the name map has it, with the prefix
  std::vector<strided_tensor> parts; ///< several where they are stacked
  std::vector<const stored_tensor *> tensors;
  std::vector<std::int64_t> shape;
  bool is_found = false;
};

class binder {
public:
  binder(const heed_program &program, const weights_store &store, const bind_options &options)
      : program_(program), store_(store), options_(options) {}

  /// Fills `candidates` and `errors`.
  void find() {
    for (const name_map::entry &entry : options_.names.entries())
      if (const auto mistake = detail::entry_mistake(entry))
        add_error("name map", *mistake);
    if (!errors.empty())
      return;
    for (std::int32_t argument = 0; argument < program_.argument_count; ++argument)
      if (program_.arguments[argument].role == HEED_WEIGHT)
        candidates.push_back(find(argument));
    check_shapes();
  }

  std::vector<candidate> candidates;
  std::string errors;

private:
  void add_error(const std::string &what, const std::string &mistake) {
    errors += (errors.empty() ? "" : "\n") + what + ": " + mistake;
  }

  candidate find(std::int32_t argument) {
    const heed_argument &wanted = program_.arguments[argument];
    candidate found{argument, options_.prefix + detail::source_text(options_.names, wanted.name), {}, {}, {},
                    false};
    const auto source = detail::parse_source(found.source);
    if (!source) {
      add_error(wanted.name, source.message());
      return found;
    }
    const detail::located located = detail::locate(store_, source->name);
    if (!located.mistake.empty()) {
      add_error(wanted.name, located.mistake);
      return found;
    }
    found.tensors = located.tensors;
    for (const stored_tensor *tensor : located.tensors)
      if (!add_part(found, wanted, *source, *tensor))
        return found;
    found.shape = found.parts.front().shape;
    if (located.stacked)
      found.shape.insert(found.shape.begin(), static_cast<std::int64_t>(found.parts.size()));
    found.is_found = true;
    return found;
  }

  bool add_part(candidate &found, const heed_argument &wanted, const detail::source &source,
                const stored_tensor &tensor) {
    const auto type = static_cast<heed_dtype>(wanted.dtype);
    if (!tensor.type || !converts(*tensor.type, type)) {
      add_error(wanted.name, place_of(tensor) + " has type " + tensor.type_name + ", " + type_name(type) +
                                 " is needed; convert the file");
      return false;
    }
    strided_tensor part = detail::strided(tensor, *tensor.type);
    if (const auto mistake = detail::apply(source.steps, part)) {
      add_error(wanted.name, place_of(tensor) + ": " + *mistake);
      return false;
    }
    if (!found.parts.empty() && found.parts.front().shape != part.shape) {
      add_error(wanted.name, place_of(*found.tensors.front()) + " is " +
                                 detail::shape_text(found.parts.front().shape) + ", " + place_of(tensor) +
                                 " is " + detail::shape_text(part.shape) +
                                 " and a stack needs equal shapes; name other tensors");
      return false;
    }
    found.parts.push_back(std::move(part));
    return true;
  }

  void check_shapes() {
    std::vector<detail::found_shape> shapes;
    shapes.reserve(candidates.size());
    for (const candidate &found : candidates)
      shapes.push_back({found.argument, found.is_found ? &found.shape : nullptr});
    const detail::symbols symbols(program_, shapes);
    for (const candidate &found : candidates)
      if (found.is_found && !symbols.fit(found.argument, found.shape))
        add_error(program_.arguments[found.argument].name, shape_mistake(found, symbols));
  }

  std::string shape_mistake(const candidate &found, const detail::symbols &symbols) const {
    std::string text = "'" + found.source + "' is " + detail::shape_text(found.shape) + " in " +
                       found.tensors.front()->file + ", " + symbols.shape_text(found.argument) +
                       " is needed" + symbols.origins(found.argument);
    std::vector<std::int64_t> transposed = found.shape;
    if (transposed.size() >= 2)
      std::swap(transposed[transposed.size() - 2], transposed.back());
    if (transposed != found.shape && symbols.fit(found.argument, transposed))
      return text + "; transposed it would fit, write '" + program_.arguments[found.argument].name + " = " +
             found.source.substr(options_.prefix.size()) + ".T' in the name map";
    return text + "; name another tensor or change the kernel";
  }

  static std::string place_of(const stored_tensor &tensor) {
    return "'" + tensor.name + "' in " + tensor.file;
  }

  const heed_program &program_;
  const weights_store &store_;
  const bind_options &options_;
};

heed_view view_of(const std::byte *data, heed_dtype type, const std::vector<std::int64_t> &shape) {
  heed_view view{const_cast<std::byte *>(data), type, static_cast<std::int32_t>(shape.size()), {}, {}};
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= std::max<std::int64_t>(shape[axis], 1)) {
    view.extents[axis] = shape[axis];
    view.strides[axis] = stride;
  }
  return view;
}

/// Whether a call can read the tensor where it lies.
bool is_usable(const strided_tensor &tensor, heed_dtype type) {
  return tensor.type == type && tensor.is_dense() &&
         reinterpret_cast<std::uintptr_t>(tensor.data) % bytes_per_element(type) == 0;
}

} // namespace

result<bound_weights> bind_weights(const heed_program &program, const weights_store &store,
                                   const bind_options &options) noexcept {
  return detail::guarded(program.name, [&]() -> result<bound_weights> {
    if (program.version != HEED_ABI_VERSION)
      return failure{std::string(program.name) + ": its table has version " +
                     std::to_string(program.version) + ", " + std::to_string(HEED_ABI_VERSION) +
                     " is needed; compile it anew with this heed"};
    binder binder(program, store, options);
    binder.find();
    if (!binder.errors.empty())
      return failure{"kernel " + std::string(program.name) + ": its weights can't be bound\n" +
                     binder.errors};

    bound_weights bound;
    bound.store_ = store;
    std::unordered_set<const stored_tensor *> used;
    for (const candidate &found : binder.candidates) {
      used.insert(found.tensors.begin(), found.tensors.end());
      const auto type = static_cast<heed_dtype>(program.arguments[found.argument].dtype);
      if (found.parts.size() == 1 && is_usable(found.parts.front(), type)) {
        bound.items_.push_back({found.argument, view_of(found.parts.front().data, type, found.shape)});
        continue;
      }
      const dense_array copy = detail::make_array(type, found.shape);
      std::byte *end = copy.data.get();
      for (const strided_tensor &part : found.parts)
        end = detail::copy_converted(part, type, end);
      bound.items_.push_back({found.argument, view_of(copy.data.get(), type, copy.shape)});
      bound.copies_.push_back(copy);
    }
    for (const stored_tensor &tensor : store.tensors())
      if (!used.contains(&tensor))
        bound.unused_.push_back(tensor.name);
    return bound;
  });
}

} // namespace heed
