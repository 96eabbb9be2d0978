#include "loom/photonic/serving/tick_simulation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include "loom/base/error.h"
#include "loom/photonic/serving/core_clocks.h"

namespace loom::photonic {
namespace {

enum class What : std::uint8_t { arrival, begin, end };

struct Event {
  Tick time = 0;
  int request = 0;
  std::int64_t batch = 0;  // number of the batch of events inserted together
  int layer = 0;
  What what = What::arrival;

  // True if this event comes after the other: std::priority_queue returns the largest event first.
  bool operator<(const Event& other) const {
    return std::tie(time, request, other.batch, layer) >
           std::tie(other.time, other.request, batch, other.layer);
  }
};

// A network as the processor computes it: inner products shorter than the processor's min_vector
// are merged (served_model.h). Also the dependencies of its layers.
struct DealtModel {
  std::vector<ServedLayer> layers;
  std::vector<std::vector<int>> children;
  std::vector<int> waits_for;  // per layer: number of layers that must end before it
  Tick datapath_latency = 0;
};

Tick rounded_up(std::int64_t nanoseconds, double gigahertz) {
  return static_cast<Tick>(std::ceil(static_cast<double>(nanoseconds) * gigahertz));
}

DealtModel dealt_model(const TickProcessor& processor, const ServedModel& model) {
  DealtModel dealt;
  dealt.children.resize(model.layers.size());
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const ServedLayer layer = merged(model.layers[i], processor.min_vector);
    dealt.waits_for.push_back(static_cast<int>(layer.after.size()));
    for (const int before : layer.after) {
      dealt.children[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
    }
    dealt.layers.push_back(layer);
  }
  const auto datapath_latency = processor.datapath_latency(model);
  LOOM_CHECK(datapath_latency.has_value(), "the datapath latency is known");
  dealt.datapath_latency = rounded_up(*datapath_latency, processor.gigahertz);
  return dealt;
}

class Simulation {
 public:
  Simulation(const TickProcessor& processor, const std::vector<ServedModel>& models,
             const std::vector<Arrival>& arrivals, std::size_t first)
      : processor_(processor),
        models_(models.size()),
        arrivals_(arrivals),
        first_(first == 0 ? arrivals.size() : std::min(first, arrivals.size())),
        open_(first_),
        clocks_(processor.cores) {
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      DealtModel& model = models_[static_cast<std::size_t>(arrivals[i].model)];
      if (model.layers.empty()) {
        model = dealt_model(processor, models[static_cast<std::size_t>(arrivals[i].model)]);
      }
      const Tick time = rounded_up(arrivals[i].nanoseconds, processor.gigahertz);
      events_.push({time, static_cast<int>(i), 0, 0, What::arrival});
    }
  }

  Completions run() {
    Tick now = 0;
    while (!events_.empty() && open_ > 0) {
      const Event event = events_.top();
      events_.pop();
      now = event.time;
      if (event.what == What::arrival) arrive(event);
      if (event.what == What::begin) begin(event);
      if (event.what == What::end) end(event);
    }
    done_.end_seconds = static_cast<double>(now) / processor_.gigahertz / 1e9;
    // The busy time cannot exceed the run: work that was assigned but not finished does not count.
    const double dealt = static_cast<double>(dealt_) / processor_.multiplications_per_second();
    done_.busy_seconds = std::min(dealt, done_.end_seconds);
    return std::move(done_);
  }

 private:
  struct Running {
    Tick arrived = 0;
    std::size_t layers_left = 0;
    std::vector<int> waits_for;
  };

  const DealtModel& model_of(int request) const {
    return models_[static_cast<std::size_t>(arrivals_[static_cast<std::size_t>(request)].model)];
  }

  void arrive(const Event& event) {
    const DealtModel& model = model_of(event.request);
    running_.emplace(event.request, Running{event.time, model.layers.size(), model.waits_for});
    ++batch_;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      if (model.waits_for[i] > 0) continue;
      events_.push({event.time + model.datapath_latency, event.request, batch_, static_cast<int>(i),
                    What::begin});
    }
  }

  void begin(const Event& event) {
    const ServedLayer& layer =
        model_of(event.request).layers[static_cast<std::size_t>(event.layer)];
    const Tick ends = clocks_.deal(event.time, layer.products, layer.vector);
    dealt_ += layer.products * layer.vector;
    events_.push({ends, event.request, ++batch_, event.layer, What::end});
  }

  void end(const Event& event) {
    const DealtModel& model = model_of(event.request);
    Running& running = running_.find(event.request)->second;
    --running.layers_left;
    ++batch_;
    for (const int child : model.children[static_cast<std::size_t>(event.layer)]) {
      if (--running.waits_for[static_cast<std::size_t>(child)] > 0) continue;
      events_.push({event.time, event.request, batch_, child, What::begin});
    }
    if (running.layers_left == 0) answer(event, running.arrived);
  }

  void answer(const Event& event, Tick arrived) {
    const int model = arrivals_[static_cast<std::size_t>(event.request)].model;
    const double served = static_cast<double>(event.time - arrived) / processor_.gigahertz;
    done_.all.push_back({event.request, model, served});
    if (static_cast<std::size_t>(event.request) < first_) --open_;
    running_.erase(event.request);
  }

  const TickProcessor& processor_;
  std::vector<DealtModel> models_;
  const std::vector<Arrival>& arrivals_;
  std::size_t first_;
  std::size_t open_;  // number of the first requests that are not answered yet
  CoreClocks clocks_;
  std::priority_queue<Event> events_;
  std::int64_t batch_ = 0;
  Tick dealt_ = 0;  // assigned work, in ticks of one core
  std::map<int, Running> running_;
  Completions done_;
};

}  // namespace

Completions simulate_ticks(const TickProcessor& processor, const std::vector<ServedModel>& models,
                           const std::vector<Arrival>& arrivals, std::size_t first) {
  return Simulation(processor, models, arrivals, first).run();
}

}  // namespace loom::photonic
