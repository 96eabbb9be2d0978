#include "loom/model/operator_time.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "loom/base/csv.h"
#include "loom/model/kernel_time.h"

namespace loom::model {
namespace {

constexpr Duration kNotMeasured = Duration::min();

// FlashAttention (arXiv 2205.14135): forward takes two products, backward takes five, because it
// also recomputes the scores.
constexpr double kFusedBackward = 2.5;

std::int64_t divide(std::int64_t total, std::int64_t ranks) { return (total + ranks - 1) / ranks; }

// The matrix products on one device. A batch multiplies the number of rows; in attention, the
// number of products.
MatrixProduct sharded(const Operator& op, const Division& it) {
  MatrixProduct product = op.product;
  const bool attention = op.kind == OperatorKind::attention;
  (attention ? product.count : product.rows) *= it.samples;
  product.rows = divide(product.rows, it.context);
  if (op.tensor == TensorSharding::column) product.columns = divide(product.columns, it.tensor);
  if (op.tensor == TensorSharding::row) product.inner = divide(product.inner, it.tensor);
  if (op.tensor == TensorSharding::sharded) product.count = divide(product.count, it.tensor);
  if (op.tensor == TensorSharding::replicated && it.sequence_parallel) {
    product.rows = divide(product.rows, it.tensor);
  }
  if (op.experts > 0) {  // one product per local expert, each with an equal share of the rows
    const int local = op.experts / it.expert;
    const double rows = static_cast<double>(product.rows) * it.expert_load / local;
    product.rows = std::max<std::int64_t>(1, std::llround(rows));
    product.count *= local;
  }
  return product;
}

// Number of activation elements on one device, for an operator with `elements` per sample.
double device_elements(const Operator& op, const Division& it, std::int64_t elements) {
  const bool is_sharded = op.tensor == TensorSharding::sharded || it.sequence_parallel;
  const double load = op.experts > 0 ? it.expert_load : 1;
  return static_cast<double>(elements) * static_cast<double>(it.samples) * load / it.context /
         (is_sharded ? it.tensor : 1);
}

OperatorTime fused(const Operator& op, const Division& it, const Accelerator& accelerator,
                   Precision precision) {
  const MatrixProduct product = sharded(op, it);
  const double flops = static_cast<double>(product.flops()) * (op.causal ? 0.5 : 1);
  const double bytes = device_elements(op, it, op.saved + op.output) * bytes_of(precision);
  return {fused_time(accelerator, precision, flops, bytes),
          fused_time(accelerator, precision, flops * kFusedBackward, 2 * bytes)};
}

OperatorTime products(const Operator& op, const Division& it, const Accelerator& accelerator,
                      Precision precision) {
  const MatrixProduct forward = sharded(op, it);
  // The products for the gradients of the first operand (the input) and of the second (the weights;
  // in attention, the other input).
  const MatrixProduct first = {forward.rows, forward.columns, forward.inner, forward.count};
  const MatrixProduct second = {forward.inner, forward.rows, forward.columns, forward.count};
  OperatorTime time;
  time.forward = product_time(accelerator, precision, forward);
  time.backward = product_time(accelerator, precision, second);
  // If the number of parameters is not a multiple of the size of the weight matrix, the operator
  // has a bias. The gradient of a bias is the sum over all rows of the output's gradient.
  const std::int64_t weights = op.product.inner * op.product.columns;
  if (op.kind != OperatorKind::attention && weights > 0 && op.parameters % weights != 0) {
    const double read = static_cast<double>(forward.rows) * static_cast<double>(forward.columns) *
                        static_cast<double>(forward.count) * bytes_of(precision);
    time.backward += memory_time(accelerator, read);
  }
  const bool reads_samples = op.inputs.empty() && op.kind != OperatorKind::attention;
  if (!reads_samples) time.backward += product_time(accelerator, precision, first);
  return time;
}

OperatorTime predicted(const Operator& op, const Division& it, const Accelerator& accelerator,
                       Precision precision) {
  if (op.kind == OperatorKind::attention && op.fused) {
    return fused(op, it, accelerator, precision);
  }
  if (op.kind != OperatorKind::memory && op.kind != OperatorKind::lookup) {
    return products(op, it, accelerator, precision);
  }
  const int bytes = bytes_of(precision);
  return {memory_time(accelerator, device_elements(op, it, op.read + op.written) * bytes),
          memory_time(accelerator, device_elements(op, it, op.backward_moved) * bytes)};
}

// The measured time of the exact name, otherwise of the longest matching pattern; nullptr if none.
const OperatorTime* find(const MeasuredTimes& measured, const std::string& name) {
  const auto exact = measured.exact.find(name);
  if (exact != measured.exact.end()) return &exact->second;
  const OperatorTime* best = nullptr;
  std::size_t longest = 0;
  for (const auto& pattern : measured.patterns) {
    if (pattern.first.size() < longest || !name_fits(pattern.first, name)) continue;
    longest = pattern.first.size();
    best = &pattern.second;
  }
  return best;
}

}  // namespace

// The shards of a mixture of experts round the rows of each expert, at worst from 1.5 to 1.
double min_operator_seconds(const Operator& op, std::int64_t samples,
                            const Accelerator& accelerator, Precision precision) {
  const Division whole{.samples = samples};
  const double launch = seconds(accelerator.launch);
  if (op.kind == OperatorKind::memory || op.kind == OperatorKind::lookup ||
      (op.kind == OperatorKind::attention && op.fused)) {
    const OperatorTime time = predicted(op, whole, accelerator, precision);
    return seconds(time.forward) + seconds(time.backward) - 2 * launch;
  }
  const MatrixProduct forward = sharded(op, whole);
  const MatrixProduct first = {forward.rows, forward.columns, forward.inner, forward.count};
  const MatrixProduct second = {forward.inner, forward.rows, forward.columns, forward.count};
  double sum = min_product_seconds(accelerator, precision, forward) +
               min_product_seconds(accelerator, precision, second);
  if (!op.inputs.empty() || op.kind == OperatorKind::attention) {
    sum += min_product_seconds(accelerator, precision, first);
  }
  return op.experts > 0 ? sum / 1.5 : sum;
}

bool name_fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= name.size(); ++skip) {
    if (name_fits(rest, name.substr(skip))) return true;
  }
  return false;
}

