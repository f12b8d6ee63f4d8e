/// Threads: the runtime's own, a caller's executor, several callers at once, calls inside calls, forks.

#include "table.hpp"
#include "tile_functions.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace heed::test;

namespace {

/// y (b, n, 4) = x (b, n, 4) + 1 twice over a temporary, with work enough for many threads.
table busy(heed_tile_function function = increment) {
  table t;
  const number b = t.symbol("b"), n = t.symbol("n"), four = t(4), much = t(1 << 30);
  const number x = t.input("x", {b, n, four}), y = t.output("y", {b, n, four}),
               middle = t.temporary({b, n, four}, 0);
  const std::vector<heed_axis> axes = {axis(four, 2), axis(n, 1, 1), axis(b, 0, 0)};
  t.step({{function, {{b, 1, 1}, {n, 0, 8}}, {operand(x, 2, axes), written(middle, 2, axes)}, {}, much},
          {function, {{b, 0, 1}, {n, 0, 8}}, {operand(middle, 2, axes), written(y, 2, axes)}, {}, much}});
  return t;
}

int wrong_elements(const table &t, std::int64_t b, std::int64_t n, const heed_options &options) {
  auto in = counting(b * n * 4);
  guarded out(b * n * 4);
  run_ok(t.program(),
         {heed::view{in.data(), {b, n, std::int64_t{4}}}, heed::view{out.data(), {b, n, std::int64_t{4}}}},
         options);
  int wrong = 0;
  for (std::int64_t i = 0; i < out.size(); ++i)
    wrong += out[i] != in[static_cast<std::size_t>(i)] + 2;
  return wrong;
}

/// Like increment, but also tells the threads apart.
std::mutex seen_mutex;
std::set<std::thread::id> seen;
int noted(void **args) {
  {
    std::lock_guard guard(seen_mutex);
    seen.insert(std::this_thread::get_id());
  }
  std::this_thread::yield();
  return increment(args);
}

} // namespace

TEST_CASE("any number of threads gives the same result") {
  const table t = busy();
  for (const int threads : {0, 1, 2, 3, 8, 100, 100000})
    for (const std::int64_t n : {1, 7, 64, 501})
      CHECK(wrong_elements(t, 3, n, {threads, nullptr, nullptr}) == 0);
}

TEST_CASE("the default number of threads can be set") {
  const table t = busy(noted);
  heed_set_threads(1);
  seen.clear();
  CHECK(wrong_elements(t, 3, 400, {}) == 0);
  CHECK(seen == std::set{std::this_thread::get_id()});
  heed_set_threads(-5);
  CHECK(wrong_elements(t, 3, 400, {}) == 0);
  heed_set_threads(0);
}

TEST_CASE("no more threads than the call allows") {
  const table t = busy(noted);
  for (const int threads : {1, 2, 4})
    for (int repeat = 0; repeat < 20; ++repeat) {
      seen.clear();
      CHECK(wrong_elements(t, 3, 400, {threads, nullptr, nullptr}) == 0);
      CHECK(seen.size() <= static_cast<std::size_t>(2 * threads - 1)); // two launches, each with the caller
    }
}

TEST_CASE("a small launch stays on the calling thread") {
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n}),
               work = t.extent(10, 1, {{0, 1}});
  t.step({{noted, {{n, 0, 1}}, {operand(x, 1, {axis(n, 0, 0)}), written(y, 1, {axis(n, 0, 0)})}, {}, work}});
  auto in = counting(1000);
  guarded out(1000);
  seen.clear();
  run_ok(t.program(), {heed::view{in.data(), {1000}}, heed::view{out.data(), {1000}}}, {8, nullptr, nullptr});
  CHECK(seen == std::set{std::this_thread::get_id()});
}

