/// Matrices to draw, and the geometry of pages.
#ifndef HEED_TESTS_PLOT_SUPPORT_HPP
#define HEED_TESTS_PLOT_SUPPORT_HPP

#include "heed/plot.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace heed::plot {

/// Rows of different numbers from 0 to 1.
inline matrix sample(std::int64_t rows, std::int64_t columns) {
  matrix m{rows, columns, {}};
  for (std::int64_t i = 0; i < rows * columns; ++i)
    m.values.push_back(static_cast<double>(i * 7919 % 1009) / 1008);
  return m;
}

/// Words of different lengths.
inline std::vector<std::string> words(std::int64_t count, std::size_t longest = 9) {
  std::vector<std::string> result;
  for (std::int64_t i = 0; i < count; ++i)
    result.push_back(std::string(1 + i * 5 % longest, static_cast<char>('a' + i % 26)));
  return result;
}

inline std::vector<label> labels_of(const page &p, label_role role) {
  std::vector<label> result;
  std::copy_if(p.labels.begin(), p.labels.end(), std::back_inserter(result),
               [&](const label &l) { return l.role == role; });
  return result;
}

inline std::vector<std::string> texts_of(const page &p, label_role role) {
  std::vector<std::string> result;
  for (const label &l : labels_of(p, role))
    result.push_back(l.text);
  return result;
}

using corners = std::array<point, 4>;

inline corners corners_of(const rectangle &r) {
  return {point{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
}

/// Whether two turned rectangles share an area: no side of either separates them.
inline bool overlap(const corners &a, const corners &b) {
  constexpr double slack = 1e-6;
  for (const corners *sides : {&a, &b})
    for (int i = 0; i < 2; ++i) {
      point along{(*sides)[i + 1].x - (*sides)[i].x, (*sides)[i + 1].y - (*sides)[i].y};
      auto reach = [&](const corners &c) {
        double low = 1e300, high = -1e300;
        for (point p : c) {
          double at = p.x * along.x + p.y * along.y;
          low = std::min(low, at);
          high = std::max(high, at);
        }
        return std::pair(low, high);
      };
      auto [low_a, high_a] = reach(a);
      auto [low_b, high_b] = reach(b);
      if (high_a <= low_b + slack || high_b <= low_a + slack)
        return false;
    }
  return true;
}

inline bool inside(const corners &c, const page &p) {
  return std::all_of(c.begin(), c.end(),
                     [&](point at) { return at.x >= 0 && at.y >= 0 && at.x <= p.width && at.y <= p.height; });
}

/// What is wrong with a page's places; empty where nothing is.
inline std::string misplaced(const page &p) {
  std::vector<std::pair<std::string, corners>> things;
  for (const label &l : p.labels)
    if (l.role != label_role::value)
      things.emplace_back("'" + l.text + "'", l.corners());
  for (const panel &part : p.panels)
    things.emplace_back("panel", corners_of(part.area));
  for (const swatch &s : p.swatches)
    things.emplace_back("swatch", corners_of(s.area));
  if (p.bar)
    things.emplace_back("colour bar", corners_of(p.bar->area));
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (!inside(things[i].second, p))
      return things[i].first + " leaves the page";
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(things[i].second, things[j].second))
        return things[i].first + " overlaps " + things[j].first;
  }
  return "";
}

inline std::string content_of(const std::filesystem::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// An empty folder for one test.
struct folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("heed-plot-test-" + std::to_string(getpid()));
  folder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~folder() { std::filesystem::remove_all(path); }
  folder(const folder &) = delete;
  folder &operator=(const folder &) = delete;
  std::string operator/(const char *name) const { return (path / name).string(); }
};

} // namespace heed::plot

#endif
