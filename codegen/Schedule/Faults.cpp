#include "Faults.h"

namespace heed::schedule {

Fault atLeast(std::string_view field, int64_t value, int64_t least) {
  if (value >= least)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed at least " + std::to_string(least);
}

Fault atMost(std::string_view field, int64_t value, int64_t most) {
  if (value <= most)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed at most " + std::to_string(most);
}

Fault multiple(std::string_view field, int64_t value, int64_t unit, std::string_view why) {
  if (Fault fault = atLeast(field, value, 1))
    return fault;
  if (unit < 1 || value % unit == 0) // a unit below 1 is a fault of its own
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed a multiple of " +
         std::to_string(unit) + " (" + std::string(why) + ")";
}

Fault divides(std::string_view field, int64_t value, std::string_view ofField, int64_t of) {
  if (Fault fault = atLeast(field, value, 1))
    return fault;
  if (of % value == 0)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed a divisor of " +
         std::string(ofField) + ", which is " + std::to_string(of);
}

Fault firstOf(std::initializer_list<Fault> faults) {
  for (const Fault &fault : faults)
    if (fault)
      return fault;
  return std::nullopt;
}

} // namespace heed::schedule
