// Simulation engines: run a workload on a network and return its outcome.
//
// An engine is a function of workload, network and options that returns the outcome. `fluid`
// simulates every message, event by event; `coarse` simulates every phase of a collective as one
// flow and is meant for searches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/fabric/circuits/control/control.h"
#include "loom/fabric/circuits/control/grant_tally.h"
#include "loom/fabric/network/network.h"
#include "loom/transport/sharing.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

class FoldedRun;
class IsolatedTimes;

// A change of the bandwidth of a link at time `at`. A link of zero bandwidth is down: messages on
// it are rerouted if another route exists; otherwise they wait.
struct LinkChange {
  TimePoint at;
  LinkId link;
  Bandwidth bandwidth;
};

struct MessageRecord {
  OperationId operation;
  DeviceId source;
  DeviceId destination;
  Bytes size;
  TimePoint start;
  TimePoint end;
};

struct ComputeRecord {
  OperationId operation;
  DeviceId device;
  TimePoint start;
  TimePoint end;
};

// The task of one device in an operation, from the time when it could begin (for a collective:
// joined) to its end.
struct RankTaskRecord {
  OperationId operation;
  DeviceId device;
  TimePoint ready;
  TimePoint start;  // later than ready for a computation that had to queue
  TimePoint end;
};

// Receives every record as it happens, ordered by end time; no full trace is kept in memory.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void message(const MessageRecord&) {}
  virtual void compute(const ComputeRecord&) {}
  // If false, messages, computations and loads need not be reported.
  virtual bool wants_each() const { return true; }
  // task() is called only if wants_tasks(). If several devices do the same at the same times, an
  // engine may report only the device with the lowest number. The fluid engine then calls
  // equivalent() before the first task, with the representative of each device.
  virtual bool wants_tasks() const { return false; }
  virtual void task(const RankTaskRecord&) {}
  virtual void equivalent(std::span<const DeviceId> /*representatives*/) {}
  virtual void link_load(LinkId /*link*/, TimePoint /*at*/, Bandwidth /*load*/) {}
};

struct EngineOptions {
  transport::Sharing sharing = transport::Sharing::fair;
#ifdef NDEBUG
  bool verify = false;  // check the invariants at every event
#else
  bool verify = true;
#endif
  // Each computation on each device takes exp(jitter · z) times as long; z is normally distributed
  // and seeded.
  double jitter = 0;
  std::uint64_t seed = 0;
  // Fluid engine: simulates equivalent devices and channels once, with the same outcome (symmetry
  // reduction).
  bool folding = true;
  IsolatedTimes* isolated = nullptr;  // coarse engine: known times of collectives on this network
  Observer* observer = nullptr;
  fabric::Control* control = nullptr;    // fluid engine: reconfigures circuits during the run
  std::function<void(double)> progress;  // called now and then with the fraction done, 0 to 1
};

// The workload cannot finish: no event is left, and some operations still wait.
struct Deadlock {
  TimePoint at;
  std::size_t unfinished = 0;        // number of operations
  std::vector<std::string> waiting;  // the first few, with what they wait for
};

struct Outcome {
  Duration completion_time{0};
  std::vector<TimePoint> operation_end;  // per operation
  std::vector<Bytes> link_bytes;         // carried per link, rounded down
  std::int64_t messages = 0;
  Bytes bytes;  // delivered
  std::optional<Deadlock> deadlock;
  std::optional<fabric::GrantTally> grants;  // fluid engine with request-grant control
};

// The key that the fabric hashes to choose among equal-cost paths; the same in every engine.
std::uint64_t flow_key(OperationId operation, int phase = 0, int channel = 0);

// Time of a computation on this device, including jitter.
Duration compute_time(const workload::Workload& workload, OperationId operation, DeviceId device,
                      const EngineOptions& options);

// Time of a message without contention: the latency of its route, then the transfer over its
// bottleneck link.
Duration uncontended_message_time(const fabric::Network& network,
                                  const workload::Operation& message, std::uint64_t key);

// Simulates event by event; messages share links max-min fairly. A message first waits for the
// latency of its route and then flows over all its links at once.
Outcome simulate_fluid(const workload::Workload& workload, const fabric::Network& network,
                       std::span<const LinkChange> changes, const EngineOptions& options);

// A run of simulate_fluid() whose cost is known before it is simulated. Refers to the workload, the
// network and the objects in the options.
class FluidRun {
 public:
  FluidRun(const workload::Workload& workload, const fabric::Network& network,
           std::span<const LinkChange> changes, const EngineOptions& options);
  FluidRun(FluidRun&&) noexcept;
  FluidRun& operator=(FluidRun&&) noexcept;
  ~FluidRun();

  // Number of messages that the engine follows; equivalent messages count once.
  std::int64_t messages() const;
  Outcome simulate() const;

 private:
  const workload::Workload* workload_;
  const fabric::Network* network_;
  std::vector<LinkChange> changes_;
  EngineOptions options_;
  std::unique_ptr<const FoldedRun> folded_;  // nullptr if the run has no symmetry
};

// Number of messages that simulate_fluid() would simulate without changes of links.
std::int64_t followed_messages(const workload::Workload& workload, const fabric::Network& network);

// Simulates every phase of a collective as one flow over all links that it loads (coarse.cc).
// Isolated collectives take as long as in the fluid engine; if several operations share links, the
// times mostly differ by less than 5 % (docs/engines.md). Ignores link changes.
Outcome simulate_coarse(const workload::Workload& workload, const fabric::Network& network,
                        const EngineOptions& options);

}  // namespace loom::simulate
