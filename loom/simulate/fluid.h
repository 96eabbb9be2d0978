// The fluid engine's class. Declared here for its own source files; others use engine.h.
//
// Time advances from event to event. At each time point, finished transfers are removed first; then
// latencies, computations, start times and link changes that are due are handled. Whatever these
// unblock starts at once. When nothing more happens at this time point, idle devices begin to
// compute and link rates are recomputed. The outcome of a time point does not depend on the order
// in which its events are found: a run is the same on every machine, and equivalent devices and
// messages stay equivalent (symmetry.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loom/fabric/circuits/control/request_grant.h"
#include "loom/simulate/collective_run.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/event_queue.h"
#include "loom/simulate/lane.h"
#include "loom/simulate/readiness.h"
#include "loom/simulate/streams.h"
#include "loom/simulate/transfers.h"

namespace loom::simulate {

class Fluid {
 public:
  // `plans` are the plans of the collectives, and `streams` is that of the unfolded workload, if
  // they are known in advance.
  Fluid(const workload::Workload& workload, const fabric::Network& network,
        std::span<const LinkChange> changes, const EngineOptions& options,
        std::vector<std::shared_ptr<const CollectivePlan>> plans = {},
        std::optional<Streams> streams = {});
  // Streams as these options share links. Under request-grant control, and on circuits that change,
  // every message counts.
  static Streams streams_of(const workload::Workload& workload, const fabric::Network& network,
                            const EngineOptions& options) {
    return {workload, network,
            options.sharing == transport::Sharing::messages || network.grants.has_value() ||
                options.control != nullptr};
  }
  Outcome run();

 private:
  // The owner of a message: a message operation (run is -1), or a channel of a collective, whose
  // next message it is.
  struct Owner {
    OperationId operation;
    int run = -1;
    ChannelId channel;
    TimePoint released;
  };
  struct InFlight {
    Owner owner;
    Bytes size;
    TimePoint start;
    bool live = false;
    fabric::RequestId flow{-1};  // if it is a leg of a message under request-grant control
  };
  // A message that waits for the grant it requested, or is being sent leg by leg of its path.
  struct Asked {
    Owner owner;
    Bytes size;
  };
  struct Run {
    CollectiveRun state;
    OperationId operation;
    GroupId group;
    std::vector<std::vector<Lane>> lanes;  // by phase and channel
    std::vector<fabric::Hop> hops;
  };
  enum class EventKind : std::uint8_t { latency_over, compute_done };
  struct Event {
    Event(TimePoint at, std::uint64_t number, EventKind what, const Owner& whose, DeviceId where)
        : time(at), order(number), kind(what), owner(whose), device(where) {}

    TimePoint time;
    std::uint64_t order;
    EventKind kind;
    Owner owner;
    DeviceId device;  // compute_done
  };
  // The end of a message on a reserved lane.
  struct KnownEnd {
    KnownEnd(TimePoint at, std::uint64_t number, int of_run, const ChannelId& of)
        : time(at), order(number), run(of_run), channel(of) {}

    TimePoint time;
    std::uint64_t order;
    int run;
    ChannelId channel;
  };
  struct Device {
    std::vector<OperationId> queue;  // computations in the order in which they became ready
    std::size_t next = 0;
    std::size_t fresh = 0;  // from here on, ready at the current time point
    bool busy = false;
    TimePoint since;
  };

  bool step();
  void happen();
  TimePoint next_event() const;
  TimePoint next_start() const {
    return TimePoint(workload_.operations[timed_[next_timed_]].start);
  }
  void share_links();
  TimePoint next_time() const;
  void begin_ready();
  void begin(const RankTask& task);
  void begin_collective(const RankTask& task);
  void give_turns();
  void compute_next(DeviceId index);
  void compute_done(const Event& event);
  void apply_changes();
  void reroute();

  bool ask_control();
  bool idle() const;
  void set_links(std::span<const fabric::LinkState> states);
  void finish_change();
  bool holds(const Owner& owner);
  workload::Demand outstanding() const;
  workload::Demand ready() const;

  void ask(const Owner& owner);
  void request(const Owner& given);
  bool take_grants();
  void start_leg(const fabric::RequestGrant::Leg& leg);
  void leg_done(fabric::RequestId flow);

  void release(const Owner& given);
  bool waits_for_turn(const Owner& owner);
  void turn_has_come(const Owner& owner);
  void start_latency(const Owner& owner, TimePoint end);
  void latency_over(const Owner& owner);
  void single_message_done(OperationId operation);
  void start_transfer(const Owner& owner);
  void follow(const Owner& owner, Bytes size, FlowId id);
  void note_delivered(Bytes size);
  void message_done(const Owner& owner, Bytes size, TimePoint left);
  void transfer_done(FlowId id);
  void after_run(int index);
  void finish_task(OperationId operation, DeviceId device);

