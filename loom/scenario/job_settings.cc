#include "loom/scenario/job_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "loom/base/files.h"
#include "loom/model/catalog.h"
#include "loom/model/time_to_accuracy.h"
#include "loom/plan/planners.h"
#include "loom/scenario/job_parameters.h"
#include "loom/scenario/paths.h"

namespace loom::scenario {
namespace {

std::optional<int> fixed(const Settings& settings, std::string_view name) {
  if (settings.automatic(name)) return std::nullopt;
  return static_cast<int>(settings.integer(name));
}

template <std::size_t n>
std::size_t chosen(const Settings& settings, std::string_view name,
                   const std::array<std::string_view, n>& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), settings.text(name)) -
                                  names.begin());
}

std::array<parallelize::Dimension, 5> parse_order(const Settings& settings) {
  std::array<parallelize::Dimension, 5> order{};
  std::size_t count = 0;
  std::string text = settings.text("order");
  std::array<bool, 5> seen{};
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string name = text.substr(0, comma);
    std::erase(name, ' ');
    text = comma == std::string::npos ? "" : text.substr(comma + 1);
    const auto* found =
        std::find(parallelize::kDimensionNames.begin(), parallelize::kDimensionNames.end(), name);
    const auto d = static_cast<std::size_t>(found - parallelize::kDimensionNames.begin());
    if (found == parallelize::kDimensionNames.end() || seen[d]) {
      settings.refuse("order",
                      "tensor, context, expert, data and pipeline in any order, or auto, "
                      "is needed");
    }
    seen[d] = true;
    order[count++] = static_cast<parallelize::Dimension>(d);
  }
  for (std::size_t d = 0; d < seen.size(); ++d) {  // dimensions not named are outermost
    if (!seen[d]) order[count++] = static_cast<parallelize::Dimension>(d);
  }
  return order;
}

// Parses manual partitions, such as "layer*.mlp*=parameter/8, *=sample/4".
std::vector<parallelize::ManualPartition> parse_manual_partitions(const Settings& settings) {
  std::vector<parallelize::ManualPartition> manual_partitions;
  std::string text = settings.text("manual_partitions");
  std::erase(text, ' ');
  while (!text.empty()) {
    const std::string one = text.substr(0, text.find(','));
    text = one.size() == text.size() ? "" : text.substr(one.size() + 1);
    const std::size_t equals = one.find('=');
    const std::size_t slash = one.find('/', equals == std::string::npos ? 0 : equals);
    parallelize::ManualPartition partition;
    bool good = equals != std::string::npos && equals > 0 && slash != std::string::npos;
    if (good) {
      partition.pattern = one.substr(0, equals);
      const std::string name = one.substr(equals + 1, slash - equals - 1);
      const auto* found = std::find(parallelize::kPartitionDimensionNames.begin(),
                                    parallelize::kPartitionDimensionNames.end(), name);
      partition.partition.dimension = static_cast<parallelize::PartitionDimension>(
          found - parallelize::kPartitionDimensionNames.begin());
      const char* end = one.data() + one.size();
      const auto [stopped, error] =
          std::from_chars(one.data() + slash + 1, end, partition.partition.degree);
      good = found != parallelize::kPartitionDimensionNames.end() && error == std::errc() &&
             stopped == end && partition.partition.degree >= 1;
    }
    if (!good) {
      settings.refuse("manual_partitions",
                      fmt::format("'{}' is not a partition; NAME=sample/4, or parameter or "
                                  "attribute instead of sample, is needed",
                                  one));
    }
    manual_partitions.push_back(std::move(partition));
  }
  return manual_partitions;
}

