// The flows by which the coarse engine represents messages and collectives (coarse.cc), and the
// links that they share.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "loom/simulate/closed_form.h"
#include "loom/simulate/isolated_times.h"

namespace loom::simulate {

// A phase of a collective, or a message, as one flow.
struct PhaseFlow {
  Duration latency{0};
  Duration busy{0};     // time of the transfer without contention
  Duration slowest{0};  // part of busy that the busiest link needs
  Bytes stream;         // max number of bytes that a device sends over one of its links
  Bytes size;           // transferred: the stream, or less if phases overlap
  Bandwidth pace;       // max rate of the stream, if no link limits it as much; else 0
  std::vector<std::pair<LinkId, Int128>> loads;  // of one link of each class that it crosses
  std::vector<fabric::Hop> hops;                 // over classes of links
};

// All phases of a collective, in one of its groups or in all of them.
struct OperationFlows {
  std::vector<PhaseFlow> phases;
  std::int64_t messages = 0;
  Int128 bytes = 0;
  std::int64_t uses = 0;
};

// Finds the flows of all collectives and messages of a workload. Links of equal bandwidth that
// every flow loads equally form a class, and one of them represents it.
class WorkloadFlows {
 public:
  // `together`: all groups of an operation are one flow.
  WorkloadFlows(const workload::Workload& workload, const fabric::Network& network,
                IsolatedTimes& isolated, bool together);

  // The flows of a message, or of a collective in one of its groups.
  OperationFlows& of(OperationId operation, GroupId group) {
    const int first = of_operation_[operation];
    return flows_[static_cast<std::size_t>(together_ || group < 0 ? first : first + group)];
  }
  std::span<const OperationFlows> all() const { return flows_; }
  // One link of each class, and the class of each link of the network.
  const std::vector<fabric::Link>& links() const { return links_; }
  const std::vector<int>& classes() const { return classes_; }

 private:
  void add_message(OperationId operation);
  void add_collective(OperationId operation);
  OperationFlows collective_flows(OperationId operation, const workload::Groups& groups);
  void fit(OperationId operation, const workload::Collective& collective,
           const workload::Groups& groups, OperationFlows& flows);
  void find_links();
  void add_hops(std::uint64_t number, std::vector<std::uint64_t>& seen, PhaseFlow& flow) const;

  const workload::Workload& workload_;
  const fabric::Network& network_;
  IsolatedTimes& isolated_;
  const bool together_;
  std::vector<OperationFlows> flows_;
  std::vector<int> of_operation_;  // index of its first flows, or -1
  // Index of the first flows, by collective, groups and, if routes are hashed, sample of routes.
  std::map<std::tuple<int, int, int>, int> known_;
  std::map<std::pair<int, int>, int> uses_;  // number of operations, by collective and groups
  std::vector<fabric::Link> links_;
  std::vector<int> classes_;
};

}  // namespace loom::simulate
