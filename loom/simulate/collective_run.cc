#include "loom/simulate/collective_run.h"

#include <algorithm>
#include <limits>

namespace loom::simulate {
namespace {

// Groups items by key in one array: the items of key k are items[first[k]] … items[first[k + 1] -
// 1]. `each` calls its argument with the key and the item of every item.
template <class Each>
void group_by(int keys, Each each, std::vector<int>& first, std::vector<int>& items) {
  first.assign(static_cast<std::size_t>(keys) + 1, 0);
  each([&](int key, int) { ++first[static_cast<std::size_t>(key) + 1]; });
  for (std::size_t k = 0; k + 1 < first.size(); ++k) first[k + 1] += first[k];
  items.resize(static_cast<std::size_t>(first.back()));
  std::vector<int> next(first.begin(), first.end() - 1);
  each([&](int key, int item) {
    items[static_cast<std::size_t>(next[static_cast<std::size_t>(key)]++)] = item;
  });
}

CollectivePlan::PhasePlan plan_phase(const workload::Phase& phase, int ranks) {
  CollectivePlan::PhasePlan plan;
  const int channels = static_cast<int>(phase.channels.size());
  group_by(
      ranks,
      [&](auto&& put) {
        for (int c = 0; c < channels; ++c)
          put(phase.channels[static_cast<std::size_t>(c)].source, c);
      },
      plan.first_out, plan.out);
  group_by(
      channels,
      [&](auto&& put) {
        for (int c = 0; c < channels; ++c) {
          for (const workload::Wait& wait : phase.waits_of(c)) put(wait.channel, c);
        }
      },
      plan.first_dependent, plan.dependents);
  plan.channels_of_rank.assign(static_cast<std::size_t>(ranks), 0);
  for (const workload::Channel& channel : phase.channels) {
    ++plan.channels_of_rank[static_cast<std::size_t>(channel.source)];
    ++plan.channels_of_rank[static_cast<std::size_t>(channel.destination)];
  }
  return plan;
}

}  // namespace

std::shared_ptr<CollectivePlan> plan_schedule(workload::Schedule schedule) {
  auto plan = std::make_shared<CollectivePlan>();
  plan->schedule = std::move(schedule);
  for (const workload::Phase& phase : plan->schedule.phases) {
    plan->phases.push_back(plan_phase(phase, plan->schedule.ranks));
  }
  return plan;
}

std::shared_ptr<const CollectivePlan> plan_collective(const workload::Collective& collective,
                                                      int ranks) {
  return plan_schedule(schedule(collective, ranks));
}

CollectiveRun::CollectiveRun(std::shared_ptr<const CollectivePlan> plan)
    : plan_(std::move(plan)),
      phases_(plan_->phases.size()),
      phase_of_rank_(static_cast<std::size_t>(plan_->schedule.ranks), -1),
      ranks_left_(plan_->schedule.ranks) {}

int CollectiveRun::messages_done(ChannelId id) const {
  const std::vector<int>& done = phases_[static_cast<std::size_t>(id.phase)].done;
  return done.empty() ? 0 : done[static_cast<std::size_t>(id.channel)];
}

void CollectiveRun::join(int rank) {
  released_.clear();
  finished_ranks_.clear();
  enter(rank, 0);
}

void CollectiveRun::open(int phase) {
  Channels& state = phases_[static_cast<std::size_t>(phase)];
  const auto& plan = plan_->phases[static_cast<std::size_t>(phase)];
  if (!state.left_of_rank.empty()) return;
  const std::size_t channels = this->phase(phase).channels.size();
  state.released.assign(channels, 0);
  state.done.assign(channels, 0);
  state.left_of_rank = plan.channels_of_rank;
}

void CollectiveRun::enter(int rank, int phase) {
  phase_of_rank_[static_cast<std::size_t>(rank)] = phase;
  if (phase == static_cast<int>(phases_.size())) {
    finished_ranks_.push_back(rank);
    --ranks_left_;
    return;
  }
  open(phase);
  const auto& plan = plan_->phases[static_cast<std::size_t>(phase)];
  const auto r = static_cast<std::size_t>(rank);
  for (int i = plan.first_out[r]; i < plan.first_out[r + 1]; ++i) {
    release({phase, plan.out[static_cast<std::size_t>(i)]});
  }
  leave_if_done(rank);
}

void CollectiveRun::leave_if_done(int rank) {
  const int phase = phase_of_rank_[static_cast<std::size_t>(rank)];
  if (phase < 0 || phase == static_cast<int>(phases_.size())) return;
  if (phases_[static_cast<std::size_t>(phase)].left_of_rank[static_cast<std::size_t>(rank)] == 0) {
    enter(rank, phase + 1);
  }
}

void CollectiveRun::release(ChannelId id) {
  const workload::Phase& phase = this->phase(id.phase);
  Channels& state = phases_[static_cast<std::size_t>(id.phase)];
  const auto c = static_cast<std::size_t>(id.channel);
  if (phase_of_rank_[static_cast<std::size_t>(phase.channels[c].source)] < id.phase) return;
  int limit = phase.messages(id.channel);
  for (const workload::Wait& wait : phase.waits_of(id.channel)) {
    limit = std::min(limit, state.done[static_cast<std::size_t>(wait.channel)] + wait.lag);
  }
  for (; state.released[c] < limit; ++state.released[c]) released_.push_back(id);
}

void CollectiveRun::arrived(ChannelId id) {
  released_.clear();
  finished_ranks_.clear();
  Channels& state = phases_[static_cast<std::size_t>(id.phase)];
  const auto& plan = plan_->phases[static_cast<std::size_t>(id.phase)];
  const auto c = static_cast<std::size_t>(id.channel);
  ++state.done[c];
  for (int d = plan.first_dependent[c]; d < plan.first_dependent[c + 1]; ++d) {
    release({id.phase, plan.dependents[static_cast<std::size_t>(d)]});
  }
  if (state.done[c] == phase(id.phase).messages(id.channel)) channel_done(id);
}

void CollectiveRun::channel_done(ChannelId id) {
  const workload::Channel channel = phase(id.phase).channels[static_cast<std::size_t>(id.channel)];
  auto& left = phases_[static_cast<std::size_t>(id.phase)].left_of_rank;
  --left[static_cast<std::size_t>(channel.source)];
  --left[static_cast<std::size_t>(channel.destination)];
  for (const int rank : {channel.source, channel.destination}) {
    if (phase_of_rank_[static_cast<std::size_t>(rank)] == id.phase) leave_if_done(rank);
  }
}

}  // namespace loom::simulate
