#include "loom/photonic/serving/requests.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "loom/base/csv.h"
#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/base/settings.h"
#include "loom/base/text.h"

namespace loom::photonic {
namespace {

constexpr std::int64_t kLatest = 1'000'000'000'000'000;  // ns: eleven days, as kLongestDuration

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

int model_named(std::string_view name, const std::vector<ServedModel>& models,
                const SourceLocation& location) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].name == name) return static_cast<int>(i);
    known.push_back(models[i].name);
  }
  throw InputError(location, fmt::format("there is no model '{}'{}; known are {}", shortened(name),
                                         suggestion(name, known), fmt::join(known, ", ")));
}

Arrival read_line(std::string_view line, const std::vector<ServedModel>& models,
                  const SourceLocation& location) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) {
    throw InputError(location,
                     fmt::format("'{}' is given; model,arrival is needed", shortened(line)));
  }
  const std::string_view time = trimmed(line.substr(comma + 1));
  Arrival arrival{model_named(trimmed(line.substr(0, comma)), models, location), 0};
  const auto [end, error] =
      std::from_chars(time.data(), time.data() + time.size(), arrival.nanoseconds);
  if (error != std::errc() || end != time.data() + time.size() || arrival.nanoseconds < 0 ||
      arrival.nanoseconds > kLatest) {
    throw InputError(location,
                     fmt::format("the arrival is '{}'; integer nanoseconds from 0 to {} are "
                                 "needed",
                                 shortened(time), kLatest));
  }
  return arrival;
}

}  // namespace

std::vector<Arrival> parse_requests(const std::string& text, const std::string& source,
                                    const std::vector<ServedModel>& models) {
  if (first_not_utf8(text) < text.size()) {
    throw InputError(location_of(source), "the file is not UTF-8 text; model,arrival is needed");
  }
  const SourceLocation whole = location_of(source);
  std::vector<Arrival> arrivals;
  std::string_view rest = without_byte_order_mark(text);
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    const bool heading = number == 1 && line.starts_with("model,");
    if (!line.empty() && !heading) {
      arrivals.push_back(read_line(line, models, {whole.source, number}));
    }
  }
  if (arrivals.empty()) {
    throw InputError(location_of(source, 1), "the file has no requests; at least one is needed");
  }
  return arrivals;
}

std::vector<Arrival> sample_requests(const std::vector<ServedModel>& models,
                                     const std::vector<int>& mix, Bandwidth speed, int count,
                                     std::uint64_t seed) {
  LOOM_CHECK(!mix.empty() && speed.bits_per_second > 0, "a mix has networks and a speed");
  Random which = random_stream(seed, 0);
  Random when = random_stream(seed, 1);
  std::vector<Arrival> arrivals;
  std::int64_t time = 0;
  for (int i = 0; i < count; ++i) {
    const int model = mix[which(static_cast<std::uint32_t>(mix.size()))];
    const auto bits = static_cast<double>(models[static_cast<std::size_t>(model)].input.count * 8);
    const double mean = bits * 1e9 / static_cast<double>(speed.bits_per_second);
    const double uniform = (static_cast<double>(when()) + 0.5) / 4294967296.0;  // never 0 or 1
    time += std::llround(-std::log(uniform) * mean);
    arrivals.push_back({model, time});
  }
  return arrivals;
}

double mean_time_between(const std::vector<ServedModel>& models, const std::vector<int>& mix,
                         Bandwidth speed) {
  double bits = 0;
  for (const int model : mix) {
    bits += static_cast<double>(models[static_cast<std::size_t>(model)].input.count * 8);
  }
  return bits / static_cast<double>(mix.size()) / static_cast<double>(speed.bits_per_second);
}

}  // namespace loom::photonic
