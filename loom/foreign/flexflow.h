// FlexFlow task graphs, as replayed by the simulator of TopoOpt (NSDI 2023): one training
// iteration, already partitioned and placed, with measured times.
//
// A file becomes a TaskGraph, in which every number is checked, and that becomes a Workload; both
// conversions also work in reverse. docs/flexflow.md describes the semantics of a task in the
// authors' simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom::foreign {

// In the order of the file format's numbers.
enum class TaskKind : std::uint8_t {
  forward,
  backward,
  communication,
  update,
  barrier,
  nominal_communication,
  all_reduce,
};

// A task may need a device of its own, and all of these become devices of the workload.
inline constexpr int kMaxTaskServers = workload::kMaxDevices / 2;
inline constexpr int kMaxTasks = workload::kMaxDevices / 2;

inline constexpr int kNominalNetwork = 14;  // TaskDevice::type of a pair of servers

// A device that runs one task at a time, or a pair of servers that carries any number of transfers
// at once.
struct TaskDevice {
  int type = 0;           // type number in the file; 0 is a GPU
  int node = 0;           // server; for a pair, the source
  int destination = -1;   // destination of a pair
  Bandwidth bandwidth{};  // bandwidth inside a server; 0 if the file gives none

  bool pair() const { return destination >= 0; }
  bool operator==(const TaskDevice&) const = default;
};

struct GraphTask {
  TaskKind kind = TaskKind::forward;
  int device =
      -1;  // index into TaskGraph::devices; -1 for an all_reduce and for a barrier without a device
  Duration runtime{0};  // for an all_reduce: time inside the servers, before the network
  Bytes size{};
  std::vector<int> next =
      {};  // tasks that wait for this one; for an all_reduce: its servers, in order

  bool operator==(const GraphTask&) const = default;
};

struct TaskGraph {
  int nodes = 0;                    // number of servers, each a network endpoint
  std::vector<TaskDevice> devices;  // devices that tasks use, in the order of use
  std::vector<GraphTask> tasks;     // in the order of the file; acyclic

  bool operator==(const TaskGraph&) const = default;
};

// InputError naming `source` at the first error.
TaskGraph parse_flexflow(const std::string& content, const std::string& source);

// The contents of a file. Times are rounded to the 24 bits of a float.
std::string to_flexflow(const TaskGraph& graph);

// Conversion of all-reduces: the flows of their rings, round by round as in the authors' simulator,
// or our collectives, for a fabric that chooses the rings.
enum class AllReduces : std::uint8_t { written_out, collectives };

// The number of operations that to_workload() generates, with all-reduces written out.
std::int64_t operation_count(const TaskGraph& graph);

// `servers` is the size of the network, at least that of the graph. Servers are devices 0 to
// servers - 1 and run the tasks of their first device. Further devices of a server, and the inside
// of an all_reduce, become additional devices that send nothing.
workload::Workload to_workload(const TaskGraph& graph, int servers,
                               AllReduces all_reduces = AllReduces::written_out);

// A workload on a network of `servers` devices; devices beyond these become further GPUs of server
// 0. InputError at `location` if a task graph cannot express the workload.
TaskGraph to_task_graph(const workload::Workload& workload, int servers,
                        const SourceLocation& location);

}  // namespace loom::foreign
