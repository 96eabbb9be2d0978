#include "loom/simulate/symmetry/quotient.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"
#include "loom/simulate/fluid.h"

namespace loom::simulate {
namespace {

// The lowest member of each class.
template <class Id>
std::vector<Id> first_of_each(std::span<const int> classes, int count) {
  std::vector<Id> first(static_cast<std::size_t>(count), Id(-1));
  for (std::size_t i = classes.size(); i-- > 0;) {
    first[static_cast<std::size_t>(classes[i])] = Id(i);
  }
  return first;
}

// Merges all groups into one group of the classes of their members, in order of first occurrence;
// the two classes of a pair stay next to each other.
workload::Groups merged(const workload::Groups& groups, const Symmetry& symmetry) {
  std::vector<bool> seen(static_cast<std::size_t>(symmetry.device_classes), false);
  workload::Groups made;
  for (const int device : groups.members) {
    const int it = symmetry.device_class[static_cast<std::size_t>(device)];
    if (seen[static_cast<std::size_t>(it)]) continue;
    seen[static_cast<std::size_t>(it)] = true;
    made.members.push_back(it);
  }
  made.size = static_cast<int>(made.members.size());
  return made;
}

workload::Workload folded_workload(const workload::Workload& workload, const Symmetry& symmetry) {
  workload::Workload made;
  made.devices = symmetry.device_classes;
  for (const workload::Groups& it : workload.groups) made.groups.push_back(merged(it, symmetry));
  for (const Pattern& it : symmetry.patterns.patterns) {
    workload::Collective kind;  // its messages are in its plan
    kind.kind = workload.collectives[static_cast<std::size_t>(it.collective)].kind;
    made.collectives.push_back(kind);
  }
  made.operations = workload.operations;
  for (std::size_t o = 0; o < made.operations.size(); ++o) {
    made.operations[o].collective = symmetry.patterns.pattern_of[o];
  }
  made.after = workload.after;
  return made;
}

fabric::Network folded_network(const fabric::Network& network, const Symmetry& symmetry) {
  fabric::Network made;
  made.devices = symmetry.device_classes;
  made.nodes = made.devices;
  for (const LinkId link : first_of_each<LinkId>(symmetry.link_class, symmetry.link_classes)) {
    made.links.push_back(
        {NodeId(0), NodeId(0), network.links[static_cast<std::size_t>(link)].bandwidth});
  }
  return made;
}

// The changes of the lowest link of each class.
std::vector<LinkChange> folded_changes(std::span<const LinkChange> changes,
                                       const Symmetry& symmetry) {
  const std::vector<LinkId> first =
      first_of_each<LinkId>(symmetry.link_class, symmetry.link_classes);
  std::vector<LinkChange> made;
  for (const LinkChange& it : changes) {
    const LinkId link(symmetry.link_class[static_cast<std::size_t>(it.link)]);
    if (first[static_cast<std::size_t>(link)] != it.link) continue;
    made.push_back({it.at, link, it.bandwidth});
  }
  return made;
}

// Builds the plans of all patterns from the classes of channels; each class has a position in its
// phase.
class Plans {
 public:
  Plans(const Symmetry& symmetry, const workload::Workload& folded)
      : symmetry_(symmetry), folded_(folded) {
    for (const Pattern& it : symmetry.patterns.patterns) {
      const workload::Schedule& whole =
          symmetry.patterns.schedules[static_cast<std::size_t>(it.collective)];
      workload::Schedule& made = schedules_.emplace_back();
      made.ranks = folded.groups[static_cast<std::size_t>(it.groups)].size;
      for (const workload::Phase& phase : whole.phases) {
        made.phases.emplace_back();
        made.phases.back().blocks = phase.blocks;
        made.phases.back().chunks = phase.chunks;
        made.phases.back().first_wait = {0};
      }
      routes_.emplace_back(whole.phases.size());
      first_links_.emplace_back(whole.phases.size());
    }
    for (const ChannelClass& it : symmetry.channels) {
      place_.push_back(static_cast<int>(phase_of(it).channels.size()));
      phase_of(it).channels.emplace_back();
    }
    for (std::size_t c = 0; c < symmetry.channels.size(); ++c) fill(c);
  }

  std::vector<std::shared_ptr<const CollectivePlan>> take() {
    std::vector<std::shared_ptr<const CollectivePlan>> plans;
    for (std::size_t p = 0; p < schedules_.size(); ++p) {
      const auto plan = plan_schedule(std::move(schedules_[p]));
      for (std::size_t f = 0; f < plan->phases.size(); ++f) {
        plan->phases[f].routes = std::move(routes_[p][f]);
        plan->phases[f].first_links = std::move(first_links_[p][f]);
      }
      plans.push_back(plan);
    }
    return plans;
  }

