#include "loom/photonic/serving/serving_study.h"

#include <algorithm>

#include "loom/base/parallel.h"
#include "loom/base/random.h"
#include "loom/base/statistics.h"

namespace loom::photonic {
namespace {

// Measurements of one processor in one run.
struct RunNumbers {
  std::vector<double> seconds;  // serving times of the first requests
  std::vector<ModelMean> means;
  double answers_per_second = 0;
  double working_joules = 0;
  double waiting_joules = 0;
};

RunNumbers numbers_of(const Completions& done, const ServingProcessor& processor,
                      const ServingSpec& spec, int horizon) {
  RunNumbers numbers;
  for (const Completion& it : done.all) {
    if (it.request < horizon) numbers.seconds.push_back(it.nanoseconds / 1e9);
  }
  numbers.means = means_by_model(done, spec.models.size());
  const auto answers = static_cast<double>(done.all.size());
  const double watts = static_cast<double>(power_of(processor).microwatts) / 1e6;
  const double waiting = std::max(0.0, done.end_seconds - done.busy_seconds);
  numbers.answers_per_second = done.end_seconds > 0 ? answers / done.end_seconds : 0;
  numbers.working_joules = watts * done.busy_seconds / answers;
  numbers.waiting_joules = watts * spec.idle_share * waiting / answers;
  return numbers;
}

// Mean serving time relative to the reference, averaged over the networks that both processors
// answered.
double ratio_of(const std::vector<ModelMean>& means, const std::vector<ModelMean>& reference) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (means[i].answers == 0 || reference[i].answers == 0) continue;
    sum += means[i].nanoseconds / reference[i].nanoseconds;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

// Runs all processors on the same requests. Many more requests arrive than the run waits for, so
// that overload persists until the end.
std::vector<RunNumbers> run_once(const ServingSpec& spec, Bandwidth load, int horizon, int run) {
  constexpr int kMinRequests = 5000;  // as many as Lightning's authors sample
  const int count = std::max(kMinRequests, 10 * horizon);
  const std::vector<Arrival> arrivals = sample_requests(
      spec.models, spec.mix, load, count, loom::mix(spec.seed, static_cast<std::uint64_t>(run)));
  std::vector<RunNumbers> all;
  for (const ServingProcessor& it : spec.processors) {
    const auto first = static_cast<std::size_t>(horizon);
    all.push_back(numbers_of(simulate(it, spec.models, arrivals, first), it, spec, horizon));
  }
  return all;
}

template <class Value>
Estimate over_runs(const std::vector<std::vector<RunNumbers>>& runs, const Value& value) {
  std::vector<double> values;
  for (const std::vector<RunNumbers>& run : runs) values.push_back(value(run));
  return estimate_of(values);
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double it : values) sum += it;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double joules_of(const RunNumbers& it) { return it.working_joules + it.waiting_joules; }

ServingPoint point_of(const ServingSpec& spec, std::size_t processor, Bandwidth load, int horizon,
                      const std::vector<std::vector<RunNumbers>>& runs) {
  using Run = std::vector<RunNumbers>;
  const std::size_t p = processor;
  ServingPoint point;
  point.processor = name_of(spec.processors[p]);
  point.load = load;
  point.horizon = horizon;
  point.offered = offered_load(spec.processors[p], spec.models, spec.mix, load);
  point.mean_seconds = over_runs(runs, [&](const Run& it) { return mean_of(it[p].seconds); });
  point.ratio =
      over_runs(runs, [&](const Run& it) { return ratio_of(it[p].means, it.front().means); });
  point.mean_ratio = over_runs(
      runs, [&](const Run& it) { return mean_of(it[p].seconds) / mean_of(it.front().seconds); });
  point.energy_ratio =
      over_runs(runs, [&](const Run& it) { return joules_of(it[p]) / joules_of(it.front()); });
  point.answers_per_second =
      over_runs(runs, [&](const Run& it) { return it[p].answers_per_second; });
  point.working_joules = over_runs(runs, [&](const Run& it) { return it[p].working_joules; });
  point.waiting_joules = over_runs(runs, [&](const Run& it) { return it[p].waiting_joules; });
  std::vector<double> all;
  for (const Run& it : runs) all.insert(all.end(), it[p].seconds.begin(), it[p].seconds.end());
  std::sort(all.begin(), all.end());
  point.median_seconds = percentile(all, 0.5);
  point.p99_seconds = percentile(all, 0.99);
  return point;
}

}  // namespace

std::vector<ServingPoint> run_study(const ServingSpec& spec) {
  const auto runs = static_cast<std::size_t>(spec.runs);
  const std::size_t places = spec.loads.size() * spec.horizons.size();
  std::vector<std::vector<RunNumbers>> results(places * runs);
  for_each_index(results.size(), spec.threads, [&](std::size_t i) {
    const std::size_t place = i / runs;
    results[i] = run_once(spec, spec.loads[place / spec.horizons.size()],
                          spec.horizons[place % spec.horizons.size()], static_cast<int>(i % runs));
  });
  std::vector<ServingPoint> points;
  for (std::size_t place = 0; place < places; ++place) {
    const auto begin = results.begin() + static_cast<std::ptrdiff_t>(place * runs);
    const std::vector<std::vector<RunNumbers>> here(begin,
                                                    begin + static_cast<std::ptrdiff_t>(runs));
    for (std::size_t p = 0; p < spec.processors.size(); ++p) {
      points.push_back(point_of(spec, p, spec.loads[place / spec.horizons.size()],
                                spec.horizons[place % spec.horizons.size()], here));
    }
  }
  return points;
}

std::vector<std::vector<double>> isolated_seconds(const ServingSpec& spec) {
  std::vector<std::vector<double>> all;
  for (const ServingProcessor& processor : spec.processors) {
    all.emplace_back();
    for (int model = 0; model < static_cast<int>(spec.models.size()); ++model) {
      if (!serves(processor, spec.models, model)) {
        all.back().push_back(-1);
        continue;
      }
      const Completions done = simulate(processor, spec.models, {{model, 0}}, 1);
      all.back().push_back(done.all.front().nanoseconds / 1e9);
    }
  }
  return all;
}

}  // namespace loom::photonic
