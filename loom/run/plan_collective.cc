#include "loom/run/plan_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/plan/circuits/ring_order.h"
#include "loom/run/plan_circuits.h"
#include "loom/scenario/paths.h"
#include "loom/workload/collective_text.h"
#include "loom/workload/ranks.h"

namespace loom::run {
namespace {

std::vector<int> participants(const Settings& settings, int devices) {
  if (!settings.given("ranks")) {
    std::vector<int> all(static_cast<std::size_t>(devices));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::string why;
  const auto ranks = workload::parse_ranks(settings.text("ranks"), why);
  if (!ranks) settings.refuse("ranks", why);
  const int largest = *std::max_element(ranks->begin(), ranks->end());
  if (largest >= devices) {
    settings.refuse("ranks", fmt::format("devices from 0 to {} are needed", devices - 1));
  }
  return *ranks;
}

// Reads n × n sizes from a CSV file of pairs; pairs that are not listed send nothing.
std::vector<Bytes> read_sizes(const Settings& settings, int ranks) {
  constexpr std::array kColumns = {CsvColumn{"source", ValueType::integer},
                                   CsvColumn{"destination", ValueType::integer},
                                   CsvColumn{"size", ValueType::size}};
  // Refuses too many pairs before n × n sizes are allocated.
  const workload::Collective all_pairs{.kind = workload::CollectiveKind::all_to_all,
                                       .algorithm = workload::Algorithm::direct};
  if (const auto no = objection(all_pairs, ranks)) {
    throw InputError(settings.location("sizes"), no->text);
  }
  const std::string path = scenario::path_of(settings, "sizes");
  const CsvTable table = parse_csv(read_file(path, settings.location("sizes")), path, kColumns);
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<Bytes> sizes(n * n);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto from = static_cast<std::size_t>(table.integer(row, "source", 0, ranks - 1));
    const auto to = static_cast<std::size_t>(table.integer(row, "destination", 0, ranks - 1));
    sizes[from * n + to] += table.size(row, "size");
    if (sizes[from * n + to] > kLargestSize)
      table.refuse(row, "size", "a pair's sum is at most 1 PB");
  }
  return sizes;
}

workload::Collective wanted_collective(const Settings& settings, int ranks) {
  workload::Collective wanted;
  wanted.kind = *workload::parse_collective(settings.text("collective"));
  const bool any_chunks = settings.text("algorithm") == "auto" && !settings.given("chunks");
  wanted.chunks = any_chunks ? plan::kAnyChunks : static_cast<int>(settings.integer("chunks"));
  if (settings.given("levels")) wanted.levels = settings.shape("levels");
  if (settings.given("ring_steps")) wanted.steps = workload::read_steps(settings, "ring_steps");
  if (settings.given("size")) wanted.size = settings.size("size");
  if (settings.given("sizes")) wanted.sizes = read_sizes(settings, ranks);
  return wanted;
}

// Refuses invalid levels, for which the search would silently skip the hierarchical algorithm.
void check_levels(const Settings& settings, workload::Collective wanted, int ranks) {
  if (wanted.levels.empty()) return;
  wanted.algorithm = workload::Algorithm::hierarchical;
  wanted.chunks = std::max(1, wanted.chunks);
  if (const auto no = objection(wanted, ranks)) {
    throw InputError(settings.location("levels"), no->text);
  }
}

// The location of the setting that an objection refers to; that of `algorithm` if the setting is
// not given.
SourceLocation location_of_objection(const Settings& settings, const Objection& no) {
  const std::string key = no.key == "steps" ? "ring_steps" : no.key;
  return settings.location(settings.given(key) ? key : "algorithm");
}

// The collective with the algorithm that the user gives. Levels of `hierarchical` that are not
// given follow from the network, if it is fixed. If the fabric chooses the rings, `rings` is the
// same as `ring`.
workload::Collective given_collective(const Settings& settings, workload::Collective wanted,
                                      const std::vector<int>& ranks, const fabric::Network* network,
                                      bool finds_rings) {
  wanted.algorithm = *workload::parse_algorithm(settings.text("algorithm"));
  if (finds_rings && wanted.algorithm == workload::Algorithm::rings)
    wanted.algorithm = workload::Algorithm::ring;
  if (wanted.algorithm == workload::Algorithm::hierarchical && wanted.levels.empty() &&
      network != nullptr) {
    wanted.levels = plan::suggested_levels(ranks, *network);
  }
  if (const auto no = objection(wanted, static_cast<int>(ranks.size()))) {
    throw InputError(location_of_objection(settings, *no), no->text);
  }
  return wanted;
}

// The algorithms that can perform the collective on this fabric, fastest first by estimate.
std::vector<plan::AlgorithmEstimate> estimates(const Settings& settings,
                                               const workload::Collective& wanted,
                                               const std::vector<int>& ranks,
                                               const Fabric& fabric) {
  check_levels(settings, wanted, static_cast<int>(ranks.size()));
  return fabric.network() != nullptr ? plan::estimate_algorithms(wanted, ranks, *fabric.network())
                                     : plan::estimate_algorithms(wanted, ranks, *fabric.circuits());
}

// For a collective that no algorithm can perform on the circuits: takes the first algorithm, so
// that provisioning reports the reason.
workload::Collective unserved_collective(const Settings& settings, workload::Collective wanted,
                                         int ranks) {
  wanted.algorithm = algorithms_for(wanted.kind).front();
  wanted.levels.clear();
  wanted.chunks = std::max(1, wanted.chunks);
  if (const auto no = objection(wanted, ranks)) {
    throw InputError(settings.location("collective"), no->text);
  }
  return wanted;
}

CollectivePlan choose(const Settings& settings, const std::vector<int>& ranks,
                      const Fabric& fabric) {
  const int count = static_cast<int>(ranks.size());
  const workload::Collective wanted = wanted_collective(settings, count);
  if (settings.text("algorithm") != "auto") {
    const bool finds_rings = fabric.circuits() != nullptr && fabric.circuits()->finds_rings();
    if (finds_rings && !wanted.steps.empty()) {
      settings.refuse("ring_steps", "this fabric chooses the rings itself; none are needed");
    }
    return {given_collective(settings, wanted, ranks, fabric.network(), finds_rings), count, {}};
  }
  std::vector<plan::AlgorithmEstimate> considered = estimates(settings, wanted, ranks, fabric);
  workload::Collective chosen = considered.empty() ? unserved_collective(settings, wanted, count)
                                                   : considered.front().collective;
  return {std::move(chosen), count, std::move(considered)};
}

}  // namespace

PlannedOrNot plan_collective(const scenario::CollectiveWork& work, const Fabric& fabric) {
  const std::vector<int> ranks = participants(work.settings, fabric.devices());
  CollectivePlan plan = choose(work.settings, ranks, fabric);
  workload::Workload workload = collective_workload(plan.collective, ranks, fabric.devices());
  if (fabric.network() != nullptr) {
    workload = plan::with_ring_order(std::move(workload), *fabric.network());
  }
  PlannedOrNot planned = plan_given(std::move(workload), fabric, std::move(plan));
  // A fabric that finds topologies also chooses the rings of the collective.
  if (auto* found = std::get_if<PlannedWork>(&planned)) {
    std::get<CollectivePlan>(found->work).collective = found->workload.collectives.front();
  }
  return planned;
}

}  // namespace loom::run
