// What a job of some kind does on some devices of the cluster with no other job there: the stages
// of an iteration and what they ask of links.
//
// A kind is cut once for every number of devices, for devices near each other. On other devices the
// same cut meets other links: there it is laid on them and simulated message by message. Two lists
// of devices between which all ways look alike give the same profile with other names of links, so
// few are simulated, however many placements are asked about.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "loom/base/cache.h"
#include "loom/jobs/colocated/cluster.h"
#include "loom/jobs/scheduler/cluster_trace.h"
#include "loom/plan/strategies.h"

namespace loom {

struct PlacedProfile {
  JobProfile profile;
  Duration period{0};
  double computing = 1;    // part of the period for which a device computes, on average
  std::string infeasible;  // why the job cannot be there; "" if it can
};

class PlacedProfiles {
 public:
  // Both outlive this.
  PlacedProfiles(const Cluster& cluster, const std::vector<JobKind>& kinds);

  const std::vector<JobKind>& kinds() const { return kinds_; }
  const std::vector<SharedLink>& links() const { return links_; }
  int devices() const { return cluster_.devices(); }

  // Devices in rank order. What is returned stays. Many threads may ask.
  const PlacedProfile& of(int kind, std::span<const int> devices);

  // On devices 0, 1, …: what a job may hope for.
  const PlacedProfile& packed(int kind, int devices);

 private:
  struct Plan {
    JobSpec spec;
    Strategy strategy;
    std::string infeasible;
  };
  // The ways between devices with links named in the order in which they are met. Where ways are
  // hashed, or devices many, only the devices themselves, and no links.
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
  std::shared_ptr<const Network> network_;  // that all jobs meet on; none where they do not
  bool devices_forward_ = false;
  std::vector<SharedLink> links_;
  Cache<std::pair<int, int>, Plan> plans_;
  Cache<std::vector<std::int64_t>, PlacedProfile> equivalent_;  // in links of the footprint
  Cache<std::pair<int, std::vector<int>>, PlacedProfile> placed_;
};

}  // namespace loom
