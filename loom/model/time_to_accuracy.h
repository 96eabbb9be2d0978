// Iterations that a training run needs to reach its accuracy with a given batch size, and the
// resulting time.
//
// There are two laws. The first is a table of training runs, interpolated linearly on logarithmic
// axes. Below the smallest batch of the table, the total number of samples stays constant; above
// the largest batch, the number of iterations stays constant, so that no batch saves more than was
// measured. The second is the critical batch (McCandlish et al., arXiv 1812.06162): iterations =
// iterations_minimum · (1 + critical_batch / batch).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "loom/base/settings.h"
#include "loom/base/units.h"

namespace loom::model {

// Maximum batch, and maximum number of iterations in a law.
inline constexpr std::int64_t kMaxIterations = 1'000'000'000;

struct BatchPoint {
  std::int64_t batch = 0;  // samples over all devices
  std::int64_t iterations = 0;

  bool operator==(const BatchPoint&) const = default;
};

struct IterationTable {
  std::vector<BatchPoint> points;  // at least one, by ascending batch

  bool operator==(const IterationTable&) const = default;
};

struct CriticalBatch {
  std::int64_t iterations_minimum = 0;
  std::int64_t critical_batch = 0;

  bool operator==(const CriticalBatch&) const = default;
};

struct AccuracyLaw {
  std::string target;       // accuracy reached: "75.9 % top-1"
  std::string source;       // publication, or the file it was read from
  std::int64_t tokens = 0;  // tokens per sample for which the law holds; 0: any
  std::variant<IterationTable, CriticalBatch> iterations;

  bool operator==(const AccuracyLaw&) const = default;
};

struct TrainingTime {
  std::int64_t iterations = 0;
  TrainingSpan span;
  bool measured = true;  // false: the batch is outside the law's table

  bool operator==(const TrainingTime&) const = default;
};

// Number of iterations to accuracy for a batch from 1 to kMaxIterations. Rounded to the nearest
// integer between points of a table, otherwise up.
std::int64_t iterations_to_accuracy(const AccuracyLaw& law, std::int64_t batch);

// Iterations and training time to accuracy; LimitError if the time exceeds the range of
// TrainingSpan.
TrainingTime time_to_accuracy(const AccuracyLaw& law, std::int64_t batch, Duration iteration_time);

// The published law of a built-in model, by the name of its preset; nothing if none is published.
std::optional<AccuracyLaw> published_accuracy_law(std::string_view preset);

// Parameters for a law given in a scenario: two numbers, or a file with a table.
inline constexpr std::array kAccuracyParameters = {
    Parameter{.name = "iterations_minimum",
              .type = ValueType::integer,
              .summary = "minimum number of iterations to accuracy, in the limit of large batches",
              .min = 1,
              .max = kMaxIterations},
    Parameter{.name = "critical_batch",
              .type = ValueType::integer,
              .summary = "batch that needs twice the minimum number of iterations to accuracy",
              .min = 1,
              .max = kMaxIterations},
    Parameter{.name = "iterations_file",
              .type = ValueType::text,
              .summary = "CSV file of batches and iterations to accuracy; replaces "
                         "iterations_minimum and critical_batch"},
};

std::optional<AccuracyLaw> read_accuracy_law(const Settings& settings);

// One line per training run: its batch and its iterations, separated by a comma or spaces. The
// first line may name the columns, `batch,iterations`; the order of lines does not matter.
AccuracyLaw parse_iteration_table(std::string_view text, const std::string& source);

}  // namespace loom::model
