// The same work for many indices, on several threads.
//
// Calls may nest: the points of a sweep run side by side, and the strategies of each do. All of
// them share one set of threads, and who waits for indices of his own takes up no others meanwhile.
#pragma once

#include <cstddef>
#include <functional>

namespace loom {

// Calls work(0) … work(count - 1), each once and begun in this order, on at most `threads` threads
// (0: as many as there are). If some throw, the first in the order of the indices is thrown again
// once all are done.
void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace loom
