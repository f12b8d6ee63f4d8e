#include "formulas.hpp"

#include <cmath>
#include <numeric>

/// Every row divided by the root of its mean square.
static doubles rms_normed(doubles x, std::int64_t width) {
  for (std::size_t row = 0; row < x.size(); row += width) {
    double squares = 0;
    for (std::int64_t i = 0; i < width; ++i)
      squares += x[row + i] * x[row + i];
    for (std::int64_t i = 0; i < width; ++i)
      x[row + i] /= std::sqrt(squares / width + 1e-6);
  }
  return x;
}

/// Columns [first, first + count) of rows of `width`.
static doubles columns(const doubles &x, std::int64_t width, std::int64_t first, std::int64_t count) {
  doubles result;
  for (std::size_t row = 0; row < x.size(); row += width)
    result.insert(result.end(), x.begin() + row + first, x.begin() + row + first + count);
  return result;
}

static void softmax_rows(doubles &x, std::int64_t width) {
  for (auto row = x.begin(); row != x.end(); row += width) {
    double sum = 0;
    for (auto element = row; element != row + width; ++element)
      sum += *element = std::exp(*element);
    for (auto element = row; element != row + width; ++element)
      *element /= sum;
  }
}

doubles probabilities(const array &x, const array &projection, const array &weight, const array &bias,
                      int heads) {
  const std::int64_t batch = x.shape[0], tokens = x.shape[1], width = x.shape[2];
  const doubles all = linear(rms_normed(widened(x), width), projection);
  attention_form form{batch, heads, tokens, tokens};
  form.visible = [](std::int64_t, std::int64_t query, std::int64_t key) { return key <= query; };
  const doubles y = attention(form, columns(all, 3 * width, 0, width), columns(all, 3 * width, width, width),
                              columns(all, 3 * width, 2 * width, width));
  doubles result = linear(y, weight, bias);
  softmax_rows(result, weight.shape[0]);
  return result;
}
