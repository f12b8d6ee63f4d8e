#include "Arguments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::tests {

using tools::HostTensor;

static double normal(Dice &dice) {
  return std::sqrt(-2 * std::log(dice.real(1e-9, 1))) * std::cos(dice.real(0, 6.283185307179586));
}

static void fillConditions(HostTensor &tensor, Dice &dice) {
  int64_t row = tensor.shape.empty() ? 1 : std::max<int64_t>(tensor.shape.back(), 1);
  double probability = 1;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (i % row == 0)
      probability = dice.pick({0.0, 0.1, 0.5, 0.5, 0.9, 1.0});
    tensor.set(i, dice.chance(probability) ? (dice.chance(0.1) ? 255 : 1) : 0);
  }
}

static void fillDocuments(HostTensor &tensor, Dice &dice) {
  int64_t row = std::max<int64_t>(tensor.shape.back(), 1), document = 0;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (i % row == 0)
      document = dice.between(0, 1);
    tensor.set(i, double(document));
    document += dice.chance(0.05);
  }
}

HostTensor draw(const Argument &argument, Dice &dice) {
  HostTensor tensor = HostTensor::zeros(argument.type, argument.shape);
  auto each = [&](auto value) {
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, static_cast<long double>(value()));
  };
  switch (argument.content) {
  case Content::numbers:
    each([&] { return normal(dice); });
    break;
  case Content::biases:
    each([&] { return dice.chance(0.1) ? -std::numeric_limits<double>::infinity() : normal(dice); });
    break;
  case Content::conditions:
    fillConditions(tensor, dice);
    break;
  case Content::lengths:
    each([&] { return dice.between(-1, argument.limit + 2); });
    break;
  case Content::documents:
    fillDocuments(tensor, dice);
    break;
  case Content::position:
    each([&] { return dice.between(0, argument.limit); });
    break;
  case Content::probability:
    each([&] { return dice.pick({0.0, 0.25, 0.5, 0.9}); });
    break;
  case Content::anything:
    each([&] {
      return dice.chance(0.5) ? dice.between(-5, 40) : dice.between(-(int64_t(1) << 30), int64_t(1) << 30);
    });
    break;
  }
  return tensor;
}

} // namespace heed::tests
