#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "loom/base/files.h"
#include "loom/study/points.h"
#include "loom/study/tables.h"

namespace loom::cli {
namespace {

// A bar on stderr, drawn only on a terminal and only once the work has taken a second.
class ProgressBar {
 public:
  void show(double part) {
    part = shown_part_ = std::max(part, shown_part_);  // more work may turn up on the way
    using Clock = std::chrono::steady_clock;
    if (isatty(STDERR_FILENO) == 0 || Clock::now() - started_ < std::chrono::seconds(1)) return;
    constexpr int kWidth = 40;
    const int filled = static_cast<int>(part * kWidth);
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %", "", filled, "", kWidth - filled, part * 100);
    shown_ = true;
  }
  ~ProgressBar() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double shown_part_ = 0;
  bool shown_ = false;
};

// Refuses what is not a whole number from 1 to `most`.
CLI::Validator counts_to(int most) {
  const auto objection = [most](const std::string& text) -> std::string {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && number >= 1 && number <= most) return "";
    return fmt::format("{} is given; a whole number from 1 to {} is needed", text, most);
  };
  return {objection, ""};
}

// A word as a shell takes it back.
std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:=,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// An option with one of its values; of a flag that is whether it is set.
std::string words_of(const CLI::Option& option, const std::string& value) {
  if (option.get_lnames().empty()) return quoted(value);
  const std::string name = "--" + option.get_lnames().front();
  if (option.get_items_expected_max() > 0) return name + " " + quoted(value);
  return value == "true" ? name : name + "=" + value;
}

}  // namespace

void add_output_flags(CLI::App& command, OutputFlags& flags) {
  auto* json =
      command.add_flag("--json", flags.json, "JSON: times in ps, sizes in bytes, rates in bit/s");
  command.add_flag("--csv", flags.csv, "CSV in the same units")->excludes(json);
}

void add_run_flags(CLI::App& command, RunFlags& flags) {
  command.add_option("--set", flags.overrides, "override a value, e.g. fabric.bandwidth=800Gbps")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--from", flags.replacements,
                  "take a stage from a file that 'dump' wrote: links, workload or trace")
      ->type_name("STAGE=FILE")
      ->allow_extra_args(false);
  command.add_option("--threads", flags.threads, "at most this many; results do not depend on it")
      ->check(counts_to(1024))
      ->type_name("N");
  command.add_flag_callback(
      "--no-folding", [&flags] { flags.overrides.emplace_back("folding=false"); },
      "follow every device and message, also those alike; results do not depend on it");
}

void check_outputs(std::initializer_list<std::string> paths) {
  for (const std::string& it : paths) {
    if (!it.empty()) check_output(it);
  }
}

RunOptions run_options(const RunFlags& flags) {
  RunOptions options;
  options.replacements = parse_replacements(flags.replacements);
  options.timeline = flags.timeline;
  check_outputs({flags.timeline});
  options.threads = flags.threads;
  options.progress = [bar = std::make_shared<ProgressBar>()](double part) { bar->show(part); };
  return options;
}

void add_point_flag(CLI::App& command, RunFlags& flags) {
  command.add_option("--point", flags.point, "of a scenario with several: which one, from 1")
      ->check(counts_to(static_cast<int>(kMostPoints)))
      ->type_name("N");
}

Scenario one_point(const std::vector<Scenario>& scenarios, int point, std::string_view remedy) {
  const int count = static_cast<int>(scenarios.size());
  if (point > count) {
    throw InputError(place_of(fmt::format("--point {}", point)),
                     fmt::format("the scenario has {} point{}; one of them is needed", count,
                                 count == 1 ? "" : "s"));
  }
  if (point > 0) return scenarios[static_cast<std::size_t>(point) - 1];
  if (count == 1) return scenarios.front();
  std::string varies = "fabric";
  if (!scenarios.front().axes.empty()) varies = scenarios.front().axes.front().first;
  throw InputError(scenarios.front().tree.place,
                   fmt::format("the scenario has {} points ({} varies) and one is needed; {}",
                               count, varies, remedy));
}

int exit_code(const std::optional<Deadlock>& deadlock) {
  if (!deadlock) return kOk;
  fmt::print(stderr, "{}", deadlock_text(*deadlock));
  return kInfeasible;
}

int exit_code(const std::vector<Result>& results) {
  int code = kOk;
  for (const Result& result : results) {
    code = std::max(code, exit_code(result.outcome.deadlock));
    if (result.infeasible.empty()) continue;
    fmt::print(stderr, "{}: {}\n", result.fabric(), result.infeasible);
    code = std::max(code, kInfeasible);
  }
  return code;
}

std::string name_of(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "lightloom";
  return name_of(*command.get_parent()) + " " + command.get_name();
}

std::string command_line(const CLI::App& command) {
  std::string words = name_of(command);
  std::map<const CLI::Option*, std::size_t> said;  // how often
  for (const CLI::Option* it : command.parse_order()) {
    words += " " + words_of(*it, it->results().at(said[it]++));
  }
  return words;
}

bool coloured() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (refused == nullptr || *refused == '\0');
}

}  // namespace loom::cli
