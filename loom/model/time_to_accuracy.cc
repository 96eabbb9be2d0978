#include "loom/model/time_to_accuracy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/files.h"

namespace loom::model {
namespace {

std::int64_t divide_up(Int128 dividend, std::int64_t divisor) {
  return static_cast<std::int64_t>((dividend + divisor - 1) / divisor);
}

std::int64_t between(const BatchPoint& below, const BatchPoint& above, std::int64_t batch) {
  const auto logarithm = [](std::int64_t value) { return std::log(static_cast<double>(value)); };
  const double fraction = (logarithm(batch) - logarithm(below.batch)) /
                          (logarithm(above.batch) - logarithm(below.batch));
  const double height = logarithm(below.iterations) +
                        fraction * (logarithm(above.iterations) - logarithm(below.iterations));
  return std::llround(std::exp(height));
}

bool covers(const IterationTable& table, std::int64_t batch) {
  return batch >= table.points.front().batch && batch <= table.points.back().batch;
}
bool covers(const CriticalBatch&, std::int64_t) { return true; }

std::int64_t iterations_of(const IterationTable& table, std::int64_t batch) {
  const std::vector<BatchPoint>& points = table.points;
  LOOM_CHECK(!points.empty(), "an iteration table has at least one point");
  const auto at = std::lower_bound(
      points.begin(), points.end(), batch,
      [](const BatchPoint& point, std::int64_t wanted) { return point.batch < wanted; });
  if (at == points.end()) return points.back().iterations;
  if (at->batch == batch) return at->iterations;
  if (at == points.begin()) return divide_up(Int128{at->iterations} * at->batch, batch);
  return between(*(at - 1), *at, batch);
}

std::int64_t iterations_of(const CriticalBatch& law, std::int64_t batch) {
  return divide_up(Int128{law.iterations_minimum} * (Int128{batch} + law.critical_batch), batch);
}

}  // namespace

std::int64_t iterations_to_accuracy(const AccuracyLaw& law, std::int64_t batch) {
  LOOM_CHECK(batch >= 1 && batch <= kMaxIterations, "a batch is checked before it is trained");
  return std::visit([&](const auto& it) { return iterations_of(it, batch); }, law.iterations);
}

TrainingTime time_to_accuracy(const AccuracyLaw& law, std::int64_t batch, Duration iteration_time) {
  const std::int64_t iterations = iterations_to_accuracy(law, batch);
  return {iterations, training_span(iterations, iteration_time),
          std::visit([&](const auto& it) { return covers(it, batch); }, law.iterations)};
}

std::optional<AccuracyLaw> read_accuracy_law(const Settings& settings) {
  const bool both_given = settings.given("iterations_minimum") && settings.given("critical_batch");
  const bool some_given = settings.given("iterations_minimum") || settings.given("critical_batch");
  if (settings.given("iterations_file")) {
    if (some_given)
      settings.refuse("iterations_file",
                      "a file, or iterations_minimum and critical_batch, is needed, not both");
    const SourceLocation location = settings.location("iterations_file");
    const std::string path =
        path_beside(location.source ? *location.source : "", settings.text("iterations_file"));
    return parse_iteration_table(read_file(path, location), path);
  }
  if (!some_given) return std::nullopt;
  if (!both_given) {
    throw InputError(settings.location(),
                     "only one of iterations_minimum and critical_batch is given; both are "
                     "needed");
  }
  return AccuracyLaw{.source = settings.location().text(),
                     .iterations = CriticalBatch{settings.integer("iterations_minimum"),
                                                 settings.integer("critical_batch")}};
}

}  // namespace loom::model
