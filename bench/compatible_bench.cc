// Speed of the time-shift search: six jobs on one link until the optimum is proved, twelve jobs on
// eight links until the gap is small, and 100 placements of a 24-server cluster ranked as a
// scheduler would rank them.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/jobs/cassini/time_shifts.h"

namespace loom {
namespace {

constexpr Bandwidth kCapacity{100'000'000'000};

// One or two bursts per iteration, each busy for 15 to 40% of its interval at 30 to 100% of the
// links' bandwidth.
jobs::JobProfile random_job(Random& random, Duration period, const std::vector<int>& links) {
  jobs::JobProfile job{"job", {}};
  const std::int64_t bursts = std::int64_t{1} + random(2);
  for (std::int64_t b = 0; b < bursts; ++b) {
    const Duration interval = period / bursts;
    const Duration busy = interval * (15 + random(26)) / 100;
    jobs::ProfileStage send{busy, {}};
    const Bandwidth rate{kCapacity.bits_per_second / 10 * (3 + random(8))};
    for (const int link : links) send.rates.push_back({link, rate});
    job.stages.push_back({interval - busy, {}});
    job.stages.push_back(std::move(send));
  }
  return job;
}

std::vector<int> some_links(Random& random, int count, int of) {
  std::vector<int> links;
  while (static_cast<int>(links.size()) < count) {
    const int link = static_cast<int>(random(static_cast<std::uint32_t>(of)));
    if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(link);
  }
  std::sort(links.begin(), links.end());
  return links;
}

jobs::SharedProfiles random_cluster(std::uint64_t seed, int jobs, int links, bool equal_periods) {
  constexpr std::int64_t kPeriods[] = {60, 80, 120, 160, 240};
  Random random = random_stream(seed, 77);
  jobs::SharedProfiles profiles;
  for (int l = 0; l < links; ++l) profiles.links.push_back({"link", kCapacity});
  for (int j = 0; j < jobs; ++j) {
    const Duration period = std::chrono::milliseconds(equal_periods ? 120 : kPeriods[random(5)]);
    const int uses = links == 1 ? 1 : 2 + static_cast<int>(random(2));
    profiles.jobs.push_back(random_job(random, period, some_links(random, uses, links)));
  }
  return profiles;
}

void BM_SixJobsOnOneLinkToProof(benchmark::State& state) {
  const jobs::SharedProfiles profiles =
      random_cluster(static_cast<std::uint64_t>(state.range(0)), 6, 1, true);
  jobs::Compatibility found;
  for (auto _ : state) found = best_shifts(profiles);
  state.counters["score"] = found.score;
  state.counters["proved"] = found.proved ? 1 : 0;
  state.counters["nodes"] = static_cast<double>(found.nodes);
}
BENCHMARK(BM_SixJobsOnOneLinkToProof)->DenseRange(1, 5)->Unit(benchmark::kMillisecond);

void BM_TwelveJobsOnEightLinks(benchmark::State& state) {
  const jobs::SharedProfiles profiles =
      random_cluster(static_cast<std::uint64_t>(state.range(0)), 12, 8, state.range(1) == 1);
  jobs::Compatibility found;
  for (auto _ : state) found = best_shifts(profiles);
  state.counters["score"] = found.score;
  state.counters["gap"] = found.gap();
}
BENCHMARK(BM_TwelveJobsOnEightLinks)
    ->ArgsProduct({{1, 2, 3, 4, 5}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

// Eight racks of three servers with one uplink each; jobs of two to five servers placed at random.
jobs::SharedProfiles random_placement(std::uint64_t seed) {
  constexpr int kServers = 24;
  constexpr int kRacks = 8;
  Random random = random_stream(seed, 78);
  std::vector<int> servers(kServers);
  for (int s = 0; s < kServers; ++s) servers[static_cast<std::size_t>(s)] = s;
  for (std::size_t i = servers.size(); i > 1; --i) {
    std::swap(servers[i - 1], servers[random(static_cast<std::uint32_t>(i))]);
  }
  jobs::SharedProfiles profiles;
  for (int rack = 0; rack < kRacks; ++rack) profiles.links.push_back({"uplink", kCapacity});
  Random jobs = random_stream(1, 79);  // the same jobs in every placement
  std::size_t next = 0;
  while (next + 2 <= servers.size()) {
    const std::size_t size = std::min<std::size_t>(2 + jobs(4), servers.size() - next);
    std::vector<int> racks;
    for (std::size_t s = next; s < next + size; ++s) racks.push_back(servers[s] / 3);
    std::sort(racks.begin(), racks.end());
    racks.erase(std::unique(racks.begin(), racks.end()), racks.end());
    if (racks.size() == 1) racks.clear();  // stays inside its rack
    const Duration period = std::chrono::milliseconds(40 * (1 + jobs(5)));
    profiles.jobs.push_back(random_job(jobs, period, racks));
    next += size;
  }
  return profiles;
}

void BM_HundredPlacementsRanked(benchmark::State& state) {
  std::vector<jobs::SharedProfiles> candidates;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) candidates.push_back(random_placement(seed));
  jobs::ShiftSearchOptions options;
  options.nodes = 2'000;
  options.slack = false;
  std::vector<jobs::RankedPlacement> ranked;
  for (auto _ : state) ranked = rank_placements(candidates, options, 1);
  state.counters["best"] = ranked.front().found.score;
  state.counters["worst"] = ranked.back().found.score;
}
BENCHMARK(BM_HundredPlacementsRanked)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom
