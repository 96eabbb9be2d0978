#include "loom/model/profiled_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"

namespace loom::model {
namespace {

double number(Duration time) { return static_cast<double>(time.count()); }
double number(Bytes size) { return static_cast<double>(size.count); }

template <class Value>
std::int64_t interpolated(const std::vector<int>& batches, const std::vector<Value>& measured,
                          double batch) {
  if (batch <= batches.front()) return std::llround(number(measured.front()));
  std::size_t above = 1;
  while (above + 1 < batches.size() && batches[above] < batch) ++above;
  const double from = number(measured[above - 1]);
  const double fraction = (batch - batches[above - 1]) / (batches[above] - batches[above - 1]);
  const double value = std::max(0.0, from + fraction * (number(measured[above]) - from));
  if (value > 9e18) throw LimitError("the batch is too large: its times or sizes exceed 63 bits");
  return std::llround(value);
}

template <class Value>
std::int64_t of_batch(const ProfiledGraph& graph, const std::vector<Value>& measured,
                      double batch) {
  LOOM_CHECK(std::isfinite(batch) && !graph.objection(batch), "the profile covers the batch");
  return interpolated(graph.batches, measured, batch);
}

}  // namespace

std::optional<Infeasible> ProfiledGraph::objection(double batch) const {
  if (batches.size() > 1 || batch <= batches.front()) return std::nullopt;
  return Infeasible{
      fmt::format("the only measured batch is {}; a batch of {:.6g} needs a second measurement",
                  batches.front(), batch)};
}

Duration ProfiledGraph::time(int op, double batch) const {
  return Duration(of_batch(*this, operators[static_cast<std::size_t>(op)].times, batch));
}

Bytes ProfiledGraph::output(int op, double batch) const {
  return {of_batch(*this, operators[static_cast<std::size_t>(op)].outputs, batch)};
}

Bytes ProfiledGraph::size(int variable, double batch) const {
  return {of_batch(*this, variables[static_cast<std::size_t>(variable)].sizes, batch)};
}

bool ProfiledGraph::output_has_samples(int op) const {
  const std::vector<Bytes>& outputs = operators[static_cast<std::size_t>(op)].outputs;
  return outputs.back() > outputs.front();
}

}  // namespace loom::model
