// Reads and checks a file with a FlexFlow task graph.
#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "loom/foreign/flexflow.h"
#include "loom/foreign/flexflow_generated.h"

namespace loom::foreign {
namespace {

constexpr std::int64_t kMaxOperations = std::int64_t{1} << 23;  // need about 1.5 GB of memory
// Limit of FlatBuffers tables; most of them are routes, whose number is quadratic in servers.
constexpr int kMaxTables = 1 << 24;
constexpr int kMaxDepth = 8;              // limit of the nesting of tables
constexpr double kPicosecondsEach = 1e9;  // picoseconds per millisecond
constexpr double kLongestRuntime = static_cast<double>(kLongestDuration.count()) / kPicosecondsEach;
constexpr int kNetwork = 13;  // device type of a pair of servers, as kNominalNetwork

class Reader {
 public:
  Reader(const std::string& content, const std::string& source) : source_(source) {
    graph_.nodes = servers(root(content));
    read_devices();
    read_ids();
    for (const flexflow_file::Task* task : *root_->tasks()) read_task(*task);
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) read_next(i);
    check_order();
    const std::int64_t count = operation_count(graph_);
    if (count > kMaxOperations) {
      refuse(fmt::format("its all-reduces expand to {} or more messages; at most {} are possible",
                         count, kMaxOperations));
    }
  }

  TaskGraph take() { return std::move(graph_); }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(location_of(source_), message);
  }

