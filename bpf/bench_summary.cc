#include "bpf/bench_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "loom/base/error.h"

namespace loom::bpf {
namespace {

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

// The 0.975 quantile of Student's t by degrees of freedom (NIST/SEMATECH handbook, 1.3.6.7.2).
double student(std::size_t freedom) {
  static constexpr std::array<double, 30> kQuantile = {
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
      2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return freedom <= kQuantile.size() ? kQuantile.at(freedom - 1) : 1.960;
}

// The communications of all other jobs as disjoint time intervals, in order.
std::vector<Burst> others_joined(const std::vector<std::vector<Burst>>& bursts, std::size_t job) {
  std::vector<Burst> all;
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    if (i != job) all.insert(all.end(), bursts[i].begin(), bursts[i].end());
  }
  std::sort(all.begin(), all.end(),
            [](const Burst& a, const Burst& b) { return a.begin < b.begin; });
  std::vector<Burst> joined;
  for (const Burst& it : all) {
    if (!joined.empty() && it.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, it.end);
    } else {
      joined.push_back(it);
    }
  }
  return joined;
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Mean overlap in each iteration, over the jobs that have this iteration.
std::vector<double> mean_overlaps(const std::vector<std::vector<Burst>>& bursts) {
  std::vector<std::vector<double>> each;
  std::size_t longest = 0;
  for (std::size_t job = 0; job < bursts.size(); ++job) {
    each.push_back(overlaps(bursts, job));
    longest = std::max(longest, each.back().size());
  }
  std::vector<double> means;
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> here;
    for (const auto& it : each) {
      if (i < it.size()) here.push_back(it[i]);
    }
    means.push_back(mean_of(here));
  }
  return means;
}

// The kernel's algorithm with which an algorithm is compared: its base, without MLTCP or time
// shifts. "" for an algorithm that has no base.
std::string base_of(const std::string& algorithm) {
  if (algorithm.starts_with("mltcp_")) return kernel_algorithm(algorithm.substr(6));
  const std::string plain = kernel_algorithm(algorithm);
  return plain == algorithm ? "" : plain;
}

}  // namespace

std::vector<Duration> iteration_times(const std::vector<Burst>& bursts) {
  std::vector<Duration> times;
  for (std::size_t i = 1; i < bursts.size(); ++i) {
    times.push_back(bursts[i].begin - bursts[i - 1].begin);
  }
  return times;
}

std::vector<double> overlaps(const std::vector<std::vector<Burst>>& bursts, std::size_t job) {
  const std::vector<Burst> others = others_joined(bursts, job);
  std::vector<double> shares;
  for (const Burst& mine : bursts[job]) {
    Duration both{};
    for (const Burst& it : others) {
      both += std::max(Duration{}, std::min(mine.end, it.end) - std::max(mine.begin, it.begin));
    }
    shares.push_back(mine.end > mine.begin ? seconds(both) / seconds(mine.end - mine.begin) : 0);
  }
  return shares;
}

std::optional<int> interleaved_from(const std::vector<std::vector<Burst>>& bursts) {
  const std::vector<double> means = mean_overlaps(bursts);
  int row = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    row = means[i] <= kInterleaved ? row + 1 : 0;
    if (row == kInARow) return static_cast<int>(i) - kInARow + 2;
  }
  return std::nullopt;
}

RunSummary summary_of(const BenchRun& run) {
  std::vector<double> times;
  for (const auto& job : run.bursts) {
    for (const Duration it : iteration_times(job)) times.push_back(seconds(it));
  }
  std::sort(times.begin(), times.end());
  RunSummary summary;
  if (!times.empty()) {
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(times.size())));
    summary.mean = mean_of(times);
    summary.p95 = times[rank - 1];
    summary.longest = times.back();
  }
  const std::vector<double> means = mean_overlaps(run.bursts);
  const auto half = static_cast<std::ptrdiff_t>(means.size() / 2);
  summary.overlap = mean_of({means.begin() + half, means.end()});
  const std::optional<int> from = interleaved_from(run.bursts);
  summary.did_interleave = from.has_value();
  summary.interleaved = from.value_or(static_cast<int>(means.size()) + 1);
  return summary;
}

Estimate estimate(const std::vector<double>& values) {
  const double mean = mean_of(values);
  if (values.size() < 2) return {mean, 0};
  double squares = 0;
  for (const double it : values) squares += (it - mean) * (it - mean);
  const auto count = static_cast<double>(values.size());
  return {mean, student(values.size() - 1) * std::sqrt(squares / (count - 1) / count)};
}

std::vector<AlgorithmSummary> summaries(const BenchSpec& spec, const BenchResult& result) {
  std::map<std::string, std::map<int, RunSummary>> by_seed;
  for (const BenchRun& run : result.runs) by_seed[run.algorithm][run.seed] = summary_of(run);
  std::vector<AlgorithmSummary> all;
  for (const std::string& name : spec.algorithms) {
    AlgorithmSummary it{.algorithm = name};
    std::vector<double> mean, p95, overlap, interleaved, difference;
    const auto base = by_seed.find(base_of(name));
    if (base != by_seed.end()) it.compared_with = base->first;
    for (const auto& [seed, run] : by_seed[name]) {
      mean.push_back(run.mean);
      p95.push_back(run.p95);
      overlap.push_back(run.overlap);
      interleaved.push_back(run.interleaved);
      it.did_interleave += run.did_interleave ? 1 : 0;
      it.longest = std::max(it.longest, run.longest);
      if (base != by_seed.end()) difference.push_back(run.mean - base->second[seed].mean);
    }
    it.runs = static_cast<int>(mean.size());
    it.mean = estimate(mean);
    it.p95 = estimate(p95);
    it.overlap = estimate(overlap);
    it.interleaved = estimate(interleaved);
    it.difference = estimate(difference);
    all.push_back(it);
  }
  return all;
}

}  // namespace loom::bpf
