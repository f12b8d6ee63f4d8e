//===- TestTarget.h - What the tests compile kernels for --------*- C++ -*-===//
///
/// \file
/// The same cases run on the CPU and on devices: tests/device starts the test programs once more, with
/// HEED_TEST_TARGET=host-opencl in their environment.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_SUPPORT_TESTTARGET_H
#define HEED_TESTS_SUPPORT_TESTTARGET_H

#include <string>

namespace heed::tests {

/// The environment variable HEED_TEST_TARGET, else "host".
std::string testTarget();

/// For a case about what only CPUs have: on a device it prints that the case is left out, with the reason,
/// and is true.
bool leftOutOnDevices(const std::string &reason);

} // namespace heed::tests

#endif // HEED_TESTS_SUPPORT_TESTTARGET_H
