#include "loom/photonic/serving/tick_simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "loom/base/random.h"
#include "loom/photonic/serving/core_clocks.h"
#include "loom/photonic/serving/testing.h"

namespace loom::photonic {
namespace {

// Reference: the released simulation as written by its authors, with one sorted list of events,
// into which each batch is merged before equal ones, and one clock per core. Slow and simple.
class PlainSimulation {
 public:
  PlainSimulation(const TickProcessor& processor, const std::vector<ServedModel>& models,
                  const std::vector<Arrival>& arrivals)
      : processor_(processor), models_(models), arrivals_(arrivals) {
    free_.resize(static_cast<std::size_t>(processor.cores));
  }

  std::vector<Completion> run(std::size_t first) {
    std::size_t open = first;
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      merge({{ticks(arrivals_[i].nanoseconds), static_cast<int>(i), -1, false}});
    }
    state_.resize(arrivals_.size());
    while (!events_.empty() && open > 0) {
      const Event event = events_.front();
      events_.pop_front();
      const std::size_t answers = done_.size();
      handle(event);
      if (done_.size() > answers && static_cast<std::size_t>(event.request) < first) --open;
    }
    return done_;
  }

 private:
  struct Event {
    Tick time = 0;
    int request = 0;
    int layer = -1;  // -1: the request arrives
    bool ends = false;
  };
  struct State {
    Tick arrived = 0;
    std::vector<bool> ended;
  };

  Tick ticks(std::int64_t nanoseconds) const {
    return static_cast<Tick>(std::ceil(static_cast<double>(nanoseconds) * processor_.gigahertz));
  }

  void merge(const std::vector<Event>& batch) {
    auto at = events_.begin();
    for (const Event& it : batch) {
      while (at != events_.end() &&
             std::make_pair(at->time, at->request) < std::make_pair(it.time, it.request)) {
        ++at;
      }
      events_.insert(at, it);
    }
  }

  void handle(const Event& event) {
    const ServedModel& model =
        models_[static_cast<std::size_t>(arrivals_[static_cast<std::size_t>(event.request)].model)];
    State& state = state_[static_cast<std::size_t>(event.request)];
    if (event.layer < 0) {
      state = {event.time, std::vector<bool>(model.layers.size(), false)};
      begin_ready(model, state, -1, event.time + ticks(*processor_.datapath_latency(model)),
                  event.request);
    } else if (!event.ends) {
      const ServedLayer layer =
          merged(model.layers[static_cast<std::size_t>(event.layer)], processor_.min_vector);
      Tick last = 0;
      for (std::int64_t i = 0; i < layer.products; ++i) {
        Tick& free = free_[next_++ % free_.size()];
        free = std::max(free, event.time) + layer.vector;
        last = std::max(last, free);
      }
      merge({{last, event.request, event.layer, true}});
    } else {
      state.ended[static_cast<std::size_t>(event.layer)] = true;
      begin_ready(model, state, event.layer, event.time, event.request);
      if (std::all_of(state.ended.begin(), state.ended.end(), [](bool it) { return it; })) {
        done_.push_back({event.request, arrivals_[static_cast<std::size_t>(event.request)].model,
                         static_cast<double>(event.time - state.arrived) / processor_.gigahertz});
      }
    }
  }

  // Layers that depend on `ended` (-1: on nothing) and on nothing that is still running.
  void begin_ready(const ServedModel& model, const State& state, int ended, Tick time,
                   int request) {
    std::vector<Event> batch;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      const std::vector<int>& after = model.layers[i].after;
      const bool concerns =
          ended < 0 ? after.empty() : std::count(after.begin(), after.end(), ended) > 0;
      const bool ready = std::all_of(after.begin(), after.end(), [&](int before) {
        return state.ended[static_cast<std::size_t>(before)];
      });
      if (concerns && ready) batch.push_back({time, request, static_cast<int>(i), false});
    }
    merge(batch);
  }

