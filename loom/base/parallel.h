// Parallel loop over indices.
//
// Calls may nest: the points of a sweep run in parallel, and so do the candidate strategies of
// each. All calls share one set of threads, and a thread that waits for its own indices takes no
// others meanwhile.
#pragma once

#include <cstddef>
#include <functional>

namespace loom {

// Calls work(0) … work(count - 1), each once and started in this order, on at most `threads`
// threads (0: all available). If some throw, the exception of the lowest index is rethrown once all
// are done.
void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace loom
