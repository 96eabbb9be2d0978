#include "loom/plan/bounds/iteration_bound.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "loom/parallelize/pipeline_order.h"
#include "loom/place/grid.h"
#include "loom/plan/bounds/traffic_bound.h"

namespace loom::plan {
namespace {

using parallelize::Chunk;
using parallelize::PipelineTask;
using parallelize::ShardedModel;
using parallelize::Span;
using parallelize::Step;
using workload::CollectiveKind;

constexpr Duration kLongAgo{-(std::int64_t{1} << 60)};

// Lower bounds on the time that a rank spends in a communication, averaged over all ranks.
class RankTimes {
 public:
  RankTimes(const parallelize::Strategy& strategy, const Capacity& capacity,
            const RankBound& rank_bound)
      : strategy_(strategy), grid_(strategy), latency_(capacity.latency), rank_bound_(rank_bound) {
    for (const double it : capacity.egress) egress_ = std::max(egress_, it);
  }

  // Time of the bytes that a rank sends, at full egress bandwidth.
  Duration sending(CollectiveKind kind, Bytes size, Span span) const {
    const int ranks = ranks_of(span, strategy_);
    if (ranks < 2) return Duration(0);
    const double share = static_cast<double>(ranks - 1) / ranks;
    return sending(static_cast<double>(size.count) * share *
                   (kind == CollectiveKind::all_reduce ? 2 : 1));
  }

  // From joining to the end.
  Duration blocked(CollectiveKind kind, Bytes size, Span span, int stage) {
    const Duration sent = sending(kind, size, span);
    if (sent.count() == 0) return sent;
    Duration time = add(sent, latency_);
    if (!rank_bound_) return time;
    const auto known = known_.try_emplace({kind, size.count, span, stage}, Duration(0));
    if (known.second) {
      workload::Collective wanted;
      wanted.kind = kind;
      wanted.size = size;
      known.first->second = rank_bound_(wanted, grid_.groups(span, stage));
    }
    return std::max(time, known.first->second);
  }
  Duration message(Bytes size) const {
    return size.count == 0 ? Duration(0) : add(sending(static_cast<double>(size.count)), latency_);
  }

 private:
  Duration sending(double bytes) const {
    constexpr double kRoundedDown = 1 - 1e-9;
    if (egress_ <= 0) return Duration(0);
    return Duration(static_cast<std::int64_t>(bytes * 8e12 / egress_ * kRoundedDown));
  }

  const parallelize::Strategy& strategy_;
  const place::Grid grid_;
  Duration latency_;
  const RankBound& rank_bound_;
  double egress_ = 0;  // bit/s of the device with the most
  std::map<std::tuple<CollectiveKind, std::int64_t, Span, int>, Duration> known_;
};

// A reduction of gradients within a task.
struct Reduction {
  Duration ready{0};  // after the beginning of the task
  Duration sending{0};
  Duration blocked{0};
};

// Times of a task, relative to its beginning.
struct TaskTimes {
  Duration end{0};      // of its main chain
  Duration sending{0};  // for all its communication but reductions
  std::vector<Reduction> reductions;
};

TaskTimes times_of(const parallelize::Task& task, int stage, RankTimes& times) {
  TaskTimes result;
  std::vector<Duration> ends;
  for (const Step& step : task.steps) {
    Duration begin{0};
    for (const int a : step.after) begin = std::max(begin, ends[static_cast<std::size_t>(a)]);
    if (!step.communicates) {
      ends.push_back(add(begin, step.time));
      continue;
    }
    const Duration sending = times.sending(step.kind, step.size, step.span);
    const Duration blocked = times.blocked(step.kind, step.size, step.span, stage);
    ends.push_back(add(begin, blocked));
    if (step.gradient) {
      result.reductions.push_back({begin, sending, blocked});
    } else {
      result.sending = add(result.sending, sending);
    }
  }
  if (task.last >= 0) result.end = ends[static_cast<std::size_t>(task.last)];
  return result;
}

// The reductions of the buckets of a chunk, in its last backward task.
std::vector<Reduction> reductions_of(const ShardedModel& in, const Chunk& chunk, RankTimes& times) {
  std::vector<Reduction> reductions;
  const CollectiveKind kind =
      in.strategy.zero > 0 ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
  for (const parallelize::Bucket& bucket : chunk.buckets) {
    Duration ready{0};
    if (!chunk.backward.steps.empty()) {
      parallelize::Task until = chunk.backward;
      until.last = in.job.overlap_gradients ? bucket.ready : chunk.backward.last;
      ready = times_of(until, chunk.stage, times).end;
    }
    reductions.push_back({ready, times.sending(kind, bucket.gradients, bucket.span),
                          times.blocked(kind, bucket.gradients, bucket.span, chunk.stage)});
  }
  return reductions;
}

// Bytes of the weights that the ranks of a span gather after the update.
std::map<Span, Bytes> gathered(const ShardedModel& in, int stage) {
  std::map<Span, Bytes> weights;
  if (in.strategy.zero != 1 && in.strategy.zero != 2) return weights;
  for (const Chunk& chunk : in.chunks) {
    if (chunk.stage != stage) continue;
    for (const parallelize::Bucket& it : chunk.buckets) weights[it.span] += it.weights;
    for (const Step& step : chunk.backward.steps) {
      if (!step.gradient) continue;
      weights[step.span] +=
          Bytes{step.size.count / in.job.gradient_bytes * bytes_of(in.job.precision)};
    }
  }
  return weights;
}

// One iteration as in place/lower.h, with each communication at its lower bound.
class Iteration {
 public:
  Iteration(const ShardedModel& in, const Capacity& capacity, const RankBound& rank_bound)
      : in_(in), times_(in.strategy, capacity, rank_bound) {
    for (const Chunk& chunk : in.chunks) {
      forward_.push_back(times_of(chunk.forward, chunk.stage, times_));
      backward_.push_back(times_of(chunk.backward, chunk.stage, times_));
      buckets_.push_back(reductions_of(in, chunk, times_));
    }
    for (int s = 0; s < in.strategy.pipeline; ++s) {
      orders_.push_back(stage_order(in.strategy, in.micro_batches, s));
    }
  }