  std::span<const fabric::Hop> hops_of(const Owner& owner, const Lane& own) const;
  bool reserve(const Owner& owner, Lane& own);
  void unreserve(const Owner& owner, Lane& own);
  bool foresee(const Owner& owner);
  bool foresee_at(const Owner& owner, Lane& own, TimePoint ready);
  void share(const Owner& given);
  void share_links_of(std::span<const fabric::Hop> hops);
  bool stale(const KnownEnd& end) const;
  void drop_stale_ends();
  void take_known_ends();
  void known_message_done(const KnownEnd& end);

  struct Ends {
    DeviceId source;
    DeviceId destination;
  };
  Ends ends_of(const Owner& owner) const;
  Bytes size_of(const Owner& owner) const;
  TimePoint left_at(const Owner& owner);
  int weight_of(const Owner& owner);
  bool find_route(const Owner& owner, fabric::Route& route) const;
  Bandwidth first_link_of(const Owner& owner, const fabric::Route& route) const;
  bool carries_nothing(const Owner& owner) const;
  Lane& lane(const Owner& owner);
  bool find_lane_route(const Owner& owner, Lane& lane);
  void push(TimePoint time, EventKind kind, const Owner& owner, DeviceId device = {});
  void observe_loads();
  void report_progress();
  void expect_bytes(Bytes more);
  Outcome finish();
  Deadlock deadlock() const;
  std::string why_waiting(OperationId operation) const;
  std::string collective_waits(OperationId operation) const;

  const workload::Workload& workload_;
  const fabric::Network& network_;
  const EngineOptions& options_;
  std::vector<LinkChange> changes_;  // sorted by time
  std::size_t next_change_ = 0;
  std::vector<OperationId> timed_;  // operations with a start time, sorted by it
  std::size_t next_timed_ = 0;

  TimePoint now_;
  Readiness readiness_;
  bool reports_tasks_ = false;
  std::vector<TimePoint> ready_at_;  // per task, if the observer wants tasks
  Transfers transfers_;
  std::vector<InFlight> in_flight_;  // by transfer
  EventQueue<KnownEnd> known_ends_;
  std::uint64_t known_count_ = 0;
  std::vector<Owner> reserved_by_;  // per link: the lane that reserves it, or run -1
  int reservations_ = 0;
  bool reserves_ = false;        // whether lanes may be reserved
  std::vector<bool> down_;       // per link; empty while all are up
  int link_set_ = 0;             // number of changes of the set of links so far
  std::vector<Owner> stranded_;  // messages without a route
  std::vector<Owner> instant_;   // zero-byte messages to deliver now
  std::vector<Owner> held_;      // messages that the control does not admit
  std::vector<fabric::LinkState> switched_;
  TimePoint switched_at_ = kNever;  // end of the reconfiguration in progress
  bool given_up_ = false;           // nothing moved, and the control proposed no change
  int in_latency_ = 0;              // messages whose latency is running
  std::optional<fabric::RequestGrant> grants_;
  std::vector<Asked> asked_;                   // by flow
  std::vector<fabric::RequestId> free_flows_;  // flow numbers to reuse
  EventQueue<Event> events_;
  std::uint64_t event_count_ = 0;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<std::vector<int>> run_of_group_;                // per operation, once it has begun
  std::vector<std::shared_ptr<const CollectivePlan>> plans_;  // by collective
  const Streams streams_;
  std::vector<Device> devices_;
  std::vector<DeviceId> turns_;         // devices with queued computations, or free again
  std::vector<std::int64_t> follower_;  // per message: the one waiting behind it, or -1
  std::int64_t expected_messages_ = 0;
  Int128 expected_bytes_ = 0;
  Outcome outcome_;
};

inline Lane& Fluid::lane(const Owner& owner) {
  Run& run = *runs_[static_cast<std::size_t>(owner.run)];
  auto& lanes = run.lanes[static_cast<std::size_t>(owner.channel.phase)];
  if (lanes.empty()) lanes.resize(run.state.phase(owner.channel.phase).channels.size());
  return lanes[static_cast<std::size_t>(owner.channel.channel)];
}

inline void Fluid::push(TimePoint time, EventKind kind, const Owner& owner, DeviceId device) {
  events_.emplace(time, event_count_++, kind, owner, device);
}

}  // namespace loom::simulate
