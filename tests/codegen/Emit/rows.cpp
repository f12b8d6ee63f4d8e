// Operations along the last axis: leading axes of any number, views on both sides.
#include "Compiled.h"
#include "Text.h"

#include <catch2/catch.hpp>

using namespace heed;

TEST_CASE("softmax gives zeros for a row of -infinity") {
  std::string x = tensor("a, b, n"), row = tensor("n");
  static const Compiled library(kernel("rows", {x}, x, only("heed.softmax %x0", {x}, x)) +
                                kernel("row", {row}, row, only("heed.softmax %x0", {row}, row)));
  auto check = [](const std::string &name, Index shape, bool hidden) {
    auto x = Tensor<float>::random(shape, 1, -30, 30);
    if (hidden)
      std::fill(x.begin(), x.begin() + shape.back(), -INFINITY);
    Tensor<float> y(shape);
    REQUIRE(library.call(name, {x.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](Index i) {
            double sum = 0, mine = std::exp(x.at(i) - 30);
            for (i.back() = 0; i.back() < shape.back(); ++i.back())
              sum += std::exp(x.at(i) - 30);
            return sum > 0 ? mine / sum : 0;
          }) < 1e-5);
    CHECK(y.guardsIntact());
  };
  check("rows", {2, 3, 5}, true);
  check("rows", {1, 70, 129}, true);
  check("rows", {2, 0, 5}, false);
  check("rows", {2, 3, 1}, false);
  check("row", {37}, false);
  check("row", {4}, true);
}

namespace {

constexpr double epsilon = 1e-5;

/// (x - mean) / sqrt(variance + epsilon) at an index, along the last axis.
double normalized(const Tensor<float> &x, Index i) {
  double own = x.at(i), n = x.shape.back(), mean = 0, squares = 0;
  for (i.back() = 0; i.back() < n; ++i.back())
    mean += x.at(i) / n;
  for (i.back() = 0; i.back() < n; ++i.back())
    squares += (x.at(i) - mean) * (x.at(i) - mean);
  return (own - mean) / std::sqrt(squares / n + epsilon);
}

std::string layerNorm(const std::string &x, const std::string &gain,
                      const std::string &operands = "%x0, %x1, %x2") {
  return "heed.layer_norm " + operands + " epsilon 1.0e-05 : (" + x + ", " + gain + ", " + gain + ") -> " +
         x + "\n";
}

} // namespace

TEST_CASE("layer_norm of every rank, also without rows or elements") {
  std::string row = tensor("n"), four = tensor("a, b, c, n");
  static const Compiled library(
      kernel("row", {row, row, row}, row, "%y = " + layerNorm(row, row) + "heed.return %y : " + row) +
      kernel("four", {four, row, row}, four, "%y = " + layerNorm(four, row) + "heed.return %y : " + four));
  auto check = [](const std::string &name, Index shape) {
    auto x = Tensor<float>::random(shape, 1, -3, 5), gain = Tensor<float>::random({shape.back()}, 2),
         bias = Tensor<float>::random({shape.back()}, 3);
    Tensor<float> y(shape);
    REQUIRE(library.call(name, {x.view(), gain.view(), bias.view(), y.view()}) == "");
    CHECK(largestDifference(y, [&](const Index &i) {
            return normalized(x, i) * gain.at({i.back()}) + bias.at({i.back()});
          }) < 1e-5);
    CHECK(y.guardsIntact());
  };
  check("row", {37});
  check("row", {512});
  check("four", {2, 3, 37, 64});
  check("four", {1, 1, 5, 100});
  check("four", {2, 0, 3, 8});
  check("four", {2, 2, 3, 0});
  check("row", {0});
}

TEST_CASE("rms_norm reads split heads in place and writes into merged rows") {
  std::string x = tensor("b, s, 2*d"), heads = tensor("b, 2, s, d"), gain = tensor("d");
  static const Compiled library(kernel("heads", {x, gain}, x,
                                       "%h = heed.split_heads %x0 into <2> : (" + x + ") -> " + heads +
                                           "\n%n = heed.rms_norm %h, %x1 epsilon 1.0e-06 : (" + heads + ", " +
                                           gain + ") -> " + heads + "\n%y = heed.merge_heads %n : (" + heads +
                                           ") -> " + x + "\nheed.return %y : " + x));
  CHECK(library.programs[0].steps.size() == 1);
  auto x0 = Tensor<float>::random({2, 5, 14}, 1), gains = Tensor<float>::random({7}, 2);
  Tensor<float> y({2, 5, 14});
  REQUIRE(library.call("heads", {x0.view(), gains.view(), y.view()}) == "");
  CHECK(largestDifference(y, [&](Index i) {
          int64_t head = i.back() / 7, column = i.back() % 7;
          double own = x0.at(i), squares = 0;
          for (i.back() = head * 7; i.back() < (head + 1) * 7; ++i.back())
            squares += x0.at(i) * x0.at(i) / 7;
          return own / std::sqrt(squares + 1e-6) * gains.at({column});
        }) < 1e-5);
  CHECK(y.guardsIntact());
}

