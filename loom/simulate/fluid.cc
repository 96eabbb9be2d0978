#include "loom/simulate/fluid.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"
#include "loom/simulate/symmetry/quotient.h"
#include "loom/workload/endpoints.h"

namespace loom::simulate {
namespace {

std::vector<OperationId> operations_by_start(const workload::Workload& workload) {
  std::vector<OperationId> timed;
  for (OperationId o(0); o < workload.operations.size(); ++o) {
    if (workload.operations[o].start.count() > 0) timed.push_back(o);
  }
  std::stable_sort(timed.begin(), timed.end(), [&](OperationId a, OperationId b) {
    return workload.operations[a].start < workload.operations[b].start;
  });
  return timed;
}

}  // namespace

Fluid::Fluid(const workload::Workload& workload, const fabric::Network& network,
             std::span<const LinkChange> changes, const EngineOptions& options,
             std::vector<std::shared_ptr<const CollectivePlan>> plans,
             std::optional<Streams> streams)
    : workload_(workload),
      network_(network),
      options_(options),
      changes_(changes.begin(), changes.end()),
      timed_(operations_by_start(workload)),
      readiness_(workload),
      transfers_(network.links),
      run_of_group_(workload.operations.size()),
      plans_(std::move(plans)),
      streams_(streams ? std::move(*streams) : streams_of(workload, network, options)),
      devices_(static_cast<std::size_t>(workload.devices)) {
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const LinkChange& a, const LinkChange& b) { return a.at < b.at; });
  outcome_.operation_end.assign(workload.operations.size(), TimePoint());
  plans_.resize(workload.collectives.size());
  if (network.grants) {
    LOOM_CHECK(options.control == nullptr,
               "a network has a circuit control or request-grant, not both");
    grants_.emplace(network);
  }
  for (std::size_t l = 0; l < network.links.size(); ++l) {
    if (network.links[l].bandwidth.bits_per_second > 0) continue;
    if (down_.empty()) down_.assign(network.links.size(), false);
    down_[l] = true;
  }
  reserves_ = !grants_ && options.control == nullptr && changes_.empty() &&
              (options.observer == nullptr || !options.observer->wants_each());
  if (reserves_) reserved_by_.resize(network.links.size());
  reports_tasks_ = options.observer != nullptr && options.observer->wants_tasks();
  if (reports_tasks_) ready_at_.assign(readiness_.task_count(), TimePoint());
  for (const workload::Operation& it : workload.operations) {
    if (it.kind != workload::OperationKind::message) continue;
    ++expected_messages_;
    expect_bytes(it.size);
  }
}

Outcome Fluid::run() {
  apply_changes();
  begin_ready();
  give_turns();
  while (ask_control() || take_grants()) happen();
  share_links();
  while (step()) {
  }
  return finish();
}

TimePoint Fluid::next_event() const {
  TimePoint next = std::min(transfers_.next_end(), switched_at_);
  if (!known_ends_.empty()) next = std::min(next, known_ends_.top().time);
  if (!events_.empty()) next = std::min(next, events_.top().time);
  if (next_timed_ < timed_.size()) next = std::min(next, next_start());
  if (next_change_ < changes_.size() && readiness_.unfinished() > 0) {
    next = std::min(next, changes_[next_change_].at);
  }
  return next;
}

// The time of the next event or decision of the control. Decisions of a control do not prolong a
// run in which nothing can move any more.
TimePoint Fluid::next_time() const {
  const TimePoint next = grants_ ? std::min(next_event(), grants_->next_time()) : next_event();
  const bool asks = options_.control != nullptr && switched_at_ == kNever &&
                    readiness_.unfinished() > 0 && (next < kNever || (idle() && !given_up_));
  return asks ? std::min(next, std::max(now_, options_.control->next_time())) : next;
}

// Handles all events of the next time point; returns false if no event is left.
bool Fluid::step() {
  const TimePoint next = next_time();
  if (next == kNever) return false;
  now_ = next;
  do happen();
  while (ask_control() || take_grants());
  share_links();
  return true;
}

void Fluid::happen() {
  while (next_event() == now_) {
    given_up_ = false;
    finish_change();
    if (transfers_.next_end() == now_) {
      for (const FlowId id : transfers_.take_due()) transfer_done(id);
    }
    take_known_ends();
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == EventKind::compute_done) {
        compute_done(event);
      } else {
        --in_latency_;
        if (event.owner.run >= 0) --lane(event.owner).in_latency;
        latency_over(event.owner);
      }
    }
    while (next_timed_ < timed_.size() && next_start() == now_) {
      readiness_.start_time_has_come(timed_[next_timed_++]);
    }
    apply_changes();
    begin_ready();
    if (next_event() > now_) give_turns();
  }
}

