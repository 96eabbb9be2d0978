#include "loom/place/lower.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <tuple>

#include "loom/base/error.h"
#include "loom/parallelize/pipeline_order.h"
#include "loom/place/job_builder.h"

namespace loom::place {
namespace {

Purpose purpose_of(parallelize::Span span) {
  constexpr std::array<Purpose, 6> kPurposes = {Purpose::tensor, Purpose::context, Purpose::expert,
                                                Purpose::data,   Purpose::data,    Purpose::data};
  return kPurposes[static_cast<std::size_t>(span)];
}

class Lowering {
 public:
  Lowering(const parallelize::ShardedModel& sharded, int iterations, const ChooseAlgorithm& choose)
      : in_(sharded),
        grid_(sharded.strategy),
        builder_(grid_.devices(), iterations, choose),
        stages_(static_cast<std::size_t>(stage_count())) {
    for (int s = 0; s < stage_count(); ++s) {
      stages_[static_cast<std::size_t>(s)].order = stage_order(in_.strategy, in_.micro_batches, s);
    }
  }

  LoweredJob run() {
    for (int iteration = 0; iteration < builder_.iterations(); ++iteration) {
      builder_.set_iteration(iteration);
      arrivals_.assign(2 * in_.chunks.size() * static_cast<std::size_t>(in_.micro_batches), {});
      for (Stage& stage : stages_) stage.next = 0;
      while (advance()) {
      }
      for (int s = 0; s < stage_count(); ++s) finish_stage(s);
    }
    return builder_.finish();
  }

 private:
  struct Stage {
    std::vector<parallelize::PipelineTask> order;
    std::size_t next = 0;
    Operations before;        // dependencies of the next task
    Operations gradients;     // reductions that the optimizer waits for
    Operations reduced_last;  // the previous reduction; reductions run in sequence
    Operations sent_forward;  // the previous message to the next stage; messages run in sequence
    Operations sent_backward;
  };

  int stage_count() const { return in_.strategy.pipeline; }

  // Emits every task whose input has been sent; returns false if there was none.
  bool advance() {
    bool any = false;
    for (int s = 0; s < stage_count(); ++s) {
      Stage& stage = stages_[static_cast<std::size_t>(s)];
      while (stage.next < stage.order.size() && has_input(stage.order[stage.next])) {
        emit(s, stage.order[stage.next]);
        ++stage.next;
        any = true;
      }
    }
    for (const Stage& stage : stages_) {
      LOOM_CHECK(any || stage.next == stage.order.size(), "a pipeline's order has no cycle");
    }
    return any;
  }

  std::optional<std::uint32_t>& arrival(int chunk, int micro_batch, bool forward) {
    const auto index = (static_cast<std::size_t>(chunk) * 2 + (forward ? 0 : 1)) *
                           static_cast<std::size_t>(in_.micro_batches) +
                       static_cast<std::size_t>(micro_batch);
    return arrivals_[index];
  }

  bool first_chunk(const parallelize::PipelineTask& task) const {
    return task.chunk == (task.forward ? 0 : static_cast<int>(in_.chunks.size()) - 1);
  }

  bool has_input(const parallelize::PipelineTask& task) {
    return first_chunk(task) || arrival(task.chunk, task.micro_batch, task.forward);
  }

