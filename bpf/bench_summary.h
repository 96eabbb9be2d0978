// Statistics of a bench, with confidence intervals: iteration times, the overlap of the jobs'
// communication, and the iteration from which the jobs interleave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bpf/bench.h"

namespace loom::bpf {

// Times from the start of each communication to the start of the next; one fewer than `bursts`.
std::vector<Duration> iteration_times(const std::vector<Burst>& bursts);

// The fraction of each communication of `job` during which another job communicated too.
std::vector<double> overlaps(const std::vector<std::vector<Burst>>& bursts, std::size_t job);

// The first iteration (counted from 1) from which the overlap, averaged over the jobs, is at most
// 10 % for three iterations in a row; nullopt if there is none.
inline constexpr double kInterleaved = 0.1;
inline constexpr int kInARow = 3;
std::optional<int> interleaved_from(const std::vector<std::vector<Burst>>& bursts);

struct RunSummary {
  double mean = 0;      // mean iteration time in seconds
  double p95 = 0;       // 95th percentile of the iteration time in seconds (nearest rank)
  double longest = 0;   // longest iteration time in seconds
  double overlap = 0;   // mean overlap over the second half of the run
  int interleaved = 0;  // first interleaved iteration; if there is none, the last one plus 1
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
  std::string compared_with;  // kernel algorithm without MLTCP or shifts; "" if not measured
  Estimate difference;        // difference of the mean iteration times, paired by seed
};

// One summary per algorithm, in the order of the spec.
std::vector<AlgorithmSummary> summaries(const BenchSpec& spec, const BenchResult& result);

}  // namespace loom::bpf
