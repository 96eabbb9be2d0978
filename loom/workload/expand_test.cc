// An expanded workload against the schedules it came from: both are timed along the longest chain
// of waits, over uncontended links without latency at one byte per picosecond.
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/workload/schedule.h"
#include "loom/workload/schedule_run.h"
#include "loom/workload/workload.h"

namespace loom::workload {
namespace {

// Time at which each rank enters each phase, by the rules of schedule.h.
class Clock {
 public:
  Clock(const Schedule& schedule, const std::vector<std::int64_t>& entered) : schedule_(schedule) {
    entered_.assign(schedule.phases.size() + 1, entered);
    for (const Phase& phase : schedule.phases) arrived_.emplace_back(phase.channels.size());
  }

  void leave(std::size_t p, int c, int message) {
    const Phase& phase = schedule_.phases[p];
    const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    auto& own = arrived_[p][static_cast<std::size_t>(c)];
    std::int64_t start = entered_[p][static_cast<std::size_t>(channel.source)];
    if (message > 0) start = std::max(start, own.back());
    for (const Wait& wait : phase.waits_of(c)) {
      if (message < wait.lag) continue;
      start = std::max(start, arrived_[p][static_cast<std::size_t>(wait.channel)]
                                      [static_cast<std::size_t>(message - wait.lag)]);
    }
    own.push_back(start + phase.size(c, message).count);
    for (std::size_t later = p + 1; later < entered_.size(); ++later) {
      for (const int rank : {channel.source, channel.destination}) {
        std::int64_t& time = entered_[later][static_cast<std::size_t>(rank)];
        time = std::max(time, own.back());
      }
    }
  }
  void arrive(std::size_t, int, int) {}

  const std::vector<std::int64_t>& finished() const { return entered_.back(); }

 private:
  const Schedule& schedule_;
  std::vector<std::vector<std::int64_t>> entered_;               // by phase and rank
  std::vector<std::vector<std::vector<std::int64_t>>> arrived_;  // by phase, channel and message
};

// The end of an operation of an expanded workload, in which every operation is a single task.
std::int64_t end_of(const Workload& workload, std::size_t operation,
                    std::vector<std::int64_t>& known) {
  if (known[operation] >= 0) return known[operation];
  const Operation& it = workload.operations[operation];
  std::int64_t start = it.start.count();
  if (it.behind >= 0) {
    start = std::max(start, end_of(workload, static_cast<std::size_t>(it.behind), known));
  }
  for (const std::uint32_t other : workload.waits_for(operation)) {
    start = std::max(start, end_of(workload, other, known));
  }
  return known[operation] = start + it.time.count() + it.size.count;
}

std::vector<std::int64_t> ends_of(const Workload& workload) {
  std::vector<std::int64_t> known(workload.operations.size(), -1);
  for (std::size_t i = 0; i < known.size(); ++i) end_of(workload, i, known);
  return known;
}

// A broadcast along a chain makes ranks enter the collective one after the other.
Collective chain() { return {CollectiveKind::broadcast, Algorithm::ring, {50}}; }

// The chain, the collective, and a zero-time computation on each device, in rank order.
Workload staggered(const Collective& collective, int ranks) {
  Workload workload;
  workload.devices = ranks;
  workload.collectives = {chain(), collective};
  workload.groups = {{ranks, {}}};
  for (int rank = 0; rank < ranks; ++rank) workload.groups[0].members.push_back(ranks - 1 - rank);
  workload.after = {0, 1};
  workload.operations = {
      {.kind = OperationKind::collective, .groups = 0, .collective = 0},
      {.kind = OperationKind::collective, .groups = 0, .collective = 1, .after_count = 1},
      {.kind = OperationKind::compute, .groups = 0, .first_after = 1, .after_count = 1}};
  return workload;
}

std::vector<std::int64_t> run(const Collective& collective,
                              const std::vector<std::int64_t>& entered) {
  const Schedule steps = schedule(collective, static_cast<int>(entered.size()));
  Clock clock(steps, entered);
  EXPECT_TRUE(ScheduleRun(steps, clock, random_stream(1)).finish());
  return clock.finished();
}

void expect_same_times(const Collective& collective, int ranks) {
  SCOPED_TRACE(std::string(name_of(collective.kind)) + " by " +
               std::string(name_of(collective.algorithm)) + " over " + std::to_string(ranks));
  const std::vector<std::int64_t> at_once(static_cast<std::size_t>(ranks), 0);
  const std::vector<std::int64_t> ends = ends_of(expand(staggered(collective, ranks)));
  const std::vector<std::int64_t> last(ends.end() - ranks, ends.end());
  EXPECT_EQ(last, run(collective, run(chain(), at_once)));
}

TEST(Expand, EveryRankFinishesWhenItsScheduleSays) {
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind) {
    for (const Algorithm algorithm : algorithms_for(static_cast<CollectiveKind>(kind))) {
      for (const int ranks : {1, 2, 3, 6, 8}) {
        Collective collective = {static_cast<CollectiveKind>(kind), algorithm, 997_B, 3, {}, {}};
        if (algorithm == Algorithm::hierarchical) collective.levels = {ranks % 2 == 0 ? 2 : 1};
        if (algorithm == Algorithm::hierarchical) {
          collective.levels.push_back(ranks / collective.levels[0]);
        }
        if (algorithm == Algorithm::rings) collective.steps = {1, std::max(1, ranks - 1)};
        if (!objection(collective, ranks)) expect_same_times(collective, ranks);
      }
    }
  }
}

constexpr const char* kTwoGroups = R"(
devices: 6
groups:
  - {name: pairs, size: 2, members: 0-3}
operations:
  - {name: last, compute: 1 ps, groups: pairs, after: sum}
  - {name: other, compute: 1 ps, device: 5, after: sum}
  - {name: sum, collective: all_reduce, size: 10 B, groups: pairs, after: first, start: 7 ps}
  - {name: first, compute: 100 ps, device: 2}
)";

