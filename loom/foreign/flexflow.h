// Task graphs of FlexFlow, as the simulator of TopoOpt (NSDI 2023) replays them: one iteration of a
// training, cut and placed already, with measured times.
//
// A file becomes a TaskGraph, whose every number is checked, and that a Workload; and the other way
// round. What the simulator of the authors means by a task is docs/flexflow.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom {

// In the order of the file's numbers.
enum class TaskKind : std::uint8_t {
  forward,
  backward,
  communication,
  update,
  barrier,
  nominal_communication,
  all_reduce,
};

// A task may need a device of its own, and all of them together are devices of a workload.
inline constexpr int kMaxTaskServers = kMaxDevices / 2;
inline constexpr int kMaxTasks = kMaxDevices / 2;

inline constexpr int kNominalNetwork = 14;  // TaskDevice::type of a pair of servers

// What does one task at a time, or a pair of servers, between which any number of transfers run.
struct TaskDevice {
  int type = 0;           // the file's number: 0 is a GPU
  int node = 0;           // its server; of a pair the source
  int destination = -1;   // of a pair
  Bandwidth bandwidth{};  // of what lies inside a server; 0 where the file does not say

  bool pair() const { return destination >= 0; }
  bool operator==(const TaskDevice&) const = default;
};

struct GraphTask {
  TaskKind kind = TaskKind::forward;
  int device = -1;  // into TaskGraph::devices; -1 for an all_reduce, and a barrier that is nowhere
  Duration runtime{0};  // of an all_reduce: inside the servers, before the network
  Bytes size{};
  std::vector<int> next = {};  // tasks that wait for it; of an all_reduce: the servers, in order

  bool operator==(const GraphTask&) const = default;
};

struct TaskGraph {
  int nodes = 0;                    // servers, each one end of the network
  std::vector<TaskDevice> devices;  // those that tasks use, in the order of use
  std::vector<GraphTask> tasks;     // in the order of the file; they wait in no circle

  bool operator==(const TaskGraph&) const = default;
};

// InputError naming `source` at the first thing that is wrong.
TaskGraph parse_flexflow(const std::string& content, const std::string& source);

// The bytes of a file. Times are rounded to the 24 bits that it has for them.
std::string to_flexflow(const TaskGraph& graph);

// What becomes of all-reduces: the flows of their rings, round after round as the authors'
// simulator has them, or collectives of ours, for a fabric that chooses the rings.
enum class AllReduces : std::uint8_t { written_out, collectives };

// How many operations to_workload() gives, with all-reduces written out.
std::int64_t operation_count(const TaskGraph& graph);

// For a network that joins so many servers, at least those of the graph. Servers are devices 0 to
// servers - 1 and compute what their first device does; further devices of a server are devices of
// their own that send nothing, and so is the inside of an all_reduce.
Workload to_workload(const TaskGraph& graph, int servers,
                     AllReduces all_reduces = AllReduces::written_out);

// Of a workload over a network of so many devices; those beyond them are further GPUs of server 0.
// InputError at `place` where it is more than a task graph can say.
TaskGraph to_task_graph(const Workload& workload, int servers, const SourceLocation& location);

}  // namespace loom
