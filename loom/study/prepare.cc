#include "loom/study/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/fabric/custom.h"
#include "loom/study/job.h"
#include "loom/study/paths.h"
#include "loom/workload/flows.h"
#include "loom/workload/ranks.h"

namespace loom {
namespace {

std::vector<int> participants(const Settings& settings, int devices) {
  if (!settings.given("ranks")) {
    std::vector<int> all(static_cast<std::size_t>(devices));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::string why;
  const auto ranks = parse_ranks(settings.text("ranks"), why);
  if (!ranks) settings.refuse("ranks", why);
  const int largest = *std::max_element(ranks->begin(), ranks->end());
  if (largest >= devices) {
    settings.refuse("ranks", fmt::format("there are devices 0 to {} only", devices - 1));
  }
  return *ranks;
}

// n × n sizes from a CSV file that names the pairs; pairs it does not name send nothing.
std::vector<Bytes> read_sizes(const Settings& settings, int ranks) {
  constexpr std::array kColumns = {CsvColumn{"source", ValueType::whole},
                                   CsvColumn{"destination", ValueType::whole},
                                   CsvColumn{"size", ValueType::size}};
  // Before there is room for n × n of them.
  const std::string wrong =
      objection({.kind = CollectiveKind::all_to_all, .algorithm = Algorithm::direct}, ranks);
  if (!wrong.empty()) throw InputError(settings.place("sizes"), wrong);
  const std::string path = path_of(settings, "sizes");
  const CsvTable table = parse_csv(read_file(path, settings.place("sizes")), path, kColumns);
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<Bytes> sizes(n * n);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto from = static_cast<std::size_t>(table.whole(row, "source", 0, ranks - 1));
    const auto to = static_cast<std::size_t>(table.whole(row, "destination", 0, ranks - 1));
    sizes[from * n + to] += table.size(row, "size");
    if (sizes[from * n + to] > kLargestSize)
      table.refuse(row, "size", "a pair's sum is at most 1 PB");
  }
  return sizes;
}

Collective wanted_collective(const Settings& settings, int ranks) {
  Collective wanted;
  wanted.kind = *parse_collective(settings.text("collective"));
  wanted.chunks = static_cast<int>(settings.whole("chunks"));
  if (settings.given("levels")) wanted.levels = settings.shape("levels");
  if (settings.given("size")) wanted.size = settings.size("size");
  if (settings.given("sizes")) wanted.sizes = read_sizes(settings, ranks);
  return wanted;
}

// The search would pass over hierarchical where its levels are wrong.
void check_levels(const Settings& settings, Collective wanted, int ranks) {
  if (wanted.levels.empty()) return;
  wanted.algorithm = Algorithm::hierarchical;
  const std::string wrong = objection(wanted, ranks);
  if (!wrong.empty()) throw InputError(settings.place("levels"), wrong);
}

// An objection begins with the key it is about; of the others the algorithm is.
Place place_of_objection(const Settings& settings, const std::string& wrong) {
  for (const std::string_view key : {"chunks", "levels", "sizes"}) {
    if (wrong.starts_with(fmt::format("{} is", key)) && settings.given(key))
      return settings.place(key);
  }
  return settings.place("algorithm");
}

Workload build_collective(const Settings& settings, const Network& network,
                          std::vector<PricedAlgorithm>& considered) {
  const std::vector<int> ranks = participants(settings, network.devices);
  const int count = static_cast<int>(ranks.size());
  Collective wanted = wanted_collective(settings, count);
  if (settings.text("algorithm") == "auto") {
    check_levels(settings, wanted, count);
    considered = price_algorithms(wanted, ranks, network);
    if (considered.empty()) {
      wanted.algorithm = algorithms_for(wanted.kind).front();
      throw InputError(settings.place("collective"), objection(wanted, count));
    }
    return collective_workload(considered.front().collective, ranks, network.devices);
  }
  wanted.algorithm = *parse_algorithm(settings.text("algorithm"));
  if (wanted.algorithm == Algorithm::hierarchical && wanted.levels.empty()) {
    wanted.levels = suggested_levels(ranks, network);
  }
  const std::string wrong = objection(wanted, count);
  if (!wrong.empty()) throw InputError(place_of_objection(settings, wrong), wrong);
  return collective_workload(wanted, ranks, network.devices);
}

// A workload from a file knows its own number of devices.
std::optional<Workload> read_workload(const Scenario& scenario, const Replacements& replacements) {
  const Settings& settings = scenario.workload;
  if (replacements.workload) {
    const std::string& path = *replacements.workload;
    return parse_workload(read_file(path, place_of("--from workload=" + path)), path);
  }
  if (scenario.model) return std::nullopt;
  if (settings.given("file")) {
    const std::string path = path_of(settings, "file");
    return parse_workload(read_file(path, settings.place("file")), path);
  }
  if (settings.given("flows")) {
    const std::string path = path_of(settings, "flows");
    const int devices =
        scenario.settings.given("gpus") ? static_cast<int>(scenario.settings.whole("gpus")) : 0;
    return parse_flows(read_file(path, settings.place("flows")), path, devices);
  }
  return std::nullopt;
}

int device_count(const Scenario& scenario, const std::optional<Workload>& workload) {
  if (!scenario.settings.given("gpus")) {
    if (workload && workload->devices > 0) return workload->devices;
    if (workload) {
      scenario.workload.refuse("flows", "it lists none; a flow, or the number of gpus, is needed");
    }
    throw InputError(scenario.settings.place(), "scenario lacks 'gpus' (devices in the cluster)");
  }
  const auto gpus = static_cast<int>(scenario.settings.whole("gpus"));
  if (workload && workload->devices > gpus) {
    scenario.settings.refuse("gpus",
                             fmt::format("the workload needs at least {}", workload->devices));
  }
  return gpus;
}

// The dumped links in place of the fabric's. With the same ends they keep the fabric's routing,
// else they are a graph of their own.
Network replaced_links(Network network, const std::string& path) {
  const Place place = place_of("--from links=" + path);
  const Network given = read_custom_graph(read_file(path, place), path, path.ends_with(".csv"));
  bool same = given.links.size() == network.links.size() && given.devices == network.devices;
  for (int l = 0; same && l < static_cast<int>(given.links.size()); ++l) {
    same = given.link_name(l) == network.link_name(l);
  }
  if (!same) {
    Tree custom;
    custom.kind = Tree::Kind::map;
    custom.place = place;
    custom.entries = {{"kind", scalar_tree("custom", place)}, {"file", scalar_tree(path, place)}};
    return build_network(read_fabric(custom), {.devices = network.devices, .seed = 0});
  }
  for (std::size_t l = 0; l < given.links.size(); ++l) {
    network.links[l].bandwidth = given.links[l].bandwidth;
    network.links[l].latency = given.links[l].latency;
    network.links[l].members = given.links[l].members;
  }
  return network;
}

std::vector<LinkChange> resolve_changes(const std::vector<Settings>& changes,
                                        const Network& network) {
  std::vector<LinkChange> resolved;
  for (const Settings& change : changes) {
    std::string name = change.text("link");
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    const std::size_t before = resolved.size();
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      if (network.link_name(static_cast<int>(l)) != name) continue;
      resolved.push_back(
          {change.duration("at"), static_cast<int>(l), change.bandwidth("bandwidth")});
    }
    if (resolved.size() == before) {
      change.refuse("link",
                    "the fabric has no such link; 'lightloom dump --stage links' lists them");
    }
  }
  return resolved;
}

// Which job cannot be done, and what it would need.
std::string why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices) {
  if (!search.smallest) {
    return fmt::format("{} on {} devices: {}", spec.model.name, devices, search.objection);
  }
  const ShardedModel sharded =
      shard(spec.model, spec.job, search.smallest->strategy, spec.accelerator, spec.measured);
  std::size_t worst = 0;
  for (std::size_t s = 0; s < sharded.memory.size(); ++s) {
    if (sharded.memory[s].total() > sharded.memory[worst].total()) worst = s;
  }
  const StageMemory& memory = sharded.memory[worst];
  return fmt::format(
      "{} does not fit: by {} a device of stage {} needs {} (weights {}, gradients {}, optimizer "
      "{}, activations {}); {} has {}{}",
      spec.model.name, to_text(search.smallest->strategy), worst, readable(memory.total()),
      readable(memory.weights), readable(memory.gradients), readable(memory.optimizer),
      readable(memory.activations), spec.accelerator.name, readable(spec.accelerator.memory),
      search.possible > 1 ? fmt::format("; the {} other ways need more", search.possible - 1) : "");
}

