#include "loom/lightning/serving_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "loom/base/files.h"
#include "loom/base/settings.h"

namespace loom::lightning {
namespace {

using photonic::ServedModel;
using photonic::ServingProcessor;

// Default loads; the paper uses 60 Mbps.
constexpr std::array<std::string_view, 6> kLoads = {"1 Mbps",  "5 Mbps",   "20 Mbps",
                                                    "60 Mbps", "120 Mbps", "240 Mbps"};

[[noreturn]] void refuse_name(const std::string& option, const std::string& name,
                              const std::vector<std::string_view>& known) {
  throw InputError(location_of(fmt::format("--{} {}", option, name)),
                   fmt::format("there is no {} '{}'{}; known are {}", option, name,
                               suggestion(name, known), fmt::join(known, ", ")));
}

std::vector<int> chosen_models(const ServingOptions& options,
                               const std::vector<photonic::ServedModel>& models) {
  std::vector<std::string_view> known;
  for (const photonic::ServedModel& it : models) known.push_back(it.name);
  std::vector<int> mix;
  for (const std::string& name : options.models) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) refuse_name("model", name, known);
    mix.push_back(static_cast<int>(found - known.begin()));
  }
  if (!mix.empty()) return mix;
  for (std::size_t i = 0; i < models.size(); ++i) {
    // The paper's mix consists of large networks; it uses LeNet only on the prototype.
    if (!options.layers.empty() || models[i].name != "LeNet-300-100") {
      mix.push_back(static_cast<int>(i));
    }
  }
  return mix;
}

std::vector<photonic::ServingProcessor> chosen_processors(
    const ServingOptions& options, const std::vector<photonic::ServedModel>& models) {
  std::vector<photonic::ServingProcessor> all = photonic::serving_processors(models, options.batch);
  if (options.processors.empty()) return all;
  std::vector<std::string_view> known;
  for (const photonic::ServingProcessor& it : all) known.push_back(photonic::name_of(it));
  std::vector<photonic::ServingProcessor> chosen;
  for (const std::string& name : options.processors) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) refuse_name("processor", name, known);
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return chosen;
}

std::vector<Bandwidth> loads_of(const ServingOptions& options) {
  std::vector<std::string> texts = options.loads;
  if (texts.empty()) texts.assign(kLoads.begin(), kLoads.end());
  std::vector<Bandwidth> loads;
  for (const std::string& text : texts) {
    std::string why;
    const auto load = parse_bandwidth(text, why);
    if (!load || load->bits_per_second < 1000 || *load > kLargestBandwidth) {
      throw InputError(location_of("--load " + text),
                       load ? "the load is out of range; 1 kbps to 1 Pbps is needed" : why);
    }
    loads.push_back(*load);
  }
  return loads;
}

// Removes processors that cannot serve a network of the mix. Throws InputError instead if the
// options name processors.
void check_served(photonic::ServingSpec& spec, const ServingOptions& options,
                  const std::vector<int>& mix) {
  for (std::size_t p = 0; p < spec.processors.size();) {
    const auto unserved = std::find_if(mix.begin(), mix.end(), [&](int model) {
      return !photonic::serves(spec.processors[p], spec.models, model);
    });
    if (unserved == mix.end()) {
      ++p;
      continue;
    }
    const std::string& name = photonic::name_of(spec.processors[p]);
    const std::string why = photonic::unserved_reason(
        spec.processors[p], spec.models[static_cast<std::size_t>(*unserved)]);
    if (!options.processors.empty()) {
      throw InputError(location_of("--processor " + name),
                       why + "; other networks or processors are needed");
    }
    spec.left_out.push_back({name, why});
    spec.processors.erase(spec.processors.begin() + static_cast<std::ptrdiff_t>(p));
  }
}

}  // namespace

photonic::ServingSpec serving_spec(const ServingOptions& options) {
  photonic::ServingSpec spec;
  spec.models = options.layers.empty()
                    ? photonic::published_models()
                    : photonic::parse_layer_table(
                          read_file(options.layers, location_of("--layers " + options.layers)),
                          options.layers);
  spec.mix = chosen_models(options, spec.models);
  spec.processors = chosen_processors(options, spec.models);
  spec.loads = loads_of(options);
  spec.horizons = options.requests.empty() ? std::vector<int>{100} : options.requests;
  spec.runs = options.runs;
  spec.seed = options.seed;
  spec.idle_share = options.idle;
  spec.threads = options.threads;
  if (!options.trace.empty()) return spec;
  for (const int model : spec.mix) {
    const photonic::ServedModel& it = spec.models[static_cast<std::size_t>(model)];
    if (it.input.count > 0) continue;
    throw InputError(location_of("--layers " + options.layers),
                     fmt::format("the input size of {} is unknown; networks of the paper, "
                                 "or a --trace, are needed",
                                 it.name));
  }
  check_served(spec, options, spec.mix);
  return spec;
}

std::string left_out_text(const photonic::ServingSpec& spec) {
  std::string text;
  for (const photonic::LeftOut& it : spec.left_out) {
    text += fmt::format("{}{} ({})", text.empty() ? "left out: " : ", ", it.processor, it.why);
  }
  return text;
}

std::vector<photonic::Arrival> read_trace(const ServingOptions& options,
                                          photonic::ServingSpec& spec) {
  std::vector<photonic::Arrival> arrivals =
      photonic::parse_requests(read_file(options.trace, location_of("--trace " + options.trace)),
                               options.trace, spec.models);
  std::set<int> asked;
  for (const photonic::Arrival& it : arrivals) asked.insert(it.model);
  check_served(spec, options, {asked.begin(), asked.end()});
  return arrivals;
}

}  // namespace loom::lightning