void Fluid::share_links() {
  transfers_.update(now_);
  drop_stale_ends();
  if (options_.verify) transfers_.sharing().verify();
  if (options_.observer != nullptr && options_.observer->wants_each()) observe_loads();
}

void Fluid::begin_ready() {
  while (!readiness_.ready().empty() || !instant_.empty()) {
    std::vector<RankTask> ready;
    std::swap(ready, readiness_.ready());
    for (const RankTask& task : ready) begin(task);
    std::vector<Owner> instant;
    std::swap(instant, instant_);
    for (const Owner& owner : instant) message_done(owner, Bytes{0}, left_at(owner));
  }
}

void Fluid::begin(const RankTask& task) {
  if (reports_tasks_) ready_at_[readiness_.task_id(task.operation, task.index)] = now_;
  const workload::Operation& operation = workload_.operations[task.operation];
  switch (operation.kind) {
    case workload::OperationKind::message:
      return release({.operation = task.operation});
    case workload::OperationKind::receive:
      return finish_task(task.operation, DeviceId(operation.destination));
    case workload::OperationKind::collective:
      return begin_collective(task);
    case workload::OperationKind::compute:
      const DeviceId device = readiness_.device(task.operation, task.index);
      if (operation.time.count() == 0) return finish_task(task.operation, device);
      devices_[static_cast<std::size_t>(device)].queue.push_back(task.operation);
      turns_.push_back(device);
  }
}

void Fluid::begin_collective(const RankTask& task) {
  const workload::Operation& operation = workload_.operations[task.operation];
  const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(operation.groups)];
  const GroupId group(task.index / groups.size);
  auto& runs = run_of_group_[task.operation];
  if (runs.empty()) runs.assign(static_cast<std::size_t>(groups.count()), -1);
  if (runs[group] < 0) {
    auto& plan = plans_[static_cast<std::size_t>(operation.collective)];
    if (!plan) {
      plan = plan_collective(workload_.collectives[static_cast<std::size_t>(operation.collective)],
                             groups.size);
    }
    auto run = std::make_unique<Run>(Run{CollectiveRun(plan), task.operation, group, {}, {}});
    run->lanes.resize(plan->phases.size());
    LOOM_CHECK(plan->schedule.ranks == groups.size, "a collective is used by groups of one size");
    expected_messages_ += message_count(plan->schedule);
    expect_bytes(total_bytes(plan->schedule));
    runs[group] = static_cast<int>(runs_.size());
    runs_.push_back(std::move(run));
  }
  runs_[static_cast<std::size_t>(runs[group])]->state.join(task.index % groups.size);
  after_run(runs[group]);
}

void Fluid::after_run(int index) {
  Run& run = *runs_[static_cast<std::size_t>(index)];
  const workload::Groups& groups =
      workload_.groups[static_cast<std::size_t>(workload_.operations[run.operation].groups)];
  for (const ChannelId& id : run.state.released()) {
    release({.operation = run.operation, .run = index, .channel = id});
  }
  for (const int rank : run.state.finished_ranks()) {
    finish_task(run.operation, groups.device(run.group, rank));
  }
  if (run.state.finished()) runs_[static_cast<std::size_t>(index)].reset();
}

void Fluid::finish_task(OperationId operation, DeviceId device) {
  if (reports_tasks_) {
    const int index = readiness_.index(operation, device);
    const TimePoint ready = ready_at_[readiness_.task_id(operation, index)];
    const bool computed =
        workload_.operations[operation].kind == workload::OperationKind::compute &&
        workload_.operations[operation].time.count() > 0;
    const TimePoint start = computed ? devices_[static_cast<std::size_t>(device)].since : ready;
    options_.observer->task({operation, device, ready, start, now_});
  }
  readiness_.finish(operation, device);
  if (readiness_.finished(operation)) outcome_.operation_end[operation] = now_;
}

// A device runs one computation at a time, in the order in which the computations became ready;
// those that became ready at the same time point run in workload order.
void Fluid::give_turns() {
  for (const DeviceId index : turns_) {
    Device& device = devices_[static_cast<std::size_t>(index)];
    std::sort(device.queue.begin() + static_cast<std::ptrdiff_t>(device.fresh), device.queue.end());
    device.fresh = device.queue.size();
    compute_next(index);
  }
  turns_.clear();
}

