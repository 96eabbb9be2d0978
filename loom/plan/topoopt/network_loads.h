// Link loads and uncontended times of messages and collectives on a network. A search needs them
// thousands of times, so they are computed once.
//
// Paths are those of the network's router with all links up. Memory is quadratic in the number of
// devices. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/network/network.h"
#include "loom/parallelize/exchange.h"
#include "loom/place/lower.h"
#include "loom/simulate/isolated_times.h"

namespace loom::plan {

// A network, and the choice of collective algorithms on it.
struct ProvidedNetwork {
  std::shared_ptr<const fabric::Network> network;
  place::ChooseAlgorithm choose;
  fabric::Provisioned provisioned = {};       // circuits, if the network consists of circuits
  std::optional<Infeasible> infeasible = {};  // why there is no network
  std::shared_ptr<simulate::IsolatedTimes> times = nullptr;  // of collectives, known to choose()
};

struct LinkShare {
  int link = 0;
  float share = 1;  // bytes on the link per byte sent
};

struct CollectiveLoad {
  std::vector<LinkShare> links;  // bytes on each link per byte of the collective's size
  double latency = 0;            // picoseconds
  double per_byte = 0;           // picoseconds per byte of the collective's size

  Duration uncontended(double bytes) const {
    return Duration(static_cast<std::int64_t>(latency + per_byte * bytes));
  }
};

class NetworkLoads {
 public:
  explicit NetworkLoads(ProvidedNetwork provided);

  std::size_t links() const { return picoseconds_.size(); }
  // Time of a byte on the link, in picoseconds.
  double picoseconds(std::size_t link) const { return picoseconds_[link]; }

  std::span<const LinkShare> path(int from, int to) const;
  Duration latency(int from, int to) const { return latency_[pair(from, to)]; }

  // Load of a collective with the algorithm chosen for its size, rounded up to a power of two. The
  // reference stays valid.
  const CollectiveLoad& collective(workload::CollectiveKind kind, const std::vector<int>& devices,
                                   Bytes size);

  const ProvidedNetwork& provided() const { return provided_; }

 private:
  std::size_t pair(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(provided_.network->devices) +
           static_cast<std::size_t>(to);
  }
  CollectiveLoad measured(workload::CollectiveKind kind, const std::vector<int>& devices,
                          Bytes size) const;

  ProvidedNetwork provided_;
  std::vector<double> picoseconds_;
  std::vector<std::size_t> first_;  // index of a pair's first hop in hops_
  std::vector<LinkShare> hops_;
  std::vector<Duration> latency_;
  std::mutex mutex_;
  std::map<std::tuple<workload::CollectiveKind, int, std::vector<int>>, CollectiveLoad>
      collectives_;
};

}  // namespace loom::plan
