// The iteration time of a choice of ways on a network, fast enough to be asked thousands of times a
// second: what the search of plan/topoopt/mcmc_search.h minimizes.
//
// Operators are scheduled as they are lowered, each server doing one after another: forward in the
// order of the model, backward in the opposite one. What an operator waits for from other servers
// is sent together: it takes as long as the link that all of it loads most, after its latency.
// Gradients of weights that servers share are summed bucket by bucket while backward goes on, those
// of one server one after another; where a bucket and messages are on the busiest link of these at
// once, both take their time from each other. Then come the updates. And no iteration is shorter
// than what the busiest link needs for all its bytes.
//
// Left out, and seen by the fluid engine only: that messages of different operators meet on a link,
// what meets beside the busiest link, how max-min sharing lets some end before others, that a
// server may go on with what has come already, and that an iteration begins while others still end.
//
// A change of one operator costs what it and its neighbours send, and a pass over all pieces.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "loom/plan/topoopt/network_loads.h"
#include "loom/plan/topoopt/search_space.h"

namespace loom {

class ConfigurationCost {
 public:
  // Both stay longer than this.
  ConfigurationCost(const SearchSpace& space, NetworkLoads& loads, OperatorConfigurations configs);

  const OperatorConfigurations& configs() const { return configs_; }

  void change(int op, const OperatorConfiguration& config) { change({{op, config}}); }
  // Each operator once.
  void change(const std::vector<std::pair<int, OperatorConfiguration>>& changes);
  // Takes the last change back.
  void undo();
  // No server holds more than its memory.
  bool fits() const { return overfull_ == 0; }
  Duration time();

 private:
  using Message = SearchSpace::Message;
  struct Bulk {
    const CollectiveLoad* load = nullptr;
    std::int64_t bytes = 0;
  };
  // What an operator asks one of its inputs for, or gives back.
  struct Half {
    std::vector<Message> messages;
    std::vector<Bulk> collectives;
    Duration beside{0};  // of the collectives, what they take beside their busiest links
  };
  struct Edge {
    Half forward;
    Half backward;
    bool any = false;
  };
  struct Side {
    std::vector<std::int64_t> loads;  // by link; empty: none yet
    int busiest = -1;                 // link
    Duration time{0};
  };
  // Servers that share weights.
  struct Sharers {
    std::vector<int> servers;
    std::array<const CollectiveLoad*, 64> loads = {};  // of sums, by magnitude
    double open = 0;                                   // bytes that wait for their bucket to fill
    double bytes = 0;                                  // in all
    std::int64_t ready = 0;                            // moment at which those that wait were made
  };
  // Of one bucket.
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
  Half half_of(const std::vector<Transfer>& transfers) const;
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
  std::vector<std::int64_t> message_loads_;  // by link, of all operators
  std::vector<Bytes> held_;                  // by server
  std::vector<double> updated_;              // parameters, by server
  int overfull_ = 0;                         // servers

  // For undo().
  struct Replaced {
    int op = 0;
    std::size_t input = 0;
    Edge edge;
  };
  std::vector<std::pair<int, OperatorConfiguration>> changed_;  // from these
  std::vector<Replaced> replaced_;                              // in place of these are others

  // While time() runs.
  std::vector<std::int64_t> free_;              // moment, by server
  std::vector<std::int64_t> forward_end_;       // by operator
  std::vector<std::int64_t> backward_end_;      // by operator
  std::vector<std::int64_t> backward_arrival_;  // of what each operator gives back
  std::vector<std::int64_t> summed_;            // moment at which its sums have ended, by server
  std::vector<Sum> sums_;
  // By first server and distance: the order in which they are lowered.
  std::map<std::pair<int, int>, Sharers> sharers_;
};

}  // namespace loom
