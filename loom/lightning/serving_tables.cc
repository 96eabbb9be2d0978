#include "loom/lightning/serving_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/lightning/serving_verdict.h"

namespace loom::lightning {
namespace {

report::Cell time_cell(double seconds) {
  if (seconds < 0) return {};
  return Duration(std::llround(seconds * 1e12));
}

// Half the width of the confidence interval; empty for a single run.
report::Cell half_cell(const photonic::Estimate& it) {
  return it.runs < 2 ? report::Cell() : report::Cell(it.half);
}

report::Cell half_time_cell(const photonic::Estimate& it) {
  return time_cell(it.runs < 2 ? -1 : it.half);
}

nlohmann::ordered_json estimate_json(const photonic::Estimate& it) {
  return {{"mean", it.mean}, {"half_width", report::to_json(half_cell(it))}, {"runs", it.runs}};
}

std::string runs_text(const photonic::ServingSpec& spec) {
  return spec.runs == 1
             ? fmt::format("one run each, seed {}", spec.seed)
             : fmt::format("{} runs each, seed {}; intervals of 95 %", spec.runs, spec.seed);
}

// Prints all digits as the authors' program does, so that outputs can be compared as text.
std::string all_digits(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

// One series of y over x per processor.
template <class X, class Y>
std::vector<report::PlotSeries> lines(const ServingResult& result, const X& x, const Y& y) {
  std::vector<report::PlotSeries> all;
  for (const photonic::ServingProcessor& processor : result.spec.processors) {
    report::PlotSeries line{photonic::name_of(processor), {}};
    for (const photonic::ServingPoint& it : result.points) {
      if (it.processor == line.name) line.points.emplace_back(x(it), y(it));
    }
    all.push_back(std::move(line));
  }
  return all;
}

double megabits(const photonic::ServingPoint& it) {
  return static_cast<double>(it.load.bits_per_second) / 1e6;
}

}  // namespace

ServingResult run_serving(const photonic::ServingSpec& spec) {
  return {spec, photonic::isolated_seconds(spec), photonic::run_study(spec)};
}

report::Table isolated_table(const ServingResult& result) {
  report::Table table{{"network"}, {}};
  for (const auto& it : result.spec.processors) table.columns.push_back(photonic::name_of(it));
  for (const int model : result.spec.mix) {
    const auto at = static_cast<std::size_t>(model);
    table.rows.push_back({result.spec.models[at].name});
    for (const std::vector<double>& times : result.isolated) {
      table.rows.back().push_back(time_cell(times[at]));
    }
  }
  return table;
}

report::Table capacity_table(const ServingResult& result) {
  report::Table table{{"processor", "power", "requests_per_second", "full_at"}, {}};
  for (const auto& it : result.spec.processors) {
    const Bandwidth unit = {1'000'000};
    const double load = photonic::offered_load(it, result.spec.models, result.spec.mix, unit);
    const double between = photonic::mean_time_between(result.spec.models, result.spec.mix, unit);
    table.rows.push_back({photonic::name_of(it), photonic::power_of(it), 1 / between / load,
                          Bandwidth{std::llround(1e6 / load)}});
  }
  return table;
}

report::Table serving_table(const ServingResult& result) {
  report::Table table{{"load", "requests", "processor", "offered", "stable", "mean",
                       "mean_half_width", "median", "p99", "ratio", "ratio_half_width",
                       "answers_per_second", "working_joules", "waiting_joules"},
                      {}};
  for (const photonic::ServingPoint& it : result.points) {
    table.rows.push_back({it.load, std::int64_t{it.horizon}, it.processor, it.offered,
                          it.stable() ? "yes" : "NO", time_cell(it.mean_seconds.mean),
                          half_time_cell(it.mean_seconds), time_cell(it.median_seconds),
                          time_cell(it.p99_seconds), it.ratio.mean, half_cell(it.ratio),
                          it.answers_per_second.mean, it.working_joules.mean,
                          it.waiting_joules.mean});
  }
  return table;
}

std::string serving_text(const ServingResult& result) {
  const photonic::ServingSpec& spec = result.spec;
  std::string text = fmt::format(
      "One uncontended request\n\n{}\nCapacity (requests of the mix; the load at which the "
      "processor saturates)\n\n{}\nUnder load: {}. ratio: mean serving time of each network\nover "
      "{}'s, averaged over the networks and the runs\n\n{}\n",
      to_text(isolated_table(result)), to_text(capacity_table(result)), runs_text(spec),
      photonic::name_of(spec.processors.front()), to_text(serving_table(result)));
  text += fmt::format(
      "Energy per answer: working = board power x busy time; waiting = {} of board power x idle "
      "time.\nNot counted: the host and network card of an A100, the memory that feeds the "
      "photonic core.\n\n",
      spec.idle_share);
  for (const std::string& line : serving_verdict(result)) text += line + "\n";
  return text;
}

nlohmann::ordered_json serving_json(const ServingResult& result) {
  nlohmann::ordered_json json;
  json["seed"] = result.spec.seed;
  json["runs"] = result.spec.runs;
  json["idle_share"] = result.spec.idle_share;
  for (const photonic::LeftOut& it : result.spec.left_out) json["left_out"][it.processor] = it.why;
  json["isolated"] = to_json(isolated_table(result));
  json["capacity"] = to_json(capacity_table(result));
  json["points"] = nlohmann::ordered_json::array();
  for (const photonic::ServingPoint& it : result.points) {
    json["points"].push_back({{"processor", it.processor},
                              {"load", it.load.bits_per_second},
                              {"requests", it.horizon},
                              {"offered", it.offered},
                              {"stable", it.stable()},
                              {"mean_seconds", estimate_json(it.mean_seconds)},
                              {"median_seconds", it.median_seconds},
                              {"p99_seconds", it.p99_seconds},
                              {"ratio", estimate_json(it.ratio)},
                              {"mean_ratio", estimate_json(it.mean_ratio)},
                              {"energy_ratio", estimate_json(it.energy_ratio)},
                              {"answers_per_second", estimate_json(it.answers_per_second)},
                              {"working_joules", estimate_json(it.working_joules)},
                              {"waiting_joules", estimate_json(it.waiting_joules)}});
  }
  json["verdict"] = serving_verdict(result);
  return json;
}

std::string serving_svg(const ServingResult& result) {
  const double gap = std::nan("");
  const int first = result.spec.horizons.front();
  const Bandwidth load = result.spec.loads.front();
  const auto at_first = [&](const photonic::ServingPoint& it, double value) {
    return it.horizon == first ? value : gap;
  };
  std::vector<report::Plot> plots;
  plots.push_back({"serving time where stable", "load [Mbps]", "mean [s]", true, true,
                   lines(result, megabits, [&](const photonic::ServingPoint& it) {
                     return at_first(it, it.stable() ? it.mean_seconds.mean : gap);
                   })});
  plots.push_back({"serving time relative to the first processor", "load [Mbps]", "ratio", true,
                   true, lines(result, megabits, [&](const photonic::ServingPoint& it) {
                     return at_first(it, it.ratio.mean);
                   })});
  if (result.spec.horizons.size() > 1) {
    plots.push_back(
        {fmt::format("relative serving time at {} by horizon", readable(load)), "first requests",
         "ratio", true, true,
         lines(
             result,
             [](const photonic::ServingPoint& it) { return static_cast<double>(it.horizon); },
             [&](const photonic::ServingPoint& it) {
               return it.load == load ? it.ratio.mean : gap;
             })});
  }
  return to_svg_grid(plots, 2, "Serving requests");
}

std::vector<TraceMeans> run_trace(const photonic::ServingSpec& spec,
                                  const std::vector<photonic::Arrival>& arrivals) {
  const auto first = static_cast<std::size_t>(spec.horizons.front());
  std::vector<TraceMeans> all;
  for (const photonic::ServingProcessor& it : spec.processors) {
    const photonic::Completions done = photonic::simulate(it, spec.models, arrivals, first);
    const auto means = photonic::means_by_model(done, spec.models.size());
    TraceMeans one{photonic::name_of(it), {}, static_cast<std::int64_t>(done.all.size())};
    std::vector<bool> seen(spec.models.size(), false);
    for (const photonic::Completion& answer : done.all) {
      const auto model = static_cast<std::size_t>(answer.model);
      if (seen[model]) continue;
      seen[model] = true;
      one.nanoseconds.emplace_back(spec.models[model].name, means[model].nanoseconds);
    }
    all.push_back(std::move(one));
  }
  return all;
}

report::Table trace_table(const std::vector<TraceMeans>& means) {
  report::Table table{{"processor", "answers", "network", "mean_serve_ns"}, {}};
  for (const TraceMeans& it : means) {
    for (const auto& [network, nanoseconds] : it.nanoseconds) {
      table.rows.push_back({it.processor, it.answers, network, all_digits(nanoseconds)});
    }
  }
  return table;
}

nlohmann::ordered_json trace_json(const std::vector<TraceMeans>& means,
                                  const std::vector<photonic::LeftOut>& left_out) {
  auto list = nlohmann::ordered_json::array();
  for (const TraceMeans& it : means) {
    nlohmann::ordered_json by_network = nlohmann::ordered_json::object();
    for (const auto& [network, nanoseconds] : it.nanoseconds) by_network[network] = nanoseconds;
    list.push_back(
        {{"processor", it.processor}, {"answers", it.answers}, {"mean_serve_ns", by_network}});
  }
  for (const photonic::LeftOut& it : left_out) {
    list.push_back({{"processor", it.processor},
                    {"answers", 0},
                    {"mean_serve_ns", nlohmann::ordered_json::object()},
                    {"left_out", it.why}});
  }
  return list;
}

}  // namespace loom::lightning
