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
table busy(heed_tile_function function = increment, int block = 8) {
  table t;
  const number b = t.symbol("b"), n = t.symbol("n"), four = t(4), much = t(1 << 30);
  const number x = t.input("x", {b, n, four}), y = t.output("y", {b, n, four}),
               middle = t.temporary({b, n, four}, 0);
  const std::vector<heed_axis> axes = {axis(four, 2), axis(n, 1, 1), axis(b, 0, 0)};
  t.step({{function, {{b, 1, 1}, {n, 0, block}}, {operand(x, 2, axes), written(middle, 2, axes)}, {}, much},
          {function, {{b, 0, 1}, {n, 0, block}}, {operand(middle, 2, axes), written(y, 2, axes)}, {}, much}});
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
        const heed_options options{1 + c % 4, nullptr, nullptr, nullptr, 0};
        wrong += heed_call(&program, views, &options, nullptr) != HEED_OK;
        for (std::size_t i = 0; i < in.size(); ++i)
          wrong += out[i] != in[i] + 2;
      }
    });
  for (auto &caller : callers)
    caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("every thread begins with the same share of a launch's tiles") {
  static std::vector<const float *> written_first;
  const auto noting = [](void **args) {
    written_first.push_back(reinterpret_cast<const float *>(buffer_at(args, 2).host));
    return increment(args);
  };
  struct executor_of_one_first {
    std::int32_t first;
    static void run(void *self, std::int32_t tasks, void (*body)(void *, std::int32_t), void *closure) {
      const std::int32_t first = static_cast<executor_of_one_first *>(self)->first;
      written_first.clear();
      for (std::int32_t i = 0; i < tasks; ++i)
        body(closure, (first + i) % tasks);
    }
  };
  table t;
  const number n = t.symbol("n"), x = t.input("x", {n}), y = t.output("y", {n}), much = t(1 << 30);
  t.step({{noting, {{n, 0, 1}}, {operand(x, 1, {axis(n, 0, 0)}), written(y, 1, {axis(n, 0, 0)})}, {}, much}});
  constexpr std::int64_t tiles = 70;
  auto in = counting(tiles);
  for (std::int32_t first = 0; first < 4; ++first) {
    executor_of_one_first mine{first};
    const heed_executor executor{executor_of_one_first::run, &mine};
    guarded out(tiles);
    run_ok(t.program(), {heed::view{in.data(), {tiles}}, heed::view{out.data(), {tiles}}},
           {4, &executor, nullptr});
    CHECK(written_first.size() == tiles);
    const auto place = written_first.front() - out.data();
    CHECK(place >= tiles * first / 4);
    CHECK(place < tiles * (first + 1) / 4);
  }
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

thread_local bool is_nested = false;
std::atomic<int> strangers{0};

/// Like increment, but counts threads that did not make the inner call themselves.
int on_its_own(void **args) {
  strangers += !is_nested;
  return increment(args);
}

/// Calls a whole program for its tile: out = in + 2.
int nested(void **args) {
  static const table inner = busy(on_its_own, 1);
  static const heed_program program = inner.program();
  const auto &in = buffer_at(args, 1), &out = buffer_at(args, 2);
  const std::int64_t rows = extent_of(out, 1);
  const heed_view views[] = {
      heed::view{reinterpret_cast<float *>(in.host), {std::int64_t{1}, rows, std::int64_t{4}}},
      heed::view{reinterpret_cast<float *>(out.host), {std::int64_t{1}, rows, std::int64_t{4}}}};
  const heed_options options{8, nullptr, nullptr, nullptr, 0};
  is_nested = true;
  const int code = heed_call(&program, views, &options, nullptr);
  is_nested = false;
  return code;
}

} // namespace

TEST_CASE("a call inside a tile of a parallel call runs on the thread that makes it") {
  const table t = busy(nested);
  strangers = 0;
  auto in = counting(3 * 800 * 4);
  guarded out(3 * 800 * 4);
  run_ok(t.program(), {heed::view{in.data(), {3, 800, 4}}, heed::view{out.data(), {3, 800, 4}}},
         {4, nullptr, nullptr});
  int wrong = 0;
  for (std::int64_t i = 0; i < out.size(); ++i)
    wrong += out[i] != in[static_cast<std::size_t>(i)] + 4;
  CHECK(wrong == 0);
  CHECK(strangers == 0);
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

namespace {

/// Returns when two threads have come, or fails after far longer than a thread takes to start.
int meet(void **) {
  for (int i = 0; i < 20000000; ++i) {
    {
      std::lock_guard guard(seen_mutex);
      seen.insert(std::this_thread::get_id());
      if (seen.size() > 1)
        return 0;
    }
    std::this_thread::yield();
  }
  return -1;
}

/// Whether two threads work on one launch.
bool threads_meet() {
  table t;
  const number n = t.symbol("n"), y = t.output("y", {n}), much = t(1 << 30);
  t.step({{meet, {{n, 0, 1}}, {written(y, 1, {axis(n, 0, 0)})}, {}, much}});
  const heed_program program = t.program();
  float out[16];
  const heed_view views[] = {heed::view{out, {16}}};
  const heed_options options{2, nullptr, nullptr, nullptr, 0};
  seen.clear();
  return heed_call(&program, views, &options, nullptr) == HEED_OK;
}

} // namespace

TEST_CASE("threads work together, also in a forked child and after it") {
  CHECK(threads_meet());
  const pid_t child = fork();
  if (child == 0)
    _exit(!threads_meet());
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(threads_meet());
}