 private:
  workload::Phase& phase_of(const ChannelClass& it) {
    return schedules_[static_cast<std::size_t>(it.pattern)]
        .phases[static_cast<std::size_t>(it.phase)];
  }

  int rank_of(const ChannelClass& it, int device) const {
    const Pattern& pattern = symmetry_.patterns.patterns[static_cast<std::size_t>(it.pattern)];
    const auto& members = folded_.groups[static_cast<std::size_t>(pattern.groups)].members;
    return static_cast<int>(std::find(members.begin(), members.end(), device) - members.begin());
  }

  // Called in order, so that the waits of a phase follow the order of its channels.
  void fill(std::size_t c) {
    const ChannelClass& it = symmetry_.channels[c];
    workload::Phase& phase = phase_of(it);
    workload::Channel& made = phase.channels[static_cast<std::size_t>(place_[c])];
    made = it.channel;
    made.source = rank_of(it, it.source);
    made.destination = rank_of(it, it.destination);
    for (const workload::Wait& wait : it.waits) {
      phase.waits.push_back({place_[static_cast<std::size_t>(wait.channel)], wait.lag});
    }
    phase.first_wait.push_back(static_cast<int>(phase.waits.size()));
    routes_[static_cast<std::size_t>(it.pattern)][static_cast<std::size_t>(it.phase)].push_back(
        it.route);
    first_links_[static_cast<std::size_t>(it.pattern)][static_cast<std::size_t>(it.phase)]
        .push_back(it.first_link);
  }

  const Symmetry& symmetry_;
  const workload::Workload& folded_;
  std::vector<workload::Schedule> schedules_;                     // by pattern
  std::vector<std::vector<std::vector<fabric::Route>>> routes_;   // by pattern, phase and channel
  std::vector<std::vector<std::vector<Bandwidth>>> first_links_;  // likewise
  std::vector<int> place_;  // per class of channels: position in its phase
};

// Counts the messages and bytes that all operations send in all their groups.
void count_messages(const Symmetry& symmetry, Quotient& made) {
  std::vector<std::int64_t> uses(symmetry.patterns.patterns.size(), 0);
  for (const int pattern : symmetry.patterns.pattern_of) {
    if (pattern >= 0) ++uses[static_cast<std::size_t>(pattern)];
  }
  std::vector<std::vector<int>> next;
  for (const auto& plan : made.plans) next.emplace_back(plan->phases.size(), 0);
  for (const ChannelClass& it : symmetry.channels) {
    const auto p = static_cast<std::size_t>(it.pattern);
    const auto f = static_cast<std::size_t>(it.phase);
    const workload::Phase& phase = made.plans[p]->schedule.phases[f];
    const int channel = next[p][f]++;
    made.messages += uses[p] * it.count * phase.messages(channel);
    made.bytes += channel_bytes(phase, channel) * it.count * uses[p];
  }
}

bool may_fold(const workload::Workload& workload, const fabric::Network& network,
              std::span<const LinkChange> changes, const EngineOptions& options) {
  if (!options.folding || options.jitter > 0) return false;
  if (options.control != nullptr && !changes.empty()) return false;
  if (options.observer != nullptr && options.observer->wants_each()) return false;
  if (network.router->hashes() || network.grants)
    return false;  // receivers arbitrate by device number
  const auto down = [](const auto& it) { return it.bandwidth.bits_per_second == 0; };
  const bool any_down = std::any_of(network.links.begin(), network.links.end(), down);
  if (any_down && options.control == nullptr) return false;
  if (std::any_of(changes.begin(), changes.end(), down)) return false;
  return std::all_of(workload.operations.begin(), workload.operations.end(),
                     [](const workload::Operation& it) {
                       return it.kind == workload::OperationKind::compute ||
                              it.kind == workload::OperationKind::collective;
                     });
}

// Translates the changes of the control from links to classes of links. During a reconfiguration
// nothing moves, so it does not matter which links of a class are down; afterwards all links of a
// class are equivalent.
class FoldedControl final : public fabric::Control {
 public:
  FoldedControl(fabric::Control& whole, const std::vector<int>& link_class)
      : whole_(whole), link_class_(link_class) {}

  void restart() override { whole_.restart(); }
  Duration switch_time() const override { return whole_.switch_time(); }
  bool admits(OperationId operation) const override { return whole_.admits(operation); }
  TimePoint next_time() const override { return whole_.next_time(); }
  std::optional<fabric::CircuitChange> decide(TimePoint now, bool idle,
                                              const fabric::Waiting& waiting) override {
    std::optional<fabric::CircuitChange> change = whole_.decide(now, idle, waiting);
    if (!change) return change;
    fold(change->switching);
    fold(change->switched);
    return change;
  }
  void switched(TimePoint now) override { whole_.switched(now); }