  void emit(int s, const parallelize::PipelineTask& id) {
    Stage& stage = stages_[static_cast<std::size_t>(s)];
    const parallelize::Chunk& chunk = in_.chunks[static_cast<std::size_t>(id.chunk)];
    const parallelize::Task& task = id.forward ? chunk.forward : chunk.backward;
    Operations begin = stage.before;
    if (!first_chunk(id)) begin.push_back(*arrival(id.chunk, id.micro_batch, id.forward));
    Operations steps;
    for (const parallelize::Step& step : task.steps) {
      Operations after;
      for (const int a : step.after) after.push_back(steps[static_cast<std::size_t>(a)]);
      if (after.empty()) after = begin;
      if (step.gradient) {
        after.insert(after.end(), stage.reduced_last.begin(), stage.reduced_last.end());
      }
      steps.push_back(emit_step(s, id, step, after));
      if (!step.gradient) continue;
      stage.gradients.push_back(steps.back());
      stage.reduced_last = {steps.back()};
    }
    // A task without steps (of a chunk that costs nothing) passes its dependencies to the next
    // task.
    stage.before = task.last >= 0 ? Operations{steps[static_cast<std::size_t>(task.last)]} : begin;
    const Operations ended = stage.before;
    send(id, ended, stage);
    if (!id.forward && id.micro_batch == in_.micro_batches - 1 && in_.job.overlap_gradients) {
      for (const parallelize::Bucket& bucket : chunk.buckets) {
        reduce(s, bucket,
               {steps.empty() ? ended.front() : steps[static_cast<std::size_t>(bucket.ready)]});
      }
    }
  }

  std::uint32_t emit_step(int s, const parallelize::PipelineTask& id, const parallelize::Step& step,
                          const Operations& after) {
    OperationTag tag = {.purpose = step.communicates ? purpose_of(step.span) : Purpose::compute,
                        .forward = id.forward,
                        .block = step.block,
                        .stage = s,
                        .chunk = id.chunk,
                        .micro_batch = id.micro_batch};
    if (!step.communicates) return compute(s, step.time, after, tag);
    return collective(step.kind, step.size, span_groups(step.span, s), after, tag);
  }

  void send(const parallelize::PipelineTask& id, Operations after, Stage& stage) {
    const int to = id.forward ? id.chunk + 1 : id.chunk - 1;
    if (to < 0 || to >= static_cast<int>(in_.chunks.size())) return;
    const int from_stage = in_.chunks[static_cast<std::size_t>(id.chunk)].stage;
    const int to_stage = in_.chunks[static_cast<std::size_t>(to)].stage;
    const Bytes size = in_.chunks[static_cast<std::size_t>(id.forward ? id.chunk : to)].output;
    Operations& last = id.forward ? stage.sent_forward : stage.sent_backward;
    after.insert(after.end(), last.begin(), last.end());
    const std::uint32_t sent = collective(workload::CollectiveKind::point_to_point, size,
                                          pair_groups(from_stage, to_stage), after,
                                          {.purpose = Purpose::pipeline,
                                           .forward = id.forward,
                                           .stage = from_stage,
                                           .chunk = id.chunk,
                                           .micro_batch = id.micro_batch});
    last = {sent};
    arrival(to, id.micro_batch, id.forward) = sent;
    if (!in_.job.overlap_pipeline) stage.before.push_back(sent);
  }

  // Sums the gradients of a bucket: by an all-reduce, or with ZeRO by a reduce-scatter, after which
  // each rank updates its shard of the weights (see gather_updated()).
  void reduce(int s, const parallelize::Bucket& bucket, Operations after) {
    Stage& stage = stages_[static_cast<std::size_t>(s)];
    after.insert(after.end(), stage.reduced_last.begin(), stage.reduced_last.end());
    const workload::CollectiveKind kind = in_.strategy.zero > 0
                                              ? workload::CollectiveKind::reduce_scatter
                                              : workload::CollectiveKind::all_reduce;
    const std::uint32_t done =
        collective(kind, bucket.gradients, span_groups(bucket.span, s), after,
                   {.purpose = Purpose::data, .forward = false, .stage = s});
    stage.reduced_last = {done};
    stage.gradients.push_back(done);
  }

  void finish_stage(int s) {
    Stage& stage = stages_[static_cast<std::size_t>(s)];
    if (!in_.job.overlap_gradients) {
      const Operations ended = stage.before;
      for (const parallelize::Chunk& chunk : in_.chunks) {
        if (chunk.stage != s) continue;
        for (const parallelize::Bucket& bucket : chunk.buckets) reduce(s, bucket, ended);
      }
    }
    Operations after = stage.before;
    after.insert(after.end(), stage.gradients.begin(), stage.gradients.end());
    const std::uint32_t updated = compute(s, in_.optimizer_time[static_cast<std::size_t>(s)], after,
                                          {.purpose = Purpose::optimizer, .stage = s});
    stage.before = {updated};
    stage.gradients.clear();
    stage.reduced_last.clear();
    if (in_.strategy.zero == 1 || in_.strategy.zero == 2) gather_updated(s, updated);
  }

