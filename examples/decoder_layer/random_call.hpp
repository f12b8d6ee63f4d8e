#pragma once
/// \file
/// A call of a kernel whose arguments are random unless they are set.

#include "array.hpp"

#include <heed/abi.h>
#include <heed/runtime.hpp>

#include <map>
#include <string>

class random_call {
public:
  explicit random_call(const heed_program &program) : program_(program) {}

  /// An input or output.
  void set(const std::string &name, array &values);
  void set(const std::string &name, heed_view view) { views_[name] = view; }

  /// The weight of this name: the same numbers in every call. Its shape are numbers.
  array &weight(const std::string &name);

  heed::status run();

private:
  const heed_program &program_;
  std::map<std::string, heed_view> views_;
  std::map<std::string, array> weights_;
};
