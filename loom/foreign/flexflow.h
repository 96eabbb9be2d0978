// FlexFlow task graphs, as replayed by the simulator of TopoOpt (NSDI 2023): one training
// iteration, already partitioned and placed, with measured times.
//
// Converts a file to a TaskGraph and a TaskGraph to a Workload, and each of them back. A TaskGraph
// from a file has been checked. docs/flexflow.md describes the meaning of each task in the authors'
// simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom::foreign {

// The enumerators have the numeric values of the file format.
enum class TaskKind : std::uint8_t {
  forward,
  backward,
  communication,
  update,
  barrier,
  nominal_communication,
  all_reduce,
};

// Limits of a task graph. Every server becomes a device of the workload and, in the worst case, so
// does every task, so each of the two limits is half of the devices.
inline constexpr int kMaxTaskServers = workload::kMaxDevices / 2;
inline constexpr int kMaxTasks = workload::kMaxDevices / 2;

inline constexpr std::int64_t kBitsPerSecond = 8000;  // in a byte per millisecond, the file's unit

inline constexpr int kNominalNetwork = 14;  // TaskDevice::type of a pair of servers; 13 is another

// Either a device of a server, which runs one task at a time, or a pair of servers, between which
// any number of transfers run at once.
struct TaskDevice {
  int type = 0;           // type number in the file; 0 is a GPU
  int node = 0;           // server of the device; source server of a pair
  int destination = -1;   // destination server of a pair
  Bandwidth bandwidth{};  // bandwidth inside a server; 0 if the file gives none

  bool pair() const { return destination >= 0; }
  bool operator==(const TaskDevice&) const = default;
};

struct GraphTask {
  TaskKind kind = TaskKind::forward;
  // Index into TaskGraph::devices; -1 for an all_reduce and for a barrier without a device.
  int device = -1;
  Duration runtime{0};  // for an all_reduce: time inside the servers, before it uses the network
  Bytes size{};
  // Tasks that wait for this task; for an all_reduce: its servers in ring order.
  std::vector<int> next = {};

  bool operator==(const GraphTask&) const = default;
};

struct TaskGraph {
  int nodes = 0;                    // number of servers, each a network endpoint
  std::vector<TaskDevice> devices;  // devices that tasks use, in the order of first use
  std::vector<GraphTask> tasks;     // in the order of the file; acyclic

  bool operator==(const TaskGraph&) const = default;
};

// Parses the content of a file. Throws InputError at the first error; `source` names the file.
TaskGraph parse_flexflow(const std::string& content, const std::string& source);

// The content of a file. Times are rounded to float, which has 24 significant bits.
std::string to_flexflow(const TaskGraph& graph);

// Conversion of an all-reduce: to the flows of a ring, round by round as in the authors' simulator,
// or to a Collective, for a fabric that chooses the rings.
enum class AllReduces : std::uint8_t { written_out, collectives };

// The number of operations that to_workload() generates with AllReduces::written_out.
std::int64_t operation_count(const TaskGraph& graph);

// Converts a task graph to a workload on a network of `servers` servers, at least as many as the
// graph has. Device i < servers of the workload is server i and runs the tasks of its first device.
// Each further device of a server becomes an additional device, which sends nothing. The time that
// an all_reduce spends inside the servers runs on an additional device too, because it keeps no
// server busy.
workload::Workload to_workload(const TaskGraph& graph, int servers,
                               AllReduces all_reduces = AllReduces::written_out);

// Converts a workload on a network of `servers` devices to a task graph. Devices from `servers` on
// become further GPUs of server 0. Throws InputError at `location` if a task graph cannot express
// the workload.
TaskGraph to_task_graph(const workload::Workload& workload, int servers,
                        const SourceLocation& location);

}  // namespace loom::foreign
