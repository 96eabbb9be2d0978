// A client program that links an installed Lightloom and makes one call with a known result.
#include <cstdio>

#include "loom/base/units.h"

int main() {
  const loom::Duration time = loom::transfer_time(loom::Bytes{1}, loom::Bandwidth{3'000'000'000});
  std::printf("1 B at 3 Gbps takes %lld ps\n", static_cast<long long>(time.count()));
  return time == loom::Duration(2667) ? 0 : 1;
}
