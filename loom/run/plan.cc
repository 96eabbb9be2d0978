#include "loom/run/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/plan/circuits/ring_order.h"
#include "loom/plan/topoopt/topology_finder.h"
#include "loom/run/plan_colocated.h"
#include "loom/run/plan_training.h"
#include "loom/scenario/paths.h"
#include "loom/scenario/task_graph.h"
#include "loom/workload/collective_text.h"
#include "loom/workload/demand.h"
#include "loom/workload/endpoints.h"
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
  constexpr std::array kColumns = {CsvColumn{"source", ValueType::integer},
                                   CsvColumn{"destination", ValueType::integer},
                                   CsvColumn{"size", ValueType::size}};
  // Before there is room for n × n of them.
  const std::string wrong =
      objection({.kind = CollectiveKind::all_to_all, .algorithm = Algorithm::direct}, ranks);
  if (!wrong.empty()) throw InputError(settings.location("sizes"), wrong);
  const std::string path = path_of(settings, "sizes");
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

Collective wanted_collective(const Settings& settings, int ranks) {
  Collective wanted;
  wanted.kind = *parse_collective(settings.text("collective"));
  wanted.chunks = static_cast<int>(settings.integer("chunks"));
  if (settings.given("levels")) wanted.levels = settings.shape("levels");
  if (settings.given("ring_steps")) wanted.steps = read_steps(settings, "ring_steps");
  if (settings.given("size")) wanted.size = settings.size("size");
  if (settings.given("sizes")) wanted.sizes = read_sizes(settings, ranks);
  return wanted;
}

// The search would pass over hierarchical where its levels are wrong.
void check_levels(const Settings& settings, Collective wanted, int ranks) {
  if (wanted.levels.empty()) return;
  wanted.algorithm = Algorithm::hierarchical;
  const std::string wrong = objection(wanted, ranks);
  if (!wrong.empty()) throw InputError(settings.location("levels"), wrong);
}

// An objection begins with the key it is about; of the others the algorithm is.
SourceLocation location_of_objection(const Settings& settings, const std::string& wrong) {
  for (const std::string_view key : {"chunks", "levels", "sizes"}) {
    if (wrong.starts_with(fmt::format("{} is", key)) && settings.given(key))
      return settings.location(key);
  }
  const bool of_steps = wrong.starts_with("steps is") && settings.given("ring_steps");
  return settings.location(of_steps ? "ring_steps" : "algorithm");
}

// Without `auto`; hierarchical levels come from the network where there is one. Where the fabric
// finds the rings, any ring will do.
Collective given_collective(const Settings& settings, Collective wanted,
                            const std::vector<int>& ranks, const Network* network,
                            bool finds_rings) {
  wanted.algorithm = *parse_algorithm(settings.text("algorithm"));
  if (finds_rings && wanted.algorithm == Algorithm::rings) wanted.algorithm = Algorithm::ring;
  if (wanted.algorithm == Algorithm::hierarchical && wanted.levels.empty() && network != nullptr) {
    wanted.levels = suggested_levels(ranks, *network);
  }
  const std::string wrong = objection(wanted, static_cast<int>(ranks.size()));
  if (!wrong.empty()) throw InputError(location_of_objection(settings, wrong), wrong);
  return wanted;
}

// Over a network, or over circuits lit for each algorithm.
Workload build_collective(const Settings& settings, int devices, const Network* network,
                          const CircuitFabric* circuits,
                          std::vector<AlgorithmEstimate>& considered) {
  const std::vector<int> ranks = participants(settings, devices);
  const int count = static_cast<int>(ranks.size());
  Collective wanted = wanted_collective(settings, count);
  if (settings.text("algorithm") != "auto") {
    const bool finds_rings = circuits != nullptr && circuits->topology;
    if (finds_rings && !wanted.steps.empty()) {
      settings.refuse("ring_steps", "this fabric finds them; none are needed");
    }
    return collective_workload(given_collective(settings, wanted, ranks, network, finds_rings),
                               ranks, devices);
  }
  check_levels(settings, wanted, count);
  considered = network != nullptr ? estimate_algorithms(wanted, ranks, *network)
                                  : estimate_algorithms(wanted, ranks, *circuits);
  if (considered.empty()) {  // of circuits: what they cannot carry is said when they are lit
    wanted.algorithm = algorithms_for(wanted.kind).front();
    wanted.levels.clear();
    const std::string wrong = objection(wanted, count);
    if (!wrong.empty()) throw InputError(settings.location("collective"), wrong);
    return collective_workload(wanted, ranks, devices);
  }
  return collective_workload(considered.front().collective, ranks, devices);
}

