#include "loom/lightning/photonic_serving.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/statistics.h"
#include "loom/lightning/photonic.h"
#include "loom/photonic/serving/estimate.h"

namespace loom::lightning {
namespace {

using photonic::ServedNetwork;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> fragments;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    fragments.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fragments;
}

// Removes the id and '=' from the start of `text`, and returns the id; returns `next` if there is
// no '='.
std::uint16_t id_of(std::string& text, int next, const SourceLocation& location) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return static_cast<std::uint16_t>(next);
  std::uint16_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + equals, id);
  if (error != std::errc() || end != text.data() + equals) {
    throw InputError(location, fmt::format("the id is '{}'; an integer from 0 to 65535 is "
                                           "needed",
                                           text.substr(0, equals)));
  }
  text.erase(0, equals + 1);
  return id;
}

photonic::ServedNetwork served(std::uint16_t id, photonic::PhotonicNetwork network,
                               const photonic::PhotonicNoise& noise) {
  const auto program = std::make_shared<const photonic::PhotonicProgram>(std::move(network));
  photonic::ServedNetwork one;
  one.id = id;
  one.name = program->network().name;
  one.inputs = static_cast<std::uint32_t>(input_size(program->network()));
  one.outputs = static_cast<std::uint32_t>(output_size(program->network()));
  one.cycles = static_cast<std::uint64_t>(program->cycles());
  one.noisy = noise.sample_sigma > 0 || noise.output_sigma > 0;
  one.run = [program, noise](std::span<const std::uint8_t> input, std::uint64_t request) {
    photonic::PhotonicRunOptions options;
    options.noise = noise;
    options.input_index = request;
    return program->run(input, options);
  };
  return one;
}

Duration picoseconds(std::chrono::nanoseconds time) { return time; }

bool has_logits(const ServedLoad& load) {
  return std::any_of(load.result.answers.begin(), load.result.answers.end(),
                     [](const photonic::LoadAnswer& it) { return !it.answer.logits.empty(); });
}

// The logits separated by spaces, so that a CSV cell needs no quotes.
report::Cell logits_cell(const std::vector<std::int32_t>& logits) {
  return logits.empty() ? report::Cell() : report::Cell(fmt::format("{}", fmt::join(logits, " ")));
}

}  // namespace

std::vector<photonic::ServedNetwork> read_served_networks(const std::vector<std::string>& given,
                                                          const photonic::PhotonicNoise& noise) {
  std::vector<photonic::ServedNetwork> networks;
  std::set<std::uint16_t> ids;
  for (const std::string& it : given) {
    const SourceLocation location = location_of("--network " + it);
    std::string files = it;
    const std::uint16_t id = id_of(files, static_cast<int>(networks.size()) + 1, location);
    if (!ids.insert(id).second) {
      throw InputError(location, fmt::format("id {} is already used; a unique id is needed", id));
    }
    photonic::PhotonicNetwork network = read_network(split(files), location);
    if (input_size(network) > photonic::kLargestInput) {
      throw InputError(location, fmt::format("its input has {} bytes; at most {} can be sent",
                                             input_size(network), photonic::kLargestInput));
    }
    networks.push_back(served(id, std::move(network), noise));
  }
  return networks;
}

std::vector<std::pair<std::string, report::Cell>> server_facts(
    const photonic::InferenceServer& server, double seconds) {
  const photonic::ServerCounters& it = server.counters();
  std::vector<std::pair<std::string, report::Cell>> facts = {
      {"seconds", seconds},
      {"received", it.received},
      {"received_bytes", Bytes{it.received_bytes}},
      {"answered", it.answered},
      {"described", it.described},
      {"passed_through", it.passed_through},
      {"dropped_truncated", it.truncated},
      {"dropped_replies", it.replies},
      {"refused_wrong_version", it.wrong_version},
      {"refused_malformed", it.malformed},
      {"refused_unknown_model", it.unknown_model},
      {"refused_wrong_size", it.wrong_size},
      {"refused_too_large", it.too_large},
      {"refused_busy", it.busy},
      {"fragments", it.fragments},
      {"given_up", it.given_up},
      {"send_failures", it.send_failures},
      {"compute_p50", picoseconds(server.compute_times().percentile(0.5))},
      {"compute_p99", picoseconds(server.compute_times().percentile(0.99))}};
  for (const photonic::ServedNetwork& network : server.networks()) {
    facts.emplace_back(fmt::format("answered_by_{}", network.id), server.answers_of(network.id));
  }
  return facts;
}

nlohmann::ordered_json server_json(const photonic::InferenceServer& server, double seconds) {
  nlohmann::ordered_json json;
  for (const auto& [name, cell] : server_facts(server, seconds)) json[name] = report::to_json(cell);
  return json;
}

