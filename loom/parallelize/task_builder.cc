#include "loom/parallelize/task_builder.h"

#include <algorithm>
#include <cmath>

#include "loom/model/kernel_time.h"

namespace loom::parallelize {
namespace {

// Adds a kernel to the main chain; consecutive kernels of a block form one step.
void compute(Task& task, Duration time, int block) {
  if (time.count() == 0) return;
  if (task.last >= 0) {
    Step& before = task.steps[static_cast<std::size_t>(task.last)];
    if (!before.communicates && before.block == block &&
        task.last + 1 == static_cast<int>(task.steps.size())) {
      before.time = add(before.time, time);
      return;
    }
  }
  Step step;
  step.time = time;
  step.block = block;
  if (task.last >= 0) step.after = {task.last};
  task.last = static_cast<int>(task.steps.size());
  task.steps.push_back(std::move(step));
}

Step exchange(workload::CollectiveKind kind, Span span, Bytes size, int block) {
  Step step;
  step.communicates = true;
  step.kind = kind;
  step.span = span;
  step.size = size;
  step.block = block;
  return step;
}

// Adds a communication to the main chain, so that later steps wait for it.
void communicate(Task& task, Step step) {
  if (step.size.count == 0) return;
  if (task.last >= 0) step.after = {task.last};
  task.last = static_cast<int>(task.steps.size());
  task.steps.push_back(std::move(step));
}

// Index of the last communication over data ranks: a reduction of gradients if `gradient`,
// otherwise a gather of weights or an exchange of table lookups; -1 if there is none.
int last_aside(const Task& task, bool gradient) {
  for (int s = static_cast<int>(task.steps.size()) - 1; s >= 0; --s) {
    const Step& step = task.steps[static_cast<std::size_t>(s)];
    const bool aside =
        step.communicates &&
        (step.span == Span::data || step.span == Span::expert_data || step.span == Span::all_data);
    if (aside && step.gradient == gradient) return s;
  }
  return -1;
}

}  // namespace

// An operator costs as much as the one in the same place of the previous block if both are equal.
TaskBuilder::TaskBuilder(const Input& input) : in_(input), boundaries_(input.model.boundaries()) {
  const std::vector<model::Operator>& operators = in_.model.operators;
  const bool by_name = !in_.measured.empty();
  if (!in_.strategy.splits.empty()) layouts_ = operator_layouts(in_.model, in_.strategy);
  std::size_t period = 0;  // number of operators of the previous block
  for (std::size_t i = 0, begin = 0; i < operators.size(); ++i) {
    if (i > 0 && operators[i].block != operators[i - 1].block) {
      period = i - begin;
      begin = i;
    }
    const bool known = period > 0 && !by_name && same_cost(operators[i], operators[i - period]) &&
                       split_at(operators[i]) == split_at(operators[i - period]);
    costs_.push_back(known ? costs_[i - period] : cost_of_operator(operators[i]));
  }
}

struct TaskBuilder::Block {
  int index = 0;
  std::vector<const model::Operator*> operators;
  Held held;
};

TaskBuilder::Block TaskBuilder::block_at(int index) const {
  Block block;
  block.index = index;
  for (const model::Operator& op : in_.model.operators_of(index)) {
    block.operators.push_back(&op);
    block.held.dense += cost(op).held.dense;
    block.held.expert += cost(op).held.expert;
    block.held.shared += cost(op).held.shared;
  }
  return block;
}

Bytes TaskBuilder::activations(std::int64_t elements) const {
  const double all = static_cast<double>(elements) * in_.strategy.micro_batch *
                     bytes_of(in_.job.precision) / in_.strategy.context;
  return rounded_up(all);
}

Bytes TaskBuilder::boundary(int block) const {
  const Bytes whole = activations(boundaries_[static_cast<std::size_t>(block)]);
  return {(whole.count + in_.strategy.tensor - 1) / in_.strategy.tensor};
}

// All-gather of the input of a stage: each tensor rank received only a slice from the adjacent
// stage. With sequence parallelism the slice is sufficient.
void TaskBuilder::gather_input(Task& task, int block) const {
  if (in_.strategy.tensor == 1 || in_.strategy.sequence_parallel) return;
  if (!layouts_.empty() && !crosses_whole(block)) return;
  communicate(task, exchange(workload::CollectiveKind::all_gather, Span::tensor,
                             activations(boundaries_[static_cast<std::size_t>(block)]), block));
}

// Whether a tensor that crosses the boundary after a block is complete on every tensor rank.
bool TaskBuilder::crosses_whole(int block) const {
  const std::vector<model::Operator>& operators = in_.model.operators;
  return std::any_of(operators.begin(), operators.end(), [&](const model::Operator& op) {
    return op.block > block && std::any_of(op.inputs.begin(), op.inputs.end(), [&](int input) {
             const auto from = static_cast<std::size_t>(input);
             return operators[from].block <= block && layouts_[from].output == TensorLayout::whole;
           });
  });
}

void TaskBuilder::build(Chunk& chunk) const {
  const int end = chunk.first_block + chunk.block_count;
  if (chunk.first_block > 0) gather_input(chunk.forward, chunk.first_block - 1);
  for (int b = chunk.first_block; b < end; ++b) forward_block(chunk.forward, block_at(b), false);
  if (end < in_.model.blocks) gather_input(chunk.backward, end - 1);
  for (int b = end - 1; b >= chunk.first_block; --b) {
    backward_block(chunk.backward, block_at(b), chunk);
  }
}

// ZeRO-3: gathers the weights of a block while the previous block computes.
void TaskBuilder::gather_weights(Task& task, const Block& block) const {
  const Strategy& it = in_.strategy;
  if (it.zero < 3 || (it.data * it.context == 1 && block.held.shared == 0)) return;
  const int bytes = bytes_of(in_.job.precision);
  const auto gather = [&](double parameters, Span span) {
    if (parameters == 0 || ranks_of(span, it) == 1) return;
    Step step = exchange(workload::CollectiveKind::all_gather, span, rounded_up(parameters * bytes),
                         block.index);
    const int aside = last_aside(task, false);
    if (aside >= 0) {
      step.after.push_back(aside);
      // Also waits for the computation before the last gather, so that a device holds the gathered
      // weights of at most two blocks: the current one and the next.
      for (int s = aside - 1; s >= 0; --s) {
        const Step& before = task.steps[static_cast<std::size_t>(s)];
        if (before.communicates) continue;
        step.after.push_back(s);
        break;
      }
    }
    task.steps.push_back(std::move(step));
  };
  gather(block.held.dense, Span::data);
  gather(block.held.expert, Span::expert_data);
  gather(block.held.shared, Span::all_data);
  // An empty step at the beginning of the block waits for the gather.
  Step wait;
  wait.block = block.index;
  if (task.last >= 0) wait.after = {task.last};
  const int aside = last_aside(task, false);
  if (aside >= 0) wait.after.push_back(aside);
  task.last = static_cast<int>(task.steps.size());
  task.steps.push_back(std::move(wait));
}

// ZeRO-2 and ZeRO-3 keep no complete gradients: the gradients of every micro-batch are reduced
// immediately.
void TaskBuilder::reduce_gradients(Task& task, const Block& block) const {
  const Strategy& it = in_.strategy;
  if (it.zero < 2) return;
  const auto reduce = [&](double parameters, Span span) {
    if (parameters == 0 || ranks_of(span, it) == 1) return;
    Step step = exchange(workload::CollectiveKind::reduce_scatter, span,
                         rounded_up(parameters * in_.job.gradient_bytes), block.index);
    step.gradient = true;
    if (task.last >= 0) step.after = {task.last};
    const int aside = last_aside(task, true);
    if (aside >= 0) step.after.push_back(aside);
    task.steps.push_back(std::move(step));
    if (!in_.job.overlap_gradients) task.last = static_cast<int>(task.steps.size()) - 1;
  };
  reduce(block.held.dense, Span::data);
  reduce(block.held.expert, Span::expert_data);
  reduce(block.held.shared, Span::all_data);
}

void TaskBuilder::forward_block(Task& task, const Block& block, bool again) const {
  if (!again) gather_weights(task, block);
  for (const model::Operator* op : block.operators) {
    if (!again || !op->kept) forward_operator(task, *op);
  }
}

void TaskBuilder::backward_block(Task& task, const Block& block, Chunk& chunk) const {
  gather_weights(task, block);
  const Recompute recompute = in_.strategy.recompute;
  // Operators at the end of the block that are not recomputed, such as the head, still have their
  // activations.
  std::size_t next = block.operators.size();
  for (; next > 0 && block.operators[next - 1]->kept; --next) {
    backward_operator(task, *block.operators[next - 1]);
  }
  if (recompute == Recompute::full) forward_block(task, block, true);
  bool redone = recompute != Recompute::selective;
  for (; next > 0; --next) {
    const model::Operator& op = *block.operators[next - 1];
    if (!redone && op.core_attention && !op.fused) {
      for (const model::Operator* core : block.operators) {
        if (core->core_attention && !core->fused) forward_operator(task, *core);
      }
      redone = true;
    }
    backward_operator(task, op);
  }
  reduce_gradients(task, block);
  add_bucket(chunk, block);
}

// Bytes that an operator's communication moves, per device.
TaskBuilder::OperatorBytes TaskBuilder::bytes_of_operator(const model::Operator& op) const {
  const Strategy& it = in_.strategy;
  const model::MatrixProduct& product = op.product;
  OperatorBytes size;
  size.input = activations(product.rows * product.inner);
  size.output = activations(
      op.kind == model::OperatorKind::lookup ? op.output : product.rows * product.columns);
  if (op.experts > 0) {  // buffers are sent at full capacity
    size.input = rounded_up(static_cast<double>(size.input.count) * in_.job.capacity);
    size.output = rounded_up(static_cast<double>(size.output.count) * in_.job.capacity);
  }
  const int shards =
      it.sequence_parallel ? it.tensor : 1;  // each tensor rank exchanges only its own tokens
  const auto exchanged = [&](Bytes all) {
    return rounded_up(static_cast<double>(all.count) / shards);
  };
  size.dispatched = exchanged(size.input);
  size.combined = exchanged(size.output);
  size.gathered = {activations(op.gathered).count * it.context / it.tensor};
  return size;
}

TaskBuilder::OperatorCost TaskBuilder::cost_of_operator(const model::Operator& op) const {
  return {
      split_time(op, split_at(op), in_.division, in_.accelerator, in_.job.precision, in_.measured),
      bytes_of_operator(op), held_parameters(op, in_.job, in_.strategy, split_at(op))};
}

// Whether a column gathers its divided input, and whether a row scatters its sums.
bool TaskBuilder::gathers_input(const model::Operator& op) const {
  if (layouts_.empty()) return in_.strategy.sequence_parallel;
  return layouts_[index_of(op)].input != TensorLayout::whole;
}

bool TaskBuilder::scatters_output(const model::Operator& op) const {
  if (layouts_.empty()) return in_.strategy.sequence_parallel;
  return layouts_[index_of(op)].output != TensorLayout::whole;
}

// Exchanges the tensors that the operator is the first to need in another layout, or returns their
// gradients. An all-to-all exchanges what one rank has.
void TaskBuilder::change_layouts(Task& task, const model::Operator& op, bool forward) const {
  if (layouts_.empty()) return;
  for (const LayoutChange& it : layouts_[index_of(op)].changes) {
    const auto kind =
        forward ? collective_of(it.before, it.after) : collective_of(it.after, it.before);
    if (!kind) continue;
    Bytes size = activations(in_.model.operators[static_cast<std::size_t>(it.from)].output);
    if (*kind == workload::CollectiveKind::all_to_all) {
      size = {(size.count + in_.strategy.tensor - 1) / in_.strategy.tensor};
    }
    communicate(task, exchange(*kind, Span::tensor, size, op.block));
  }
}

// Sends the looked-up rows from the owners of the tables to the owners of the samples, or their
// gradients back.
void TaskBuilder::exchange_lookups(Task& task, const model::Operator& op) const {
  const bool all = split_at(op) == OperatorSplit::sample;
  const int owners = in_.strategy.data * (all ? in_.strategy.tensor : 1);
  if (op.tables == 0 || owners == 1) return;
  const int divided = all ? in_.strategy.tensor : 1;
  const Bytes size{(activations(op.output).count + divided - 1) / divided};
  communicate(task, exchange(workload::CollectiveKind::all_to_all,
                             all ? Span::all_data : Span::data, size, op.block));
}

void TaskBuilder::forward_operator(Task& task, const model::Operator& op) const {
  const Strategy& it = in_.strategy;
  const OperatorBytes& size = cost(op).bytes;
  const bool tensor = it.tensor > 1 && split_at(op) == OperatorSplit::uniform;
  change_layouts(task, op, true);
  if (op.experts > 0 && op.tensor == model::TensorSharding::column && it.expert > 1) {
    communicate(task, exchange(workload::CollectiveKind::all_to_all, Span::expert, size.dispatched,
                               op.block));
  }
  if (tensor && op.tensor == model::TensorSharding::column && gathers_input(op)) {
    communicate(task,
                exchange(workload::CollectiveKind::all_gather, Span::tensor, size.input, op.block));
  }
  if (op.gathered > 0 && it.context > 1) {
    communicate(task, exchange(workload::CollectiveKind::all_gather, Span::context, size.gathered,
                               op.block));
  }
  compute(task, cost(op).time.forward, op.block);
  exchange_lookups(task, op);
  if (tensor && op.tensor == model::TensorSharding::row) {
    const workload::CollectiveKind kind = scatters_output(op)
                                              ? workload::CollectiveKind::reduce_scatter
                                              : workload::CollectiveKind::all_reduce;
    communicate(task, exchange(kind, Span::tensor, size.output, op.block));
  }
  if (op.experts > 0 && op.tensor == model::TensorSharding::row && it.expert > 1) {
    communicate(task, exchange(workload::CollectiveKind::all_to_all, Span::expert, size.combined,
                               op.block));
  }
}

// The mirror image of forward_operator().
void TaskBuilder::backward_operator(Task& task, const model::Operator& op) const {
  const Strategy& it = in_.strategy;
  const OperatorBytes& size = cost(op).bytes;
  const bool tensor = it.tensor > 1 && split_at(op) == OperatorSplit::uniform;
  if (op.experts > 0 && op.tensor == model::TensorSharding::row && it.expert > 1) {
    communicate(task, exchange(workload::CollectiveKind::all_to_all, Span::expert, size.combined,
                               op.block));
  }
  if (tensor && op.tensor == model::TensorSharding::row && scatters_output(op)) {
    communicate(
        task, exchange(workload::CollectiveKind::all_gather, Span::tensor, size.output, op.block));
  }
  exchange_lookups(task, op);
  Duration time = cost(op).time.backward;
  const double accumulated = accumulation_bytes(op);
  if (accumulated > 0) time = add(time, memory_time(in_.accelerator, accumulated));
  compute(task, time, op.block);
  if (op.gathered > 0 && it.context > 1) {
    communicate(task, exchange(workload::CollectiveKind::reduce_scatter, Span::context,
                               size.gathered, op.block));
  }
  if (tensor && op.tensor == model::TensorSharding::column && !op.inputs.empty()) {
    const workload::CollectiveKind kind = gathers_input(op)
                                              ? workload::CollectiveKind::reduce_scatter
                                              : workload::CollectiveKind::all_reduce;
    communicate(task, exchange(kind, Span::tensor, size.input, op.block));
  }
  if (op.experts > 0 && op.tensor == model::TensorSharding::column && it.expert > 1) {
    communicate(task, exchange(workload::CollectiveKind::all_to_all, Span::expert, size.dispatched,
                               op.block));
  }
  change_layouts(task, op, false);
}

// Bytes of the separate pass over memory that accumulates the gradient of an operator; 0 if the
// product accumulates it in place.
double TaskBuilder::accumulation_bytes(const model::Operator& op) const {
  if (in_.job.fused_gradients || in_.micro_batches == 1 || op.tables > 0) return 0;
  const Held& held = cost(op).held;
  return (held.dense + held.expert + held.shared) *
         (2 * in_.job.gradient_bytes + bytes_of(in_.job.precision));
}

void TaskBuilder::add_bucket(Chunk& chunk, const Block& block) const {
  const Strategy& it = in_.strategy;
  if (it.zero >= 2) return;
  const int ready = chunk.backward.last;
  const int weight_bytes = bytes_of(in_.job.precision);
  const auto put = [&](double parameters, Span span) {
    if (parameters == 0 || ranks_of(span, it) == 1) return;
    Bucket* open = nullptr;
    for (Bucket& bucket : chunk.buckets) {
      const bool room = bucket.gradients < in_.job.bucket || !in_.job.overlap_gradients;
      if (bucket.span == span && room) open = &bucket;
    }
    if (open == nullptr) {
      chunk.buckets.push_back({});
      open = &chunk.buckets.back();
      open->span = span;
    }
    open->gradients += rounded_up(parameters * in_.job.gradient_bytes);
    open->weights += rounded_up(parameters * weight_bytes);
    open->ready = ready;
  };
  put(block.held.dense, Span::data);
  put(block.held.expert, Span::expert_data);
  put(block.held.shared, Span::all_data);
}

}  // namespace loom::parallelize
