#pragma once
/// \file
/// Everything that a caller of generated functions needs. <heed/dlpack.hpp> is apart, since it needs DLPack's
/// header.

#include <heed/abi.h>
#include <heed/call.hpp>
#include <heed/cpu_level.hpp>
#include <heed/dtype.hpp>
#include <heed/merge.hpp>
#include <heed/options.hpp>
#include <heed/status.hpp>
#include <heed/view.hpp>
