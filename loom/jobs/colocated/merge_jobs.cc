#include "loom/jobs/colocated/merge_jobs.h"

#include <algorithm>
#include <limits>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

class Merge {
 public:
  explicit Merge(int devices) { merged_.workload.devices = devices; }

  void add(const JobAt& job) {
    const workload::Workload& from = job.lowered->workload;
    workload::Workload& to = merged_.workload;
    const auto max_size = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (to.operations.size() + from.operations.size() > max_size ||
        to.after.size() + from.after.size() > max_size) {
      throw LimitError(
          "the jobs together have more than 2^31 operations; fewer iterations or jobs are needed");
    }
    const std::size_t first = to.operations.size();
    const auto first_group = static_cast<int>(to.groups.size());
    const auto first_collective = static_cast<std::int32_t>(to.collectives.size());
    const auto first_after = static_cast<std::uint32_t>(to.after.size());
    const auto device = [&](int of_job) { return job.devices[static_cast<std::size_t>(of_job)]; };
    merged_.first.push_back(first);
    for (workload::Groups groups : from.groups) {
      for (int& member : groups.members) member = device(member);
      to.groups.push_back(std::move(groups));
    }
    to.collectives.insert(to.collectives.end(), from.collectives.begin(), from.collectives.end());
    for (workload::Operation it : from.operations) {
      if (it.groups >= 0) it.groups += first_group;
      if (it.source >= 0) it.source = device(it.source);
      if (it.destination >= 0) it.destination = device(it.destination);
      if (it.collective >= 0) it.collective += first_collective;
      if (it.behind >= 0) it.behind += static_cast<std::int32_t>(first);
      it.first_after += first_after;
      // Delays only operations without dependencies, or with a start of their own: others wait for
      // an operation that is delayed already.
      if (it.after_count == 0 || it.start.count() > 0) it.start += job.start;
      it.weight = std::min(workload::kMaxWeight, it.weight * job.weight);
      to.operations.push_back(it);
    }
    for (const std::uint32_t it : from.after) {
      to.after.push_back(it + static_cast<std::uint32_t>(first));
    }
  }

  MergedJobs finish() {
    merged_.first.push_back(merged_.workload.operations.size());
    return std::move(merged_);
  }

 private:
  MergedJobs merged_;
};

}  // namespace

MergedJobs merge_jobs(std::span<const JobAt> jobs, int devices) {
  Merge merge(devices);
  for (const JobAt& job : jobs) merge.add(job);
  return merge.finish();
}

}  // namespace loom::jobs
