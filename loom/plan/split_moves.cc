#include "loom/plan/split_moves.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "loom/parallelize/operator_split.h"

namespace loom::plan {
namespace {

using parallelize::OperatorSplit;
using parallelize::Strategy;

constexpr std::array kSplits = {OperatorSplit::uniform, OperatorSplit::sample,
                                OperatorSplit::sequence};
constexpr std::size_t kLongestRun = 4;  // of kinds that one change splits the same way

// The name without numbered parts: "attention.qkv" of "layer3.attention.qkv".
std::string name_in_layer(const std::string& name) {
  std::string kept;
  std::size_t begin = 0;
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
    const bool numbered =
        dot > begin && std::isdigit(static_cast<unsigned char>(name[dot - 1])) != 0;
    if (!numbered) kept += name.substr(begin, dot - begin + 1);
    begin = dot + 1;
  }
  return kept + name.substr(begin);
}

bool can(const JobSpec& spec, const Strategy& it, std::size_t op, OperatorSplit split) {
  return !parallelize::objection(spec.model.operators[op], spec.model, it, split);
}

// The same strategy with its operators split as wanted, where they can be.
Strategy with_all(const JobSpec& spec, Strategy it, OperatorSplit split) {
  it.splits.assign(spec.model.operators.size(), OperatorSplit::uniform);
  for (std::size_t op = 0; op < it.splits.size(); ++op) {
    if (can(spec, it, op, split)) it.splits[op] = split;
  }
  return it;
}

// Operators with weights are divided by samples where their gradients are smaller than their
// outputs and the gradients of these, over all samples of a device; the others follow their input.
// Tables are always divided by samples too, which spreads them over all ranks.
Strategy by_bytes(const JobSpec& spec, Strategy it) {
  it = with_all(spec, std::move(it), OperatorSplit::uniform);
  const std::int64_t samples = spec.job.batch / it.data;
  for (std::size_t op = 0; op < it.splits.size(); ++op) {
    const model::Operator& one = spec.model.operators[op];
    OperatorSplit wanted = OperatorSplit::sample;
    if (one.parameters == 0 && !one.inputs.empty()) {
      wanted = it.splits[static_cast<std::size_t>(one.inputs.front())];
    } else if (one.tables == 0) {
      const double weights = static_cast<double>(one.parameters) * spec.job.gradient_bytes;
      const double outputs =
          2.0 * static_cast<double>(one.output * samples) * bytes_of(spec.job.precision);
      if (weights > outputs) wanted = OperatorSplit::uniform;
    }
    if (can(spec, it, op, wanted)) it.splits[op] = wanted;
  }
  return it;
}

// The strategy with another micro-batch and without the splits that it then cannot have.
void add_micro_batch(const JobSpec& spec, Strategy it, std::int64_t micro_batch,
                     std::vector<Strategy>& moves) {
  if (micro_batch < 1 || spec.choice.micro_batch) return;
  it.micro_batch = static_cast<int>(micro_batch);
  for (std::size_t op = 0; op < it.splits.size(); ++op) {
    if (!can(spec, it, op, it.splits[op])) return;
  }
  moves.push_back(std::move(it));
}

// Turns half the data ranks into tensor ranks, or half the tensor ranks into data ranks; the number
// of micro-batches remains.
void add_ranks(const JobSpec& spec, const Strategy& from, std::vector<Strategy>& moves) {
  Strategy more = from;
  if (from.data % (2 * from.expert) == 0) {
    more.tensor *= 2;
    more.data /= 2;
    add_micro_batch(spec, more, std::int64_t{from.micro_batch} * 2, moves);
  }
  Strategy fewer = from;
  if (from.tensor % 2 == 0 && from.tensor > 2 && from.micro_batch % 2 == 0) {
    fewer.tensor /= 2;
    fewer.data *= 2;
    add_micro_batch(spec, fewer, from.micro_batch / 2, moves);
  }
}

}  // namespace

OperatorKinds operator_kinds(const model::Model& model) {
  OperatorKinds kinds;
  std::vector<std::string> names;
  for (std::size_t op = 0; op < model.operators.size(); ++op) {
    const model::Operator& it = model.operators[op];
    const std::string name = name_in_layer(it.name);
    std::size_t kind = 0;
    while (kind < kinds.size() &&
           (names[kind] != name || !same_cost(model.operators[kinds[kind].front()], it))) {
      ++kind;
    }
    if (kind == kinds.size()) {
      kinds.emplace_back();
      names.push_back(name);
    }
    kinds[kind].push_back(op);
  }
  return kinds;
}

std::string kinds_text(const model::Model& model, const Strategy& strategy, OperatorSplit split) {
  const OperatorKinds kinds = operator_kinds(model);
  const auto has = [&](std::size_t kind) {
    return kind < kinds.size() && split_of(strategy, kinds[kind].front()) == split;
  };
  const auto name = [&](std::size_t kind) {
    return name_in_layer(model.operators[kinds[kind].front()].name);
  };
  std::string text;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (!has(kind)) continue;
    std::size_t last = kind;
    while (has(last + 1)) ++last;
    text += (text.empty() ? "" : ", ") + name(kind);
    if (last > kind) text += (last > kind + 1 ? " … " : ", ") + name(last);
    kind = last;
  }
  return text;
}

std::vector<Strategy> split_starts(const JobSpec& spec, const Strategy& base) {
  std::vector<Strategy> starts;
  const int ranks = base.tensor * base.data;
  const std::int64_t count = spec.job.batch / (std::int64_t{base.data} * base.micro_batch);
  for (int tensor = 2; tensor <= ranks; ++tensor) {
    if (ranks % tensor != 0 || (ranks / tensor) % base.expert != 0) continue;
    Strategy it = base;
    it.tensor = tensor;
    it.data = ranks / tensor;
    const std::int64_t of_all = std::int64_t{it.data} * count;
    if (spec.job.batch % of_all != 0) continue;
    it.micro_batch = static_cast<int>(spec.job.batch / of_all);
    starts.push_back(with_all(spec, it, OperatorSplit::sample));
    starts.push_back(with_all(spec, it, OperatorSplit::uniform));
    starts.push_back(by_bytes(spec, it));
  }
  return starts;
}

std::vector<Strategy> split_moves(const JobSpec& spec, const OperatorKinds& kinds,
                                  const Strategy& from) {
  std::vector<Strategy> moves;
  const auto add_run = [&](std::size_t first, std::size_t end) {
    for (const OperatorSplit split : kSplits) {
      Strategy it = from;
      for (std::size_t kind = first; kind < end; ++kind) {
        for (const std::size_t op : kinds[kind]) {
          if (can(spec, it, op, split)) it.splits[op] = split;
        }
      }
      if (it.splits != from.splits) moves.push_back(std::move(it));
    }
  };
  for (std::size_t kind = 1; kind < kinds.size(); ++kind) {
    add_run(0, kind);
    add_run(kind, kinds.size());
  }
  for (std::size_t length = kLongestRun; length > 0; --length) {
    for (std::size_t kind = 0; kind + length <= kinds.size(); ++kind) add_run(kind, kind + length);
  }
  add_ranks(spec, from, moves);
  add_micro_batch(spec, from, std::int64_t{from.micro_batch} * 2, moves);
  if (from.micro_batch % 2 == 0) add_micro_batch(spec, from, from.micro_batch / 2, moves);
  for (int zero = 0; zero < 2 && !spec.choice.zero; ++zero) {
    Strategy it = from;
    it.zero = zero;
    if (zero != from.zero) moves.push_back(std::move(it));
  }
  return moves;
}

}  // namespace loom::plan