// Over the network of a task graph. A fabric that finds rings gets the all-reduces as such.
Workload graph_workload(const TaskGraph& graph, int servers, const Prepared& prepared,
                        const Replacements& replacements) {
  const bool finds_rings = prepared.circuits && prepared.circuits->fabric.topology;
  if (!replacements.workload) {
    return to_workload(graph, servers,
                       finds_rings ? AllReduces::collectives : AllReduces::written_out);
  }
  const std::string& path = *replacements.workload;
  const SourceLocation location = location_of("--from workload=" + path);
  Workload workload = parse_workload(read_file(path, location), path);
  if (endpoints(workload) <= servers) return workload;
  throw InputError(location,
                   fmt::format("device {} sends or receives; the task graph has {} servers",
                               endpoints(workload) - 1, servers));
}

// A workload from a file knows its own number of devices.
std::optional<Workload> read_workload(const Scenario& scenario, const Replacements& replacements) {
  const Settings& settings = scenario.workload;
  if (replacements.workload) {
    const std::string& path = *replacements.workload;
    return parse_workload(read_file(path, location_of("--from workload=" + path)), path);
  }
  if (scenario.trains() || !scenario.jobs.empty()) return std::nullopt;
  if (settings.given("file")) {
    const std::string path = path_of(settings, "file");
    return parse_workload(read_file(path, settings.location("file")), path);
  }
  if (settings.given("flows")) {
    const std::string path = path_of(settings, "flows");
    const int devices =
        scenario.settings.given("gpus") ? static_cast<int>(scenario.settings.integer("gpus")) : 0;
    return parse_flows(read_file(path, settings.location("flows")), path, devices);
  }
  return std::nullopt;
}

int device_count(const Scenario& scenario, const std::optional<Workload>& workload) {
  if (!scenario.settings.given("gpus")) {
    if (workload && workload->devices > 0) return workload->devices;
    if (workload) {
      scenario.workload.refuse("flows", "it lists none; a flow, or the number of gpus, is needed");
    }
    throw InputError(scenario.settings.location(),
                     "scenario lacks 'gpus' (devices in the cluster)");
  }
  const auto gpus = static_cast<int>(scenario.settings.integer("gpus"));
  if (workload && workload->devices > gpus) {
    scenario.settings.refuse("gpus",
                             fmt::format("the workload needs at least {}", workload->devices));
  }
  return gpus;
}

// The dumped links in place of the fabric's. With the same ends they keep the fabric's routing,
// else they are a graph of their own.
Network replaced_links(Network network, const std::string& path) {
  const SourceLocation location = location_of("--from links=" + path);
  const Network given = read_custom_graph(read_file(path, location), path, path.ends_with(".csv"));
  bool same = given.links.size() == network.links.size() && given.devices == network.devices;
  for (int l = 0; same && l < static_cast<int>(given.links.size()); ++l) {
    same = given.link_name(l) == network.link_name(l);
  }
  if (!same) {
    Tree custom;
    custom.kind = Tree::Kind::map;
    custom.location = location;
    custom.entries = {{"kind", scalar_tree("custom", location)},
                      {"file", scalar_tree(path, location)}};
    return build_network(read_fabric(custom), {.devices = network.devices, .seed = 0});
  }
  for (std::size_t l = 0; l < given.links.size(); ++l) {
    network.links[l].bandwidth = given.links[l].bandwidth;
    network.links[l].latency = given.links[l].latency;
    network.links[l].members = given.links[l].members;
  }
  return network;
}

void refuse_unknown_links(const Network& network, std::span<const Settings> changes) {
  for (const Settings& change : changes) {
    if (!changes_on(network, {&change, 1}).empty()) continue;
    change.refuse("link", "the fabric has no such link; 'lightloom dump --stage links' lists them");
  }
}

// Circuits for all that the workload sends.
void provision_workload(Prepared& prepared) {
  CircuitSetup setup = provision_workload(prepared.circuits->fabric, prepared.workload);
  prepared.circuits->provisioned = std::move(setup.provisioned);
  prepared.network = std::move(setup.network);
  prepared.infeasible = std::move(setup.infeasible);
}

bool begins_at_once(const Workload& workload, std::size_t operation) {
  return workload.operations[operation].start.count() == 0 && workload.waits_for(operation).empty();
}

// Circuits that follow what waits. A pair without one waits for its turn, so nobody forwards,
// unless that is wanted, or for a pair that never has a turn.
void prepare_periodic(Prepared& prepared) {
  if (prepared.job && !prepared.infeasible.empty()) return;
  CircuitFabric& fabric = prepared.circuits->fabric;
  const Demand demand = demand_of(prepared.workload);
  const std::string never = never_served(fabric, demand);
  if (never.empty()) {
    fabric.forwarding = fabric.meanwhile == Meanwhile::forward;
    const Demand first = demand_of(prepared.workload, [&](std::size_t o) {
      return prepared.job || begins_at_once(prepared.workload, o);
    });
    prepared.circuits->provisioned = provision(fabric, first);
    prepared.infeasible.clear();
  } else if (!fabric.forwarding) {
    prepared.infeasible = never + ", and devices do not forward; forwarding is needed";
  } else {
    CircuitSetup setup = provision_network(fabric, demand);
    prepared.circuits->provisioned = std::move(setup.provisioned);
    prepared.infeasible = std::move(setup.infeasible);
  }
  if (!prepared.infeasible.empty()) return;
  prepared.network =
      circuit_network(fabric, pairs_of(fabric, demand, prepared.circuits->provisioned.circuits));
}

