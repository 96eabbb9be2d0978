#include "loom/run/trace/traffic.h"

#include <map>
#include <utility>

#include "loom/workload/schedule.h"

namespace loom::run {
namespace {

class Counter {
 public:
  Counter(const workload::Workload& workload, int max_rows) : workload_(workload) {
    matrix_.devices = workload.devices;
    matrix_.devices_per_cell = (workload.devices + max_rows - 1) / max_rows;
    if (matrix_.devices_per_cell == 0) matrix_.devices_per_cell = 1;
    const auto cells = static_cast<std::size_t>((workload.devices + matrix_.devices_per_cell - 1) /
                                                matrix_.devices_per_cell);
    matrix_.bytes.assign(cells, std::vector<std::int64_t>(cells, 0));
  }

  void count(const workload::Operation& it) {
    if (it.kind == workload::OperationKind::message) add(it.source, it.destination, it.size.count);
    if (it.kind == workload::OperationKind::collective) ++uses_[{it.collective, it.groups}];
  }

  TrafficMatrix take() {
    for (const auto& used : uses_) add_collective(used.first, used.second);
    return std::move(matrix_);
  }

 private:
  void add(int source, int destination, std::int64_t bytes) {
    const auto cell = [&](int device) {
      return static_cast<std::size_t>(device / matrix_.devices_per_cell);
    };
    matrix_.bytes[cell(source)][cell(destination)] += bytes;
  }

  void add_collective(const std::pair<int, int>& what, std::int64_t times) {
    const workload::Groups& groups = workload_.groups[static_cast<std::size_t>(what.second)];
    const workload::Schedule steps =
        schedule(workload_.collectives[static_cast<std::size_t>(what.first)], groups.size);
    for (const workload::Phase& phase : steps.phases) {
      for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
        const workload::Channel& channel = phase.channels[static_cast<std::size_t>(c)];
        const auto bytes = static_cast<std::int64_t>(channel_bytes(phase, c)) * times;
        for (int g = 0; g < groups.count(); ++g) {
          add(groups.device(g, channel.source), groups.device(g, channel.destination), bytes);
        }
      }
    }
  }

  const workload::Workload& workload_;
  TrafficMatrix matrix_;
  std::map<std::pair<int, int>, std::int64_t> uses_;  // operations per collective and groups
};

}  // namespace

TrafficMatrix traffic_matrix(const workload::Workload& workload, int max_rows,
                             const std::function<bool(std::size_t)>& counts) {
  Counter counter(workload, max_rows);
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    if (counts(o)) counter.count(workload.operations[o]);
  }
  return counter.take();
}

}  // namespace loom::run
