// Enumerates all strategies that the user's choice, the model and the number of devices allow.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "loom/base/error.h"
#include "loom/plan/planner.h"

namespace loom::plan {
namespace {

using Order = std::array<parallelize::Dimension, 5>;

constexpr std::size_t kMaxStrategies = 200'000;

std::vector<int> divisors(int of) {
  std::vector<int> found;
  for (int d = 1; d <= of; ++d) {
    if (of % d == 0) found.push_back(d);
  }
  return found;
}

// Candidate numbers of chunks of a stage with so many blocks: all up to 8, and all divisors.
std::vector<int> chunk_counts(int blocks) {
  constexpr int kSmall = 8;
  std::vector<int> counts;
  for (int count = 1; count <= blocks; ++count) {
    if (count <= kSmall || blocks % count == 0) counts.push_back(count);
  }
  return counts.empty() ? std::vector<int>{1} : counts;
}

std::vector<int> options(const std::optional<int>& fixed, std::vector<int> all) {
  return fixed ? std::vector<int>{*fixed} : std::move(all);
}

// All orders with different results.
std::vector<Order> all_orders(parallelize::Strategy it) {
  std::vector<Order> found;
  std::set<std::vector<parallelize::Dimension>> seen;
  it.order = parallelize::Strategy{}.order;
  do {
    if (seen.insert(visible_order(it)).second) found.push_back(it.order);
  } while (std::next_permutation(it.order.begin(), it.order.end()));
  return found;
}

// Enumerates the values of all settings of a strategy, one setting per function.
class Candidates {
 public:
  Candidates(const JobSpec& spec, PossibleStrategies& possible)
      : spec_(spec), possible_(possible) {}

  void over_dimensions(int devices) {
    const StrategyChoice& choice = spec_.choice;
    for (const int tensor : options(choice.tensor, divisors(devices))) {
      for (const int pipeline : options(choice.pipeline, divisors(devices))) {
        for (const int context : options(choice.context, divisors(devices))) {
          const std::int64_t inner = std::int64_t{tensor} * pipeline * context;
          if (inner > devices || devices % inner != 0) {
            note(parallelize::Strategy{.tensor = tensor, .context = context, .pipeline = pipeline},
                 devices);
            continue;
          }
          const int data = static_cast<int>(devices / inner);
          if (choice.data && *choice.data != data) {
            note(parallelize::Strategy{.tensor = tensor,
                                       .context = context,
                                       .data = *choice.data,
                                       .pipeline = pipeline},
                 devices);
            continue;
          }
          over_experts({.tensor = tensor, .context = context, .data = data, .pipeline = pipeline});
        }
      }
    }
  }

 private:
  void note(const parallelize::Strategy& it, int devices) {
    if (possible_.objection) return;
    possible_.objection = Infeasible{fmt::format(
        "tensor {} × pipeline {} × context {}{} on {} devices; the product must {} the "
        "number of devices",
        it.tensor, it.pipeline, it.context, it.data > 1 ? fmt::format(" × data {}", it.data) : "",
        devices, it.data > 1 ? "equal" : "divide")};
  }

  void over_experts(parallelize::Strategy it) {
    const std::vector<int> all =
        spec_.model.experts > 0 ? divisors(spec_.model.experts) : std::vector<int>{1};
    for (const int expert : options(spec_.choice.expert, all)) {
      if (!spec_.choice.expert && it.data % expert != 0) continue;
      it.expert = expert;
      over_micro_batches(it);
    }
  }

  void over_micro_batches(parallelize::Strategy it) {
    const std::int64_t of_rank = spec_.job.batch / it.data;
    std::vector<int> sizes;
    for (std::int64_t size = 1; size <= of_rank && size <= 1024; size *= 2) {
      if (of_rank % size == 0) sizes.push_back(static_cast<int>(size));
    }
    if (sizes.empty()) sizes.push_back(1);  // over_orders() refuses it and records the reason
    for (const int size : options(spec_.choice.micro_batch, sizes)) {
      it.micro_batch = size;
      over_chunks(it);
    }
  }

  void over_chunks(parallelize::Strategy it) {
    const bool may =
        spec_.choice.schedule == parallelize::PipelineSchedule::interleaved && it.pipeline > 1;
    const std::vector<int> all =
        may ? chunk_counts(spec_.model.blocks / it.pipeline) : std::vector<int>{1};
    for (const int chunks : options(spec_.choice.interleave, all)) {
      it.interleave = chunks;
      it.schedule = spec_.choice.schedule;
      if (chunks == 1 && it.schedule == parallelize::PipelineSchedule::interleaved) {
        it.schedule = parallelize::PipelineSchedule::one_forward_one_backward;
      }
      over_memory(it);
    }
  }