plan::StrategyChoice read_choice(const Settings& settings) {
  plan::StrategyChoice choice;
  choice.planner = settings.automatic("partition")
                       ? &plan::kAutoPlanner
                       : named(plan::kPlanners, settings.text("partition"));
  choice.group = fixed(settings, "group");
  choice.quantum = settings.duration("quantum");
  if (settings.given("manual_partitions"))
    choice.manual_partitions = parse_manual_partitions(settings);
  choice.search.proposals = static_cast<int>(settings.integer("proposals"));
  choice.search.rounds = static_cast<int>(settings.integer("rounds"));
  choice.search.chains = static_cast<int>(settings.integer("chains"));
  choice.search.alpha = settings.real("alpha");
  choice.tensor = fixed(settings, "tensor");
  choice.pipeline = fixed(settings, "pipeline");
  choice.data = fixed(settings, "data");
  choice.context = fixed(settings, "context");
  choice.expert = fixed(settings, "expert");
  choice.micro_batch = fixed(settings, "micro_batch");
  choice.interleave = fixed(settings, "interleave");
  choice.zero = fixed(settings, "zero");
  choice.schedule = static_cast<parallelize::PipelineSchedule>(
      chosen(settings, "schedule", parallelize::kScheduleNames));
  if (!settings.automatic("sequence_parallel")) {
    choice.sequence_parallel = settings.boolean("sequence_parallel");
  }
  if (!settings.automatic("recompute")) {
    choice.recompute = static_cast<parallelize::Recompute>(
        chosen(settings, "recompute", parallelize::kRecomputeNames));
  }
  if (!settings.automatic("order")) choice.order = parse_order(settings);
  choice.reorder = !settings.given("order") && !(choice.tensor && choice.pipeline);
  return choice;
}

model::Precision read_precision(const Settings& settings, const model::Accelerator& accelerator) {
  const auto has = [&](model::Precision it) {
    return accelerator.peak[static_cast<std::size_t>(it)].per_second > 0;
  };
  if (settings.automatic("precision")) {
    for (const model::Precision it :
         {model::Precision::bf16, model::Precision::fp16, model::Precision::fp32}) {
      if (has(it)) return it;
    }
    settings.refuse("precision",
                    fmt::format("{} supports none of bf16, fp16 and fp32", accelerator.name));
  }
  const auto it =
      static_cast<model::Precision>(chosen(settings, "precision", model::kPrecisionNames));
  if (!has(it)) {
    std::vector<std::string_view> known;
    for (std::size_t p = 0; p < model::kPrecisionNames.size(); ++p) {
      if (has(static_cast<model::Precision>(p))) known.push_back(model::kPrecisionNames[p]);
    }
    settings.refuse("precision",
                    fmt::format("{} supports {}", accelerator.name, fmt::join(known, ", ")));
  }
  return it;
}

// Parses traffic weights, such as "tensor=8, data=1".
place::TrafficWeights parse_traffic_weights(const Settings& settings) {
  place::TrafficWeights weights = place::kEqualTraffic;
  std::set<std::string_view> seen;
  std::string text = settings.text("traffic_weights");
  std::erase(text, ' ');
  while (!text.empty()) {
    const std::string one = text.substr(0, text.find(','));
    text = one.size() == text.size() ? "" : text.substr(one.size() + 1);
    const std::size_t equals = std::min(one.find('='), one.size());
    const auto* found = std::find(parallelize::kDimensionNames.begin(),
                                  parallelize::kDimensionNames.end(), one.substr(0, equals));
    std::int32_t weight = 0;
    const char* end = one.data() + one.size();
    const auto [stopped, error] =
        std::from_chars(one.data() + std::min(equals + 1, one.size()), end, weight);
    const bool good = found != parallelize::kDimensionNames.end() && error == std::errc() &&
                      stopped == end && weight >= 1 && weight <= workload::kMaxWeight;
    if (!good) {
      settings.refuse("traffic_weights",
                      fmt::format("'{}' is not a weight; NAME=WEIGHT is needed, NAME tensor, "
                                  "context, expert, data or pipeline, WEIGHT from 1 to {}",
                                  one, workload::kMaxWeight));
    }
    if (!seen.insert(*found).second) {
      settings.refuse("traffic_weights", fmt::format("it names {} twice", *found));
    }
    const auto* purpose =
        std::find(place::kPurposeNames.begin(), place::kPurposeNames.end(), *found);
    weights[static_cast<std::size_t>(purpose - place::kPurposeNames.begin())] = weight;
  }
  return weights;
}

double at_least_one(const Settings& settings, std::string_view name) {
  const double value = settings.real(name);
  if (value < 1 || value > 1000) settings.refuse(name, "a number from 1 to 1000 is needed");
  return value;
}

