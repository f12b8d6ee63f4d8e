#include "Verify/KeptRows.h"

#include <cstring>

namespace heed::tools {

std::optional<std::int64_t> KeptRows::changed(const HostTensor &after) const {
  std::size_t bytes = elementSize(before.type); // of a row, within one index of the axes before
  for (std::size_t inner = axis + 1; inner < before.shape.size(); ++inner)
    bytes *= before.shape[inner];
  for (std::size_t at = 0; at < before.bytes.size(); at += bytes) {
    std::int64_t row = static_cast<std::int64_t>(at / bytes) % before.shape[axis];
    bool isAppended = row >= first && row < first + count;
    if (!isAppended && std::memcmp(&before.bytes[at], &after.bytes[at], bytes) != 0)
      return row;
  }
  return std::nullopt;
}

} // namespace heed::tools
