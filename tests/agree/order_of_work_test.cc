// Both engines against a reference implementation of `after`, on random workloads without
// contention: computations on several devices, empty messages, and receives.
//
// The reference executes rank tasks in the order in which they become ready: no task that is still
// unknown can become ready before the earliest known one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "loom/simulate/testing.h"
#include "tests/agree/collective_times.h"
#include "tests/agree/random_flows.h"

namespace loom {
namespace {

constexpr int kDevices = 6;
constexpr Duration kLatency = 12'345_ps;

class PlainReading {
 public:
  explicit PlainReading(const workload::Workload& workload)
      : workload_(workload), free_(kDevices) {}

  // Nothing if two computations of a device become ready at once: `after` does not order them.
  std::optional<std::vector<Duration>> ends() {
    while (take_earliest()) {
    }
    if (at_once_) return std::nullopt;
    std::vector<Duration> ends;
    for (std::size_t o = 0; o < workload_.operations.size(); ++o) ends.push_back(*end_of_all(o));
    return ends;
  }

 private:
  using RankTask = std::pair<std::size_t, int>;  // operation, device

  std::vector<int> devices_of(std::size_t operation) const {
    const workload::Operation& it = workload_.operations[operation];
    if (it.kind == workload::OperationKind::message) return {it.source};
    if (it.kind == workload::OperationKind::receive) return {it.destination};
    return workload_.groups[static_cast<std::size_t>(it.groups)].members;
  }

  std::optional<Duration> end_of_all(std::size_t operation) const {
    Duration last{0};
    for (const int device : devices_of(operation)) {
      const auto found = end_.find({operation, device});
      if (found == end_.end()) return std::nullopt;
      last = std::max(last, found->second);
    }
    return last;
  }

  // When the operation is over for the device: its own rank task if it has one, else all of them.
  std::optional<Duration> over_for(std::size_t operation, int device) const {
    const auto found = end_.find({operation, device});
    if (found != end_.end()) return found->second;
    const std::vector<int> devices = devices_of(operation);
    const bool participates = std::find(devices.begin(), devices.end(), device) != devices.end();
    return participates ? std::nullopt : end_of_all(operation);
  }

  // The k-th message between two devices, matched by the k-th receive.
  std::size_t message_for(std::size_t receive) const {
    const workload::Operation& it = workload_.operations[receive];
    const auto matches = [&](std::size_t o, workload::OperationKind kind) {
      const workload::Operation& other = workload_.operations[o];
      return other.kind == kind && other.source == it.source && other.destination == it.destination;
    };
    std::size_t before = 0;
    for (std::size_t o = 0; o < receive; ++o)
      before += matches(o, workload::OperationKind::receive) ? 1 : 0;
    for (std::size_t o = 0;; ++o) {
      if (matches(o, workload::OperationKind::message) && before-- == 0) return o;
    }
  }

  std::optional<Duration> ready(std::size_t operation, int device) const {
    const workload::Operation& it = workload_.operations[operation];
    std::vector<std::size_t> awaited(workload_.waits_for(operation).begin(),
                                     workload_.waits_for(operation).end());
    if (it.kind == workload::OperationKind::receive) awaited.push_back(message_for(operation));
    Duration latest = it.start;
    for (const std::size_t before : awaited) {
      const std::optional<Duration> end = over_for(before, device);
      if (!end) return std::nullopt;
      latest = std::max(latest, *end);
    }
    return latest;
  }

  bool take_earliest() {
    std::optional<Duration> earliest;
    RankTask chosen;
    for (std::size_t o = 0; o < workload_.operations.size(); ++o) {
      for (const int device : devices_of(o)) {
        if (end_.count({o, device}) > 0) continue;
        const std::optional<Duration> when = ready(o, device);
        if (!when || (earliest && *when >= *earliest)) continue;
        earliest = when;
        chosen = {o, device};
      }
    }
    if (earliest) carry_out(chosen, *earliest);
    return earliest.has_value();
  }

  void carry_out(const RankTask& task, Duration when) {
    const workload::Operation& it = workload_.operations[task.first];
    Duration end = when;
    if (it.kind == workload::OperationKind::message) end += kLatency;
    if (it.kind == workload::OperationKind::compute) {
      at_once_ = at_once_ || !began_.insert({task.second, when}).second;
      Duration& free = free_[static_cast<std::size_t>(task.second)];
      end = free = std::max(free, when) + it.time;
    }
    end_[task] = end;
  }

  const workload::Workload& workload_;
  std::map<RankTask, Duration> end_;
  std::vector<Duration> free_;  // per device: when its last computation so far ends
  std::set<std::pair<int, Duration>> began_;
  bool at_once_ = false;
};

workload::Operation random_operation(workload::Workload& workload, Random& random) {
  const auto any_device = [&] { return static_cast<int>(random(kDevices)); };
  workload::Operation it{.kind = random(2) == 0 ? workload::OperationKind::compute
                                                : workload::OperationKind::message};
  if (it.kind == workload::OperationKind::message) {
    it.source = any_device();
    it.destination = (it.source + 1 + static_cast<int>(random(kDevices - 1))) % kDevices;
    return it;
  }
  it.time = Duration(sample(random, 1, 1'000'000'000));
  it.groups = static_cast<int>(workload.groups.size());
  workload::Groups groups{.size = 1};
  for (int device = 0; device < kDevices; ++device) {
    if (random(3) == 0) groups.members.push_back(device);
  }
  if (groups.members.empty()) groups.members.push_back(any_device());
  workload.groups.push_back(groups);
  return it;
}

workload::Workload random_work(Random& random) {
  workload::Workload workload{.devices = kDevices};
  for (auto count = 5 + random(25); count > 0; --count) {
    workload::Operation it = random_operation(workload, random);
    if (random(4) == 0) it.start = Duration(sample(random, 1, 3'000'000'000));
    it.first_after = static_cast<std::uint32_t>(workload.after.size());
    const auto before = static_cast<std::uint32_t>(workload.operations.size());
    for (it.after_count = before == 0 ? 0 : random(4);
         workload.after.size() < it.first_after + it.after_count;) {
      workload.after.push_back(random(before));
    }
    workload.operations.push_back(it);
    if (it.kind == workload::OperationKind::message && random(2) == 0) {
      workload.operations.push_back({.kind = workload::OperationKind::receive,
                                     .source = it.source,
                                     .destination = it.destination,
                                     .first_after = it.first_after});
    }
  }
  return workload;
}

TEST(OrderOfWork, BothEnginesImplementAfter) {
  const fabric::Network network =
      fabric::fabric_of("kind: full_mesh, bandwidth: 1 Gbps, latency: 12345 ps", kDevices);
  int compared = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    Random random = random_stream(81, number);
    const workload::Workload workload = random_work(random);
    const auto expected = PlainReading(workload).ends();
    if (!expected) continue;
    ASSERT_EQ(simulate::ends_of(simulate::simulate_fluid(workload, network, {}, {})), *expected)
        << number;
    ASSERT_EQ(simulate::ends_of(simulate::simulate_coarse(workload, network, {})), *expected)
        << number;
    ++compared;
  }
  EXPECT_GE(compared, 300);
}

}  // namespace
}  // namespace loom
