// For tests of jobs that share links: small profiles, and scores computed slot by slot.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "loom/base/random.h"
#include "loom/jobs/cassini/time_shifts.h"

namespace loom::jobs {

// A job that computes, then sends at `rate`; times are in ms, and links have 10 bit/s.
inline JobProfile burst_job(std::int64_t period, std::int64_t busy, std::int64_t rate = 10,
                            const std::vector<int>& links = {0}) {
  JobProfile job{"job", {}};
  if (period > busy) job.stages.push_back({Duration((period - busy) * 1'000'000'000), {}});
  ProfileStage send{Duration(busy * 1'000'000'000), {}};
  for (const int link : links) send.rates.push_back({link, Bandwidth{rate}});
  job.stages.push_back(std::move(send));
  return job;
}

inline SharedProfiles on_links(int links, std::vector<JobProfile> jobs) {
  SharedProfiles profiles;
  for (int l = 0; l < links; ++l) profiles.links.push_back({"link", Bandwidth{10}});
  profiles.jobs = std::move(jobs);
  return profiles;
}

// Random stages on random links, in multiples of `slot`; periods of 2 to `longest` slots.
inline SharedProfiles random_profiles(Random& random, int jobs, int links, int longest,
                                      Duration slot) {
  std::vector<JobProfile> all;
  for (int j = 0; j < jobs; ++j) {
    std::vector<int> own;
    for (int l = 0; l < links; ++l) {
      if (random(100) < 60) own.push_back(l);
    }
    if (own.empty()) own.push_back(static_cast<int>(random(static_cast<std::uint32_t>(links))));
    JobProfile job{"job", {}};
    int left = 2 + static_cast<int>(random(static_cast<std::uint32_t>(longest - 1)));
    while (left > 0) {
      const int length = 1 + static_cast<int>(random(static_cast<std::uint32_t>(left)));
      ProfileStage stage{slot * length, {}};
      if (random(2) == 1) {
        for (const int link : own) {
          if (random(4) > 0) stage.rates.push_back({link, Bandwidth{1 + random(10)}});
        }
      }
      job.stages.push_back(std::move(stage));
      left -= length;
    }
    all.push_back(std::move(job));
  }
  return on_links(links, std::move(all));
}

// A job's rate on a link, per slot of its iteration.
inline std::vector<std::int64_t> rates_by_slot(const JobProfile& job, int link, Duration slot) {
  std::vector<std::int64_t> rates;
  for (const ProfileStage& stage : job.stages) {
    std::int64_t rate = 0;
    for (const LinkRate& it : stage.rates) {
      if (it.link == link) rate = it.rate.bits_per_second;
    }
    rates.insert(rates.end(), static_cast<std::size_t>(stage.length / slot), rate);
  }
  return rates;
}

// The mean score of contended links, summed slot by slot around each link's circle; shifts are in
// slots.
inline double slow_score(const SharedProfiles& profiles, std::span<const std::int64_t> shifts,
                         Duration slot) {
  double sum = 0;
  int contended = 0;
  for (int l = 0; l < static_cast<int>(profiles.links.size()); ++l) {
    std::vector<std::vector<std::int64_t>> rates;
    std::vector<std::int64_t> rotated;
    std::int64_t perimeter = 1;
    for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
      std::vector<std::int64_t> own = rates_by_slot(profiles.jobs[j], l, slot);
      if (std::all_of(own.begin(), own.end(), [](std::int64_t it) { return it == 0; })) continue;
      const auto period = static_cast<std::int64_t>(own.size());
      perimeter = std::lcm(perimeter, period);
      rotated.push_back((period - shifts[j] % period) % period);
      rates.push_back(std::move(own));
    }
    if (rates.size() < 2) continue;
    ++contended;
    const std::int64_t capacity =
        profiles.links[static_cast<std::size_t>(l)].capacity.bits_per_second;
    std::int64_t excess = 0;
    for (std::int64_t t = 0; t < perimeter; ++t) {
      std::int64_t load = 0;
      for (std::size_t j = 0; j < rates.size(); ++j) {
        load += rates[j][static_cast<std::size_t>(t + rotated[j]) % rates[j].size()];
      }
      excess += std::max<std::int64_t>(0, load - capacity);
    }
    sum += static_cast<double>(excess) / static_cast<double>(perimeter * capacity);
  }
  return contended == 0 ? 1 : 1 - sum / contended;
}

}  // namespace loom::jobs
