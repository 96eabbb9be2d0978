#include "loom/scheduling/scheduling_study.h"

#include <map>
#include <memory>
#include <mutex>

#include "loom/base/parallel.h"
#include "loom/fabric/network/subnetwork.h"
#include "loom/jobs/scheduler/free_devices.h"

namespace loom::scheduling {
namespace {

// A cluster, and the profiles of the file's job kinds on it.
struct ProfiledCluster {
  std::unique_ptr<jobs::Cluster> cluster;
  std::unique_ptr<jobs::PlacedProfiles> profiles;
  int rack = 1;
};

ProfiledCluster profiled_cluster(const SimulatedCluster& wanted,
                                 const std::vector<jobs::JobKind>& kinds) {
  const fabric::FabricContext context{wanted.devices, wanted.seed};
  ProfiledCluster profiled;
  if (wanted.fabric.kind->build != nullptr) {
    fabric::Network network = build_network(wanted.fabric, context);
    profiled.rack = jobs::rack_size(network);
    profiled.cluster = std::make_unique<jobs::SharedNetwork>(std::move(network));
  } else {
    fabric::CircuitFabric circuits = build_circuits(wanted.fabric, context);
    if (!has_subnetworks(circuits) || circuits.reconfigure != fabric::Reconfigure::one_shot) {
      throw InputError(
          wanted.fabric.settings.location(),
          "jobs arrive and leave; a fixed network, or circuit switches configured once for "
          "each job (one_shot), are needed");
    }
    profiled.rack = wanted.devices;
    profiled.cluster = std::make_unique<jobs::SharedCircuits>(std::move(circuits));
  }
  profiled.profiles = std::make_unique<jobs::PlacedProfiles>(*profiled.cluster, kinds);
  return profiled;
}

// Returns the jobs of the file; random arrivals are sampled. A given load is converted to an
// arrival rate with the isolated times on `reference`, so that all points of a comparison have the
// same jobs. The scheduling simulation reports infeasible jobs.
jobs::ClusterTrace trace_of(const SchedulingFile& file, const ProfiledCluster& reference,
                            std::uint64_t seed) {
  jobs::ClusterTrace trace{file.kinds, file.jobs};
  if (!file.arrivals) return trace;
  const auto period = [&](int kind, int devices) {
    return reference.profiles->packed(kind, devices).period;
  };
  jobs::Arrivals arrivals = *file.arrivals;
  if (!file.seeded) arrivals.seed = seed;
  trace.jobs = poisson_jobs(arrivals, file.kinds, reference.cluster->devices(), period);
  return trace;
}

// Total progress of several points.
class Progress {
 public:
  Progress(std::size_t points, std::function<void(double)> tell)
      : fractions_(points, 0), tell_(std::move(tell)) {}

  void show(std::size_t point, double fraction) {
    if (!tell_) return;
    const std::scoped_lock lock(mutex_);
    sum_ += fraction - fractions_[point];
    fractions_[point] = fraction;
    tell_(sum_ / static_cast<double>(fractions_.size()));
  }

 private:
  std::mutex mutex_;
  std::vector<double> fractions_;
  double sum_ = 0;
  std::function<void(double)> tell_;
};

}  // namespace

std::vector<SchedulingPoint> run_scheduling_points(const SchedulingFile& file,
                                                   const SchedulingRunOptions& options) {
  std::map<std::string, ProfiledCluster> clusters;
  for (const SchedulingScenario& it : file.points) {
    if (!clusters.contains(it.cluster.text)) {
      clusters.emplace(it.cluster.text, profiled_cluster(it.cluster, file.kinds));
    }
  }
  const ProfiledCluster& first = clusters.at(file.points.front().cluster.text);
  std::vector<SchedulingPoint> runs(file.points.size());
  Progress progress(runs.size(), options.progress);
  for_each_index(runs.size(), options.threads, [&](std::size_t p) {
    runs[p].scenario = file.points[p];
    ProfiledCluster& profiled = clusters.at(file.points[p].cluster.text);
    jobs::SchedulingOptions scheduling = file.points[p].options;
    scheduling.rack = profiled.rack;
    scheduling.progress = [&, p](double fraction) { progress.show(p, fraction); };
    runs[p].result =
        simulate_scheduling(trace_of(file, first, scheduling.seed), *profiled.profiles, scheduling);
  });
  return runs;
}

}  // namespace loom::scheduling
