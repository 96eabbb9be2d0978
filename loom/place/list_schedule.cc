#include "loom/place/list_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "loom/place/at.h"
#include "loom/place/group_state.h"
#include "loom/place/list_improve.h"

namespace loom::place {
namespace {

using Devices = std::vector<int>;

class ListScheduler {
 public:
  ListScheduler(const parallelize::Job& job, const ListRule& rule, int devices)
      : job_(job), rule_(rule), count_(devices), state_(job, rule) {}

  std::optional<Infeasible> objection() const { return state_.peers().objection(); }

  // Returns the placement on the devices of the operator with the same weights if that is possible,
  // otherwise the placement of lowest cost; no value if the limits forbid all placements.
  std::optional<Attempt> best(const parallelize::PartitionedOperator& op) const {
    if (op.beside >= 0 && state_.devices_of(op.beside).size() == op.shards.size()) {
      std::optional<Attempt> there = state_.attempt(op, state_.devices_of(op.beside));
      if (there) return there;
    }
    std::optional<Attempt> found = best_of(op, candidates(op));
    return found ? std::move(found) : best_of(op, runs(op));
  }

  void commit(Attempt it) { state_.commit(std::move(it)); }
  GroupPlacement placement() { return state_.placement(); }

  // Returns the reason if memory prevents a placement: too few devices have room for a shard.
  std::optional<Infeasible> memory_objection(const parallelize::PartitionedOperator& op) const {
    Devices all(static_cast<std::size_t>(count_));
    std::iota(all.begin(), all.end(), 0);
    const auto with_room = std::count_if(all.begin(), all.end(),
                                         [&](int d) { return state_.fits(op.shards.front(), d); });
    if (with_room >= static_cast<std::ptrdiff_t>(op.shards.size())) return std::nullopt;
    Bytes min_held = *rule_.limits.memory;
    for (const int d : all) min_held = std::min(min_held, state_.held(d));
    return Infeasible{fmt::format("{0} needs {1} on a device; at most {3} of {2} are free", op.name,
                                  readable(shard_memory(op.shards.front(), job_).total()),
                                  readable(*rule_.limits.memory),
                                  readable(*rule_.limits.memory - min_held))};
  }

 private:
  // Whether all shards are equal, so that any of them can be on any of the chosen devices. Sorting
  // the devices then puts shards of consecutive operators on the same device more often.
  static bool symmetric(const parallelize::PartitionedOperator& op) {
    return std::all_of(op.shards.begin(), op.shards.end(), [&](const parallelize::Shard& it) {
      return it.forward == op.shards.front().forward && it.kept == op.shards.front().kept;
    });
  }

  std::optional<Attempt> best_of(const parallelize::PartitionedOperator& op,
                                 const std::vector<Devices>& places) const {
    std::optional<Attempt> found;
    for (const Devices& devices : places) {
      std::optional<Attempt> next = state_.attempt(op, devices);
      if (next && (!found || next->cost() < found->cost())) found = std::move(next);
    }
    return found;
  }

  // Candidate devices: those where each shard ends earliest, and those of each input.
  std::vector<Devices> candidates(const parallelize::PartitionedOperator& op) const {
    std::vector<Devices> all;
    const auto put = [&](const Devices& devices) {
      if (std::find(all.begin(), all.end(), devices) == all.end()) all.push_back(devices);
    };
    const Devices earliest = earliest_devices(op);
    if (!earliest.empty()) {
      Devices sorted = earliest;
      std::sort(sorted.begin(), sorted.end());
      if (symmetric(op)) put(sorted);
      put(earliest);
    }
    for (const int input : op.inputs) {
      const Devices& before = state_.devices_of(input);
      if (before.size() == op.shards.size()) put(before);
    }
    return all;
  }

