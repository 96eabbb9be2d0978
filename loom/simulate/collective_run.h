// Progress of the collective of one group: which messages may start, which ranks are done.
//
// The class tracks order, not time: the engine reports which ranks joined and which messages
// arrived, and is told which messages may start.
#pragma once

#include <memory>
#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/schedule.h"

namespace loom::simulate {

// A schedule with the indices needed to run it; built once and shared by all groups that run it.
struct CollectivePlan {
  struct PhasePlan {
    std::vector<int> first_out;  // out[first_out[r]] … are the channels that rank r sends on
    std::vector<int> out;
    std::vector<int> first_dependent;  // likewise, the channels that wait for channel c
    std::vector<int> dependents;
    std::vector<int> channels_of_rank;   // number of channels that leave or reach the rank
    std::vector<fabric::Route> routes;   // per channel, if known in advance
    std::vector<Bandwidth> first_links;  // likewise, of the first link of the route
  };
  workload::Schedule schedule;
  std::vector<PhasePlan> phases;
};

std::shared_ptr<CollectivePlan> plan_schedule(workload::Schedule schedule);
std::shared_ptr<const CollectivePlan> plan_collective(const workload::Collective& collective,
                                                      int ranks);

struct ChannelId {
  int phase = 0;
  int channel = 0;
};

class CollectiveRun {
 public:
  explicit CollectiveRun(std::shared_ptr<const CollectivePlan> plan);

  // Results of the last join() or arrived(): a channel is listed once per message that may now
  // start.
  const std::vector<ChannelId>& released() const { return released_; }
  const std::vector<int>& finished_ranks() const { return finished_ranks_; }

  void join(int rank);
  void arrived(ChannelId id);  // the next message of that channel

  bool joined(int rank) const { return phase_of_rank_[static_cast<std::size_t>(rank)] >= 0; }
  bool finished() const { return ranks_left_ == 0; }
  int phases() const { return static_cast<int>(phases_.size()); }
  const CollectivePlan& plan() const { return *plan_; }
  const workload::Phase& phase(int index) const {
    return plan_->schedule.phases[static_cast<std::size_t>(index)];
  }
  int messages_done(ChannelId id) const;  // 0 in a phase that no rank has entered

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
  std::vector<int> phase_of_rank_;  // -1 before it joins, the number of phases when it is done
  std::vector<ChannelId> released_;
  std::vector<int> finished_ranks_;
  int ranks_left_ = 0;
};

}  // namespace loom::simulate
