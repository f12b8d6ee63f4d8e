#pragma once
/// \file
/// heed_programs written by hand, as short as they can be said, and memory that notices a write past its
/// ends.

#include <heed/runtime.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <vector>

namespace heed::test {

using number = std::uint16_t; ///< of an extent or a buffer

/// Owns what a heed_program points to. Extent 0 is the number one.
class table {
public:
  table() { extent(1, 1, {}); }

  number extent(std::int64_t numerator, std::int64_t denominator, std::vector<std::pair<int, int>> factors,
                bool round_up = false) {
    heed_extent result{numerator,
                       denominator,
                       static_cast<std::int8_t>(round_up),
                       static_cast<std::int8_t>(factors.size()),
                       {}};
    for (std::size_t i = 0; i < factors.size(); ++i)
      result.factors[i] = {static_cast<std::int8_t>(factors[i].first),
                           static_cast<std::int8_t>(factors[i].second)};
    extents_.push_back(result);
    return static_cast<number>(extents_.size() - 1);
  }
  number operator()(std::int64_t value) { return extent(value, 1, {}); }
  number symbol(const char *name) {
    symbols_.push_back(name);
    return extent(1, 1, {{static_cast<int>(symbols_.size() - 1), 1}});
  }

  number argument(const char *name, heed_role role, std::vector<number> extents,
                  heed_dtype dtype = HEED_F32) {
    heed_argument result{name,
                         static_cast<std::uint8_t>(role),
                         static_cast<std::uint8_t>(dtype),
                         static_cast<std::uint8_t>(extents.size()),
                         {}};
    std::copy(extents.begin(), extents.end(), result.extents);
    arguments_.push_back(result);
    return static_cast<number>(arguments_.size() - 1);
  }
  number input(const char *name, std::vector<number> extents, heed_dtype dtype = HEED_F32) {
    return argument(name, HEED_INPUT, extents, dtype);
  }
  number output(const char *name, std::vector<number> extents, heed_dtype dtype = HEED_F32) {
    return argument(name, HEED_OUTPUT, extents, dtype);
  }
  number state(const char *name, std::vector<number> extents) { return argument(name, HEED_STATE, extents); }
  /// `part` rows fit into `whole` from `argument` on.
  void bound(number argument, number whole, number part) { bounds_.push_back({argument, whole, part}); }
  number scalar(const char *name, heed_dtype dtype) { return argument(name, HEED_SCALAR, {}, dtype); }
  /// After all arguments.
  number temporary(std::vector<number> extents, int slot, number limited = 0, std::int64_t at_most = 0,
                   std::int64_t more_than = 0) {
    heed_temporary result{};
    result.dtype = HEED_F32;
    result.rank = static_cast<std::uint8_t>(extents.size());
    result.slot = static_cast<number>(slot);
    result.limited = limited;
    result.more_than = more_than;
    result.at_most = at_most;
    std::copy(extents.begin(), extents.end(), result.extents);
    temporaries_.push_back(result);
    slots_ = std::max(slots_, slot + 1);
    return static_cast<number>(arguments_.size() + temporaries_.size() - 1);
  }

  struct launch {
    heed_tile_function function;
    std::vector<heed_grid_axis> grid;
    std::vector<heed_operand> operands;
    std::vector<heed_scalar> scalars = {};
    number work = 0;
  };
  struct alternative {
    number extent;
    std::int64_t at_most;
    std::vector<launch> launches;
    int zero_argument = -1;
    std::vector<heed_condition> others = {};
  };
  void step(std::vector<launch> launches) { step({{0, -1, launches}}); }
  void step(std::vector<alternative> alternatives) {
    auto &made = alternatives_.emplace_back();
    for (const alternative &one : alternatives) {
      auto &launches = launches_.emplace_back();
      for (const launch &l : one.launches) {
        operands_.push_back(l.operands);
        scalars_.push_back(l.scalars);
        heed_launch result{};
        result.function = l.function;
        result.name = "tile";
        result.grid_rank = static_cast<std::uint8_t>(l.grid.size());
        result.scalar_count = static_cast<std::uint8_t>(l.scalars.size());
        result.operand_count = static_cast<std::uint8_t>(l.operands.size());
        std::copy(l.grid.begin(), l.grid.end(), result.grid);
        result.scalars = scalars_.back().data();
        result.operands = operands_.back().data();
        result.work = l.work;
        launches.push_back(result);
      }
      heed_alternative &result =
          made.emplace_back(heed_alternative{static_cast<std::int16_t>(one.zero_argument),
                                             0,
                                             {},
                                             static_cast<std::int32_t>(launches.size()),
                                             launches.data()});
      if (one.at_most >= 0)
        result.conditions[result.condition_count++] = {one.extent, one.at_most};
      for (const heed_condition &other : one.others)
        result.conditions[result.condition_count++] = other;
    }
    steps_.push_back({static_cast<std::int32_t>(made.size()), made.data()});
  }

