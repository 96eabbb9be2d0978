// Running a workload over a network: what goes in, what comes out.
//
// An engine is one function from values to a value. `fluid` follows every message from event to
// event; `analytic` adds up closed forms and is for searches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/fabric/circuits/control/control.h"
#include "loom/fabric/circuits/control/grant_tally.h"
#include "loom/fabric/network/network.h"
#include "loom/transport/sharing.h"
#include "loom/workload/workload.h"

namespace loom {

// From `at` on the link has this bandwidth. At zero it is down: messages on it take another way if
// there is one and wait otherwise.
struct LinkChange {
  Duration at{0};
  int link = 0;
  Bandwidth bandwidth;
};

struct MessageRecord {
  std::size_t operation = 0;
  int source = 0;
  int destination = 0;
  Bytes size;
  Duration start{0};
  Duration end{0};
};

struct ComputeRecord {
  std::size_t operation = 0;
  int device = 0;
  Duration start{0};
  Duration end{0};
};

// A device's part in an operation, from when it could begin (of a collective: joined) to its end.
struct RankTaskRecord {
  std::size_t operation = 0;
  int device = 0;
  Duration ready{0};
  Duration start{0};  // of a computation that had to wait for its turn, later than ready
  Duration end{0};
};

// Is told of everything as it happens, in the order of its end; a trace is never kept whole.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void message(const MessageRecord&) {}
  virtual void compute(const ComputeRecord&) {}
  // Without it messages, computations and loads need not be told.
  virtual bool wants_each() const { return true; }
  // Only where wants_parts(). Where many devices do the same at the same times an engine may tell
  // of one of them only, the one with the lowest number; it then says who stands for whom, by
  // device, before the first part.
  virtual bool wants_tasks() const { return false; }
  virtual void task(const RankTaskRecord&) {}
  virtual void equivalent(std::span<const int> /*representatives*/) {}
  virtual void link_load(int /*link*/, Duration /*at*/, Bandwidth /*load*/) {}
};

struct EngineOptions {
  Sharing sharing = Sharing::fair;
#ifdef NDEBUG
  bool verify = false;  // check the invariants at every event
#else
  bool verify = true;
#endif
  // Each computation on each device takes exp(jitter · z) times as long, z normal and seeded.
  double jitter = 0;
  std::uint64_t seed = 0;
  // Of the fluid engine: what is alike is followed once, with the same outcome.
  bool folding = true;
  Observer* observer = nullptr;
  Control* control = nullptr;            // of the fluid engine: lights other circuits while it runs
  std::function<void(double)> progress;  // called now and then with the part done, 0 to 1
};

// The work cannot finish: nothing more will happen, and this is what waits.
struct Deadlock {
  Duration at{0};
  std::size_t unfinished = 0;        // operations
  std::vector<std::string> waiting;  // who waits for what, the first few
};

struct Outcome {
  Duration completion_time{0};
  std::vector<Duration> operation_end;  // of each operation
  std::vector<Bytes> link_bytes;        // carried by each link, rounded down
  std::int64_t messages = 0;
  Bytes bytes;  // delivered
  std::optional<Deadlock> deadlock;
  std::optional<GrantTally> grants;  // of the fluid engine, where messages ask before they are sent
};

// What the fabric hashes to choose among ways: the same in every engine.
std::uint64_t flow_key(std::size_t operation, int phase = 0, int channel = 0);

// What a computation takes on this device.
Duration compute_time(const Workload& workload, std::size_t operation, int device,
                      const EngineOptions& options);

// What a message takes with the network to itself: the latency of its way, then its narrowest part.
Duration uncontended_message_time(const Network& network, const Operation& message,
                                  std::uint64_t key);

// Event by event: messages share links max-min fairly, a message first waits for the latency of its
// way and then flows over all its links at once.
Outcome simulate_fluid(const Workload& workload, const Network& network,
                       std::span<const LinkChange> changes, const EngineOptions& options);

// How many messages that would follow: of those alike one.
std::int64_t followed_messages(const Workload& workload, const Network& network);

// By closed forms: each collective alone, with the contention among its own messages, along the
// longest chain of operations; not below what the busiest link needs for all its bytes.
// Link changes and weights are not considered.
Outcome simulate_analytic(const Workload& workload, const Network& network,
                          const EngineOptions& options);

}  // namespace loom
