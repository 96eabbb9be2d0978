#include "bpf/routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "bpf/command.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

// Words with which `ip` shows the state of a route, but which it does not accept as input.
constexpr std::array<std::string_view, 10> kState = {
    "dead",       "linkdown",       "offload",   "trap",   "rt_trap",
    "rt_offload", "offload_failed", "pervasive", "notify", "unresolved"};

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::vector<std::string> route_words(std::string_view line) {
  const std::vector<std::string> given = words_of(line);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "congctl") {
      ++i;
      if (i < given.size() && given[i] == "lock") ++i;
    } else if (given[i] != "\\" &&
               std::find(kState.begin(), kState.end(), given[i]) == kState.end()) {
      kept.push_back(given[i]);
    }
  }
  return kept;
}

std::string route_algorithm(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  auto found = std::find(words.begin(), words.end(), "congctl");
  if (found == words.end() || ++found == words.end()) return "";
  if (*found == "lock" && ++found == words.end()) return "";
  return *found;
}

std::string route_choice(std::string_view line) {
  const std::string algorithm = route_algorithm(line);
  const std::string locked = "congctl lock " + algorithm;
  return line.find(locked) == std::string_view::npos ? algorithm : "lock " + algorithm;
}

std::string route_key(const Route& route) {
  const std::vector<std::string> words = words_of(route.line);
  const std::string prefix = fmt::format("{} {}", route.family, words.empty() ? "" : words.front());
  const auto table = std::find(words.begin(), words.end(), "table");
  return words.end() - table < 2 ? prefix : prefix + " table " + *(table + 1);
}

bool is_ours(std::string_view algorithm) { return algorithm.starts_with("mltcp_"); }

Route route_to(const std::string& prefix) {
  const std::string family = prefix.find(':') == std::string::npos ? "-4" : "-6";
  const Outcome shown = run_command({"ip", family, "-o", "route", "show", "exact", prefix});
  const std::vector<std::string> lines = lines_of(shown.out);
  if (shown.code != 0 || lines.empty()) {
    throw InputError({}, fmt::format("--route {}: no route has exactly this prefix; 'ip "
                                     "{} route' lists them",
                                     prefix, family));
  }
  if (lines.size() > 1 || lines.front().find("nexthop") != std::string::npos) {
    throw InputError({}, fmt::format("--route {}: several routes have this prefix; set "
                                     "congctl on each with 'ip {} route'",
                                     prefix, family));
  }
  return {family, lines.front()};
}

void set_route_choice(const Route& route, const std::string& choice) {
  std::vector<std::string> words = {"ip", route.family, "route", "replace"};
  for (const std::string& word : route_words(route.line)) words.push_back(word);
  if (!choice.empty()) words.emplace_back("congctl");
  for (const std::string& word : words_of(choice)) words.push_back(word);
  const Outcome outcome = run_command(words);
  if (outcome.code == 0) return;
  throw InputError({}, fmt::format("'{}' failed: {}", fmt::join(words, " "), outcome.err));
}

std::vector<Route> our_routes() {
  std::vector<Route> ours;
  for (const char* family : {"-4", "-6"}) {
    const Outcome shown = run_command({"ip", family, "-o", "route", "show", "table", "all"});
    for (const std::string& line : lines_of(shown.out)) {
      if (is_ours(route_algorithm(line))) ours.push_back({family, line});
    }
  }
  return ours;
}

}  // namespace loom::bpf