TEST_CASE("eight callers with different sizes get what one gets") {
  const table t = busy();
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c)
    callers.emplace_back([&, c] {
      const heed_program program = t.program();
      for (int repeat = 0; repeat < 50; ++repeat) {
        const std::int64_t b = 1 + (c + repeat) % 5, n = 1 + 37 * c + repeat;
        std::vector<float> in = counting(b * n * 4), out(in.size());
        const heed_view views[] = {heed::view{in.data(), {b, n, std::int64_t{4}}},
                                   heed::view{out.data(), {b, n, std::int64_t{4}}}};
        const heed_options options{1 + c % 4, nullptr, nullptr};
        wrong += heed_call(&program, views, &options, nullptr) != HEED_OK;
        for (std::size_t i = 0; i < in.size(); ++i)
          wrong += out[i] != in[i] + 2;
      }
    });
  for (auto &caller : callers)
    caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("the caller's executor runs the tasks") {
  struct counting_executor {
    int runs = 0, tasks = 0;
    bool backwards = false, on_threads = false;
    static void run(void *self, std::int32_t tasks, void (*body)(void *, std::int32_t), void *closure) {
      auto &e = *static_cast<counting_executor *>(self);
      ++e.runs;
      e.tasks += tasks;
      std::vector<std::thread> threads;
      for (std::int32_t i = 0; i < tasks; ++i)
        if (e.on_threads)
          threads.emplace_back(body, closure, i);
        else
          body(closure, e.backwards ? tasks - 1 - i : i);
      for (auto &thread : threads)
        thread.join();
    }
  };
  const table t = busy();
  for (const auto &[backwards, on_threads] : {std::pair{false, false}, {true, false}, {false, true}}) {
    counting_executor mine{0, 0, backwards, on_threads};
    const heed_executor executor{counting_executor::run, &mine};
    CHECK(wrong_elements(t, 3, 400, {5, &executor, nullptr}) == 0);
    CHECK(mine.runs == 2);
    CHECK(mine.tasks == 10);
  }
}

namespace {
/// Calls a whole program for its tile: out = in + 2.
std::atomic<int> nested_failures{0};
int nested(void **args) {
  static const table inner = busy();
  static const heed_program program = inner.program();
  const auto &in = buffer_at(args, 1), &out = buffer_at(args, 2);
  const std::int64_t rows = extent_of(out, 1);
  const heed_view views[] = {
      heed::view{reinterpret_cast<float *>(in.host), {std::int64_t{1}, rows, std::int64_t{4}}},
      heed::view{reinterpret_cast<float *>(out.host), {std::int64_t{1}, rows, std::int64_t{4}}}};
  const heed_options options{4, nullptr, nullptr};
  nested_failures += heed_call(&program, views, &options, nullptr) != HEED_OK;
  return 0;
}
} // namespace

TEST_CASE("a call inside a tile runs") {
  const table t = busy(nested);
  for (const int threads : {1, 4}) {
    auto in = counting(3 * 100 * 4);
    guarded out(3 * 100 * 4);
    run_ok(t.program(), {heed::view{in.data(), {3, 100, 4}}, heed::view{out.data(), {3, 100, 4}}},
           {threads, nullptr, nullptr});
    int wrong = 0;
    for (std::int64_t i = 0; i < out.size(); ++i)
      wrong += out[i] != in[static_cast<std::size_t>(i)] + 4;
    CHECK(wrong == 0);
  }
  CHECK(nested_failures == 0);
}

TEST_CASE("a failure on any thread ends the call with its sentence") {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n}), much = t(1 << 30);
  t.step({{[](void **args) { return scalar_at(args, 1) == 57 ? -9 : 0; },
           {{n, 0, 1}},
           {written(y, 1, {axis(n, 0, 0)})},
           {{HEED_TILE_START, 0}},
           much}});
  guarded out(100);
  check_refused(
      run(t.program(), {heed::view{out.data(), {100}}}, {4, nullptr, nullptr}), HEED_UNSUPPORTED,
      "kernel: tile returned -9, 0 is needed; rebuild the library with the compiler that came with this "
      "runtime");
}

TEST_CASE("calls work in a forked child") {
  const table t = busy();
  CHECK(wrong_elements(t, 3, 400, {4, nullptr, nullptr}) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const heed_program program = t.program();
    std::vector<float> in = counting(3 * 400 * 4), out(in.size());
    const heed_view views[] = {heed::view{in.data(), {3, 400, 4}}, heed::view{out.data(), {3, 400, 4}}};
    const heed_options options{4, nullptr, nullptr};
    int wrong = heed_call(&program, views, &options, nullptr);
    for (std::size_t i = 0; i < in.size(); ++i)
      wrong += out[i] != in[i] + 2;
    _exit(wrong != 0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(wrong_elements(t, 3, 400, {4, nullptr, nullptr}) == 0);
}