// Above so many messages the fluid engine takes more than a few seconds.
constexpr std::int64_t kMostFluidMessages = 2'000'000;

std::optional<PreparedJob> prepare_job(const Scenario& scenario, const Network& network,
                                       const std::function<void(double)>& progress) {
  PreparedJob job;
  job.spec = read_job(scenario, network.devices);
  job.search = search_strategies(job.spec, network, progress);
  if (job.search.ranking.empty()) {
    job.infeasible = why_infeasible(job.spec, job.search, network.devices);
    return job;
  }
  if (scenario.engine() != Engine::analytic) {
    confirm_first(job.spec, network, kMostFluidMessages, job.search);
  }
  job.sharded = shard(job.spec.model, job.spec.job, job.search.ranking.front().strategy,
                      job.spec.accelerator, job.spec.measured);
  JobCollectives collectives(network, job.spec.algorithm);
  job.lowered =
      lower(job.sharded, job.spec.iterations, [&](const Collective& wanted, const Groups& groups) {
        return collectives.choose(wanted, groups).collective;
      });
  return job;
}

Engine engine_for(const Scenario& scenario, const Prepared& prepared) {
  if (scenario.engine() != Engine::automatic) return scenario.engine();
  if (!prepared.job || !prepared.changes.empty()) return Engine::fluid;
  return message_count(prepared.workload) > kMostFluidMessages ? Engine::analytic : Engine::fluid;
}

}  // namespace

