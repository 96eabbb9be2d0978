// The coarse engine: a phase of a collective is one flow over all links that it loads.
//
// Method: a phase first waits for its latency, and then transfers as many bytes as a device sends
// over one link (its stream), over all links of the phase at once; its share of each link is the
// load of that link relative to the stream. Flows share links max-min fairly in the same solver as
// in the fluid engine, and an isolated collective takes as long as there (isolated_times.h), or as
// its closed form says if it is too large to simulate. If its dependencies limit it more than any
// link, a link of its own paces it. Links that every phase loads equally are one link. So the cost
// depends on the number of operations, not of messages.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "loom/base/error.h"
#include "loom/simulate/coarse_flows.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/readiness.h"
#include "loom/simulate/symmetry/fold.h"
#include "loom/simulate/transfers.h"
#include "loom/workload/endpoints.h"

namespace loom::simulate {
namespace {

// Under request-grant control, messages use a port in turn instead of sharing it, which flows of
// whole phases cannot show. A workload of at most so many messages is simulated message by message.
constexpr std::int64_t kGrantedMessages = 50'000;

// A flow that is in its latency, being transferred, or waiting for its earliest end.
struct Run {
  OperationId operation;
  GroupId group{-1};  // of a collective
  std::size_t phase = 0;
  TimePoint earliest;  // its end without contention
  int pace = -1;       // index of the link that paces it, or -1
};

enum class EventKind : std::uint8_t { operation_starts, computed, latency_over, phase_over };

struct Event {
  TimePoint time;
  std::uint64_t order = 0;
  EventKind kind = EventKind::computed;
  OperationId operation;
  DeviceId device{-1};  // computed
  int run = -1;         // latency_over, phase_over
  bool operator<(const Event& other) const {
    return std::tie(time, order) > std::tie(other.time, other.order);
  }
};

class Coarse {
 public:
  // Simulates `workload`. `whole` determines the flows of its collectives: it is the same workload,
  // or the workload from which `workload` was folded.
  Coarse(const workload::Workload& workload, const workload::Workload& whole,
         std::span<const DeviceId> representatives, const fabric::Network& network,
         const EngineOptions& options)
      : workload_(workload),
        whole_(whole),
        representatives_(representatives),
        network_(network),
        options_(options),
        readiness_(workload),
        own_times_(network),
        flows_(whole, network, options.isolated != nullptr ? *options.isolated : own_times_,
               &workload != &whole),
        links_(with_paces(flows_)),
        transfers_(links_),
        device_free_(static_cast<std::size_t>(workload.devices), TimePoint()),
        joined_(workload.operations.size()) {
    for (std::size_t l = flows_.links().size(); l < links_.size(); ++l) {
      free_paces_.push_back(static_cast<int>(l));
    }
    outcome_.operation_end.assign(workload.operations.size(), TimePoint());
    reports_tasks_ = options.observer != nullptr && options.observer->wants_tasks();
    if (reports_tasks_) ready_at_.assign(readiness_.task_count(), TimePoint());
  }

  Outcome run() {
    for (OperationId o(0); o < workload_.operations.size(); ++o) {
      const TimePoint start(workload_.operations[o].start);
      if (start > TimePoint()) {
        push({.time = start, .kind = EventKind::operation_starts, .operation = o});
      }
    }
    begin_ready();
    transfers_.update(now_);
    for (TimePoint next = next_time(); next < kNever; next = next_time()) {
      now_ = next;
      while (next_time() == now_) happen();
      transfers_.update(now_);
    }
    return finish();
  }

 private:
  // The classes of links, and links of no class that pace flows one at a time. Should these all be
  // taken, a flow is not paced: it takes as long, but gets its bytes earlier if links allow.
  static std::vector<fabric::Link> with_paces(const WorkloadFlows& flows) {
    constexpr std::size_t kMaxPaces = 16'384;
    std::vector<fabric::Link> links = flows.links();
    std::size_t paced = 0;
    for (const OperationFlows& it : flows.all()) {
      for (const PhaseFlow& flow : it.phases) {
        if (flow.pace.bits_per_second > 0) paced += 4;
      }
    }
    links.resize(links.size() + std::min(paced, kMaxPaces));
    return links;
  }

  TimePoint next_time() const {
    const TimePoint end = transfers_.next_end();
    return events_.empty() ? end : std::min(end, events_.top().time);
  }

  void push(Event event) {
    event.order = pushed_++;
    events_.push(event);
  }

  void happen() {
    if (transfers_.next_end() == now_) {
      for (const FlowId id : transfers_.take_due()) transfer_done(id);
    }
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      happen(event);
    }
    begin_ready();
  }

