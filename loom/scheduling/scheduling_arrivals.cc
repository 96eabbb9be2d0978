// Reads random arrivals from a scheduling file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "loom/scheduling/scheduling_kinds.h"

namespace loom::scheduling {
namespace {

constexpr std::array kArrivals = {
    Parameter{.name = "jobs",
              .type = ValueType::integer,
              .summary = "number of jobs that arrive",
              .required = true,
              .min = 1,
              .max = kMaxTraceJobs},
    Parameter{.name = "rate",
              .type = ValueType::text,
              .summary = "arrival rate, such as 12/h, 1/min or 0.5/s; alternative to load"},
    Parameter{.name = "load",
              .type = ValueType::real,
              .summary = "mean fraction of devices in use if every job took its isolated time; "
                         "alternative to rate"},
    Parameter{.name = "max_gpus",
              .type = ValueType::real,
              .summary = "maximum number of devices of a job, as a multiple of the number "
                         "requested; for policy goodput",
              .fallback = "2"},
    Parameter{.name = "seed",
              .type = ValueType::integer,
              .summary = "seed of the arrivals; the cluster's seed if not given"},
};

constexpr std::array<std::string_view, 3> kArrivalLists = {"models", "gpus", "iterations"};

constexpr std::array kKind = {
    Parameter{.name = "weight",
              .type = ValueType::real,
              .summary = "relative frequency of this model",
              .fallback = "1"},
    Parameter{.name = "name", .type = ValueType::text, .summary = "label in tables"},
    kCriticalBatch,
};

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Reads a distribution of integers: "1 to 12", "4", or a list of numbers.
jobs::IntegerDistribution read_distribution(const Tree& arrivals, std::string_view key,
                                            std::int64_t max) {
  const Tree* tree = arrivals.find(key);
  const std::string needed =
      fmt::format("an integer, a range 'A to B', or a list, from 1 to {}, is needed", max);
  if (tree == nullptr) {
    throw InputError(arrivals.location, fmt::format("arrivals lacks '{}'; {}", key, needed));
  }
  const auto refuse = [&](const Tree& at) {
    throw InputError(at.location,
                     fmt::format("arrivals.{} is {}; {}", key,
                                 at.kind == Tree::Kind::scalar ? at.text : "not a number", needed));
  };
  const auto number = [&](const Tree& at, std::string_view text) {
    const std::optional<std::int64_t> value = integer_of(text);
    if (!value || *value < 1 || *value > max) refuse(at);
    return *value;
  };
  jobs::IntegerDistribution distribution;
  if (tree->kind == Tree::Kind::list && !tree->items.empty()) {
    for (const Tree& it : tree->items) distribution.listed.push_back(number(it, it.text));
    return distribution;
  }
  if (tree->kind != Tree::Kind::scalar) refuse(*tree);
  const std::string_view text = tree->text;
  const std::size_t to = text.find(" to ");
  distribution.first = number(*tree, text.substr(0, to));
  distribution.last =
      to == std::string_view::npos ? distribution.first : number(*tree, text.substr(to + 4));
  if (distribution.last < distribution.first) refuse(*tree);
  return distribution;
}

// Reads an arrival rate such as "12/h". Returns the mean time between two arrivals.
Duration read_rate(const Settings& arrivals) {
  const std::string text = arrivals.text("rate");
  const std::size_t slash = text.find('/');
  double count = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + std::min(slash, text.size()), count);
  const std::string unit = slash == std::string::npos ? "" : text.substr(slash + 1);
  const double seconds = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  const bool good = error == std::errc() && slash != std::string::npos &&
                    end == text.data() + slash && seconds > 0 && count >= 1e-3 && count <= 1e9;
  if (!good) arrivals.refuse("rate", "a number of jobs per s, min or h, such as 12/h, is needed");
  return Duration(static_cast<std::int64_t>(seconds / count * 1e12));
}

}  // namespace

std::span<const Parameter> arrival_parameters() { return kArrivals; }

void read_arrivals(const Tree& map, int devices, JobKinds& kinds, SchedulingFile& file) {
  if (map.kind != Tree::Kind::map) {
    throw InputError(map.location,
                     "arrivals is not a map; a map with jobs, models, gpus and iterations "
                     "is needed");
  }
  const Settings settings(map, kArrivals, "arrivals", kArrivalLists);
  jobs::Arrivals arrivals;
  arrivals.jobs = settings.integer("jobs");
  arrivals.devices = read_distribution(map, "gpus", devices);
  arrivals.iterations = read_distribution(map, "iterations", kMaxTraceIterations);
  file.seeded = settings.given("seed");
  if (file.seeded) arrivals.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  arrivals.max_devices = settings.real("max_gpus");
  if (arrivals.max_devices < 1) settings.refuse("max_gpus", "at least 1 is needed");
  if (settings.given("rate") == settings.given("load")) {
    throw InputError(map.location, fmt::format("arrivals has {}; one of rate and load is needed",
                                               settings.given("rate") ? "both" : "neither"));
  }
  if (settings.given("rate")) {
    arrivals.every = read_rate(settings);
  } else {
    arrivals.load = settings.real("load");
    if (arrivals.load < 1e-3 || arrivals.load > 100) {
      settings.refuse("load", "a number from 0.001 to 100 is needed");
    }
  }
  const Tree* models = map.find("models");
  if (models == nullptr || models->kind != Tree::Kind::list || models->items.empty()) {
    throw InputError(models == nullptr ? map.location : models->location,
                     "arrivals has no models; a list of {model: …} is needed");
  }
  for (const Tree& it : models->items) {
    check_kind(it, "one of arrivals.models");
    const Settings own(it, kKind, "model", others_of(it, kKind));
    if (own.real("weight") <= 0) own.refuse("weight", "more than 0 is needed");
    const auto kind = static_cast<std::size_t>(
        kinds.kind(it, kKind, own, static_cast<int>(arrivals.devices.max()),
                   own.given("name") ? own.text("name") : ""));
    if (kind < arrivals.weights.size())
      throw InputError(it.location, "the model is listed twice; one entry per model is needed");
    arrivals.weights.push_back(own.real("weight"));
  }
  file.arrivals = std::move(arrivals);
}

}  // namespace loom::scheduling
