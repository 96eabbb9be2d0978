// Estimates the iteration time of operator configurations on a network: the objective of
// mcmc_search.h, evaluated thousands of times a second.
//
// A server runs one operator at a time, in lowered order. The messages to an operator are sent
// together and take the time of their bottleneck link plus latency. Gradients are summed bucket by
// bucket during the backward pass and share a bottleneck link with messages; updates follow. The
// total is at least the time of the busiest link. Ignores other contention, servers that start with
// partial input, and overlap of iterations, which only the fluid engine models. After a change,
// only the traffic of the operator and its neighbors is recomputed, then one pass over all shards.
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
  // `space` and `loads` must outlive this object.
  ConfigurationCost(const SearchSpace& space, NetworkLoads& loads, OperatorConfigurations configs);

  const OperatorConfigurations& configs() const { return configs_; }

  void change(int op, const OperatorConfiguration& config) { change({{op, config}}); }
  // Changes several operators; each may occur at most once.
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
    Duration beside{0};  // time of the collectives minus the time of their busiest links
  };
  struct Edge {
    Half forward;
    Half backward;
    bool any = false;
  };
  // Traffic to an operator in one pass, over all its inputs.
  struct Side {
    std::vector<std::int64_t> loads;  // bytes per link; empty: no traffic yet
    int busiest = -1;                 // bottleneck link
    Duration time{0};
  };
  // Servers that share weights.
  struct Sharers {
    std::vector<int> servers;
    std::array<const CollectiveLoad*, 64> loads = {};  // load of an all-reduce, by log2 of its size
    double open = 0;                                   // bytes waiting for their bucket to fill
    double bytes = 0;                                  // total
    std::int64_t ready = 0;                            // time point when those bytes are computed
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
  std::vector<Bytes> held_;                  // memory use, per server
  std::vector<double> updated_;              // number of parameters to update, per server
  int overfull_ = 0;                         // number of servers that exceed their memory

  // State that undo() restores.
  struct Replaced {
    int op = 0;
    std::size_t input = 0;
    Edge edge;
  };
  std::vector<std::pair<int, OperatorConfiguration>> changed_;  // previous configurations
  std::vector<Replaced> replaced_;                              // edges before the change

  // State of time().
  std::vector<std::int64_t> free_;              // time point when each server is free
  std::vector<std::int64_t> forward_end_;       // by operator
  std::vector<std::int64_t> backward_end_;      // by operator
  std::vector<std::int64_t> backward_arrival_;  // arrival of the gradients of the inputs
  std::vector<std::int64_t> summed_;            // end of the last gradient sum, per server
  std::vector<Sum> sums_;
  // Keyed by first server and stride; lowering uses the same order.
  std::map<std::pair<int, int>, Sharers> sharers_;
};

}  // namespace loom::plan