  void happen(const Event& event) {
    switch (event.kind) {
      case EventKind::operation_starts:
        return readiness_.start_time_has_come(event.operation);
      case EventKind::computed:
        return finish_task(event.operation, event.device);
      case EventKind::latency_over:
        return latency_over(event.run);
      case EventKind::phase_over:
        return phase_over(event.run);
    }
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
    if (it.kind == workload::OperationKind::message) {
      return begin_run({.operation = task.operation});
    }
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

  // A collective begins when the last rank of its group has joined.
  void join(const RankTask& task) {
    const workload::Operation& it = workload_.operations[task.operation];
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    std::vector<int>& joined = joined_[task.operation];
    if (joined.empty()) joined.assign(static_cast<std::size_t>(groups.count()), 0);
    const GroupId group(task.index / groups.size);
    if (++joined[static_cast<std::size_t>(group)] == groups.size) {
      begin_run({.operation = task.operation, .group = group});
    }
  }

  OperationFlows& flows_of(const Run& run) { return flows_.of(run.operation, run.group); }

  void begin_run(const Run& run) {
    ++flows_of(run).uses;
    int index = static_cast<int>(runs_.size());
    if (free_runs_.empty()) {
      runs_.push_back(run);
    } else {
      index = free_runs_.back();
      free_runs_.pop_back();
      runs_[static_cast<std::size_t>(index)] = run;
    }
    begin_phase(index);
  }

  void begin_phase(int index) {
    const Run& run = runs_[static_cast<std::size_t>(index)];
    const OperationFlows& flows = flows_of(run);
    if (run.phase == flows.phases.size()) return finish_run(index);
    push({.time = add(now_, flows.phases[run.phase].latency),
          .kind = EventKind::latency_over,
          .run = index});
  }

  // Starts the transfer of the phase. It is a millionth smaller than the stream, so that rounding
  // never makes it end after its earliest end.
  void latency_over(int index) {
    Run& run = runs_[static_cast<std::size_t>(index)];
    const PhaseFlow& flow = flows_of(run).phases[run.phase];
    run.earliest = add(now_, flow.busy);
    if (flow.hops.empty()) return end_of_transfer(index);
    std::vector<fabric::Hop> hops = flow.hops;
    if (flow.pace.bits_per_second > 0 && !free_paces_.empty()) {
      run.pace = free_paces_.back();
      free_paces_.pop_back();
      transfers_.set_capacity(LinkId(run.pace), flow.pace, now_);
      hops.push_back({LinkId(run.pace)});
    }
    const Bytes size{flow.size.count - (flow.size.count >> 20)};
    const int weight = sharing_weight(options_.sharing, workload_.operations[run.operation].weight);
    const auto id = static_cast<std::size_t>(transfers_.start(hops, size, weight));
    if (id >= run_of_flow_.size()) run_of_flow_.resize(id + 1);
    run_of_flow_[id] = index;
  }

  void transfer_done(FlowId id) {
    transfers_.stop(id, now_);
    const int index = run_of_flow_[static_cast<std::size_t>(id)];
    Run& run = runs_[static_cast<std::size_t>(index)];
    if (run.pace >= 0) free_paces_.push_back(std::exchange(run.pace, -1));
    end_of_transfer(index);
  }

  void end_of_transfer(int index) {
    const TimePoint earliest = runs_[static_cast<std::size_t>(index)].earliest;
    if (earliest <= now_) return phase_over(index);
    push({.time = earliest, .kind = EventKind::phase_over, .run = index});
  }

  void phase_over(int index) {
    ++runs_[static_cast<std::size_t>(index)].phase;
    begin_phase(index);
  }

  void finish_run(int index) {
    const Run run = runs_[static_cast<std::size_t>(index)];
    free_runs_.push_back(index);
    const workload::Operation& it = workload_.operations[run.operation];
    if (run.group < 0) {
      readiness_.finish_message(run.operation);
      outcome_.operation_end[run.operation] = now_;
      return;
    }
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(it.groups)];
    for (int rank = 0; rank < groups.size; ++rank) {
      finish_task(run.operation, groups.device(run.group, rank));
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

  // Adds up messages, bytes and link loads of all flows that ran.
  void count_flows() {
    std::vector<Int128> loads(flows_.links().size(), 0);
    Int128 bytes = 0;
    for (const OperationFlows& it : flows_.all()) {
      outcome_.messages += it.messages * it.uses;
      bytes += it.bytes * it.uses;
      for (const PhaseFlow& flow : it.phases) {
        for (const auto& [link, load] : flow.loads) {
          loads[static_cast<std::size_t>(link)] += load * it.uses;
        }
      }
    }
    if (bytes > std::numeric_limits<std::int64_t>::max()) {
      throw LimitError(
          "the workload moves more than 9.2 EB in total; byte counts are limited to 63 bits");
    }
    outcome_.bytes = {static_cast<std::int64_t>(bytes)};
    for (const int it : flows_.classes()) {
      const Int128 load = loads[static_cast<std::size_t>(it)];
      outcome_.link_bytes.push_back({static_cast<std::int64_t>(load / fabric::kWhole)});
    }
  }

  Outcome finish() {
    count_flows();
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
  IsolatedTimes own_times_;  // if the options have none
  WorkloadFlows flows_;
  const std::vector<fabric::Link> links_;
  Transfers transfers_;
  std::vector<int> free_paces_;  // links
  std::vector<Run> runs_;
  std::vector<int> free_runs_;
  std::vector<int> run_of_flow_;
  std::vector<TimePoint> device_free_;    // time until which each device computes
  std::vector<std::vector<int>> joined_;  // per operation: ranks that joined, by group
  bool reports_tasks_ = false;
  std::vector<TimePoint> ready_at_;  // per task, if the observer wants tasks
  std::priority_queue<Event> events_;
  std::uint64_t pushed_ = 0;
  TimePoint now_;
  Outcome outcome_;
};

}  // namespace

Outcome simulate_coarse(const workload::Workload& workload, const fabric::Network& network,
                        const EngineOptions& options) {
  LOOM_CHECK(workload.devices <= network.devices || endpoints(workload) <= network.devices,
             "every device that sends or receives is in the network");
  if (network.grants && message_count(workload) <= kGrantedMessages) {
    return simulate_fluid(workload, network, {}, options);
  }
  if (options.jitter == 0) {
    if (const auto folded = fold(workload)) {
      return Coarse(folded->workload, workload, folded->representatives, network, options).run();
    }
  }
  return Coarse(workload, workload, {}, network, options).run();
}

}  // namespace loom::simulate
