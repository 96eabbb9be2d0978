// How many iterations a training needs to reach its accuracy with batches of a given size, and so
// how long it takes.
//
// There are two laws. A table of trainings that were run: between two of them iterations lie on the
// straight line through both on logarithmic axes; below the first batch the number of samples stays
// as it is there, beyond the last the number of iterations does, so that no batch is believed to
// save what nobody measured. And the critical batch (McCandlish et al., arXiv 1812.06162):
// iterations = iterations_minimum · (1 + critical_batch / batch).
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

namespace loom {

// No batch, and no number of iterations in a law, may be larger.
inline constexpr std::int64_t kMaxIterations = 1'000'000'000;

struct BatchPoint {
  std::int64_t batch = 0;  // samples of all devices
  std::int64_t iterations = 0;

  bool operator==(const BatchPoint&) const = default;
};

struct IterationTable {
  std::vector<BatchPoint> points;  // at least one; batches ascend

  bool operator==(const IterationTable&) const = default;
};

struct CriticalBatch {
  std::int64_t iterations_minimum = 0;
  std::int64_t critical_batch = 0;

  bool operator==(const CriticalBatch&) const = default;
};

struct AccuracyLaw {
  std::string target;       // what is reached: "75.9 % top-1"
  std::string source;       // who measured it, or the file it was read from
  std::int64_t tokens = 0;  // of one sample, where the law holds for that length; 0: any
  std::variant<IterationTable, CriticalBatch> iterations;

  bool operator==(const AccuracyLaw&) const = default;
};

struct TrainingTime {
  std::int64_t iterations = 0;
  TrainingSpan span;
  bool measured = true;  // false: the batch lies outside the law's table

  bool operator==(const TrainingTime&) const = default;
};

// Needs a batch from 1 to kMostIterations. Between points of a table rounded to the nearest,
// otherwise up.
std::int64_t iterations_to_accuracy(const AccuracyLaw& law, std::int64_t batch);

// LimitError where spans of training end.
TrainingTime time_to_accuracy(const AccuracyLaw& law, std::int64_t batch, Duration iteration_time);

// The law of a built-in model, by the name of its preset; nothing where no source gives one.
std::optional<AccuracyLaw> published_accuracy_law(std::string_view preset);

// A law as a scenario gives it, if it does: the two numbers, or a file with a table.
inline constexpr std::array kAccuracyParameters = {
    Parameter{.name = "iterations_minimum",
              .type = ValueType::integer,
              .summary = "to accuracy, that no batch is large enough to save",
              .min = 1,
              .max = kMaxIterations},
    Parameter{.name = "critical_batch",
              .type = ValueType::integer,
              .summary = "the batch that needs twice as many iterations to accuracy",
              .min = 1,
              .max = kMaxIterations},
    Parameter{.name = "iterations_file",
              .type = ValueType::text,
              .summary = "instead of both: a CSV file of batches and the iterations each needed"},
};

std::optional<AccuracyLaw> read_accuracy_law(const Settings& settings);

// A line for each training: its batch and its iterations, with a comma or spaces between. The first
// line may name the columns, `batch,iterations`; the order of lines does not count.
AccuracyLaw parse_iteration_table(std::string_view text, const std::string& source);

}  // namespace loom
