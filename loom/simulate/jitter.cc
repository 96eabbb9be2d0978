// Computation time on a device: the nominal time with seeded random jitter, which makes stragglers.
#include <algorithm>
#include <cmath>

#include "loom/base/random.h"
#include "loom/simulate/engine.h"

namespace loom::simulate {

Duration compute_time(const workload::Workload& workload, OperationId operation, DeviceId device,
                      const EngineOptions& options) {
  const Duration time = workload.operations[operation].time;
  if (options.jitter == 0) return time;
  // The sum of twelve uniform numbers minus six is close enough to a normal distribution, and is
  // the same on every machine.
  const auto stream = mix(operation, static_cast<std::uint64_t>(device));
  Random random = random_stream(mix(options.seed, stream), stream);
  constexpr int kSummed = 12;
  constexpr std::uint32_t kSteps = 1U << 30;
  double z = -kSummed / 2.0;
  for (int i = 0; i < kSummed; ++i) z += static_cast<double>(random(kSteps)) / kSteps;
  const double longer = static_cast<double>(time.count()) * std::exp(options.jitter * z);
  return Duration(static_cast<std::int64_t>(std::min(longer, 1e18)));
}

}  // namespace loom::simulate
