// Converts a Rostam profile to the graph of its computations and trained variables.
//
// A WRITEVARIABLE node stands for one trained variable. Its num_bytes is the size of the gradient,
// which the operators before it (the makers) compute. The makers use the variable, and so do the
// operators after a matching READVARIABLE node: one that leads to the write, or one of equal
// num_bytes that leads to a maker. Without a match, the users are unknown. In a graph without
// writes, every variable read is trained, and the gradients are summed last. What follows a write
// or a control dependency waits for the last operator before it; all other memory nodes propagate
// everything that reaches them.
#include <fmt/format.h>

#include <algorithm>

#include "loom/foreign/rostam.h"

namespace loom::foreign {
namespace {

constexpr int kNothing = -1;
constexpr std::size_t kMaxPropagated = 10'000'000;

void insert(std::vector<int>& into, const std::vector<int>& more) {
  std::vector<int> both;
  std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(both));
  into = std::move(both);
}

class GraphBuilder {
 public:
  explicit GraphBuilder(const RostamProfile& profile)
      : profile_(profile), got_(profile.nodes.size()) {}

  model::ProfiledGraph build() {
    graph_.source = profile_.source;
    graph_.batches = profile_.batches;
    graph_.accuracy = profile_.accuracy;
    for (std::size_t i = 0; i < profile_.nodes.size(); ++i) {
      const Got propagated = propagate(profile_.nodes[i], got_[i]);
      got_[i] = {};
      for (const int successor : profile_.nodes[i].successors) give(successor, propagated);
    }
    for (std::size_t w = 0; w < written_.size(); ++w) find_users(written_[w], reads_[w]);
    graph_.sums_last = written_.empty();
    graph_.variables = graph_.sums_last ? std::move(read_) : std::move(written_);
    return std::move(graph_);
  }

 private:
  // Inputs that reach a node from its predecessors.
  struct Got {
    std::vector<int> outputs = {};    // operators whose outputs reach the node
    std::vector<int> variables = {};  // indices in read_ of the variables that reach the node
    int after = kNothing;  // last operator for which the node only waits, without its output

    int last() const { return std::max(after, outputs.empty() ? kNothing : outputs.back()); }
  };

  Got propagate(const RostamNode& node, const Got& got) {
    switch (node.type) {
      case RostamType::compute:
        return {.outputs = {add_operator(node, got)}};
      case RostamType::control_dependency:
        return {.after = got.last()};
      case RostamType::memory:
        return propagate_memory(node, got);
    }
    return {};
  }

  Got propagate_memory(const RostamNode& node, const Got& got) {
    Got propagated = got;
    if (node.memory == RostamMemory::write_variable) {
      std::vector<int> makers = got.outputs;
      if (got.after != kNothing) insert(makers, {got.after});
      if (add_variable(node, std::move(makers), written_)) reads_.push_back(got.variables);
      return {.after = got.last()};
    }
    if (node.memory == RostamMemory::read_variable && add_variable(node, {}, read_)) {
      insert(propagated.variables, {static_cast<int>(read_.size()) - 1});
    }
    return propagated;
  }

  int add_operator(const RostamNode& node, const Got& got) {
    const int op = static_cast<int>(graph_.operators.size());
    model::ProfiledOperator it{.name = node.name};
    for (const RostamMeasurement& measured : node.measured) {
      it.times.push_back(measured.time);
      it.outputs.push_back(measured.output);
    }
    for (const int from : got.outputs) it.inputs.push_back({from, true});
    const bool known = std::binary_search(got.outputs.begin(), got.outputs.end(), got.after);
    if (got.after != kNothing && !known) {
      const auto at =
          std::find_if(it.inputs.begin(), it.inputs.end(),
                       [&](const model::ProfiledInput& in) { return in.from > got.after; });
      it.inputs.insert(at, {got.after, false});
    }
    for (const int variable : got.variables) {
      model::ProfiledVariable& read = read_[static_cast<std::size_t>(variable)];
      read.makers.push_back(op);
      read.users.push_back(op);
    }
    read_by_.push_back(got.variables);
    graph_.operators.push_back(std::move(it));
    return op;
  }

  // Adds a variable to `into`; ignores a variable without bytes and returns false.
  static bool add_variable(const RostamNode& node, std::vector<int> makers,
                           std::vector<model::ProfiledVariable>& into) {
    model::ProfiledVariable it{node.name, {}, std::move(makers), {}};
    bool any = false;
    for (const RostamMeasurement& measured : node.measured) {
      it.sizes.push_back(measured.bytes);
      any = any || measured.bytes.count > 0;
    }
    if (any) into.push_back(std::move(it));
    return any;
  }

  void find_users(model::ProfiledVariable& written, std::vector<int> reads) const {
    for (const int op : written.makers) {
      for (const int variable : read_by_[static_cast<std::size_t>(op)]) {
        const bool same = read_[static_cast<std::size_t>(variable)].sizes == written.sizes;
        if (same) insert(reads, {variable});
      }
    }
    if (reads.empty()) return;
    written.users = written.makers;
    for (const int it : reads) insert(written.users, read_[static_cast<std::size_t>(it)].users);
  }

  void give(int successor, const Got& propagated) {
    Got& got = got_[static_cast<std::size_t>(successor)];
    insert(got.outputs, propagated.outputs);
    insert(got.variables, propagated.variables);
    got.after = std::max(got.after, propagated.after);
    propagated_ += propagated.outputs.size() + propagated.variables.size();
    if (propagated_ > kMaxPropagated) {
      throw InputError(location_of(profile_.source),
                       fmt::format("memory nodes propagate more than {} outputs; fewer are needed",
                                   kMaxPropagated));
    }
  }

  const RostamProfile& profile_;
  std::vector<Got> got_;
  std::size_t propagated_ = 0;
  std::vector<model::ProfiledVariable> written_;
  // Per written variable: the read variables that lead to the write.
  std::vector<std::vector<int>> reads_;
  std::vector<model::ProfiledVariable> read_;
  std::vector<std::vector<int>> read_by_;  // per operator: variables that it reads
  model::ProfiledGraph graph_;
};

}  // namespace

model::ProfiledGraph to_graph(const RostamProfile& profile) {
  model::ProfiledGraph graph = GraphBuilder(profile).build();
  if (!graph.operators.empty()) return graph;
  throw InputError(location_of(profile.source),
                   "no node is of the type COMPUTE; at least one is needed");
}

}  // namespace loom::foreign
