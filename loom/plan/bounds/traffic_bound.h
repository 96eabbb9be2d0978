// Lower bound on the time in which a fabric carries given traffic: that of the device that sends or
// receives most, and that of all bytes, each counted once for every hop that it must cross.
//
// A collective may use any algorithm, so it counts the minimum bytes: an all-reduce of S among k
// ranks sends at least 2(k-1)S in total (Patarasuk and Yuan, JPDC 2009), of which a rank may send
// and receive only S (a leaf of a tree), each byte at least to the nearest rank. All-to-alls and
// messages have fixed pairs: at best the d largest messages of a device with d circuits take one
// hop, the next d² two, … On a ring a byte crosses all segments of its shorter arc. Ignores
// latencies. Costs O(ranks) per collective, O(ranks²) for all-to-alls on irregular networks.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "loom/plan/bounds/capacity.h"
#include "loom/workload/workload.h"

namespace loom::plan {

class TrafficBound {
 public:
  TrafficBound(const Capacity& capacity, int devices);

  // Adds a collective that all groups run `times` times. `kind` is the kind of traffic.
  void add(const workload::Collective& it, const workload::Groups& groups, double times,
           int kind = 0);
  void add_message(int from, int to, double bytes, int kind = 0);

  // Time of the device that sends or receives most.
  Duration of_devices() const;
  // Time of all hops together.
  Duration of_hops();

 private:
  void add_ends(const workload::Collective& it, const workload::Groups& groups, double times);
  void add_pairs(const workload::Collective& it, const workload::Groups& groups, double times,
                 int kind);
  double hops_of_exchange(const workload::Groups& groups, double bytes) const;
  double hops_of_messages() const;

  const Capacity& capacity_;
  std::vector<double> out_;  // bytes per device
  std::vector<double> in_;
  double carried_ = 0;                                    // bytes times hops, without messages_
  std::map<std::tuple<int, int, int>, double> messages_;  // by kind of traffic, source, destination
};

// The minimum sum of hops × bytes for messages of these sizes to distinct devices.
double min_byte_hops(std::vector<double> sizes, int degree);

}  // namespace loom::plan
