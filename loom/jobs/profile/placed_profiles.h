// Profiles of isolated jobs: a kind of job and a list of devices -> the stages of an iteration and
// their link rates.
//
// A kind is planned once per number of devices, for adjacent devices. On other devices the same
// strategy uses other links, so the job is mapped to these devices and simulated message by
// message. Two lists of devices with equivalent paths have the same profile except for the names of
// the links, so few placements are simulated even if many are needed.
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
  double computing = 1;                  // mean fraction of the period in which a device computes
  std::optional<Infeasible> infeasible;  // why the job cannot run on these devices
};

class PlacedProfiles {
 public:
  // Both arguments must outlive this object.
  PlacedProfiles(const Cluster& cluster, const std::vector<JobKind>& kinds);

  const std::vector<JobKind>& kinds() const { return kinds_; }
  const std::vector<SharedLink>& links() const { return links_; }
  int devices() const { return cluster_.devices(); }

  // The profile of a kind on these devices, in rank order. The reference stays valid. Thread-safe.
  const PlacedProfile& of(int kind, std::span<const int> devices);

  // The profile on devices 0, 1, …: the ideal placement.
  const PlacedProfile& packed(int kind, int devices);

 private:
  struct Plan {
    plan::JobSpec spec;
    parallelize::Strategy strategy;
    std::optional<Infeasible> infeasible;
  };
  // Description of the paths between the devices, equal for equivalent lists of devices; its links
  // are numbered in the order of first use. With hashed routes or many devices, the key is only the
  // list of devices, without links.
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
  // The network that all jobs share; null if they share none.
  std::shared_ptr<const fabric::Network> network_;
  bool devices_forward_ = false;
  std::vector<SharedLink> links_;
  Cache<std::pair<int, int>, Plan> plans_;
  // Profiles by the key of a footprint, with the footprint's numbers of links.
  Cache<std::vector<std::int64_t>, PlacedProfile> equivalent_;
  Cache<std::pair<int, std::vector<int>>, PlacedProfile> placed_;
};

}  // namespace loom::jobs