MeasuredTimes parse_measured_times(const std::string& text, const std::string& source) {
  constexpr std::array kColumns = {CsvColumn{"operator", ValueType::text},
                                   CsvColumn{"pass", ValueType::text},
                                   CsvColumn{"time", ValueType::duration}};
  const CsvTable table = parse_csv(text, source, kColumns);
  MeasuredTimes measured;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name(table.text(row, "operator"));
    const std::string_view pass = table.text(row, "pass");
    if (pass != "forward" && pass != "backward") {
      table.refuse(row, "pass", "forward or backward is needed");
    }
    const auto stars = std::count(name.begin(), name.end(), '*');
    constexpr int kMaxStars = 4;  // matching time is exponential in their number
    if (stars > kMaxStars) table.refuse(row, "operator", "at most four * are possible");
    auto& known = stars > 0 ? measured.patterns : measured.exact;
    OperatorTime& time =
        known.try_emplace(name, OperatorTime{kNotMeasured, kNotMeasured}).first->second;
    (pass == "forward" ? time.forward : time.backward) = table.duration(row, "time");
  }
  return measured;
}

std::optional<std::string> unknown_operator(const MeasuredTimes& measured, const Model& model) {
  const auto none_fits = [&](const std::string& pattern) {
    return std::none_of(model.operators.begin(), model.operators.end(),
                        [&](const Operator& op) { return name_fits(pattern, op.name); });
  };
  for (const auto& times : {measured.exact, measured.patterns}) {
    for (const auto& named : times) {
      if (none_fits(named.first)) return named.first;
    }
  }
  return std::nullopt;
}

OperatorTime operator_time(const Operator& op, const Division& division,
                           const Accelerator& accelerator, Precision precision,
                           const MeasuredTimes& measured) {
  OperatorTime time = predicted(op, division, accelerator, precision);
  if (const OperatorTime* known = find(measured, op.name); known != nullptr) {
    if (known->forward != kNotMeasured) time.forward = known->forward;
    if (known->backward != kNotMeasured) time.backward = known->backward;
  }
  return time;
}

}  // namespace loom::model
