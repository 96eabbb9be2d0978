// Profiles for tests: jobs that send and then compute, and random jobs.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "loom/base/random.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// A job that sends over the first link for `send` at `rate`, then computes.
inline JobProfile sender_of(const std::string& name, Duration send, Duration compute,
                            Bandwidth rate = 50_Gbps) {
  return {name, {{send, {{0, rate}}}, {compute, {}}}};
}

inline SharedProfiles on_one_link(std::vector<JobProfile> jobs, Bandwidth capacity = 50_Gbps) {
  return {{{"link", capacity}}, std::move(jobs)};
}

inline std::vector<LinkRate> random_rates(const std::vector<SharedLink>& links, Random& random) {
  std::vector<LinkRate> rates;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (random(2) == 0) continue;
    const std::int64_t quarters = 1 + random(4);
    rates.push_back({static_cast<int>(i), {links[i].capacity.bits_per_second * quarters / 4}});
  }
  return rates;
}

// 2 to 4 jobs on 1 to 4 links, with stages of 1 to 11 ms.
inline SharedProfiles random_profiles(Random& random) {
  SharedProfiles all;
  const int links = 1 + static_cast<int>(random(4));
  for (int i = 0; i < links; ++i) {
    const std::int64_t capacity = (1 + random(4)) * 10'000'000'000LL;
    all.links.push_back({"link" + std::to_string(i), {capacity}});
  }
  const int jobs = 2 + static_cast<int>(random(3));
  for (int i = 0; i < jobs; ++i) {
    JobProfile job{"job" + std::to_string(i), {}};
    const int stages = 2 + static_cast<int>(random(3));
    for (int k = 0; k < stages; ++k) {
      const Duration length = (1 + random(10)) * 1_ms + Duration(random(1'000'000'000));
      job.stages.push_back(
          {length, k % 2 == 0 ? random_rates(all.links, random) : std::vector<LinkRate>{}});
    }
    all.jobs.push_back(std::move(job));
  }
  return all;
}

}  // namespace loom::jobs