  template <class... Arguments>
  [[noreturn]] void refuse_task(const flexflow_file::Task& task,
                                fmt::format_string<Arguments...> text,
                                Arguments&&... arguments) const {
    refuse(fmt::format("task {} ", task.taskid()) +
           fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  const flexflow_file::TaskGraph& root(const std::string& content) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(content.data());
    flatbuffers::Verifier verifier(bytes, content.size(), kMaxDepth, kMaxTables);
    if (content.size() >= FLATBUFFERS_MAX_BUFFER_SIZE ||
        !flexflow_file::VerifyTaskGraphBuffer(verifier)) {
      refuse("the file is not a FlexFlow task graph; a FlatBuffers table TaskGraph is needed");
    }
    root_ = flexflow_file::GetTaskGraph(bytes);
    return *root_;
  }

  int servers(const flexflow_file::TaskGraph& graph) const {
    if (graph.nnode() < 1 || graph.nnode() > kMaxTaskServers) {
      refuse(fmt::format("nnode is {}; from 1 to {} servers are needed", graph.nnode(),
                         kMaxTaskServers));
    }
    const auto count = graph.tasks() == nullptr ? 0 : graph.tasks()->size();
    if (count < 1 || count > kMaxTasks) {
      refuse(fmt::format("there are {} tasks; from 1 to {} are needed", count, kMaxTasks));
    }
    return static_cast<int>(graph.nnode());
  }

  void read_devices() {
    if (root_->devices() == nullptr) return;
    for (const flexflow_file::Device* device : *root_->devices()) {
      if (devices_.emplace(device->deviceid(), Known{device}).second) continue;
      refuse(fmt::format("device {} is listed twice; a unique id is needed", device->deviceid()));
    }
  }

  // Reads all ids before the tasks, because a task may refer to later tasks.
  void read_ids() {
    for (const flexflow_file::Task* task : *root_->tasks()) {
      if (!tasks_.emplace(task->taskid(), static_cast<int>(tasks_.size())).second) {
        refuse_task(*task, "is listed twice; a unique id is needed");
      }
    }
  }

  void read_task(const flexflow_file::Task& task) {
    constexpr int kKinds = static_cast<int>(TaskKind::all_reduce) + 1;
    if (task.type() < 0 || task.type() >= kKinds) {
      refuse_task(task, "has type {}; 0 to {} are known", task.type(), kKinds - 1);
    }
    GraphTask made{.kind = static_cast<TaskKind>(task.type()),
                   .runtime = runtime_of(task),
                   .size = size_of(task)};
    if (made.kind != TaskKind::all_reduce) made.device = device_of(task, made.kind);
    check_time_by_size(task, made);
    graph_.tasks.push_back(std::move(made));
  }

  // A task without a runtime takes the time that its device needs to move its bytes.
  void check_time_by_size(const flexflow_file::Task& task, const GraphTask& made) const {
    if (made.device < 0 || made.runtime.count() > 0) return;
    const TaskDevice& device = graph_.devices[static_cast<std::size_t>(made.device)];
    if (device.pair() || device.bandwidth.bits_per_second == 0) return;
    const Int128 bits = Int128{made.size.count} * 8 * kPicosecondsPerSecond;
    if (bits <= Int128{kLongestDuration.count()} * device.bandwidth.bits_per_second) return;
    refuse_task(task,
                "takes longer than {:.0f} ms to move {} bytes on device {}; fewer bytes, or more "
                "bandwidth, are needed",
                kLongestRuntime, made.size.count, task.deviceid());
  }

  // The runtime of a task, rounded to the nearest picosecond.
  Duration runtime_of(const flexflow_file::Task& task) const {
    const double runtime = task.runtime();
    if (!(runtime >= 0 && runtime <= kLongestRuntime)) {
      refuse_task(task, "has runtime {}; 0 to {:.0f} ms are possible", runtime, kLongestRuntime);
    }
    return Duration(std::llround(runtime * kPicosecondsEach));
  }

  Bytes size_of(const flexflow_file::Task& task) const {
    if (task.xfersize() > static_cast<std::uint64_t>(kLargestSize.count)) {
      refuse_task(task, "has xfersize {}; at most {} bytes are possible", task.xfersize(),
                  kLargestSize.count);
    }
    return {static_cast<std::int64_t>(task.xfersize())};
  }

  int device_of(const flexflow_file::Task& task, TaskKind kind) {
    const auto found = devices_.find(task.deviceid());
    if (found == devices_.end()) {
      if (kind == TaskKind::barrier) return -1;
      refuse_task(task, "is on device {}, which does not exist; an existing device is needed",
                  task.deviceid());
    }
    Known& known = found->second;
    if (known.place < 0) {
      known.place = static_cast<int>(graph_.devices.size());
      graph_.devices.push_back(checked_device(*known.device));
    }
    const bool sends = kind == TaskKind::communication || kind == TaskKind::nominal_communication;
    if (graph_.devices[static_cast<std::size_t>(known.place)].pair() && !sends) {
      refuse_task(task, "computes on device {}, a network; a device of a server is needed",
                  task.deviceid());
    }
    return known.place;
  }

  TaskDevice checked_device(const flexflow_file::Device& device) const {
    constexpr int kTypes = kNominalNetwork + 1;
    if (device.type() < 0 || device.type() >= kTypes) {
      refuse(fmt::format("device {} has type {}; 0 to {} are known", device.deviceid(),
                         device.type(), kTypes - 1));
    }
    TaskDevice made{.type = device.type()};
    if (made.type == kNetwork || made.type == kNominalNetwork) {
      const std::uint64_t ends = std::uint64_t{root_->nnode()} + root_->nswitch();
      made.node = server(device, "source", device.deviceproperty() / ends);
      made.destination = server(device, "destination", device.deviceproperty() % ends);
      return made;
    }
    made.node = server(device, "nodeid", device.nodeid());
    const auto max = static_cast<std::uint64_t>(kLargestBandwidth.bits_per_second / kBitsPerSecond);
    if (device.bandwidth() > max) {
      refuse(fmt::format("device {} has bandwidth {}; at most {} bytes per ms are possible",
                         device.deviceid(), device.bandwidth(), max));
    }
    made.bandwidth = {static_cast<std::int64_t>(device.bandwidth()) * kBitsPerSecond};
    return made;
  }

  int server(const flexflow_file::Device& device, std::string_view what, std::uint64_t node) const {
    if (node < static_cast<std::uint64_t>(graph_.nodes)) return static_cast<int>(node);
    refuse(fmt::format("device {} has {} {}; the servers are 0 to {}", device.deviceid(), what,
                       node, graph_.nodes - 1));
  }

  void read_next(std::size_t index) {
    const flexflow_file::Task& task =
        *root_->tasks()->Get(static_cast<flatbuffers::uoffset_t>(index));
    GraphTask& made = graph_.tasks[index];
    check_place(task);
    if (made.kind == TaskKind::all_reduce) return read_servers(task, made);
    if (task.nexttasks() == nullptr) return;
    for (const std::uint64_t id : *task.nexttasks()) {
      const auto found = tasks_.find(id);
      if (found == tasks_.end()) {
        refuse_task(task, "precedes task {}, which does not exist; an existing task is needed", id);
      }
      made.next.push_back(found->second);
    }
    std::sort(made.next.begin(), made.next.end());
    made.next.erase(std::unique(made.next.begin(), made.next.end()), made.next.end());
  }

  // Checks the alignment of the elements of nexttasks; the FlatBuffers verifier checks only the
  // start of the vector. An empty vector needs no alignment.
  void check_place(const flexflow_file::Task& task) const {
    if (task.nexttasks() == nullptr || task.nexttasks()->size() == 0) return;
    constexpr std::size_t kNeeded = sizeof(std::uint64_t);
    if (reinterpret_cast<std::uintptr_t>(task.nexttasks()->Data()) % kNeeded == 0) return;
    refuse_task(task, "has misaligned nexttasks; an offset that is a multiple of {} is needed",
                kNeeded);
  }

  void read_servers(const flexflow_file::Task& task, GraphTask& made) const {
    if (task.nexttasks() == nullptr || task.nexttasks()->size() == 0) {
      refuse_task(task, "is an all-reduce without servers; at least one is needed");
    }
    for (const std::uint64_t node : *task.nexttasks()) {
      if (node >= static_cast<std::uint64_t>(graph_.nodes)) {
        refuse_task(task, "is an all-reduce with server {}; the servers are 0 to {}", node,
                    graph_.nodes - 1);
      }
      made.next.push_back(static_cast<int>(node));
    }
    std::vector<int> sorted = made.next;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      refuse_task(task, "is an all-reduce with server {} twice; distinct servers are needed",
                  *twice);
    }
  }