void Fluid::compute_next(DeviceId index) {
  Device& device = devices_[static_cast<std::size_t>(index)];
  if (device.busy || device.next == device.queue.size()) return;
  const OperationId operation = device.queue[device.next++];
  if (device.next == device.queue.size()) {
    device.queue.clear();
    device.next = 0;
    device.fresh = 0;
  }
  device.busy = true;
  device.since = now_;
  push(add(now_, compute_time(workload_, operation, index, options_)), EventKind::compute_done,
       {.operation = operation}, index);
}

void Fluid::compute_done(const Event& event) {
  Device& device = devices_[static_cast<std::size_t>(event.device)];
  device.busy = false;
  if (options_.observer != nullptr) {
    options_.observer->compute({event.owner.operation, event.device, device.since, now_});
  }
  finish_task(event.owner.operation, event.device);
  turns_.push_back(event.device);
}

void Fluid::apply_changes() {
  bool other_set = false;
  for (; next_change_ < changes_.size() && changes_[next_change_].at <= now_; ++next_change_) {
    const LinkChange& change = changes_[next_change_];
    const auto link = static_cast<std::size_t>(change.link);
    const bool down = change.bandwidth.bits_per_second == 0;
    if (down_.empty() && down) down_.assign(network_.links.size(), false);
    if (!down_.empty() && down_[link] != down) {
      down_[link] = down;
      other_set = true;
    }
    transfers_.set_capacity(change.link, change.bandwidth, now_);
  }
  if (other_set) reroute();
}

// Reroutes messages whose route has a link that is down, if another route exists, and retries
// messages without a route. Granted legs stay on their route.
void Fluid::reroute() {
  ++link_set_;
  for (FlowId id(0); id < static_cast<int>(in_flight_.size()); ++id) {
    const InFlight moved = in_flight_[static_cast<std::size_t>(id)];
    if (!moved.live || moved.flow >= 0) continue;
    const auto path = transfers_.sharing().path(id);
    const bool broken =
        std::any_of(path.begin(), path.end(), [&](const transport::MaxMin::HopHere& hop) {
          return down_[static_cast<std::size_t>(hop.link)];
        });
    fabric::Route route;
    if (!broken || !find_route(moved.owner, route)) continue;
    const FlowId now_id = transfers_.move(id, route.hops, weight_of(moved.owner), now_);
    LOOM_CHECK(now_id == id, "a rerouted transfer keeps its id, the last one freed");
  }
  std::vector<Owner> stranded;
  std::swap(stranded, stranded_);
  for (const Owner& owner : stranded) release(owner);
}

// Adds to the expected total of bytes; LimitError if the total does not fit into 63 bits.
void Fluid::expect_bytes(Bytes more) {
  expected_bytes_ += more.count;
  if (expected_bytes_ > std::numeric_limits<std::int64_t>::max()) {
    throw LimitError(
        "the workload moves more than 9.2 EB in total; byte counts are limited to 63 bits");
  }
}

void Fluid::report_progress() {
  if (options_.progress && outcome_.messages % 65536 == 0 && expected_messages_ > 0) {
    options_.progress(static_cast<double>(outcome_.messages) /
                      static_cast<double>(expected_messages_));
  }
}

FluidRun::FluidRun(const workload::Workload& workload, const fabric::Network& network,
                   std::span<const LinkChange> changes, const EngineOptions& options)
    : workload_(&workload),
      network_(&network),
      changes_(changes.begin(), changes.end()),
      options_(options) {
  LOOM_CHECK(workload.devices <= network.devices || endpoints(workload) <= network.devices,
             "every device that sends or receives is in the network");
  if (auto folded = FoldedRun::of(workload, network, changes, options)) {
    folded_ = std::make_unique<const FoldedRun>(std::move(*folded));
  }
}

FluidRun::FluidRun(FluidRun&&) noexcept = default;
FluidRun& FluidRun::operator=(FluidRun&&) noexcept = default;
FluidRun::~FluidRun() = default;

std::int64_t FluidRun::messages() const {
  return folded_ ? folded_->messages() : message_count(*workload_);
}

Outcome FluidRun::simulate() const {
  std::optional<Outcome> outcome = folded_ ? folded_->simulate() : std::nullopt;
  return outcome ? std::move(*outcome) : Fluid(*workload_, *network_, changes_, options_).run();
}

Outcome simulate_fluid(const workload::Workload& workload, const fabric::Network& network,
                       std::span<const LinkChange> changes, const EngineOptions& options) {
  return FluidRun(workload, network, changes, options).simulate();
}

std::int64_t followed_messages(const workload::Workload& workload, const fabric::Network& network) {
  return FluidRun(workload, network, {}, {}).messages();
}

}  // namespace loom::simulate