  void over_memory(parallelize::Strategy it) {
    std::vector<bool> sequence = {false};
    const bool can = it.tensor > 1 && spec_.model.tokens > 0;
    if (can) sequence.push_back(true);
    if (spec_.choice.sequence_parallel) sequence = {*spec_.choice.sequence_parallel && can};
    std::vector<parallelize::Recompute> recompute = {parallelize::Recompute::none,
                                                     parallelize::Recompute::full};
    if (has_plain_attention()) recompute.push_back(parallelize::Recompute::selective);
    if (spec_.choice.recompute) recompute = {*spec_.choice.recompute};
    const std::vector<int> zeros =
        it.data * it.context > 1 ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{0};
    for (const int zero : options(spec_.choice.zero, zeros)) {
      for (const bool parallel : sequence) {
        for (const parallelize::Recompute again : recompute) {
          it.zero = zero;
          it.sequence_parallel = parallel;
          it.recompute = again;
          over_orders(it);
        }
      }
    }
  }

  // Selective recomputation repeats attention in the backward pass, unless attention is fused.
  bool has_plain_attention() const {
    return std::any_of(spec_.model.operators.begin(), spec_.model.operators.end(),
                       [](const model::Operator& op) { return op.core_attention && !op.fused; });
  }

  void over_orders(parallelize::Strategy it) {
    if (const auto no = parallelize::objection(spec_.model, spec_.job, it)) {
      if (!possible_.objection) possible_.objection = no;
      return;
    }
    const std::optional<Order>& chosen = spec_.choice.order;
    for (const Order& order : chosen ? std::vector{*chosen} : all_orders(it)) {
      it.order = order;
      possible_.all.push_back(it);
    }
    if (possible_.all.size() > kMaxStrategies) {
      throw LimitError(
          "the job has more than 200,000 possible strategies; fix some of tensor, "
          "pipeline, context, expert, micro_batch, zero or order");
    }
  }

  const JobSpec& spec_;
  PossibleStrategies& possible_;
};

// Returns why the job cannot be partitioned over groups of this size; no value if it can. In a
// profiled job with groups of one device, devices may differ by one sample: the profile is
// evaluated at the average.
std::optional<Infeasible> object_group(const JobSpec& spec, int devices, int group) {
  const bool whole = devices % group == 0 && spec.job.batch % (devices / group) == 0;
  if (!whole && !(spec.profile && group == 1)) {
    return Infeasible{fmt::format(
        "a batch of {} on {} devices in groups of {}; equal groups with the same number of "
        "samples are needed",
        spec.job.batch, devices, group)};
  }
  if (!spec.profile) return std::nullopt;
  return spec.profile->objection(static_cast<double>(spec.job.batch) * group / devices);
}

// Adds strategies that partition operators individually over groups of devices. Groups of more
// than 32 devices communicate more than they gain.
void add_groups(const JobSpec& spec, int devices, PossibleStrategies& possible) {
  constexpr int kLargestGroup = 32;
  const int smallest = spec.profile ? 1 : 2;
  for (const int group : options(spec.choice.group, divisors(devices))) {
    const bool tried = spec.choice.group || (group >= smallest && group <= kLargestGroup);
    if (!tried) continue;
    const auto no = object_group(spec, devices, group);
    if (!possible.objection) possible.objection = no;
    parallelize::Strategy it;
    it.operators = group;
    it.data = devices / group;
    if (spec.profile) it.micro_batch = 0;
    if (!no && group >= smallest) possible.all.push_back(it);
  }
}

}  // namespace

std::vector<parallelize::Strategy> in_other_orders(parallelize::Strategy strategy) {
  const std::vector<parallelize::Dimension> own = visible_order(strategy);
  std::vector<parallelize::Strategy> others;
  for (const Order& order : all_orders(strategy)) {
    strategy.order = order;
    if (visible_order(strategy) != own) others.push_back(strategy);
  }
  return others;
}

PossibleStrategies possible_strategies(const JobSpec& spec, int devices) {
  PossibleStrategies possible;
  if (!spec.profile && spec.choice.planner->uniform) {
    Candidates(spec, possible).over_dimensions(devices);
  }
  if (spec.profile || spec.choice.planner->operators) add_groups(spec, devices, possible);
  return possible;
}

}  // namespace loom::plan