Replacements parse_replacements(std::span<const std::string> assignments) {
  Replacements replacements;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    const std::string stage = assignment.substr(0, equals);
    const std::string file = equals == std::string::npos ? "" : assignment.substr(equals + 1);
    std::optional<std::string>* place = stage == "links"      ? &replacements.links
                                        : stage == "workload" ? &replacements.workload
                                        : stage == "trace"    ? &replacements.trace
                                                              : nullptr;
    if (place == nullptr || file.empty()) {
      throw InputError(place_of("--from " + assignment),
                       "links=FILE, workload=FILE or trace=FILE is needed");
    }
    *place = file;
  }
  return replacements;
}

Prepared prepare(const Scenario& scenario, const Replacements& replacements,
                 const std::function<void(double)>& progress) {
  Prepared prepared;
  std::optional<Workload> given = read_workload(scenario, replacements);
  const int devices = device_count(scenario, given);
  prepared.network = build_network(scenario.fabric, {.devices = devices, .seed = scenario.seed()});
  if (replacements.links) {
    prepared.network = replaced_links(std::move(prepared.network), *replacements.links);
  }
  if (given) {
    prepared.workload = std::move(*given);
  } else if (scenario.model) {
    prepared.job = prepare_job(scenario, prepared.network, progress);
    prepared.workload = std::move(prepared.job->lowered.workload);
  } else {
    prepared.workload = build_collective(scenario.workload, prepared.network, prepared.considered);
  }
  prepared.changes = resolve_changes(scenario.changes, prepared.network);
  if (!prepared.changes.empty() && scenario.engine() == Engine::analytic) {
    throw InputError(scenario.changes.front().place(),
                     "changes are given with engine analytic; the fluid engine is needed");
  }
  prepared.engine = engine_for(scenario, prepared);
  return prepared;
}

}  // namespace loom
