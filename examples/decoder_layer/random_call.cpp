#include "random_call.hpp"

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

static heed_view view_of(array &values) {
  heed_view view{values.values.data(), HEED_F32, static_cast<std::int32_t>(values.shape.size()), {}, {},
                 HEED_MEMORY_HOST,     0};
  std::int64_t stride = 1;
  for (std::size_t axis = values.shape.size(); axis-- > 0; stride *= values.shape[axis]) {
    view.extents[axis] = values.shape[axis];
    view.strides[axis] = stride;
  }
  return view;
}

void random_call::set(const std::string &name, array &values) { views_[name] = view_of(values); }

array &random_call::weight(const std::string &name) {
  const auto known = weights_.find(name);
  if (known != weights_.end())
    return known->second;
  std::vector<std::int64_t> shape;
  for (int a = 0; a < program_.argument_count; ++a)
    if (const heed_argument &argument = program_.arguments[a]; argument.name == name)
      for (int axis = 0; axis < argument.rank; ++axis)
        shape.push_back(program_.extents[argument.extents[axis]].numerator);
  const double range = shape.size() > 1 ? 1.7 / std::sqrt(static_cast<double>(shape.back())) : 0.5;
  const auto seed = static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
  return weights_.emplace(name, random_array(shape, seed, range)).first->second;
}

heed::status random_call::run() {
  std::vector<heed_view> views;
  for (int a = 0; a < program_.argument_count; ++a) {
    const heed_argument &argument = program_.arguments[a];
    views.push_back(argument.role == HEED_WEIGHT ? view_of(weight(argument.name)) : views_[argument.name]);
  }
  heed::status status;
  heed_call(&program_, views.data(), nullptr, status.c_status());
  return status;
}
