// What the bursts of a bench tell: how long iterations took, how much jobs talked at once, when
// they had slid apart, and how sure that is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bpf/bench.h"

namespace loom::bpf {

// From the beginning of one communication to that of the next; one fewer than bursts.
std::vector<Duration> iteration_times(const std::vector<Burst>& bursts);

// The share of each communication of `job` during which another job communicated too.
std::vector<double> overlaps(const std::vector<std::vector<Burst>>& bursts, std::size_t job);

// The first iteration (1 is the first) from which three in a row overlap by at most a tenth, on
// average over the jobs; none where that does not happen.
inline constexpr double kInterleaved = 0.1;
inline constexpr int kInARow = 3;
std::optional<int> interleaved_from(const std::vector<std::vector<Burst>>& bursts);

struct RunSummary {
  double mean = 0;  // of iteration times, in seconds
  double p95 = 0;   // the least that 95 of 100 do not exceed
  double longest = 0;
  double overlap = 0;   // in the second half of the run
  int interleaved = 0;  // the iteration; where it does not happen, one after the last
  bool did_interleave = false;
};

RunSummary summary_of(const BenchRun& run);

// A mean over seeds and half the width of its 95 % confidence interval (Student's t; 0 for one).
struct Estimate {
  double mean = 0;
  double half_width = 0;
};

Estimate estimate(const std::vector<double>& values);

struct AlgorithmSummary {
  std::string algorithm;
  int runs = 0;
  Estimate mean;
  Estimate p95;
  Estimate overlap;
  Estimate interleaved;
  int did_interleave = 0;  // runs
  double longest = 0;
  std::string compared_with;  // the kernel's own under the same conditions; "" if not measured
  Estimate difference;        // of the means, seed by seed
};

// In the order of the algorithms in the spec.
std::vector<AlgorithmSummary> summaries(const BenchSpec& spec, const BenchResult& result);

}  // namespace loom::bpf
