// Parallel loop over indices.
//
// Calls may nest: the points of a sweep run in parallel, and so do the candidate strategies of each
// point. All calls share one thread pool. A thread that waits for a nested loop to end runs no
// index of another loop meanwhile, so it is never inside two outer indices at once.
#pragma once

#include <cstddef>
#include <functional>

namespace loom {

// Calls work(0) … work(count - 1), each once and started in this order, on at most `threads`
// threads (0: all available). All calls are made even if some throw; then the exception of the
// lowest index is rethrown.
void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace loom
