#include "loom/place/job_builder.h"

#include <algorithm>
#include <utility>

namespace loom::place {

Bytes padded(Bytes size, int ranks) {
  const std::int64_t unit = std::int64_t{2} * ranks;
  return {(size.count + unit - 1) / unit * unit};
}

void merge(Operations& into, const Operations& more) {
  for (const std::uint32_t it : more) {
    if (std::find(into.begin(), into.end(), it) == into.end()) into.push_back(it);
  }
}

JobBuilder::JobBuilder(int devices, int iterations, ChooseAlgorithm choose)
    : choose_(std::move(choose)) {
  job_.iterations = iterations;
  job_.workload.devices = devices;
}

int JobBuilder::add_groups(workload::Groups groups) {
  job_.workload.groups.push_back(std::move(groups));
  return static_cast<int>(job_.workload.groups.size()) - 1;
}

std::uint32_t JobBuilder::compute(int groups, Duration time, const Operations& after,
                                  const OperationTag& tag) {
  workload::Operation it;
  it.kind = workload::OperationKind::compute;
  it.groups = groups;
  it.time = time;
  return put(it, after, tag);
}

std::uint32_t JobBuilder::collective(workload::CollectiveKind kind, Bytes size, int groups,
                                     const Operations& after, const OperationTag& tag) {
  const auto key = std::tuple(static_cast<int>(kind), size.count, groups);
  auto found = collectives_.find(key);
  if (found == collectives_.end()) {
    workload::Collective wanted;
    wanted.kind = kind;
    wanted.size = size;
    const int index = static_cast<int>(job_.workload.collectives.size());
    job_.workload.collectives.push_back(
        choose_(wanted, job_.workload.groups[static_cast<std::size_t>(groups)]));
    found = collectives_.emplace(key, index).first;
  }
  workload::Operation it;
  it.kind = workload::OperationKind::collective;
  it.groups = groups;
  it.collective = found->second;
  return put(it, after, tag);
}

std::uint32_t JobBuilder::put(workload::Operation it, const Operations& after, OperationTag tag) {
  workload::Workload& workload = job_.workload;
  it.first_after = static_cast<std::uint32_t>(workload.after.size());
  it.after_count = static_cast<std::uint32_t>(after.size());
  workload.after.insert(workload.after.end(), after.begin(), after.end());
  workload.operations.push_back(it);
  tag.iteration = static_cast<std::int16_t>(iteration_);
  job_.tags.push_back(tag);
  return static_cast<std::uint32_t>(workload.operations.size() - 1);
}

}  // namespace loom::place