  // Time from when this stage is free until it is free again, if the other stages are free long
  // before.
  Duration round(int stage) {
    stages_.assign(orders_.size(), Stage{});
    stages_[static_cast<std::size_t>(stage)].free = Duration(0);
    arrivals_.assign(2 * in_.chunks.size() * static_cast<std::size_t>(in_.micro_batches), {});
    while (advance()) {
    }
    return end_of(stage);
  }

  // The stage that is busy for longest.
  int busiest() const {
    std::vector<Duration> busy(orders_.size(), Duration(0));
    for (std::size_t c = 0; c < in_.chunks.size(); ++c) {
      Duration& sum = busy[static_cast<std::size_t>(in_.chunks[c].stage)];
      sum = add(sum, add(forward_[c].end, backward_[c].end));
    }
    return static_cast<int>(std::max_element(busy.begin(), busy.end()) - busy.begin());
  }

 private:
  struct Stage {
    std::size_t next = 0;
    Duration free = kLongAgo;     // end of the last task
    Duration reduced = kLongAgo;  // end of the last reduction
    Duration sent = kLongAgo;     // when the egress has sent everything so far
    Duration sent_forward = kLongAgo;
    Duration sent_backward = kLongAgo;
  };

  bool advance() {
    bool any = false;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      Stage& stage = stages_[s];
      while (stage.next < orders_[s].size() && has_input(orders_[s][stage.next])) {
        run(stage, orders_[s][stage.next]);
        ++stage.next;
        any = true;
      }
    }
    return any;
  }

  bool first_chunk(const PipelineTask& task) const {
    return task.chunk == (task.forward ? 0 : static_cast<int>(in_.chunks.size()) - 1);
  }
  std::optional<Duration>& arrival(int chunk, int micro_batch, bool forward) {
    const auto task = static_cast<std::size_t>(chunk) * 2 + (forward ? 0 : 1);
    return arrivals_[task * static_cast<std::size_t>(in_.micro_batches) +
                     static_cast<std::size_t>(micro_batch)];
  }
  bool has_input(const PipelineTask& task) {
    return first_chunk(task) || arrival(task.chunk, task.micro_batch, task.forward);
  }

  void run(Stage& stage, const PipelineTask& id) {
    const auto c = static_cast<std::size_t>(id.chunk);
    const TaskTimes& task = id.forward ? forward_[c] : backward_[c];
    Duration begin = stage.free;
    if (!first_chunk(id)) begin = std::max(begin, *arrival(id.chunk, id.micro_batch, id.forward));
    stage.sent = std::max(stage.sent, begin) + task.sending;
    for (const Reduction& it : task.reductions) reduce(stage, begin, it);
    if (!id.forward && id.micro_batch == in_.micro_batches - 1) {
      for (const Reduction& it : buckets_[c]) reduce(stage, begin, it);
    }
    stage.free = begin + task.end;
    send(stage, id);
  }

  static void reduce(Stage& stage, Duration begin, const Reduction& it) {
    stage.sent = std::max(stage.sent, begin + it.ready) + it.sending;
    stage.reduced = std::max(stage.reduced, begin + it.ready) + it.blocked;
  }