TEST_CASE("a norm of transposed rows reads them in place") {
  std::string x = tensor("n, m"), t = tensor("m, n"), row = tensor("n");
  static const Compiled library(kernel("turned", {x, row, row}, t,
                                       "%t = heed.transpose %x0 : (" + x + ") -> " + t + "\n%y = " +
                                           layerNorm(t, row, "%t, %x1, %x2") + "heed.return %y : " + t));
  CHECK(library.programs[0].steps.size() == 1);
  auto x0 = Tensor<float>::random({70, 9}, 1), gain = Tensor<float>::random({70}, 2),
       bias = Tensor<float>::random({70}, 3);
  Tensor<float> y({9, 70}), turned({9, 70});
  forEachIndex(turned.shape, [&](const Index &i) { turned.begin()[i[0] * 70 + i[1]] = x0.at({i[1], i[0]}); });
  REQUIRE(library.call("turned", {x0.view(), gain.view(), bias.view(), y.view()}) == "");
  CHECK(largestDifference(y, [&](const Index &i) {
          return normalized(turned, i) * gain.at({i[1]}) + bias.at({i[1]});
        }) < 1e-5);
}

TEST_CASE("norms with one epsilon share a function") {
  std::string row = tensor("n"), x = tensor("m, n");
  auto norm = [&](const std::string &name, const std::string &epsilon) {
    return kernel(name, {x}, x,
                  "%y = heed.rms_norm %x0 epsilon " + epsilon + " : (" + x + ") -> " + x +
                      "\nheed.return %y : " + x);
  };
  static const Compiled library(norm("a", "1.0e-06") + norm("b", "1.0e-06") + norm("c", "1.0e-05"));
  auto function = [&](int n) { return library.programs[n].steps[0].alternatives[0].launches[0].function; };
  CHECK(function(0) == function(1));
  CHECK(function(0) != function(2));
}

TEST_CASE("sum, amax and argmax of every rank") {
  std::string row = tensor("n"), x = tensor("a, b, n"), y = tensor("a, b"), indices = tensor("a, b", "i32"),
              flat = tensor("");
  static const Compiled library(kernel("sum", {x}, y, only("heed.sum %x0", {x}, y)) +
                                kernel("amax", {x}, y, only("heed.amax %x0", {x}, y)) +
                                kernel("argmax", {x}, indices, only("heed.argmax %x0", {x}, indices)) +
                                kernel("total", {row}, flat, only("heed.sum %x0", {row}, flat)));
  for (Index shape : {Index{2, 3, 37}, {1, 70, 512}, {3, 1, 0}, {2, 0, 4}}) {
    auto x = Tensor<float>::random(shape, 1);
    Tensor<float> sums({shape[0], shape[1]}), largest({shape[0], shape[1]});
    Tensor<int32_t> places({shape[0], shape[1]});
    REQUIRE(library.call("sum", {x.view(), sums.view()}) == "");
    REQUIRE(library.call("amax", {x.view(), largest.view()}) == "");
    REQUIRE(library.call("argmax", {x.view(), places.view()}) == "");
    forEachIndex(sums.shape, [&](const Index &i) {
      double sum = 0, most = -INFINITY, place = 0;
      for (int64_t j = 0; j < shape[2]; ++j) {
        double element = x.at({i[0], i[1], j});
        sum += element;
        if (element > most)
          most = element, place = double(j);
      }
      CHECK(sums.at(i) == Approx(sum).margin(1e-5));
      CHECK(largest.at(i) == most);
      CHECK(places.at(i) == place);
    });
    CHECK((sums.guardsIntact() && largest.guardsIntact() && places.guardsIntact()));
  }
  auto flatRow = Tensor<float>::random({100}, 4);
  Tensor<float> total({});
  REQUIRE(library.call("total", {flatRow.view(), total.view()}) == "");
  double sum = 0;
  for (float element : flatRow)
    sum += element;
  CHECK(total.at({}) == Approx(sum).margin(1e-5));
}