  // Every run of adjacent devices; used if the limits rule out all of candidates().
  std::vector<Devices> runs(const parallelize::PartitionedOperator& op) const {
    std::vector<Devices> all;
    for (int first = 0; first < count_; ++first) {
      Devices run;
      for (int p = 0; p < static_cast<int>(op.shards.size()); ++p) {
        run.push_back((first + p) % count_);
      }
      all.push_back(std::move(run));
    }
    return all;
  }

  // The device where each shard ends earliest, chosen shard by shard, longest first. Ties go to the
  // device with less total work.
  Devices earliest_devices(const parallelize::PartitionedOperator& op) const {
    Devices devices;
    std::vector<char> taken(static_cast<std::size_t>(count_), 0);
    for (std::size_t p = 0; p < op.shards.size(); ++p) {
      std::optional<std::tuple<Duration, Duration, int>> best;
      for (int d = 0; d < count_; ++d) {
        if (at(taken, d) != 0 || !state_.fits(op.shards[p], d)) continue;
        const Duration end =
            std::max(state_.free(d), state_.arrival(op, p, d)) + op.shards[p].forward;
        const std::tuple<Duration, Duration, int> here(end, state_.busy(d), d);
        if (!best || here < *best) best = here;
      }
      if (!best) return {};
      devices.push_back(std::get<2>(*best));
      at(taken, devices.back()) = 1;
    }
    return devices;
  }

  const parallelize::Job& job_;
  const ListRule& rule_;
  const int count_;  // number of devices that may be used
  GroupState state_;
};

std::variant<GroupPlacement, Infeasible> schedule_on(
    int devices, const std::vector<parallelize::PartitionedOperator>& operators,
    const parallelize::Job& job, const ListRule& rule, const Repartition& repartition) {
  ListScheduler scheduler(job, rule, devices);
  if (const auto no = scheduler.objection()) return *no;
  for (int op = 0; op < static_cast<int>(operators.size()); ++op) {
    parallelize::PartitionedOperator partitioned = at(operators, op);
    if (partitioned.partition.degree > devices)
      partitioned = repartition(op, {partitioned.partition.dimension, devices});
    std::optional<Attempt> placed = scheduler.best(partitioned);
    while (!placed && partitioned.partition.degree > 1) {
      partitioned =
          repartition(op, {partitioned.partition.dimension, partitioned.partition.degree - 1});
      placed = scheduler.best(partitioned);
    }
    if (!placed) {
      const auto full = rule.limits.memory ? scheduler.memory_objection(partitioned) : std::nullopt;
      if (full) return *full;
      return Infeasible{fmt::format("no device can receive the inputs of {} within its peer limit",
                                    partitioned.name)};
    }
    scheduler.commit(std::move(*placed));
  }
  return scheduler.placement();
}

}  // namespace

std::variant<GroupPlacement, Infeasible> list_schedule(
    const std::vector<parallelize::PartitionedOperator>& operators, const parallelize::Job& job,
    const ListRule& rule, const Repartition& repartition) {
  auto placed = schedule_on(rule.devices, operators, job, rule, repartition);
  // If transfers may not fall back on the group's ring, the peer limit can leave a shard without a
  // device that reaches its inputs. Retry on fewer devices: they need fewer peers.
  for (int devices = rule.devices - 1;
       devices > 0 && !rule.rings && std::holds_alternative<Infeasible>(placed); --devices) {
    placed = schedule_on(devices, operators, job, rule, repartition);
  }
  if (auto* found = std::get_if<GroupPlacement>(&placed)) {
    return improve(std::move(*found), job, rule);
  }
  return placed;
}

std::optional<GroupPlacement> schedule_as(
    const std::vector<parallelize::PartitionedOperator>& operators,
    const std::vector<std::vector<int>>& devices, const parallelize::Job& job,
    const ListRule& rule) {
  GroupState state(job, rule);
  for (std::size_t op = 0; op < operators.size(); ++op) {
    std::optional<Attempt> placed = state.attempt(operators[op], devices[op]);
    if (!placed) return std::nullopt;
    state.commit(std::move(*placed));
  }
  return state.placement();
}

}  // namespace loom::place
