#pragma once
/// \file
/// What CUDA's driver returned, in words.

#include "cuda_api.hpp"
#include "sentence.hpp"

namespace heed::runtime::device::cuda {

/// The driver's name of a result.
const char *name_of(CUresult result) noexcept;

/// HEED_OK, or a failure that says what to do.
heed_code check(CUresult result, const char *function, heed_status *status) noexcept;

} // namespace heed::runtime::device::cuda