std::int64_t ServedLoad::answered() const {
  return std::count_if(result.answers.begin(), result.answers.end(),
                       [](const photonic::LoadAnswer& it) {
                         return it.answered && it.status == photonic::ReplyStatus::ok;
                       });
}

std::int64_t ServedLoad::refused() const {
  return std::count_if(result.answers.begin(), result.answers.end(),
                       [](const photonic::LoadAnswer& it) {
                         return it.answered && it.status != photonic::ReplyStatus::ok;
                       });
}

std::int64_t ServedLoad::wrong() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < result.answers.size() && !expected.empty(); ++i) {
    const photonic::LoadAnswer& it = result.answers[i];
    if (!it.answered || it.status != photonic::ReplyStatus::ok) continue;
    photonic::Answer want = expected[i % expected.size()];
    if (it.answer.logits.empty()) want.logits.clear();
    if (!(it.answer == want)) ++count;
  }
  return count;
}

std::int64_t ServedLoad::right_labels() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < result.answers.size() && !labels.empty(); ++i) {
    const photonic::LoadAnswer& it = result.answers[i];
    if (!it.answered || it.status != photonic::ReplyStatus::ok) continue;
    if (std::cmp_equal(it.answer.label, labels[i % labels.size()])) ++count;
  }
  return count;
}

std::optional<Duration> ServedLoad::percentile(double share) const {
  std::vector<double> times;
  for (const photonic::LoadAnswer& it : result.answers) {
    if (it.answered && it.status == photonic::ReplyStatus::ok)
      times.push_back(static_cast<double>(it.time.count()));
  }
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  return std::chrono::nanoseconds(static_cast<std::int64_t>(loom::percentile(times, share)));
}

std::vector<std::pair<std::string, report::Cell>> load_facts(const ServedLoad& load) {
  const photonic::LoadResult& it = load.result;
  const auto time = [&](double share) {
    const std::optional<Duration> known = load.percentile(share);
    return known ? report::Cell(*known) : report::Cell();
  };
  const auto answered = static_cast<double>(load.answered());
  std::vector<std::pair<std::string, report::Cell>> facts = {
      {"requests", static_cast<std::int64_t>(it.answers.size())},
      {"answered", load.answered()},
      {"refused", load.refused()},
      {"lost", it.lost},
      {"sent_again", it.sent_again},
      {"duplicates", it.duplicates},
      {"strange", it.strange},
      {"seconds", it.seconds},
      {"answers_per_second", it.seconds > 0 ? answered / it.seconds : 0.0},
      {"p50", time(0.5)},
      {"p99", time(0.99)},
      {"longest", time(1)},
      {"not_in_percentiles", load.refused() + it.lost}};
  if (!load.expected.empty()) facts.emplace_back("wrong", load.wrong());
  if (!load.labels.empty()) facts.emplace_back("right_labels", load.right_labels());
  return facts;
}

report::Table load_table(const ServedLoad& load) {
  report::Table table{{"request", "status", "label", "cycles", "time"}, {}};
  const bool logits = has_logits(load);
  if (!load.labels.empty()) table.columns.emplace_back("true_label");
  if (logits) table.columns.emplace_back("logits");
  for (std::size_t i = 0; i < load.result.answers.size(); ++i) {
    const photonic::LoadAnswer& it = load.result.answers[i];
    const bool ok = it.answered && it.status == photonic::ReplyStatus::ok;
    table.rows.push_back(
        {static_cast<std::int64_t>(i),
         std::string(it.answered ? photonic::text_of(it.status) : "no answer"),
         ok ? report::Cell(std::int64_t{it.answer.label}) : report::Cell(),
         ok ? report::Cell(static_cast<std::int64_t>(it.answer.cycles)) : report::Cell(),
         picoseconds(it.time)});
    if (!load.labels.empty()) {
      table.rows.back().emplace_back(std::int64_t{load.labels[i % load.labels.size()]});
    }
    if (logits) table.rows.back().push_back(logits_cell(it.answer.logits));
  }
  return table;
}

nlohmann::ordered_json load_json(const ServedLoad& load, bool each) {
  nlohmann::ordered_json json;
  for (const auto& [name, cell] : load_facts(load)) json[name] = report::to_json(cell);
  if (!each) return json;
  json["answers"] = to_json(load_table(load));
  for (std::size_t i = 0; i < load.result.answers.size(); ++i) {
    const std::vector<std::int32_t>& logits = load.result.answers[i].answer.logits;
    if (!logits.empty()) json["answers"][i]["logits"] = logits;
  }
  return json;
}

}  // namespace loom::lightning