  // Checks that the graph is acyclic, by Kahn's algorithm: a task that remains is on a cycle or
  // depends on one.
  void check_order() const {
    std::vector<int> waits(graph_.tasks.size(), 0);
    each_edge([&](std::size_t, int next) { ++waits[static_cast<std::size_t>(next)]; });
    std::queue<std::size_t> ready;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i] == 0) ready.push(i);
    }
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      const GraphTask& task = graph_.tasks[ready.front()];
      ready.pop();
      if (task.kind == TaskKind::all_reduce) continue;
      for (const int next : task.next) {
        const auto n = static_cast<std::size_t>(next);
        if (--waits[n] == 0) ready.push(n);
      }
    }
    if (done == waits.size()) return;
    const auto task = static_cast<flatbuffers::uoffset_t>(on_cycle(waits));
    refuse_task(*root_->tasks()->Get(task), "waits for itself; a graph without cycles is needed");
  }

  // A task on a cycle. Every task that still waits has a predecessor that still waits, so walking
  // back far enough ends on a cycle.
  std::size_t on_cycle(const std::vector<int>& waits) const {
    std::vector<std::size_t> before(waits.size(), 0);
    std::size_t at = 0;
    each_edge([&](std::size_t from, int next) {
      if (waits[from] == 0) return;
      before[static_cast<std::size_t>(next)] = from;
      at = from;
    });
    for (std::size_t step = 0; step < waits.size(); ++step) at = before[at];
    return at;
  }

  template <class Use>
  void each_edge(Use&& use) const {
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) {
      if (graph_.tasks[i].kind == TaskKind::all_reduce) continue;
      for (const int next : graph_.tasks[i].next) use(i, next);
    }
  }

  struct Known {
    const flexflow_file::Device* device = nullptr;
    int place = -1;  // index in graph_.devices; -1 until a task uses the device
  };

  const std::string& source_;
  const flexflow_file::TaskGraph* root_ = nullptr;
  std::unordered_map<std::uint64_t, Known> devices_;
  std::unordered_map<std::uint64_t, int> tasks_;  // index of each task by its id
  TaskGraph graph_;
};

}  // namespace

TaskGraph parse_flexflow(const std::string& content, const std::string& source) {
  return Reader(content, source).take();
}

}  // namespace loom::foreign
