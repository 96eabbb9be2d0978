// Times of collectives that have the network to themselves, each computed once.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "loom/base/cache.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

// Period of the network in devices: shifted by so many devices, it looks the same.
int neighborhood(const fabric::Network& network);

// The groups, shifted toward device 0 by an integer number of neighborhoods.
workload::Groups moved_to_front(workload::Groups groups, int neighborhood);

// Thread-safe. All times are of one network, which must outlive this object.
class IsolatedTimes {
 public:
  explicit IsolatedTimes(const fabric::Network& network)
      : network_(network), neighborhood_(neighborhood(network)) {}

  // The time in which all groups run the collective concurrently, by the fluid engine. Nothing if
  // it never ends, or has too many messages to be simulated in passing: some thousands, or some
  // hundred thousand of which most are equivalent.
  std::optional<Duration> of(const workload::Collective& collective,
                             const workload::Groups& groups);

 private:
  using Key = std::tuple<workload::CollectiveKind, workload::Algorithm, std::int64_t, int, int,
                         std::uint64_t>;

  std::optional<Duration> simulated(const workload::Collective& collective,
                                    const workload::Groups& groups) const;

  const fabric::Network& network_;
  const int neighborhood_;
  Cache<Key, std::optional<Duration>> known_;
};

}  // namespace loom::simulate
