#include "loom/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <type_traits>

#include "loom/base/files.h"
#include "loom/scenario/equal_cost_bandwidth.h"
#include "loom/scenario/job_entries.h"
#include "loom/scenario/points.h"

namespace loom::scenario {
namespace {

constexpr std::array<std::string_view, 3> kEngines = {"auto", "fluid", "coarse"};

// The values of `algorithm`: every name, the alias that parse_algorithm accepts, and auto.
constexpr auto kAlgorithms = [] {
  std::array<std::string_view, workload::kAlgorithmNames.size() + 2> names = {"auto", "tree"};
  std::copy(workload::kAlgorithmNames.begin(), workload::kAlgorithmNames.end(), names.begin() + 2);
  return names;
}();

constexpr std::array<Parameter, 10> kScenario = {{
    {.name = "gpus",
     .type = ValueType::integer,
     .summary = "devices in the cluster",
     .min = 1,
     .max = 1 << 20},
    {.name = "engine",
     .type = ValueType::choice,
     .summary = "simulation engine: fluid simulates every message; coarse, an estimate, simulates "
                "every phase of a collective as one flow; auto is fluid, except for training jobs "
                "with more than max_messages messages",
     .fallback = "auto",
     .choices = kEngines},
    {.name = "max_messages",
     .type = ValueType::integer,
     .summary = "maximum number of messages of a training job, after symmetry reduction, that the "
                "fluid engine simulates if engine is auto; larger jobs are estimated by the coarse "
                "engine",
     .fallback = "2000000"},
    {.name = "seed",
     .type = ValueType::integer,
     .summary = "seed of all random choices: path hashing, random graphs, jitter",
     .fallback = "1"},
    {.name = "sharing",
     .type = ValueType::choice,
     .summary = "division of a link: equal among streams (fair), by the weights of their "
                "operations (weighted), or equal among messages; a stream is what a device sends "
                "at once in one collective over one link",
     .fallback = "fair",
     .choices = transport::kSharingNames},
    {.name = "jitter",
     .type = ValueType::real,
     .summary =
         "sigma of computation times: each is multiplied by exp(jitter · z), z standard normal",
     .fallback = "0"},
    {.name = "folding",
     .type = ValueType::boolean,
     .summary = "symmetry reduction: the fluid engine simulates equivalent ranks once; the results "
                "are the same",
     .fallback = "true"},
    {.name = "prices",
     .type = ValueType::text,
     .summary = "price file that overrides the built-in prices ('lightloom prices')"},
    {.name = "gpus_per_rack",
     .type = ValueType::integer,
     .summary = "devices in a rack, whose links cost copper; by default that of the prices",
     .min = 1,
     .max = 100'000},
    {.name = "racks_per_row",
     .type = ValueType::integer,
     .summary = "racks in a row, whose links cost short fibers; by default that of the prices",
     .min = 1,
     .max = 100'000},
}};

constexpr std::array<Parameter, 15> kWorkload = {{
    {.name = "collective",
     .type = ValueType::choice,
     .summary = "kind of the collective",
     .choices = workload::kCollectiveNames},
    {.name = "size",
     .type = ValueType::size,
     .summary = "buffer size of one rank, as defined by nccl-tests"},
    {.name = "algorithm",
     .type = ValueType::choice,
     .summary = "algorithm of the collective; auto: the fastest according to the coarse engine",
     .fallback = "auto",
     .choices = kAlgorithms},
    {.name = "chunks",
     .type = ValueType::integer,
     .summary = "pipelined chunks per message; with algorithm auto, the best number if not given",
     .fallback = "1",
     .min = 1,
     .max = 1 << 20},
    {.name = "levels",
     .type = ValueType::shape,
     .summary = "algorithm hierarchical: group size at each level, innermost first, such as 8x16"},
    {.name = "ring_steps",
     .type = ValueType::text,
     .summary =
         "algorithm rings: stride of each ring; with 1 15, rank r sends to r + 1 and r + 15"},
    {.name = "ranks",
     .type = ValueType::text,
     .summary = "participating devices in rank order, such as 0-7,16-23; all if not given"},
    {.name = "sizes",
     .type = ValueType::text,
     .summary = "all_to_all with unequal sizes: CSV file with source, destination, size"},
    {.name = "flows",
     .type = ValueType::text,
     .summary = "CSV file of flows with start, source, destination, size"},
    {.name = "file",
     .type = ValueType::text,
     .summary = "workload in text form, as 'dump --stage workload' prints it"},
    {.name = "rostam",
     .type = ValueType::text,
     .summary = "Rostam profiles: common prefix of the files (PREFIX_bs1.pb and so on)"},
    {.name = "flexflow",
     .type = ValueType::text,
     .summary = "FlexFlow task graph, as TopoOpt's simulator reads it (FlatBuffers)"},
    {.name = "batch",
     .type = ValueType::integer,
     .summary = "samples per iteration of Rostam profiles; one per device if not given; auto: the "
                "batch that trains to accuracy fastest",
     .min = 1,
     .max = 1'000'000'000,
     .automatic = true},
    {.name = "group",
     .type = ValueType::integer,
     .summary = "devices per replica of Rostam profiles, over which each operator is partitioned; "
                "auto: the fastest number",
     .fallback = "1",
     .min = 1,
     .max = 1 << 20,
     .automatic = true},
    {.name = "quantum",
     .type = ValueType::duration,
     .summary = "minimum kernel time of each piece of a partitioned operator of Rostam profiles, "
                "which limits the degree",
     .fallback = "10 us"},
}};

constexpr std::array<Parameter, 3> kChange = {{
    {.name = "at", .type = ValueType::duration, .summary = "time of the change", .required = true},
    {.name = "link",
     .type = ValueType::text,
     .summary = "link, named by its two ends, such as 0->leaf0",
     .required = true},
    {.name = "bandwidth",
     .type = ValueType::bandwidth,
     .summary = "bandwidth of the link from that time on; 0 Gbps takes it down",
     .required = true},
}};

// Top-level keys that scenario_parameters() does not describe.
constexpr std::array<std::string_view, 9> kElsewhere = {"workload",  "fabric",      "fabrics",
                                                        "changes",   "accelerator", "jobs",
                                                        "placement", "iterations",  "keep_running"};

const Tree& child(const Tree& scenario, std::string_view key, std::string_view what) {
  const Tree* found = scenario.find(key);
  if (found == nullptr) {
    throw InputError(scenario.location,
                     fmt::format("scenario lacks '{}' (a map with {})", key, what));
  }
  if (found->kind != Tree::Kind::map) {
    throw InputError(found->location,
                     fmt::format("{} is not a map; a map with {} is needed", key, what));
  }
  return *found;
}

model::Accelerator accelerator_of(const Tree& scenario) {
  const Tree* accelerator = scenario.find("accelerator");
  if (accelerator == nullptr) {
    throw InputError(scenario.location,
                     "scenario lacks 'accelerator' (the kind of device; 'lightloom accelerators' "
                     "lists them)");
  }
  return model::read_accelerator(*accelerator);
}

void refuse_without_jobs(const Settings& cluster) {
  for (const Parameter& it : cluster_parameters()) {
    if (cluster.given(it.name)) cluster.refuse(it.name, "it belongs to jobs, and there are none");
  }
}

void check_workload(const Settings& workload) {
  const int kinds = (workload.given("collective") ? 1 : 0) + (workload.given("flows") ? 1 : 0) +
                    (workload.given("file") ? 1 : 0) + (workload.given("rostam") ? 1 : 0) +
                    (workload.given("flexflow") ? 1 : 0);
  if (kinds != 1) {
    throw InputError(workload.location(),
                     fmt::format("workload names {} of model, collective, flows, file, rostam and "
                                 "flexflow; one is needed",
                                 kinds == 0 ? "none" : "several"));
  }
  for (const std::string_view key : {"batch", "group", "quantum"}) {
    if (workload.given(key) && !workload.given("rostam")) {
      workload.refuse(key, "it belongs to a model or to profiles, and there are none");
    }
  }
  for (const std::string_view key :
       {"size", "algorithm", "chunks", "levels", "ring_steps", "ranks", "sizes"}) {
    if (!workload.given("collective") && workload.given(key)) {
      workload.refuse(key, "it belongs to a collective, and there is none");
    }
  }
  if (!workload.given("collective")) return;
  if (workload.given("size") == workload.given("sizes")) {
    throw InputError(workload.location(),
                     fmt::format("workload has {} size {} sizes; one of them is needed",
                                 workload.given("size") ? "both" : "neither",
                                 workload.given("size") ? "and" : "nor"));
  }
}

std::vector<Settings> read_changes(const Tree& scenario) {
  std::vector<Settings> changes;
  const Tree* list = scenario.find("changes");
  if (list == nullptr) return changes;
  if (list->kind != Tree::Kind::list) {
    throw InputError(list->location,
                     "changes is not a list; a list of {at: …, link: …, bandwidth: …} is needed");
  }
  for (const Tree& item : list->items) {
    if (item.kind != Tree::Kind::map) {
      throw InputError(item.location,
                       "a change is not a map; a map with at, link and bandwidth is needed");
    }
    changes.emplace_back(item, kChange, "change");
  }
  return changes;
}

// Reads the top-level keys of a scenario with `jobs`: placement, iterations and keep_running. Other
// keys are read elsewhere.
Settings read_cluster(const Tree& scenario) {
  std::vector<std::string_view> others(kElsewhere.begin(), kElsewhere.end());
  for (const Parameter& it : cluster_parameters()) std::erase(others, it.name);
  for (const Parameter& it : kScenario) others.push_back(it.name);
  return {scenario, cluster_parameters(), "scenario", others};
}

Work read_workload(const Tree& workload, const Tree& scenario) {
  if (workload.find("model") != nullptr) {
    TrainingWork training;
    read_training(workload, "workload", {}, training.model.emplace(), training.settings);
    training.accelerator = accelerator_of(scenario);
    return training;
  }
  Settings settings(workload, kWorkload, "workload");
  check_workload(settings);
  if (settings.given("collective")) return CollectiveWork{std::move(settings)};
  if (settings.given("flows")) return FlowsWork{std::move(settings)};
  if (settings.given("file")) return WorkloadWork{std::move(settings)};
  if (settings.given("flexflow")) return ReplayWork{std::move(settings)};
  return TrainingWork{std::move(settings), {}, {}};
}

Work read_work(const Tree& tree) {
  Settings cluster = read_cluster(tree);
  if (tree.find("jobs") != nullptr) {
    std::vector<JobEntry> jobs = read_jobs(tree);
    return ColocatedWork{std::move(jobs), std::move(cluster), accelerator_of(tree)};
  }
  refuse_without_jobs(cluster);
  return read_workload(
      child(tree, "workload", "a model, a collective, flows, a file, profiles or a task graph"),
      tree);
}

Scenario read_point(const PointTree& point) {
  Scenario scenario;
  scenario.tree = point.scenario;
  scenario.axes = point.axes;
  scenario.unaffordable = point.unaffordable;
  refuse_transport(point.scenario);
  scenario.settings = scenario_settings(point.scenario);
  scenario.work = read_work(point.scenario);
  scenario.fabric =
      fabric::read_fabric(child(point.scenario, "fabric", "a kind and its parameters"));
  scenario.changes = read_changes(point.scenario);
  return scenario;
}

}  // namespace

const Settings& Scenario::workload() const {
  static const Settings kNone;
  return std::visit(
      [](const auto& it) -> const Settings& {
        if constexpr (std::is_same_v<std::decay_t<decltype(it)>, ColocatedWork>) {
          return kNone;
        } else {
          return it.settings;
        }
      },
      work);
}

const SourceLocation& Scenario::location() const {
  const auto* colocated = as<ColocatedWork>();
  return colocated == nullptr ? workload().location() : colocated->jobs.front().own.location();
}

Engine Scenario::engine() const {
  const std::string name = settings.text("engine");
  return name == "auto" ? Engine::automatic : name == "fluid" ? Engine::fluid : Engine::coarse;
}

bool Scenario::weighs_traffic() const {
  if (const auto* training = as<TrainingWork>()) {
    return training->model && training->settings.given("traffic_weights");
  }
  const auto* colocated = as<ColocatedWork>();
  return colocated != nullptr &&
         std::any_of(colocated->jobs.begin(), colocated->jobs.end(),
                     [](const JobEntry& it) { return it.workload.given("traffic_weights"); });
}

transport::Sharing Scenario::sharing() const {
  const auto& names = transport::kSharingNames;
  const auto at = std::find(names.begin(), names.end(), settings.text("sharing"));
  const auto given = static_cast<transport::Sharing>(at - names.begin());
  if (given == transport::Sharing::weighted || !weighs_traffic()) return given;
  if (settings.given("sharing")) {
    settings.refuse("sharing", "traffic_weights are given; weighted is needed");
  }
  return transport::Sharing::weighted;
}

std::uint64_t Scenario::seed() const {
  return static_cast<std::uint64_t>(settings.integer("seed"));
}

std::span<const Parameter> scenario_parameters() { return kScenario; }
std::span<const Parameter> workload_parameters() { return kWorkload; }
std::span<const Parameter> change_parameters() { return kChange; }

Settings scenario_settings(const Tree& scenario) {
  return {scenario, kScenario, "scenario", kElsewhere};
}

std::vector<Scenario> read_scenarios(Tree tree, std::span<const std::string> overrides) {
  for (const std::string& assignment : overrides) override_value(tree, assignment);
  std::vector<Scenario> scenarios;
  for (const PointTree& point : with_bought_bandwidths(expand_axes(tree))) {
    scenarios.push_back(read_point(point));
  }
  return scenarios;
}

Tree read_scenario_tree(const std::string& path) {
  constexpr std::size_t kLargestScenario = 4 << 20;
  if (path != "-") return parse_yaml(read_file(path, {}, kLargestScenario), path);
  std::string text(kLargestScenario + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > kLargestScenario) {
    throw InputError(location_of("<stdin>"),
                     fmt::format("the input is larger than {} bytes; a smaller "
                                 "scenario is needed",
                                 kLargestScenario));
  }
  return parse_yaml(text, "<stdin>");
}

}  // namespace loom::scenario
