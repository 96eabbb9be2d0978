// Profiles of isolated jobs: a kind and a list of devices -> the stages of an iteration and their
// link rates.
//
// A kind is planned once per number of devices, for adjacent devices. On other devices the same
// strategy crosses other links, so it is mapped onto them and simulated message by message. Two
// device lists whose paths are equivalent have the same profile up to link names, so few placements
// are simulated however many are queried.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "loom/base/cache.h"
#include "loom/jobs/colocated/cluster.h"
#include "loom/jobs/scheduler/cluster_trace.h"
#include "loom/plan/strategies.h"

namespace loom::jobs {

struct PlacedProfile {
  JobProfile profile;
  Duration period{0};
  double computing = 1;                  // mean fraction of the period for which a device computes
  std::optional<Infeasible> infeasible;  // why the job cannot run there
};

class PlacedProfiles {
 public:
  // Both arguments must outlive this.
  PlacedProfiles(const Cluster& cluster, const std::vector<JobKind>& kinds);

  const std::vector<JobKind>& kinds() const { return kinds_; }
  const std::vector<SharedLink>& links() const { return links_; }
  int devices() const { return cluster_.devices(); }

  // Devices are in rank order. The returned reference stays valid. Thread-safe.
  const PlacedProfile& of(int kind, std::span<const int> devices);

  // The profile on devices 0, 1, …: the ideal placement.
  const PlacedProfile& packed(int kind, int devices);

 private:
  struct Plan {
    plan::JobSpec spec;
    parallelize::Strategy strategy;
    std::optional<Infeasible> infeasible;
  };
  // The paths between the devices, with links numbered in order of first use. If routes are hashed
  // or the devices are many: only the devices themselves, and no links.
  struct Footprint {
    std::vector<std::int64_t> key;
    std::vector<int> links;
  };

  const Plan& plan(int kind, int devices);
  Footprint footprint(int kind, std::span<const int> devices) const;
  PlacedProfile simulated(int kind, std::span<const int> devices);
  PlacedProfile measured(const JobKind& kind, std::span<const int> devices) const;
  bool may_be_shared(int link) const;

  const Cluster& cluster_;
  const std::vector<JobKind>& kinds_;
  std::shared_ptr<const fabric::Network>
      network_;  // the network all jobs share; null if they share none
  bool devices_forward_ = false;
  std::vector<SharedLink> links_;
  Cache<std::pair<int, int>, Plan> plans_;
  Cache<std::vector<std::int64_t>, PlacedProfile>
      equivalent_;  // links numbered as in the footprint
  Cache<std::pair<int, std::vector<int>>, PlacedProfile> placed_;
};

}  // namespace loom::jobs