  void send(Stage& stage, const PipelineTask& id) {
    const int to = id.forward ? id.chunk + 1 : id.chunk - 1;
    if (to < 0 || to >= static_cast<int>(in_.chunks.size())) return;
    const Bytes size = in_.chunks[static_cast<std::size_t>(id.forward ? id.chunk : to)].output;
    Duration& last = id.forward ? stage.sent_forward : stage.sent_backward;
    last = std::max(last, stage.free) + times_.message(size);
    arrival(to, id.micro_batch, id.forward) = last;
    if (!in_.job.overlap_pipeline) stage.free = last;
  }

  Duration end_of(int s) {
    const Stage& stage = stages_[static_cast<std::size_t>(s)];
    Duration end = std::max({stage.free, stage.reduced, stage.sent}) +
                   in_.optimizer_time[static_cast<std::size_t>(s)];
    for (const auto& [span, weights] : gathered(in_, s)) {
      end += times_.blocked(CollectiveKind::all_gather, weights, span, s);
    }
    return end;
  }

  const ShardedModel& in_;
  RankTimes times_;
  std::vector<TaskTimes> forward_;   // by chunk
  std::vector<TaskTimes> backward_;  // by chunk
  std::vector<std::vector<Reduction>> buckets_;
  std::vector<std::vector<PipelineTask>> orders_;  // by stage
  std::vector<Stage> stages_;
  std::vector<std::optional<Duration>> arrivals_;
};

// Adds all traffic of an iteration.
class IterationTraffic {
 public:
  IterationTraffic(const ShardedModel& in, const Capacity& capacity)
      : in_(in), grid_(in.strategy), traffic_(capacity, grid_.devices()) {}

  TrafficBound& all() {
    for (std::size_t c = 0; c < in_.chunks.size(); ++c) {
      const Chunk& chunk = in_.chunks[c];
      add_steps(chunk.forward, chunk.stage);
      add_steps(chunk.backward, chunk.stage);
      const CollectiveKind kind =
          in_.strategy.zero > 0 ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
      for (const parallelize::Bucket& it : chunk.buckets) {
        sizes_[{kind, it.span, chunk.stage}] += static_cast<double>(it.gradients.count);
      }
      if (c + 1 < in_.chunks.size()) add_output(chunk, in_.chunks[c + 1].stage);
    }
    for (int s = 0; s < in_.strategy.pipeline; ++s) {
      for (const auto& [span, weights] : gathered(in_, s)) {
        sizes_[{CollectiveKind::all_gather, span, s}] += static_cast<double>(weights.count);
      }
    }
    for (const auto& [key, size] : sizes_) {
      const auto& [kind, span, stage] = key;
      workload::Collective it;
      it.kind = kind;
      constexpr double kMaxBytes = 1e18;
      it.size = {static_cast<std::int64_t>(std::min(size, kMaxBytes))};
      traffic_.add(it, grid_.groups(span, stage), 1, static_cast<int>(span));
    }
    return traffic_;
  }

 private:
  void add_steps(const parallelize::Task& task, int stage) {
    for (const Step& it : task.steps) {
      if (!it.communicates) continue;
      sizes_[{it.kind, it.span, stage}] += static_cast<double>(it.size.count) * in_.micro_batches;
    }
  }

  void add_output(const Chunk& chunk, int to) {
    if (chunk.stage == to) return;
    const workload::Groups pairs = grid_.pairs(chunk.stage, to);
    const double bytes = static_cast<double>(chunk.output.count) * in_.micro_batches;
    for (int p = 0; p < pairs.count(); ++p) {
      traffic_.add_message(pairs.device(p, 0), pairs.device(p, 1), bytes);
      traffic_.add_message(pairs.device(p, 1), pairs.device(p, 0), bytes);
    }
  }

  const ShardedModel& in_;
  const place::Grid grid_;
  TrafficBound traffic_;
  std::map<std::tuple<CollectiveKind, Span, int>, double> sizes_;  // by kind, span and stage
};

}  // namespace

Duration chain_of_iteration(const ShardedModel& sharded, const Capacity& capacity,
                            const RankBound& rank_bound) {
  Iteration iteration(sharded, capacity, rank_bound);
  const int busiest = iteration.busiest();
  const Duration first = iteration.round(0);
  return busiest == 0 ? first : std::max(first, iteration.round(busiest));
}

Duration traffic_of_iteration(const ShardedModel& sharded, const Capacity& capacity) {
  IterationTraffic traffic(sharded, capacity);
  TrafficBound& all = traffic.all();
  return std::max(all.of_devices(), all.of_hops());
}

}  // namespace loom::plan