 private:
  // Replaces links by their classes and keeps one state per class.
  void fold(std::vector<fabric::LinkState>& states) const {
    for (fabric::LinkState& it : states)
      it.link = LinkId(link_class_[static_cast<std::size_t>(it.link)]);
    const auto less = [](const fabric::LinkState& a, const fabric::LinkState& b) {
      return a.link < b.link;
    };
    const auto same = [](const fabric::LinkState& a, const fabric::LinkState& b) {
      return a.link == b.link;
    };
    std::stable_sort(states.begin(), states.end(), less);
    states.erase(std::unique(states.begin(), states.end(), same), states.end());
  }

  fabric::Control& whole_;
  const std::vector<int>& link_class_;
};

// Records the tasks of classes of devices until the run is known to have finished.
class ClassTasks final : public Observer {
 public:
  bool wants_each() const override { return false; }
  bool wants_tasks() const override { return true; }
  void task(const RankTaskRecord& record) override { tasks_.push_back(record); }

  void tell(Observer& observer, const Symmetry& symmetry, const Quotient& folded) {
    std::vector<DeviceId> standing_for;
    standing_for.reserve(symmetry.device_class.size());
    for (const int it : symmetry.device_class) {
      standing_for.push_back(folded.representatives[static_cast<std::size_t>(it)]);
    }
    observer.equivalent(standing_for);
    for (RankTaskRecord& it : tasks_) {
      it.device = folded.representatives[static_cast<std::size_t>(it.device)];
      observer.task(it);
    }
  }

 private:
  std::vector<RankTaskRecord> tasks_;
};

}  // namespace

Quotient quotient(const workload::Workload& workload, const fabric::Network& network,
                  std::span<const LinkChange> changes, const Symmetry& symmetry) {
  Quotient made;
  made.workload = folded_workload(workload, symmetry);
  made.network = folded_network(network, symmetry);
  made.changes = folded_changes(changes, symmetry);
  made.plans = Plans(symmetry, made.workload).take();
  made.representatives = first_of_each<DeviceId>(symmetry.device_class, symmetry.device_classes);
  count_messages(symmetry, made);
  return made;
}

std::optional<FoldedRun> FoldedRun::of(const workload::Workload& workload,
                                       const fabric::Network& network,
                                       std::span<const LinkChange> changes,
                                       const EngineOptions& options) {
  if (!may_fold(workload, network, changes, options)) return std::nullopt;
  std::optional<fabric::CircuitPlan> plan;
  if (options.control != nullptr) {
    plan = options.control->plan();
    if (!plan) return std::nullopt;
  }
  std::optional<Symmetry> symmetry =
      find_symmetry(workload, network, changes, plan ? &*plan : nullptr);
  if (!symmetry) return std::nullopt;
  FoldedRun run;
  run.workload_ = &workload;
  run.network_ = &network;
  run.options_ = options;
  run.by_plan_ = plan.has_value();
  run.symmetry_ = std::move(*symmetry);
  run.folded_ = quotient(workload, network, changes, run.symmetry_);
  if (run.folded_.bytes > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return run;
}

std::int64_t FoldedRun::messages() const {
  std::int64_t messages = 0;
  for (const workload::Operation& it : folded_.workload.operations) {
    if (it.kind != workload::OperationKind::collective) continue;
    messages += message_count(folded_.plans[static_cast<std::size_t>(it.collective)]->schedule);
  }
  return messages;
}

std::optional<Outcome> FoldedRun::simulate() const {
  ClassTasks tasks;
  std::optional<FoldedControl> control;
  EngineOptions once = options_;
  if (by_plan_) once.control = &control.emplace(*options_.control, symmetry_.link_class);
  const bool reports_tasks = options_.observer != nullptr && options_.observer->wants_tasks();
  once.observer = reports_tasks ? &tasks : nullptr;
  Outcome outcome = Fluid(folded_.workload, folded_.network, folded_.changes, once, folded_.plans,
                          Fluid::streams_of(*workload_, *network_, options_))
                        .run();
  if (outcome.deadlock) {
    if (by_plan_) options_.control->restart();
    return std::nullopt;
  }
  if (reports_tasks) tasks.tell(*options_.observer, symmetry_, folded_);
  outcome.messages = folded_.messages;
  outcome.bytes = {static_cast<std::int64_t>(folded_.bytes)};
  const std::vector<Bytes> class_bytes = std::move(outcome.link_bytes);
  outcome.link_bytes.clear();
  outcome.link_bytes.reserve(symmetry_.link_class.size());
  for (const int it : symmetry_.link_class) {
    outcome.link_bytes.push_back(class_bytes[static_cast<std::size_t>(it)]);
  }
  return outcome;
}

}  // namespace loom::simulate