  heed_program program(heed_cpu_level level = HEED_CPU_ANY, const heed_program *otherwise = nullptr) const {
    const auto count = [](const auto &list) { return static_cast<std::int32_t>(list.size()); };
    return {HEED_ABI_VERSION,
            "kernel",
            count(symbols_),
            count(extents_),
            count(arguments_),
            count(temporaries_),
            slots_,
            count(steps_),
            symbols_.data(),
            extents_.data(),
            arguments_.data(),
            temporaries_.data(),
            steps_.data(),
            count(bounds_),
            bounds_.data(),
            static_cast<std::uint8_t>(level),
            otherwise,
            HEED_DEVICE_NONE};
  }

private:
  std::vector<const char *> symbols_;
  std::vector<heed_extent> extents_;
  std::vector<heed_argument> arguments_;
  std::vector<heed_temporary> temporaries_;
  std::vector<heed_bound> bounds_;
  int slots_ = 0;
  std::deque<std::vector<heed_operand>> operands_;
  std::deque<std::vector<heed_scalar>> scalars_;
  std::deque<std::vector<heed_launch>> launches_;
  std::deque<std::vector<heed_alternative>> alternatives_;
  std::vector<heed_step> steps_;
};

/// An axis without a factor on its stride.
inline heed_axis axis(number extent, int axis, int grid = -1, bool by_tile = false) {
  return {extent, 0, static_cast<std::int8_t>(axis), static_cast<std::int8_t>(grid), by_tile};
}

/// Axes innermost first; the first `kernel_rank` are the tile function's.
inline heed_operand operand(number buffer, int kernel_rank, std::vector<heed_axis> axes,
                            bool is_output = false) {
  heed_operand result{};
  result.buffer = buffer;
  result.kernel_rank = static_cast<std::uint8_t>(kernel_rank);
  result.rank = static_cast<std::uint8_t>(axes.size());
  result.is_output = is_output;
  std::copy(axes.begin(), axes.end(), result.axes);
  return result;
}
inline heed_operand written(number buffer, int kernel_rank, std::vector<heed_axis> axes) {
  return operand(buffer, kernel_rank, axes, true);
}

/// The operand from further on in its buffer.
inline heed_operand from(heed_operand operand, std::vector<heed_offset> offsets) {
  operand.offset_count = static_cast<std::uint8_t>(offsets.size());
  std::copy(offsets.begin(), offsets.end(), operand.offsets);
  return operand;
}

inline heed_status run(const heed_program &program, const std::vector<heed_view> &views,
                       const heed_options &options = {}) {
  heed_status status;
  status.code = -1;
  std::strcpy(status.message, "untouched");
  heed_call(&program, views.data(), &options, &status);
  return status;
}

/// A call that must succeed, or the test fails with its sentence.
inline void run_ok(const heed_program &program, const std::vector<heed_view> &views,
                   const heed_options &options = {}) {
  const heed_status status = run(program, views, options);
  INFO(status.message);
  REQUIRE(status.code == HEED_OK);
}

inline void check_refused(const heed_status &status, heed_code code, const std::string &message) {
  CHECK(std::string(status.message) == message);
  CHECK(status.code == code);
}

/// Elements full of NaN between two zones that must stay as they are.
class guarded {
public:
  explicit guarded(std::int64_t count)
      : elements_(static_cast<std::size_t>(count) + 2 * guard, std::numeric_limits<float>::quiet_NaN()) {
    for (std::size_t i = 0; i < guard; ++i)
      elements_[i] = elements_[elements_.size() - 1 - i] = guard_value;
  }
  ~guarded() {
    for (std::size_t i = 0; i < guard; ++i) {
      CHECK(elements_[i] == guard_value);
      CHECK(elements_[elements_.size() - 1 - i] == guard_value);
    }
  }
  float *data() { return elements_.data() + guard; }
  std::int64_t size() const { return static_cast<std::int64_t>(elements_.size() - 2 * guard); }
  float operator[](std::int64_t i) const { return elements_[guard + static_cast<std::size_t>(i)]; }

private:
  static constexpr std::size_t guard = 32;
  static constexpr float guard_value = 12345.5f;
  std::vector<float> elements_;
};

/// 0, 1, 2, …
inline std::vector<float> counting(std::int64_t count) {
  std::vector<float> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<float>(i);
  return result;
}

} // namespace heed::test
