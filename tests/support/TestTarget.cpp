#include "TestTarget.h"

#include <cstdio>
#include <cstdlib>

namespace heed::tests {

std::string testTarget() {
  const char *named = std::getenv("HEED_TEST_TARGET");
  return named && *named ? named : "host";
}

bool leftOutOnDevices(const std::string &reason) {
  if (testTarget() == "host")
    return false;
  std::printf("left out for %s: %s\n", testTarget().c_str(), reason.c_str());
  return true;
}

} // namespace heed::tests
