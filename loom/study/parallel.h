// The same work for many indices, on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace loom {

// Calls work(0) … work(count - 1), each once, on at most `threads` threads (0: as many as there
// are).
void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace loom