  const TickProcessor& processor_;
  const std::vector<ServedModel>& models_;
  const std::vector<Arrival>& arrivals_;
  std::vector<Tick> free_;
  std::size_t next_ = 0;
  std::list<Event> events_;
  std::vector<State> state_;
  std::vector<Completion> done_;
};

ServedModel random_model(Random& random, int number) {
  ServedModel model;
  model.name = "network " + std::to_string(number);
  model.passes = static_cast<int>(random(4));
  const int layers = 1 + static_cast<int>(random(8));
  for (int i = 0; i < layers; ++i) {
    ServedLayer layer{1 + random(6), 1 + random(12), {}};
    for (int before = 0; before < i; ++before) {
      if (random(3) == 0) layer.after.push_back(before);
    }
    model.layers.push_back(layer);
  }
  return model;
}

TEST(TickSimulation, MatchesASimpleSortedEventList) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<ServedModel> models;
    for (int i = 0; i < 3; ++i) models.push_back(random_model(random, i));
    const TickProcessor processor{.name = "small",
                                  .cores = 1 + random(5),
                                  .gigahertz = 0.25 * (1 + random(8)),
                                  .power = {},
                                  .pass_nanoseconds = random(5),
                                  .min_vector = 1 + random(4)};
    std::vector<Arrival> arrivals;
    std::int64_t time = 0;
    for (int i = 0; i < 12; ++i) {
      time += random(20);  // many at the same time
      arrivals.push_back({static_cast<int>(random(3)), time});
    }
    const std::size_t first = 1 + random(12);
    const std::vector<Completion> plain = PlainSimulation(processor, models, arrivals).run(first);
    const Completions ours = simulate_ticks(processor, models, arrivals, first);
    ASSERT_EQ(ours.all.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(ours.all[i].request, plain[i].request);
      ASSERT_EQ(ours.all[i].nanoseconds, plain[i].nanoseconds);
    }
  }
}

TEST(TickSimulation, AnUncontendedRequestTakesItsDatapathLatencyAndItsLongestChain) {
  ServedModel model;
  model.name = "two layers";
  model.passes = 2;
  model.layers = {{3000, 10, {}}, {100, 100, {0}}};  // 10,000 short products: 5 of 2048
  const TickProcessor processor{.name = "p", .cores = 4, .gigahertz = 2, .pass_nanoseconds = 7};
  const Completions done = simulate_ticks(processor, {model}, {{0, 1000}}, 0);
  // 14 ns of datapath latency; ten products on four cores in three rounds; five more, starting at
  // the third core, in two.
  EXPECT_EQ(done.all.front().nanoseconds, 14 + (3 * 3000 + 2 * 2048) / 2.0);
}

// A core that serves one product at a time, with random arrivals: an M/D/1 queue. Its mean wait is
// rho / (2 (1 - rho)) service times (Pollaczek-Khinchine).
TEST(TickSimulation, AnMD1QueueMatchesItsClosedForm) {
  ServedModel model;
  model.name = "one product";
  model.input = {1000};
  model.layers = {{1000, 1, {}}};
  const TickProcessor processor{.name = "p", .cores = 1, .gigahertz = 1, .min_vector = 1};
  for (const double rho : {0.3, 0.6, 0.8}) {
    const Bandwidth speed{std::llround(8e9 * rho)};  // 1000 bytes take 1000 ns / rho
    const auto arrivals = sample_requests({model}, {0}, speed, 200'000, 7);
    const Completions done = simulate_ticks(processor, {model}, arrivals, 0);
    std::vector<double> waits;
    for (const Completion& it : done.all) waits.push_back(it.nanoseconds - 1000);
    const BatchMeans wait = batch_means(waits);
    const double expected = 1000 * rho / (2 * (1 - rho));
    EXPECT_NEAR(wait.mean, expected, 4 * wait.sigma) << rho;
    EXPECT_LT(wait.sigma, 0.02 * expected) << rho;
    EXPECT_NEAR(done.busy_seconds / done.end_seconds, rho, 0.01);
  }
}

}  // namespace
}  // namespace loom::photonic
