// Serializes a task graph. Tasks, then devices, have consecutive ids from 1.
#include <flatbuffers/flatbuffers.h>

#include "loom/foreign/flexflow.h"
#include "loom/foreign/flexflow_generated.h"

namespace loom::foreign {
namespace {

using flatbuffers::Offset;

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

float milliseconds(Duration time) {
  return static_cast<float>(static_cast<double>(time.count()) / 1e9);
}

class FileWriter {
 public:
  explicit FileWriter(const TaskGraph& graph) : graph_(graph) {}

  std::string take() {
    std::vector<Offset<flexflow_file::Task>> tasks;
    for (std::size_t i = 0; i < graph_.tasks.size(); ++i) tasks.push_back(task(i));
    std::vector<Offset<flexflow_file::Device>> devices;
    for (std::size_t d = 0; d < graph_.devices.size(); ++d) devices.push_back(device(d));
    const auto all_tasks = file_.CreateVector(tasks);
    const auto all_devices = file_.CreateVector(devices);
    flexflow_file::TaskGraphBuilder root(file_);
    root.add_ngpupernode(1);
    root.add_nnode(static_cast<std::uint32_t>(graph_.nodes));
    root.add_tasks(all_tasks);
    root.add_devices(all_devices);
    file_.Finish(root.Finish());
    return {reinterpret_cast<const char*>(file_.GetBufferPointer()), file_.GetSize()};
  }

 private:
  static std::uint64_t task_id(std::size_t task) { return task + 1; }
  std::uint64_t device_id(std::size_t device) const { return graph_.tasks.size() + 1 + device; }

  Offset<flexflow_file::Task> task(std::size_t index) {
    const GraphTask& it = graph_.tasks[index];
    std::vector<std::uint64_t> next;
    for (const int other : it.next) {
      const auto o = static_cast<std::size_t>(other);
      next.push_back(it.kind == TaskKind::all_reduce ? o : task_id(o));
    }
    return flexflow_file::CreateTaskDirect(
        file_, static_cast<std::int16_t>(it.kind), task_id(index),
        it.device < 0 ? 0 : device_id(static_cast<std::size_t>(it.device)),
        milliseconds(it.runtime), static_cast<std::uint64_t>(it.size.count), &next);
  }

  Offset<flexflow_file::Device> device(std::size_t index) {
    const TaskDevice& it = graph_.devices[index];
    const auto node = static_cast<std::uint64_t>(it.node);
    const std::uint64_t pair = node * static_cast<std::uint64_t>(graph_.nodes) +
                               static_cast<std::uint64_t>(it.destination);
    return flexflow_file::CreateDevice(
        file_, static_cast<std::int16_t>(it.type), device_id(index), it.pair() ? kNowhere : node,
        it.pair() ? pair : node,
        static_cast<std::uint64_t>(it.bandwidth.bits_per_second / kBitsPerSecond));
  }

  const TaskGraph& graph_;
  flatbuffers::FlatBufferBuilder file_;
};

}  // namespace

std::string to_flexflow(const TaskGraph& graph) { return FileWriter(graph).take(); }

}  // namespace loom::foreign
