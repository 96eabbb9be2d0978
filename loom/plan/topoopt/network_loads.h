// What messages and collectives do to a network: which links they load and how long they take with
// the network to themselves. A search asks this many thousand times, so ways are found once.
//
// Ways are those that the network's router gives while all links are there. Needs room for a way
// between every two devices. May be asked by many threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/network/network.h"
#include "loom/parallelize/exchange.h"
#include "loom/place/lower.h"

namespace loom {

// A network, and how collectives go over it.
struct ProvidedNetwork {
  std::shared_ptr<const Network> network;
  ChooseAlgorithm choose;
  Provisioned provisioned = {};  // where it is made of circuits
  std::string infeasible;        // why it cannot be; "" if it can
};

struct LinkShare {
  int link = 0;
  float share = 1;  // of the bytes
};

struct CollectiveLoad {
  std::vector<LinkShare> links;  // bytes on each for every byte of its size
  double latency = 0;            // picoseconds
  double per_byte = 0;

  Duration uncontended(double bytes) const {
    return Duration(static_cast<std::int64_t>(latency + per_byte * bytes));
  }
};

class NetworkLoads {
 public:
  explicit NetworkLoads(ProvidedNetwork provided);

  std::size_t links() const { return picoseconds_.size(); }
  // That a byte takes on the link.
  double picoseconds(std::size_t link) const { return picoseconds_[link]; }

  std::span<const LinkShare> path(int from, int to) const;
  Duration latency(int from, int to) const { return latency_[pair(from, to)]; }

  // Of the kind and about the size; the algorithm is that chosen for it. What is returned stays.
  const CollectiveLoad& collective(CollectiveKind kind, const std::vector<int>& devices,
                                   Bytes size);

  const ProvidedNetwork& provided() const { return provided_; }

 private:
  std::size_t pair(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(provided_.network->devices) +
           static_cast<std::size_t>(to);
  }
  CollectiveLoad measured(CollectiveKind kind, const std::vector<int>& devices, Bytes size) const;

  ProvidedNetwork provided_;
  std::vector<double> picoseconds_;
  std::vector<std::size_t> first_;  // of a pair, into hops_
  std::vector<LinkShare> hops_;
  std::vector<Duration> latency_;
  std::mutex mutex_;
  std::map<std::tuple<CollectiveKind, int, std::vector<int>>, CollectiveLoad> collectives_;
};

}  // namespace loom
