#pragma once
/// \file
/// Trained weights from files into a kernel's arguments.

#include <heed/weights/convert.hpp>
#include <heed/weights/dense_array.hpp>
#include <heed/weights/npy.hpp>
#include <heed/weights/result.hpp>
#include <heed/weights/safetensors.hpp>
#include <heed/weights/store.hpp>
#include <heed/weights/stored_tensor.hpp>