TEST(Expand, AGroupDoesNotWaitForAnotherButANonmemberWaitsForAll) {
  const Workload expanded = expand(parse_workload(kTwoGroups, "two.yaml"));
  const std::vector<std::int64_t> ends = ends_of(expanded);
  const auto end_named = [&](std::string_view name) {
    const auto found = std::find(expanded.names.begin(), expanded.names.end(), name);
    EXPECT_NE(found, expanded.names.end()) << name;
    return ends[static_cast<std::size_t>(found - expanded.names.begin())];
  };
  EXPECT_EQ(end_named("last@0"), 111);  // devices 0, 1 and 3 are not members of `first`
  EXPECT_EQ(end_named("other@5"), 111);
  EXPECT_EQ(end_named("sum/end"), 110);
}

TEST(Expand, AGroupBeginsIndependentlyOfTheOthers) {
  std::string text = kTwoGroups;
  text.replace(text.find("after: first"), 12, "weight: 3   ");
  const Workload expanded = expand(parse_workload(text, "two.yaml"));
  const std::vector<std::int64_t> ends = ends_of(expanded);
  EXPECT_EQ(ends[0], 18);
  for (const Operation& operation : expanded.operations) {
    EXPECT_EQ(operation.weight, operation.kind == OperationKind::message ? 3 : 1);
  }
}

TEST(Expand, AReceiveStillMatchesTheSameMessage) {
  const Workload expanded = expand(parse_workload(R"(
devices: 2
operations:
  - {name: sum, collective: all_reduce, size: 100 B, ranks: 0-1}
  - {name: late, receive: 0 -> 1}
  - {name: send, message: 0 -> 1, size: 1000 B}
  - {name: never, receive: 0 -> 1}
)",
                                                  "receive.yaml"));
  const auto first_wait = [&](std::string_view name) {
    const auto found = std::find(expanded.names.begin(), expanded.names.end(), name);
    const auto index = static_cast<std::size_t>(found - expanded.names.begin());
    EXPECT_EQ(expanded.operations.at(index).kind, OperationKind::compute);
    return expanded.name(expanded.waits_for(index)[0]);
  };
  EXPECT_EQ(first_wait("late"), "send");
  EXPECT_EQ(first_wait("never"), "never");
}

TEST(Expand, TheMessagesOfAChannelAreBehindOneAnother) {
  const Workload expanded = expand(parse_workload(R"(
devices: 2
operations:
  - {name: sum, collective: all_gather, size: 100 B, chunks: 2, ranks: 0-1}
  - {name: second, message: 0 -> 1, size: 1 B, behind: first}
  - {name: first, message: 0 -> 1, size: 1 B}
)",
                                                  "behind.yaml"));
  std::vector<std::string> behind;
  for (const Operation& operation : expanded.operations) {
    if (operation.kind != OperationKind::message) continue;
    const auto ahead = static_cast<std::size_t>(operation.behind);
    behind.push_back(operation.behind < 0 ? "-" : expanded.name(ahead));
  }
  EXPECT_EQ(behind,
            (std::vector<std::string>{"-", "sum/0.0.0.0", "-", "sum/0.0.1.0", "first", "-"}));
}

TEST(Expand, TheTextFormOfAnExpansionParsesBack) {
  const Workload expanded = expand(parse_workload(kTwoGroups, "two.yaml"));
  EXPECT_EQ(parse_workload(to_text(expanded), "expanded.yaml"), expanded);
}

TEST(Expand, AnExpansionThatIsTooLargeIsALimit) {
  std::vector<int> ranks;
  for (int rank = 0; rank < 1 << 14; ++rank) ranks.push_back(rank);
  EXPECT_THROW(expand(collective_workload({.size = 1_GB}, ranks, 1 << 14)), LimitError);
}

}  // namespace
}  // namespace loom::workload
