// Times and routes of collectives that have the network to themselves, each computed once.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "loom/base/cache.h"
#include "loom/fabric/network/network.h"
#include "loom/simulate/closed_form.h"
#include "loom/simulate/neighborhood.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

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

  // Whether of() simulates each message of the collective, which is the exact time and takes longer
  // than to bound it.
  bool in_full(const workload::Collective& collective, const workload::Groups& groups) const;

  // The routes between all ranks of each group, concurrently in all groups.
  const ExchangeRoutes& exchange(const workload::Groups& groups);

 private:
  using Key = std::tuple<workload::CollectiveKind, workload::Algorithm, std::int64_t, int, int,
                         std::uint64_t>;

  std::optional<Duration> simulated(const workload::Collective& collective,
                                    const workload::Groups& groups) const;

  const fabric::Network& network_;
  const int neighborhood_;
  Cache<Key, std::optional<Duration>> known_;
  Cache<std::pair<int, std::uint64_t>, ExchangeRoutes> exchanges_;
};

}  // namespace loom::simulate
