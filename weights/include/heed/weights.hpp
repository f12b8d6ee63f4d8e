#pragma once
/// \file
/// Trained weights from files into a kernel's arguments.

#include <heed/weights/bind.hpp>
#include <heed/weights/bound_kernel.hpp>
#include <heed/weights/convert.hpp>
#include <heed/weights/dense_array.hpp>
#include <heed/weights/name_map.hpp>
#include <heed/weights/npy.hpp>
#include <heed/weights/result.hpp>
#include <heed/weights/safetensors.hpp>
#include <heed/weights/store.hpp>
#include <heed/weights/stored_tensor.hpp>
