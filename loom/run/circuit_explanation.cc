#include "loom/run/circuit_explanation.h"

#include <algorithm>
#include <map>
#include <set>

#include "loom/run/trace/kind_times.h"

namespace loom::run {
namespace {

// Circuits that carry less than this fraction of their bytes for a kind do not count as its own.
constexpr double kCarries = 0.01;

// The kind of traffic of the readers' tables: both passes of a parallelism are one.
std::string kind_of(const TrafficKind& kind) {
  return kind.category.empty() ? kind.name : std::string(kind.category);
}

// All circuits of all sets, with the bytes of each kind in one iteration.
std::vector<CircuitUse> uses_of(const Plan& plan, const CircuitDetails& details) {
  std::vector<CircuitUse> uses;
  const double bandwidth = static_cast<double>(details.circuit.bits_per_second) / 8;
  for (std::size_t s = 0; s < details.sets.size(); ++s) {
    std::map<std::pair<int, int>, const PairLoad*> loads;
    for (const PairLoad& it : details.traffic.loads[details.sets[s].loads]) {
      loads[{it.from, it.to}] = &it;
    }
    for (const fabric::PairCircuits& pair : by_pair(details.sets[s].circuits)) {
      CircuitUse use{pair.from, pair.to, pair.count, s, {}, 0};
      const auto load = loads.find({pair.from, pair.to});
      std::map<std::string, double> bytes;
      for (std::size_t k = 0; load != loads.end() && k < details.traffic.kinds.size(); ++k) {
        bytes[kind_of(details.traffic.kinds[k])] += load->second->bytes[k] / plan.iterations();
      }
      double all = 0;
      for (const auto& [kind, count] : bytes) {
        all += count;
        if (count > 0) use.bytes.emplace_back(kind, count);
      }
      std::erase_if(use.bytes, [&](const auto& it) { return it.second < kCarries * all; });
      std::stable_sort(use.bytes.begin(), use.bytes.end(),
                       [](const auto& a, const auto& b) { return a.second > b.second; });
      const double time = seconds(details.sets[s].active) / plan.iterations();
      if (time > 0) use.used = all / (bandwidth * pair.count * time);
      uses.push_back(std::move(use));
    }
  }
  return uses;
}

bool carries(const CircuitUse& use, const std::vector<std::string>& kinds) {
  return std::any_of(use.bytes.begin(), use.bytes.end(), [&](const auto& it) {
    return std::find(kinds.begin(), kinds.end(), it.first) != kinds.end();
  });
}

class CircuitExplainer {
 public:
  CircuitExplainer(const Plan& plan, const CircuitDetails& details, const Explanation& explanation)
      : details_(details), explanation_(explanation), devices_(plan.network.devices) {
    out_.circuits = uses_of(plan, details);
  }

  CircuitExplanation run(const std::vector<KindsInProgress>& intervals) {
    double capacity = 0;  // circuits, weighted by the time for which they are set up
    double all_time = 0;
    double bytes = 0;
    for (std::size_t s = 0; s < details_.sets.size(); ++s) {
      const double active = seconds(details_.sets[s].active);
      capacity += active * static_cast<double>(details_.sets[s].circuits.size());
      all_time += active;
    }
    if (all_time > 0) out_.ports = capacity / all_time / devices_;
    for (const CircuitUse& it : out_.circuits) {
      for (const auto& [kind, count] : it.bytes) bytes += count;
    }
    out_.used = rate_of(bytes, out_.ports * devices_, explanation_.to - explanation_.from);
    for (const KindsInProgress& it : intervals) add_state(it);
    add_kinds();
    return std::move(out_);
  }

 private:
  // Bytes over what so many circuits carry in the time.
  double rate_of(double bytes, double circuits, Duration time) const {
    const double bandwidth = static_cast<double>(details_.circuit.bits_per_second) / 8;
    const double room = circuits * bandwidth * seconds(time);
    return room > 0 ? bytes / room : 0;
  }

  // Mean number of circuits of a device that carry one of these kinds, in the sets that do.
  double ports_with(const std::vector<std::string>& kinds) const {
    std::set<std::size_t> sets;
    double circuits = 0;
    for (const CircuitUse& it : out_.circuits) {
      if (!carries(it, kinds)) continue;
      circuits += it.circuits;
      sets.insert(it.set);
    }
    return sets.empty() ? 0 : circuits / static_cast<double>(sets.size()) / devices_;
  }

  void add_state(const KindsInProgress& interval) {
    CircuitState state{{}, interval.time, out_.ports};
    for (const place::Purpose it : interval.kinds) {
      state.kinds.emplace_back(place::kPurposeNames[static_cast<std::size_t>(it)]);
    }
    state.idle_ports = std::max(0.0, out_.ports - ports_with(state.kinds));
    for (const std::string& it : state.kinds) active_[it] += interval.time;
    out_.states.push_back(std::move(state));
  }

  void add_kinds() {
    std::map<std::string, double> bytes;
    for (const CircuitUse& it : out_.circuits) {
      for (const auto& [kind, count] : it.bytes) bytes[kind] += count;
    }
    for (const auto& [kind, count] : bytes) {
      KindUse use{kind, ports_with({kind}), count, active_[kind], 0, Duration(0)};
      use.used = rate_of(count, use.ports * devices_, use.active);
      for (const TimeShare& it : explanation_.on_path) {
        if (it.name.starts_with(kind + " ")) use.on_path += it.time;
      }
      out_.kinds.push_back(std::move(use));
    }
    std::stable_sort(out_.kinds.begin(), out_.kinds.end(),
                     [](const auto& a, const auto& b) { return a.on_path > b.on_path; });
  }

  const CircuitDetails& details_;
  const Explanation& explanation_;
  const int devices_;
  std::map<std::string, Duration> active_;
  CircuitExplanation out_;
};

}  // namespace

CircuitExplanation explain_circuits(const Plan& plan, const CircuitDetails& details,
                                    const Explanation& explanation, const RankTaskLog& log) {
  const auto* training = plan.as<TrainingPlan>();
  const std::vector<KindsInProgress> intervals =
      kinds_in_progress(training->lowered, plan.workload, log, explanation.from, explanation.to);
  return CircuitExplainer(plan, details, explanation).run(intervals);
}

}  // namespace loom::run
