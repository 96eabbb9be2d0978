// A Rostam profile as one iteration of data-parallel training.
//
// How the format is read: a memory node WRITEVARIABLE writes one trained variable, once an
// iteration, and its num_bytes is the size of the variable, so of its gradient. What it depends on
// makes the gradient; once that is computed the gradient is summed over all devices. A graph that
// writes no variable was cut before the update: then the variables that are read (READVARIABLE) are
// those trained, and their gradients are summed when everything is computed. All other memory nodes
// and control dependencies cost nothing and pass on what they wait for; nothing waits for a write,
// for the iteration ends there.
//
// A device does one thing at a time, so its computations are a chain; and it sums one gradient
// after another in the order in which they are ready, beside the computations.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "loom/foreign/rostam.h"
#include "loom/workload/ranks.h"

namespace loom {
namespace {

constexpr std::size_t kLongestName = 200;  // that the text form of a workload takes
constexpr int kNothing = -1;

struct Gradient {
  std::size_t variable = 0;
  int after = kNothing;  // the last computation that it needs
};

class DataParallel {
 public:
  DataParallel(const RostamProfile& profile, const RostamTraining& training)
      : profile_(profile),
        training_(training),
        batch_(static_cast<double>(training.batch) / training.devices) {}

  Workload build() {
    std::vector<int> devices(static_cast<std::size_t>(training_.devices));
    std::iota(devices.begin(), devices.end(), 0);
    workload_.devices = training_.devices;
    workload_.groups = {{1, devices}, {training_.devices, devices}};
    add_computations();
    if (training_.devices > 1) add_sums();
    return std::move(workload_);
  }

 private:
  void add_computations() {
    last_needed_.assign(profile_.nodes.size(), kNothing);
    int previous = kNothing;
    for (std::size_t i = 0; i < profile_.nodes.size(); ++i) {
      const RostamNode& node = profile_.nodes[i];
      if (node.type == RostamType::compute) {
        Operation operation{.kind = OperationKind::compute, .groups = 0};
        operation.time = profile_.time(i, batch_);
        previous = add(operation, "compute.", node, {previous});
        last_needed_[i] = previous;
      }
      for (const int successor : node.successors) {
        int& needed = last_needed_[static_cast<std::size_t>(successor)];
        needed = std::max(needed, last_needed_[i]);
      }
    }
    last_ = previous;
  }

  std::vector<Gradient> gradients() const {
    std::vector<Gradient> written;
    std::vector<Gradient> read;
    for (std::size_t i = 0; i < profile_.nodes.size(); ++i) {
      const RostamNode& node = profile_.nodes[i];
      if (node.type != RostamType::memory || profile_.bytes(i, batch_).count == 0) continue;
      if (node.memory == RostamMemory::write_variable) written.push_back({i, last_needed_[i]});
      if (node.memory == RostamMemory::read_variable) read.push_back({i, last_});
    }
    std::stable_sort(written.begin(), written.end(),
                     [](const Gradient& a, const Gradient& b) { return a.after < b.after; });
    return written.empty() ? read : written;
  }

  void add_sums() {
    int previous = kNothing;
    for (const Gradient& gradient : gradients()) {
      Operation operation{.kind = OperationKind::collective, .groups = 1};
      operation.collective = static_cast<std::int32_t>(workload_.collectives.size());
      workload_.collectives.push_back(sum_of(profile_.bytes(gradient.variable, batch_)));
      previous = add(operation, "all_reduce.", profile_.nodes[gradient.variable],
                     {gradient.after, previous});
    }
  }

  Collective sum_of(Bytes size) const {
    Collective collective{.algorithm = training_.algorithm, .size = size};
    const std::string wrong = objection(collective, training_.devices);
    if (!wrong.empty()) throw InputError({}, wrong);
    return collective;
  }

  int add(Operation operation, std::string_view prefix, const RostamNode& node,
          std::initializer_list<int> after) {
    operation.first_after = static_cast<std::uint32_t>(workload_.after.size());
    for (const int before : after) {
      if (before != kNothing) workload_.after.push_back(static_cast<std::uint32_t>(before));
    }
    operation.after_count =
        static_cast<std::uint32_t>(workload_.after.size()) - operation.first_after;
    workload_.operations.push_back(operation);
    const bool fits = prefix.size() + node.name.size() <= kLongestName;
    workload_.names.push_back(fits ? std::string(prefix) + node.name : "");
    return static_cast<int>(workload_.operations.size()) - 1;
  }

  const RostamProfile& profile_;
  const RostamTraining& training_;
  double batch_;  // of one device
  Workload workload_;
  std::vector<int> last_needed_;  // by node: the last computation it is or waits for
  int last_ = kNothing;           // computation of all
};

void check_computes(const RostamProfile& profile) {
  const bool computes =
      std::any_of(profile.nodes.begin(), profile.nodes.end(),
                  [](const RostamNode& node) { return node.type == RostamType::compute; });
  if (computes) return;
  throw InputError(place_of(profile.source),
                   "no node is of the type COMPUTE; at least one is needed");
}

void check_covered(const RostamProfile& profile, double batch) {
  if (profile.covers(batch)) return;
  throw InputError(
      place_of(profile.source),
      fmt::format("the only measured batch is {}; a device's batch of {:.6g} needs a second, to "
                  "tell how times grow",
                  profile.batches.front(), batch));
}

}  // namespace

Workload to_workload(const RostamProfile& profile, const RostamTraining& training) {
  LOOM_CHECK(training.devices >= 1 && training.devices <= kMostDevices && training.batch >= 1,
             "a training is checked before it is put to work");
  check_computes(profile);
  check_covered(profile, static_cast<double>(training.batch) / training.devices);
  return DataParallel(profile, training).build();
}

}  // namespace loom