// Circuits that move need room in the network, and an engine that follows them.
void prepare_control(const Scenario& scenario, Prepared& prepared) {
  PreparedCircuits& circuits = *prepared.circuits;
  if (circuits.fabric.reconfigure == Reconfigure::periodic) prepare_periodic(prepared);
  if (circuits.fabric.reconfigure == Reconfigure::one_shot || !prepared.infeasible.empty()) return;
  if (scenario.engine() == Engine::analytic) {
    scenario.settings.refuse("engine", "circuits that move are followed by fluid only");
  }
  if (circuits.fabric.reconfigure == Reconfigure::phases && !circuits.phases) {
    scenario.fabric.settings.refuse("reconfigure", "only a training job has phases");
  }
}

Engine engine_for(const Scenario& scenario, const Prepared& prepared) {
  if (scenario.engine() != Engine::automatic) return scenario.engine();
  if (!prepared.job || !prepared.changes.empty() || prepared.moving()) return Engine::fluid;
  if (prepared.job->search_report) return Engine::fluid;  // its search has a price of its own
  const bool symmetric = scenario.settings.real("jitter") == 0;
  const bool few =
      message_count(prepared.workload) <= kMaxFluidMessages ||
      (symmetric && followed_messages(prepared.workload, prepared.network) <= kMaxFluidMessages);
  return few ? Engine::fluid : Engine::analytic;
}

}  // namespace

std::vector<LinkChange> changes_on(const Network& network, std::span<const Settings> changes) {
  std::vector<LinkChange> found;
  for (const Settings& change : changes) {
    std::string name = change.text("link");
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    for (std::size_t l = 0; l < network.links.size(); ++l) {
      if (network.link_name(static_cast<int>(l)) != name) continue;
      found.push_back({change.duration("at"), static_cast<int>(l), change.bandwidth("bandwidth")});
    }
  }
  return found;
}

Replacements parse_replacements(std::span<const std::string> assignments) {
  Replacements replacements;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    const std::string stage = assignment.substr(0, equals);
    const std::string file = equals == std::string::npos ? "" : assignment.substr(equals + 1);
    std::optional<std::string>* location = stage == "links"      ? &replacements.links
                                           : stage == "workload" ? &replacements.workload
                                           : stage == "trace"    ? &replacements.trace
                                                                 : nullptr;
    if (location == nullptr || file.empty()) {
      throw InputError(location_of("--from " + assignment),
                       "links=FILE, workload=FILE or trace=FILE is needed");
    }
    *location = file;
  }
  return replacements;
}

Prepared prepare(const Scenario& scenario, const Replacements& replacements,
                 const SearchOptions& options) {
  Prepared prepared;
  std::optional<Workload> given;
  std::optional<TaskGraph> graph;
  int devices = 0;
  if (scenario.replays()) {
    graph = read_task_graph(scenario);
    devices = server_count(scenario, *graph);
  } else {
    given = read_workload(scenario, replacements);
    devices = device_count(scenario, given);
  }
  const FabricContext context{devices, scenario.seed()};
  if (scenario.fabric.kind->circuits != nullptr) {
    prepared.circuits = {build_circuits(scenario.fabric, context), {}};
  } else {
    prepared.network =
        build_network(scenario.replays() ? fabric_by_hops(scenario) : scenario.fabric, context);
    if (replacements.links) {
      prepared.network = replaced_links(std::move(prepared.network), *replacements.links);
    }
  }
  if (graph) given = graph_workload(*graph, devices, prepared, replacements);
  if (!given && !scenario.trains() && scenario.jobs.empty()) {
    given = build_collective(
        scenario.workload, context.devices, prepared.circuits ? nullptr : &prepared.network,
        prepared.circuits ? &prepared.circuits->fabric : nullptr, prepared.considered);
    order_rings(*given, prepared.network);
  }
  if (given) {
    prepared.workload = std::move(*given);
    if (prepared.circuits) provision_workload(prepared);
  } else if (scenario.jobs.empty()) {
    prepare_job(scenario, prepared, options);
  } else {
    prepare_jobs(scenario, prepared, options);
  }
  if (prepared.circuits) prepare_control(scenario, prepared);
  if (prepared.circuits && replacements.links) {
    prepared.network = replaced_links(std::move(prepared.network), *replacements.links);
  }
  refuse_unknown_links(prepared.network, scenario.changes);
  prepared.changes = changes_on(prepared.network, scenario.changes);
  if (!prepared.changes.empty() && scenario.engine() == Engine::analytic) {
    throw InputError(scenario.changes.front().location(),
                     "changes are given with engine analytic; the fluid engine is needed");
  }
  prepared.engine = engine_for(scenario, prepared);
  return prepared;
}

}  // namespace loom
