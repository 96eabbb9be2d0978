#include "loom/plan/choose_together.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace loom::plan {
namespace {

// Collectives that are switched together: those of one purpose and kind, in all pipeline stages.
using Class = std::tuple<place::Purpose, workload::CollectiveKind, int>;  // with their ranks

struct ClassMember {
  std::size_t collective = 0;
  std::vector<workload::Collective> alternatives;
};

std::map<Class, std::vector<ClassMember>> classes_of(const place::LoweredJob& job,
                                                     NetworkProvider& provider) {
  const workload::Workload& workload = job.workload;
  std::vector<bool> seen(workload.collectives.size(), false);
  std::map<Class, std::vector<ClassMember>> classes;
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    const workload::Operation& it = workload.operations[o];
    if (it.kind != workload::OperationKind::collective) continue;
    const auto c = static_cast<std::size_t>(it.collective);
    if (seen[c]) continue;
    seen[c] = true;
    const workload::Groups& groups = workload.groups[static_cast<std::size_t>(it.groups)];
    workload::Collective wanted;
    wanted.kind = workload.collectives[c].kind;
    wanted.size = workload.collectives[c].size;
    std::vector<workload::Collective> alternatives = provider.alternatives(wanted, groups);
    if (alternatives.size() < 2) continue;
    classes[{job.tags[o].purpose, wanted.kind, groups.size}].push_back(
        {c, std::move(alternatives)});
  }
  return classes;
}

std::set<workload::Algorithm> algorithms_of(const std::vector<ClassMember>& members) {
  std::set<workload::Algorithm> found;
  for (const ClassMember& member : members) {
    for (const workload::Collective& it : member.alternatives) found.insert(it.algorithm);
  }
  return found;
}

// The job in which the members that have this alternative use it.
place::LoweredJob switched(place::LoweredJob job, workload::Algorithm algorithm,
                           const std::vector<ClassMember>& members) {
  for (const ClassMember& member : members) {
    for (const workload::Collective& it : member.alternatives) {
      if (it.algorithm == algorithm) job.workload.collectives[member.collective] = it;
    }
  }
  return job;
}

}  // namespace

bool choose_together(NetworkProvider& provider, ShardedJob& job) {
  constexpr double kWorthwhile = 0.999;  // of the time before
  constexpr int kMaxRounds = 3;
  if (!job.mapped.network || job.mapped.infeasible) return false;
  const auto classes = classes_of(job.mapped.lowered, provider);
  if (classes.empty()) return false;
  Duration best = predicted_time(job.mapped);
  bool any = false;
  for (int round = 0; round < kMaxRounds; ++round) {
    bool better = false;
    for (const auto& [kind, members] : classes) {
      for (const workload::Algorithm algorithm : algorithms_of(members)) {
        place::LoweredJob other = switched(job.mapped.lowered, algorithm, members);
        if (other.workload.collectives == job.mapped.lowered.workload.collectives) continue;
        MappedJob mapped = provider.map(std::move(other));
        mapped.sharing = job.mapped.sharing;
        const Duration time = predicted_time(mapped);
        if (seconds(time) >= kWorthwhile * seconds(best)) continue;
        best = time;
        job.mapped = std::move(mapped);
        better = true;
      }
    }
    if (!better) break;
    any = true;
  }
  return any;
}

}  // namespace loom::plan
