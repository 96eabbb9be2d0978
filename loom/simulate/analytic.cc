// The analytic engine: operations take their closed-form time, in the order that `after` allows.
#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

#include "loom/base/error.h"
#include "loom/simulate/closed_form.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/readiness.h"
#include "loom/simulate/symmetry/fold.h"
#include "loom/workload/endpoints.h"

namespace loom::simulate {
namespace {

// A device's task, a group's collective or a message ends, or an operation's start time is reached.
struct Event {
  TimePoint time;
  std::uint64_t order = 0;
  OperationId operation;
  DeviceId device{-1};  // compute
  GroupId group{-1};    // collective
  bool starts = false;
  bool operator<(const Event& other) const {
    return std::tie(time, order) > std::tie(other.time, other.order);
  }
};

class Analytic {
 public:
  // Simulates `workload`. `whole` determines the cost of its collectives: it is the same workload,
  // or the workload from which `workload` was folded.
  Analytic(const workload::Workload& workload, const workload::Workload& whole,
           std::span<const DeviceId> representatives, const fabric::Network& network,
           const EngineOptions& options)
      : workload_(workload),
        whole_(whole),
        representatives_(representatives),
        network_(network),
        options_(options),
        readiness_(workload),
        loads_(network.links.size(), 0),
        link_free_(network.links.size(), TimePoint()),
        device_free_(static_cast<std::size_t>(workload.devices), TimePoint()),
        joined_(workload.operations.size()) {
    outcome_.operation_end.assign(workload.operations.size(), TimePoint());
    reports_tasks_ = options.observer != nullptr && options.observer->wants_tasks();
    if (reports_tasks_) ready_at_.assign(readiness_.task_count(), TimePoint());
  }

  Outcome run() {
    for (OperationId o(0); o < workload_.operations.size(); ++o) {
      const TimePoint start(workload_.operations[o].start);
      if (start > TimePoint()) push({.time = start, .operation = o, .starts = true});
    }
    begin_ready();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      happen(event);
      begin_ready();
    }
    return finish();
  }

 private:
  void push(Event event) {
    event.order = pushed_++;
    events_.push(event);
  }

  void begin_ready() {
    while (!readiness_.ready().empty()) {
      std::vector<RankTask> ready;
      std::swap(ready, readiness_.ready());
      for (const RankTask& task : ready) begin(task);
    }
  }

  void begin(const RankTask& task) {
    if (reports_tasks_) ready_at_[readiness_.task_id(task.operation, task.index)] = now_;
    const workload::Operation& it = workload_.operations[task.operation];
    if (it.kind == workload::OperationKind::message) return begin_message(task.operation);
    if (it.kind == workload::OperationKind::collective) return join(task);
    const DeviceId device = readiness_.device(task.operation, task.index);
    if (it.kind == workload::OperationKind::receive || it.time.count() == 0) {
      return finish_task(task.operation, device);
    }
    TimePoint& free = device_free_[static_cast<std::size_t>(device)];
    free = add(std::max(free, now_), computing(task.operation, device));
    push({.time = free, .operation = task.operation, .device = device});
  }

  Duration computing(OperationId operation, DeviceId device) const {
    return compute_time(workload_, operation, device, options_);
  }

  // The message takes its uncontended time. Contention with other messages affects only link_free_,
  // a lower bound of the completion time.
  void begin_message(OperationId operation) {
    const workload::Operation& it = workload_.operations[operation];
    const fabric::Route route =
        route_between(network_, DeviceId(it.source), DeviceId(it.destination), flow_key(operation),
                      it.size.count == 0);
    const TimePoint ready = add(now_, route.latency);
    for (const fabric::Hop& hop : route.hops) {
      const auto link = static_cast<std::size_t>(hop.link);
      const Int128 load = Int128{it.size.count} * hop.share;
      const Duration busy = load_time(load, network_.links[link].bandwidth);
      loads_[link] += load;
      link_free_[link] = add(std::max(link_free_[link], ready), busy);
    }
    ++outcome_.messages;
    outcome_.bytes += it.size;
    push({.time = add(now_, uncontended_time(network_, route, it.size)), .operation = operation});
  }

  // A collective begins when the last rank of its group has joined.
  void join(const RankTask& task) {
    const workload::Operation& it = workload_.operations[task.operation];
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    Joined& joined = joined_[task.operation];
    if (joined.ranks.empty()) estimate(task.operation, groups, joined);
    const GroupId group(task.index / groups.size);
    if (++joined.ranks[static_cast<std::size_t>(group)] == groups.size) {
      push({.time = add(now_, joined.time), .operation = task.operation, .group = group});
    }
  }

  struct Joined {
    std::vector<int> ranks;  // joined so far, per group
    Duration time{0};
  };

  // Time of a collective in all its groups, its messages and bytes, and its load on each link.
  struct Estimate {
    Duration time{0};
    std::int64_t messages = 0;
    Int128 bytes = 0;
    std::vector<std::pair<std::size_t, Int128>> loads;
    std::int64_t uses = 0;
  };

  void estimate(OperationId operation, const workload::Groups& groups, Joined& joined) {
    joined.ranks.assign(static_cast<std::size_t>(groups.count()), 0);
    const workload::Operation& it = whole_.operations[operation];
    const auto known = estimates_.try_emplace({it.collective, it.groups});
    Estimate& estimate = known.first->second;
    if (known.second) estimate = compute_estimate(operation);
    ++estimate.uses;
    joined.time = estimate.time;
  }