  // Gathers the updated weights, one all-gather per span: with ZeRO-1 the weights of all buckets,
  // with ZeRO-2 those of the blocks whose gradients were reduced.
  void gather_updated(int s, std::uint32_t updated) {
    Stage& stage = stages_[static_cast<std::size_t>(s)];
    std::map<parallelize::Span, Bytes> weights;
    const int gradient = in_.job.gradient_bytes;
    const int weight = bytes_of(in_.job.precision);
    for (const parallelize::Chunk& chunk : in_.chunks) {
      if (chunk.stage != s) continue;
      for (const parallelize::Bucket& bucket : chunk.buckets)
        weights[bucket.span] += bucket.weights;
      for (const parallelize::Step& step : chunk.backward.steps) {
        if (step.gradient) weights[step.span] += Bytes{step.size.count / gradient * weight};
      }
    }
    for (const auto& of_span : weights) {
      const std::uint32_t done = collective(workload::CollectiveKind::all_gather, of_span.second,
                                            span_groups(of_span.first, s), stage.before,
                                            {.purpose = Purpose::data, .stage = s});
      stage.before = {updated, done};
    }
  }

  int span_groups(parallelize::Span span, int s) {
    const auto key = std::tuple(static_cast<int>(span), s, -1);
    return groups(key, [&] { return grid_.groups(span, s); });
  }
  int stage_groups(int s) {
    return groups({-1, s, -1}, [&] { return grid_.stage(s); });
  }
  int pair_groups(int from, int to) {
    return groups({-2, from, to}, [&] { return grid_.pairs(from, to); });
  }
  template <typename Make>
  int groups(const std::tuple<int, int, int>& key, const Make& make) {
    const auto found = groups_.find(key);
    if (found != groups_.end()) return found->second;
    const int index = builder_.add_groups(make());
    groups_[key] = index;
    return index;
  }

  std::uint32_t compute(int s, Duration time, const Operations& after, const OperationTag& tag) {
    return builder_.compute(stage_groups(s), time, after, tag);
  }

  std::uint32_t collective(workload::CollectiveKind kind, Bytes size, int groups,
                           const Operations& after, const OperationTag& tag) {
    const bool among_all = kind != workload::CollectiveKind::point_to_point;
    return builder_.collective(kind, among_all ? padded(size, builder_.ranks(groups)) : size,
                               groups, after, tag);
  }

  const parallelize::ShardedModel& in_;
  const Grid grid_;
  JobBuilder builder_;
  std::vector<Stage> stages_;
  std::vector<std::optional<std::uint32_t>> arrivals_;
  std::map<std::tuple<int, int, int>, int> groups_;
};

}  // namespace

LoweredJob lower(const parallelize::ShardedModel& sharded, int iterations,
                 const ChooseAlgorithm& choose) {
  return Lowering(sharded, iterations, choose).run();
}

LoweredJob with_weights(LoweredJob job, const TrafficWeights& weights) {
  for (std::size_t o = 0; o < job.tags.size(); ++o) {
    job.workload.operations[o].weight = weights[static_cast<std::size_t>(job.tags[o].purpose)];
  }
  return job;
}

std::string operation_name(const LoweredJob& job, std::size_t operation) {
  const OperationTag& tag = job.tags[operation];
  const std::string_view purpose = kPurposeNames[static_cast<std::size_t>(tag.purpose)];
  if (tag.micro_batch < 0) {
    return fmt::format("i{}.s{}.{}.{}", tag.iteration, tag.stage, purpose, operation);
  }
  return fmt::format("i{}.s{}.c{}.m{}.{}.b{}.{}.{}", tag.iteration, tag.stage, tag.chunk,
                     tag.micro_batch, tag.forward ? "forward" : "backward", tag.block, purpose,
                     operation);
}

}  // namespace loom::place
