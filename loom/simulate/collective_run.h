// One group's collective while it runs: which messages may leave, which ranks are through.
//
// It knows the order of things and nothing of time: the engine says who joined and what arrived,
// and is told what may start.
#pragma once

#include <memory>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/schedule.h"

namespace loom {

// A schedule with what is needed to run it; made once, shared by all groups that do the same.
struct CollectivePlan {
  struct PhasePlan {
    std::vector<int> first_out;  // of rank r: out[first_out[r]] … are the channels it feeds
    std::vector<int> out;
    std::vector<int> first_dependent;  // of channel c: the channels that wait for it
    std::vector<int> dependents;
    std::vector<int> channels_of_rank;  // how many leave or reach it
    std::vector<Route> routes;          // of the channels, where they are known beforehand
  };
  Schedule schedule;
  std::vector<PhasePlan> phases;
};

std::shared_ptr<CollectivePlan> plan_schedule(Schedule schedule);
std::shared_ptr<const CollectivePlan> plan_collective(const Collective& collective, int ranks);

struct ChannelId {
  int phase = 0;
  int channel = 0;
};

class CollectiveRun {
 public:
  explicit CollectiveRun(std::shared_ptr<const CollectivePlan> plan);

  // What the last call brought: a channel stands once for each of its messages that may start.
  const std::vector<ChannelId>& released() const { return released_; }
  const std::vector<int>& finished_ranks() const { return finished_ranks_; }

  void join(int rank);
  void arrived(ChannelId id);  // the next message of that channel

  bool joined(int rank) const { return phase_of_rank_[static_cast<std::size_t>(rank)] >= 0; }
  bool finished() const { return ranks_left_ == 0; }
  int phases() const { return static_cast<int>(phases_.size()); }
  const CollectivePlan& plan() const { return *plan_; }
  const Phase& phase(int index) const {
    return plan_->schedule.phases[static_cast<std::size_t>(index)];
  }
  int messages_done(ChannelId id) const;  // of a phase that nobody has entered, none

 private:
  struct Channels {
    std::vector<int> released;
    std::vector<int> done;
    std::vector<int> left_of_rank;  // channels not yet done that leave or reach the rank
  };

  void open(int phase);
  void enter(int rank, int phase);
  void release(ChannelId id);
  void leave_if_done(int rank);
  void channel_done(ChannelId id);

  std::shared_ptr<const CollectivePlan> plan_;
  std::vector<Channels> phases_;    // empty until a rank enters
  std::vector<int> phase_of_rank_;  // -1 before it joins, the number of phases when it is through
  std::vector<ChannelId> released_;
  std::vector<int> finished_ranks_;
  int ranks_left_ = 0;
};

}  // namespace loom