// Refuses keys that have no effect with the chosen value of `partition`, and `group: 1`, which is
// data parallelism.
void refuse_other_partition(const Settings& settings, const plan::StrategyChoice& choice) {
  constexpr std::array<std::string_view, 3> kOperators = {"group", "quantum", "manual_partitions"};
  constexpr std::array<std::string_view, 12> kUniform = {
      "tensor",   "pipeline",   "data", "context",           "expert",    "micro_batch",
      "schedule", "interleave", "zero", "sequence_parallel", "recompute", "order"};
  const auto refuse = [&](const auto& keys, const std::string& partition) {
    for (const std::string_view key : keys) {
      if (settings.given(key)) settings.refuse(key, "it belongs to partition " + partition);
    }
  };
  constexpr std::array<std::string_view, 4> kSearch = {"proposals", "rounds", "chains", "alpha"};
  if (!choice.planner->operators) refuse(kOperators, "operators or auto");
  if (!choice.planner->uniform) refuse(kUniform, "uniform or auto");
  if (!choice.planner->mcmc) refuse(kSearch, "co_optimized");
  if (choice.group == 1) {
    settings.refuse(
        "group",
        "at least 2 is needed; one device per replica is data parallelism (partition: uniform)");
  }
}

std::int64_t read_batch(const Settings& settings, int devices) {
  if (settings.given("batch") && settings.given("batch_per_device")) {
    settings.refuse("batch_per_device", "batch is given too; one of the two is needed");
  }
  if (settings.given("batch") && !settings.automatic("batch")) return settings.integer("batch");
  return settings.integer("batch_per_device") * devices;
}

parallelize::Job read_work(const Settings& settings, const model::Accelerator& accelerator,
                           int devices) {
  parallelize::Job job;
  job.batch = read_batch(settings, devices);
  job.precision = read_precision(settings, accelerator);
  job.gradient_bytes = settings.text("gradients") == "fp32" ? 4 : 2;
  job.optimizer = static_cast<parallelize::Optimizer>(
      chosen(settings, "optimizer", parallelize::kOptimizerNames));
  job.bucket = settings.size("bucket");
  job.overlap_gradients = settings.boolean("overlap_gradients");
  job.overlap_pipeline = settings.boolean("overlap_pipeline");
  job.fused_gradients = settings.boolean("fused_gradients");
  job.capacity = at_least_one(settings, "capacity");
  job.imbalance = at_least_one(settings, "imbalance");
  return job;
}

}  // namespace

plan::JobSpec read_job(const Settings& settings, const model::ModelSpec& model,
                       const model::Accelerator& accelerator, int devices) {
  plan::JobSpec spec;
  spec.model = build_model(model);
  spec.accelerator = accelerator;
  spec.job = read_work(settings, spec.accelerator, devices);
  spec.choice = read_choice(settings);
  refuse_other_partition(settings, spec.choice);
  for (const parallelize::ManualPartition& it : spec.choice.manual_partitions) {
    const bool fits = std::any_of(
        spec.model.operators.begin(), spec.model.operators.end(),
        [&](const model::Operator& op) { return model::name_fits(it.pattern, op.name); });
    if (!fits) {
      settings.refuse("manual_partitions",
                      fmt::format("no operator of {} matches '{}'; a name such as '{}' is needed",
                                  spec.model.name, it.pattern, spec.model.operators.back().name));
    }
  }
  if (!settings.automatic("algorithm"))
    spec.algorithm = workload::parse_algorithm(settings.text("algorithm"));
  if (settings.given("traffic_weights")) spec.traffic_weights = parse_traffic_weights(settings);
  spec.iterations = static_cast<int>(settings.integer("iterations"));
  spec.law = model::read_accuracy_law(settings);
  if (!spec.law) spec.law = model::published_accuracy_law(model.name);
  if (spec.law && spec.law->tokens > 0 && spec.law->tokens != spec.model.tokens) spec.law.reset();
  spec.any_batch = settings.given("batch") && settings.automatic("batch");
  if (spec.any_batch && !spec.law) {
    settings.refuse("batch",
                    "the model has no known iterations to accuracy; iterations_minimum and "
                    "critical_batch, or iterations_file, are needed");
  }
  if (settings.given("kernel_times")) {
    const std::string path = path_of(settings, "kernel_times");
    spec.measured =
        model::parse_measured_times(read_file(path, settings.location("kernel_times")), path);
    if (const auto unknown = unknown_operator(spec.measured, spec.model)) {
      settings.refuse(
          "kernel_times",
          fmt::format("it names the operator '{}'; a name of {} is needed, such as '{}'", *unknown,
                      spec.model.name, spec.model.operators.back().name));
    }
  }
  return spec;
}

}  // namespace loom::scenario
