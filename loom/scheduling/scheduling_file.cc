#include "loom/scheduling/scheduling_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "loom/base/files.h"
#include "loom/jobs/contention/transports/transports.h"
#include "loom/scenario/points.h"
#include "loom/scenario/scenario.h"
#include "loom/scheduling/scheduling_jobs.h"

namespace loom::scheduling {
namespace {

// The transports of a scheduling simulation. `weighted` is missing: jobs of a trace have no
// weights.
constexpr std::array<std::string_view, 3> kSchedulingTransports = {"fair", "mltcp", "srpt"};

// The default fabric, modeled after CASSINI's testbed (NSDI 2024: 24 servers with one GPU and 50
// Gbps, oversubscription 2:1): 24 servers in racks of four, two uplinks per rack. As in the
// testbed, routes depend only on the destination.
constexpr std::string_view kFabric =
    "{kind: leaf_spine, gpus_per_leaf: 4, spines: 2, bandwidth: 50 Gbps, latency: 1 us, "
    "oversubscription: 2, routing: shortest}";

constexpr std::array kSchedulingParameters = {
    Parameter{.name = "gpus",
              .type = ValueType::integer,
              .summary = "devices in the cluster",
              .fallback = "24",
              .min = 1,
              .max = 1 << 16},
    Parameter{.name = "policy",
              .type = ValueType::choice,
              .summary =
                  "scheduling policy: arrival order on random devices (random) or in few racks "
                  "(locality), finish-time fairness as in Themis (fair), or goodput as in Pollux",
              .fallback = "locality",
              .choices = jobs::kSharePolicyNames},
    Parameter{
        .name = "cassini",
        .type = ValueType::boolean,
        .summary = "choice of placements and time shifts that make jobs on shared links compatible",
        .fallback = "false"},
    Parameter{.name = "candidates",
              .type = ValueType::integer,
              .summary = "number of candidate placements that CASSINI chooses from",
              .fallback = "10",
              .min = 1,
              .max = 1000},
    Parameter{.name = "lease",
              .type = ValueType::duration,
              .summary = "time after which policy fair reassigns all devices",
              .fallback = "10 min",
              .min = 1},
    Parameter{.name = "interval",
              .type = ValueType::duration,
              .summary = "time after which policy goodput reassigns all devices",
              .fallback = "60 s",
              .min = 1},
    Parameter{.name = "restart",
              .type = ValueType::duration,
              .summary = "delay before a job resumes on different devices",
              .fallback = "30 s"},
    Parameter{
        .name = "jitter",
        .type = ValueType::real,
        .summary =
            "sigma of computation times: each is multiplied by exp(jitter · z), z standard normal",
        .fallback = "0"},
    Parameter{.name = "tolerance",
              .type = ValueType::percentage,
              .summary = "maximum offset from the schedule, relative to an iteration, before a job "
                         "is realigned (CASSINI)",
              .fallback = "5 %"},
    Parameter{.name = "padding",
              .type = ValueType::percentage,
              .summary = "maximum idle time, relative to an iteration, added to make periods "
                         "commensurate (CASSINI)",
              .fallback = "5 %"},
    Parameter{.name = "search_nodes",
              .type = ValueType::integer,
              .summary = "maximum number of nodes in the search for time shifts",
              .fallback = "400",
              .min = 1,
              .max = 100'000'000},
    Parameter{.name = "transport",
              .type = ValueType::choice,
              .summary = "transport, which determines how jobs share a link",
              .fallback = "fair",
              .choices = kSchedulingTransports},
    Parameter{.name = "share",
              .type = ValueType::choice,
              .summary = "mltcp: bandwidth shares proportional to F or to its square root",
              .fallback = "linear",
              .choices = jobs::kMltcpShareNames},
    Parameter{.name = "slope",
              .type = ValueType::real,
              .summary = "slope of MLTCP's F(r) = slope r + intercept",
              .fallback = "1.75"},
    Parameter{.name = "intercept",
              .type = ValueType::real,
              .summary = "intercept of MLTCP's F(r)",
              .fallback = "0.25"},
    Parameter{.name = "contention_loss",
              .type = ValueType::real,
              .summary = "fraction of a link's capacity lost while demand exceeds it",
              .fallback = "0"},
    Parameter{.name = "seed",
              .type = ValueType::integer,
              .summary = "seed of all random choices",
              .fallback = "1"},
};

constexpr std::array<std::string_view, 7> kElsewhere = {"fabric", "fabrics",  "accelerator", "jobs",
                                                        "models", "arrivals", "trace"};

// Keys that all points share; an axis cannot vary them.
constexpr std::array<std::string_view, 4> kJobs = {"jobs", "arrivals", "trace", "models"};

double percentage_below(const Settings& settings, std::string_view key, double max) {
  const double value = settings.percentage(key);
  if (value > max) {
    settings.refuse(key, fmt::format("a percentage from 0% to {:g}% is needed", 100 * max));
  }
  return value;
}

double below(const Settings& settings, std::string_view key, double max) {
  const double value = settings.real(key);
  if (value > max) settings.refuse(key, fmt::format("a number from 0 to {} is needed", max));
  return value;
}

jobs::SchedulingOptions options_of(const Settings& settings) {
  jobs::SchedulingOptions options;
  const auto number = [&](const auto& names, std::string_view key) {
    return std::find(names.begin(), names.end(), settings.text(key)) - names.begin();
  };
  options.policy = static_cast<jobs::SharePolicy>(number(jobs::kSharePolicyNames, "policy"));
  options.cassini = settings.boolean("cassini");
  options.candidates = static_cast<int>(settings.integer("candidates"));
  options.lease = settings.duration("lease");
  options.interval = settings.duration("interval");
  options.restart = settings.duration("restart");
  options.jitter = below(settings, "jitter", 1);
  options.tolerance = percentage_below(settings, "tolerance", 0.5);
  options.padding = settings.percentage("padding");
  options.nodes = settings.integer("search_nodes");
  options.transport.kind = &jobs::transport_named(settings.text("transport"));
  options.transport.share = static_cast<jobs::MltcpShare>(number(jobs::kMltcpShareNames, "share"));
  options.transport.slope = below(settings, "slope", 1e6);
  options.transport.intercept = below(settings, "intercept", 1e6);
  if (options.transport.intercept <= 0) settings.refuse("intercept", "more than 0 is needed");
  options.transport.contention_loss = below(settings, "contention_loss", 0.99);
  options.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  return options;
}

SchedulingScenario point_of(const scenario::PointTree& point, bool many_fabrics) {
  const Settings settings(point.scenario, kSchedulingParameters, "scheduling", kElsewhere);
  SchedulingScenario scenario;
  scenario.axes = point.axes;
  scenario.options = options_of(settings);
  scenario.cluster.devices = static_cast<int>(settings.integer("gpus"));
  scenario.cluster.seed = scenario.options.seed;
  const Tree* given = point.scenario.find("fabric");
  const Tree fabric =
      given != nullptr ? *given : parse_yaml_value(kFabric, location_of("the default fabric"));
  scenario.cluster.fabric = fabric::read_fabric(fabric);
  if (many_fabrics) {
    const fabric::FabricSpec& spec = scenario.cluster.fabric;
    scenario.axes.emplace_back("fabric",
                               spec.name.empty() ? std::string(spec.kind->name) : spec.name);
  }
  scenario.cluster.text =
      fmt::format("{} {} {}", scenario.cluster.devices, scenario.options.seed, to_yaml(fabric));
  return scenario;
}

// Refuses a contention loss that affects no point. Under srpt, bursts are sent one after another
// and lose nothing to contention.
void check_loss(const Tree& tree, const std::vector<SchedulingScenario>& points) {
  bool given = false;
  for (const SchedulingScenario& it : points) {
    if (it.options.transport.contention_loss == 0) continue;
    if (!it.options.transport.kind->strict_priority()) return;
    given = true;
  }
  if (!given) return;
  throw InputError(
      tree.find("contention_loss")->location,
      "scheduling.contention_loss has no effect under srpt; transport fair or mltcp is "
      "needed");
}

// Removes the keys that all points share and returns them.
Tree taken_out(Tree& tree, std::span<const std::string_view> keys) {
  Tree rest;
  rest.kind = Tree::Kind::map;
  rest.location = tree.location;
  std::erase_if(tree.entries, [&](TreeEntry& entry) {
    const bool taken = std::find(keys.begin(), keys.end(), entry.key) != keys.end();
    if (taken) rest.entries.push_back(entry);
    return taken;
  });
  return rest;
}

}  // namespace

std::span<const Parameter> scheduling_parameters() { return kSchedulingParameters; }

SchedulingFile read_scheduling_file(Tree tree, std::span<const std::string> overrides) {
  for (const std::string& assignment : overrides) scenario::override_value(tree, assignment);
  if (tree.kind != Tree::Kind::map) {
    throw InputError(tree.location,
                     "the file is not a map; a map with jobs, arrivals or trace is needed");
  }
  constexpr std::array<std::string_view, 1> kAccelerator = {"accelerator"};
  const Tree source = taken_out(tree, kJobs);
  const Tree accelerator = taken_out(tree, kAccelerator);
  const Tree* fabrics = tree.find("fabrics");
  SchedulingFile file;
  for (const scenario::PointTree& point : scenario::expand_axes(tree)) {
    file.points.push_back(point_of(point, fabrics != nullptr));
  }
  check_loss(tree, file.points);
  int min = file.points.front().cluster.devices;
  for (const SchedulingScenario& it : file.points) min = std::min(min, it.cluster.devices);
  const model::Accelerator device =
      accelerator.entries.empty()
          ? model::read_accelerator(scalar_tree("a100", location_of("the default accelerator")))
          : model::read_accelerator(accelerator.entries.front().value);
  read_trace_jobs(source, device, min, file);
  return file;
}

Tree read_scheduling_tree(const std::string& path) {
  if (!path.ends_with(".csv")) return scenario::read_scenario_tree(path);
  Tree tree;
  tree.kind = Tree::Kind::map;
  tree.location = location_of("command line");
  tree.entries.push_back({"trace", scalar_tree(path, tree.location)});
  return tree;
}

}  // namespace loom::scheduling
