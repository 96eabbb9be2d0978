// Statistics of a bench: iteration times, the overlap of the jobs' communication, when the jobs had
// interleaved, and confidence intervals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bpf/bench.h"

namespace loom::bpf {

// Times from the start of one communication to the start of the next; one fewer than bursts.
std::vector<Duration> iteration_times(const std::vector<Burst>& bursts);

// The fraction of each communication of `job` during which another job communicated too.
std::vector<double> overlaps(const std::vector<std::vector<Burst>>& bursts, std::size_t job);

// The first iteration (counted from 1) that starts three in a row with an overlap of at most a
// tenth, averaged over the jobs; nullopt if there is none.
inline constexpr double kInterleaved = 0.1;
inline constexpr int kInARow = 3;
std::optional<int> interleaved_from(const std::vector<std::vector<Burst>>& bursts);

struct RunSummary {
  double mean = 0;  // iteration time in seconds
  double p95 = 0;   // 95th percentile (nearest rank)
  double longest = 0;
  double overlap = 0;   // mean over the second half of the run
  int interleaved = 0;  // first interleaved iteration; if there is none, one after the last
  bool did_interleave = false;
};

RunSummary summary_of(const BenchRun& run);

// A mean over seeds and half the width of its 95 % confidence interval (Student's t; 0 for one
// seed).
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
  int did_interleave = 0;  // number of runs that interleaved
  double longest = 0;
  std::string
      compared_with;    // the kernel's algorithm under the same conditions; "" if not measured
  Estimate difference;  // difference of the means, paired by seed
};

// One summary per algorithm, in the order of the spec.
std::vector<AlgorithmSummary> summaries(const BenchSpec& spec, const BenchResult& result);

}  // namespace loom::bpf
