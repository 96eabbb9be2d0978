#include "loom/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#ifndef __SANITIZE_THREAD__
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace loom {
namespace {

// Calls `work` `often` times in parallel on at most `max_threads` threads.
void side_by_side(std::size_t often, std::size_t max_threads, const std::function<void()>& work) {
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer reports false races in a TBB library that was built without it.
  std::vector<std::thread> team;
  for (std::size_t t = 1; t < std::min(often, max_threads); ++t) team.emplace_back(work);
  work();
  for (std::thread& it : team) it.join();
#else
  // While `limit` exists, TBB applies it to the whole process; so it must not depend on `often`.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, max_threads);
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        std::size_t{0}, often, [&](std::size_t) { work(); }, tbb::simple_partitioner());
  });
#endif
}

}  // namespace

void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const auto max_threads = static_cast<std::size_t>(
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  const auto take_up = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  if (std::min(max_threads, count) > 1) {
    side_by_side(std::min(max_threads, count), max_threads, take_up);
  } else {
    take_up();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace loom
