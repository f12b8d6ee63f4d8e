#include <heed/weights/bind.hpp>

#include <heed/weights/convert.hpp>

#include "binder.hpp"
#include "guarded.hpp"

#include <algorithm>
#include <unordered_set>

namespace heed {
namespace {

using detail::strided_tensor;

heed_view view_of(const std::byte *data, heed_dtype type, const std::vector<std::int64_t> &shape) {
  heed_view view{const_cast<std::byte *>(data),
                 type,
                 static_cast<std::int32_t>(shape.size()),
                 {},
                 {},
                 HEED_MEMORY_HOST,
                 0};
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
    detail::binder binder(program, store, options);
    if (const std::string mistakes = binder.find(); !mistakes.empty())
      return failure{"kernel " + std::string(program.name) + ": its weights can't be bound\n" + mistakes};

    bound_weights bound;
    bound.store_ = store;
    std::unordered_set<const stored_tensor *> used;
    for (const detail::candidate &found : binder.candidates) {
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
