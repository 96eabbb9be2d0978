// Iteration time of operator configurations on a network; the objective of mcmc_search.h, evaluated
// thousands of times a second.
//
// Operators run in lowered order, one at a time per server. Messages an operator waits for are sent
// together and take their bottleneck link's time plus latency. Gradients are summed bucket by
// bucket during the backward pass; a bucket and messages on one bottleneck link share it. Updates
// follow. The time is at least that of the busiest link's total bytes.
//
// Ignored (only the fluid engine models them): contention between messages of different operators,
// contention off the bottleneck link, max-min sharing, servers that start on partial input, overlap
// of iterations. A change costs the traffic of the operator and its neighbors, plus a pass over all
// shards.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "loom/plan/topoopt/network_loads.h"
#include "loom/plan/topoopt/search_space.h"

namespace loom::plan {

class ConfigurationCost {
 public:
  // Both must outlive this object.
  ConfigurationCost(const SearchSpace& space, NetworkLoads& loads, OperatorConfigurations configs);

  const OperatorConfigurations& configs() const { return configs_; }

  void change(int op, const OperatorConfiguration& config) { change({{op, config}}); }
  // Each operator at most once.
  void change(const std::vector<std::pair<int, OperatorConfiguration>>& changes);
  // Reverts the last change.
  void undo();
  // Whether no server exceeds its memory.
  bool fits() const { return overfull_ == 0; }
  Duration time();

 private:
  using Message = SearchSpace::Message;
  struct Bulk {
    const CollectiveLoad* load = nullptr;
    std::int64_t bytes = 0;
  };
  // Traffic from one input to an operator (forward), or back (backward).
  struct Half {
    std::vector<Message> messages;
    std::vector<Bulk> collectives;
    Duration beside{0};  // time of the collectives beyond that on their busiest links
  };
  struct Edge {
    Half forward;
    Half backward;
    bool any = false;
  };
  struct Side {
    std::vector<std::int64_t> loads;  // per link; empty: none yet
    int busiest = -1;                 // link
    Duration time{0};
  };
  // Servers that share weights.
  struct Sharers {
    std::vector<int> servers;
    std::array<const CollectiveLoad*, 64> loads = {};  // of sums, by magnitude of their size
    double open = 0;                                   // bytes waiting for their bucket to fill
    double bytes = 0;                                  // total
    std::int64_t ready = 0;                            // time point when the waiting bytes exist
  };
  // The gradient sum of one bucket.
  struct Sum {
    const Sharers* sharers = nullptr;
    const CollectiveLoad* load = nullptr;
    std::int64_t end = 0;
  };

  void hold(int op, int sign);
  void lay_edge(int op, std::size_t input, Edge edge);
  void retime_touched();
  void load(const Half& half, Side& side, int sign);
  void add_load(int link, std::int64_t bytes, Side& side);
  Half half_of(const std::vector<parallelize::Transfer>& transfers) const;
  void retime(int op);
  void retime(Side& side, int op, Half Edge::*half) const;
  bool sent_before(int op, std::size_t input) const;
  Edge edge_of(int op, std::size_t input) const;
  void go_forward();
  void go_backward();
  std::int64_t arrival(const Side& side, std::int64_t sent);
  void add_gradients(int op);
  const CollectiveLoad& sum_load(Sharers& sharers, double bytes);
  void sum_up(Sharers& sharers);
  Duration busiest_link();

  const SearchSpace& space_;
  NetworkLoads& loads_;
  OperatorConfigurations configs_;
  std::vector<std::vector<Edge>> edges_;  // by operator, then by input
  std::vector<Side> forward_;             // by operator
  std::vector<Side> backward_;
  std::vector<std::int64_t> message_loads_;  // per link, over all operators
  std::vector<Bytes> held_;                  // per server
  std::vector<double> updated_;              // parameters, per server
  int overfull_ = 0;                         // servers

  // For undo().
  struct Replaced {
    int op = 0;
    std::size_t input = 0;
    Edge edge;
  };
  std::vector<std::pair<int, OperatorConfiguration>> changed_;  // previous configurations
  std::vector<Replaced> replaced_;                              // edges before the change

  // State of time().
  std::vector<std::int64_t> free_;              // time point, per server
  std::vector<std::int64_t> forward_end_;       // by operator
  std::vector<std::int64_t> backward_end_;      // by operator
  std::vector<std::int64_t> backward_arrival_;  // of the gradients that each operator returns
  std::vector<std::int64_t> summed_;            // time point when its sums end, per server
  std::vector<Sum> sums_;
  // Keyed by first server and stride, which is the order in which they are lowered.
  std::map<std::pair<int, int>, Sharers> sharers_;
};

}  // namespace loom::plan