  // If routes depend on the operation (hashing), the routes of the first operation that needs the
  // estimate are used for all.
  Estimate compute_estimate(OperationId operation) {
    const workload::Operation& it = whole_.operations[operation];
    const workload::Groups& groups = whole_.groups[static_cast<std::size_t>(it.groups)];
    const workload::Collective& collective =
        whole_.collectives[static_cast<std::size_t>(it.collective)];
    Estimate estimate;
    LinkLoads loads(network_.links.size(), 0);
    const auto exchange = even_exchange(collective, groups.size);
    const bool needs_links =
        exchange && (total_bytes(*exchange).count > 0 || !network_.out_of_band);
    if (needs_links && !network_.router->hashes()) {
      const std::int64_t pairs = std::int64_t{groups.size} * (groups.size - 1) * groups.count();
      const auto known = exchanges_.try_emplace(it.groups);
      if (known.second) known.first->second = exchange_routes(groups, network_);
      estimate.time = exchange_time(*exchange, known.first->second, network_, loads);
      estimate.messages = message_count(*exchange) * pairs;
      estimate.bytes = Int128{total_bytes(*exchange).count} * pairs;
    } else {
      const workload::Schedule steps = schedule(collective, groups.size);
      estimate.time = collective_time(steps, groups, network_, operation, loads);
      estimate.messages = message_count(steps) * groups.count();
      estimate.bytes = Int128{total_bytes(steps).count} * groups.count();
    }
    for (std::size_t l = 0; l < loads.size(); ++l) {
      if (loads[l] > 0) estimate.loads.emplace_back(l, loads[l]);
    }
    return estimate;
  }

  void count_collectives() {
    Int128 bytes = outcome_.bytes.count;
    for (const auto& known : estimates_) {
      const Estimate& estimate = known.second;
      outcome_.messages += estimate.messages * estimate.uses;
      bytes += estimate.bytes * estimate.uses;
      for (const auto& load : estimate.loads) loads_[load.first] += load.second * estimate.uses;
    }
    if (bytes > std::numeric_limits<std::int64_t>::max()) {
      throw LimitError(
          "the workload moves more than 9.2 EB in total; byte counts are limited to 63 bits");
    }
    outcome_.bytes = {static_cast<std::int64_t>(bytes)};
  }

  void happen(const Event& event) {
    const workload::Operation& it = workload_.operations[event.operation];
    if (event.starts) return readiness_.start_time_has_come(event.operation);
    if (it.kind == workload::OperationKind::message) {
      readiness_.finish_message(event.operation);
      outcome_.operation_end[event.operation] = now_;
    } else if (it.kind == workload::OperationKind::compute) {
      finish_task(event.operation, event.device);
    } else {
      const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
      for (int rank = 0; rank < groups.size; ++rank) {
        finish_task(event.operation, groups.device(event.group, rank));
      }
    }
  }

  void finish_task(OperationId operation, DeviceId device) {
    if (reports_tasks_) report_task(operation, device);
    readiness_.finish(operation, device);
    if (readiness_.finished(operation)) outcome_.operation_end[operation] = now_;
  }

  void report_task(OperationId operation, DeviceId device) const {
    const workload::Operation& it = workload_.operations[operation];
    const int index = readiness_.index(operation, device);
    const TimePoint ready = ready_at_[readiness_.task_id(operation, index)];
    const bool computed = it.kind == workload::OperationKind::compute && it.time.count() > 0;
    const TimePoint start = computed ? now_ - computing(operation, device) : ready;
    const auto d = static_cast<std::size_t>(device);
    options_.observer->task(
        {operation, representatives_.empty() ? device : representatives_[d], ready, start, now_});
  }

  Outcome finish() {
    count_collectives();
    for (std::size_t l = 0; l < loads_.size(); ++l) {
      outcome_.link_bytes.push_back({static_cast<std::int64_t>(loads_[l] / fabric::kWhole)});
      const Duration all = load_time(loads_[l], network_.links[l].bandwidth);
      outcome_.completion_time = std::max({outcome_.completion_time, all, elapsed(link_free_[l])});
    }
    for (const TimePoint end : outcome_.operation_end) {
      outcome_.completion_time = std::max(outcome_.completion_time, elapsed(end));
    }
    if (readiness_.unfinished() > 0) {
      // A deadlock: the fluid engine reports which operations wait for which.
      return simulate_fluid(whole_, network_, {}, options_);
    }
    return std::move(outcome_);
  }

  const workload::Workload& workload_;
  const workload::Workload& whole_;
  const std::span<const DeviceId> representatives_;  // devices of whole_, per device of workload_
  const fabric::Network& network_;
  const EngineOptions& options_;
  Readiness readiness_;
  LinkLoads loads_;
  std::vector<TimePoint> link_free_;
  std::vector<TimePoint> device_free_;
  std::vector<Joined> joined_;
  std::map<std::pair<int, int>, Estimate> estimates_;  // keyed by collective and groups
  std::map<int, ExchangeRoutes> exchanges_;            // keyed by groups
  bool reports_tasks_ = false;
  std::vector<TimePoint> ready_at_;  // per task, if the observer wants tasks
  std::priority_queue<Event> events_;
  std::uint64_t pushed_ = 0;
  TimePoint now_;
  Outcome outcome_;
};

}  // namespace

Outcome simulate_analytic(const workload::Workload& workload, const fabric::Network& network,
                          const EngineOptions& options) {
  LOOM_CHECK(workload.devices <= network.devices || endpoints(workload) <= network.devices,
             "every device that sends or receives is in the network");
  if (options.jitter == 0) {
    if (const auto folded = fold(workload)) {
      return Analytic(folded->workload, workload, folded->representatives, network, options).run();
    }
  }
  return Analytic(workload, workload, {}, network, options).run();
}

}  // namespace loom::simulate
