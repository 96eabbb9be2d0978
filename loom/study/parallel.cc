#include "loom/study/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#ifndef __SANITIZE_THREAD__
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#endif

namespace loom {

void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const auto most = static_cast<std::size_t>(
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
#ifdef __SANITIZE_THREAD__
  // The thread sanitizer cannot see into a TBB that was built without it and reports false races.
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < std::min(most, count); ++t) {
    team.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
  for (std::thread& it : team) it.join();
#else
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, most);
  tbb::parallel_for(std::size_t{0}, count, work);
#endif
}

}  // namespace loom
