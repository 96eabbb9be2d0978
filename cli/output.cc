#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "loom/base/files.h"
#include "loom/report/tables.h"
#include "loom/scenario/points.h"

namespace loom::cli {
namespace {

// A progress bar on stderr, shown only on a terminal and after one second.
class ProgressBar {
 public:
  void show(double fraction) {
    fraction = shown_fraction_ =
        std::max(fraction, shown_fraction_);  // never backward, even if more work is found
    using Clock = std::chrono::steady_clock;
    if (isatty(STDERR_FILENO) == 0 || Clock::now() - started_ < std::chrono::seconds(1)) return;
    constexpr int kWidth = 40;
    const int filled = static_cast<int>(fraction * kWidth);
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %", "", filled, "", kWidth - filled,
               fraction * 100);
    shown_ = true;
  }
  ~ProgressBar() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double shown_fraction_ = 0;
  bool shown_ = false;
};

// Rejects values other than integers from 1 to `max`.
std::function<std::string(const std::string&)> counts_to(int max) {
  return [max](const std::string& text) -> std::string {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool integer = error == std::errc() && end == text.data() + text.size();
    if (integer && number >= 1 && number <= max) return "";
    return fmt::format("{} is given; an integer from 1 to {} is needed", text, max);
  };
}

// Quotes a word for a shell.
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

std::string words_of(const GivenOption& option) {
  if (option.name.empty()) return quoted(option.value);
  const std::string name = "--" + option.name;
  if (!option.flag) return name + " " + quoted(option.value);
  return option.value == "true" ? name : name + "=" + option.value;
}

}  // namespace

void add_output_options(Command command, OutputOptions& args) {
  const Option json = command.add_flag("--json", args.json,
                                       "JSON output: times in ps, sizes in bytes, rates in bit/s");
  command.add_flag("--csv", args.csv, "CSV output in the same units").excludes(json);
}

void add_run_options(Command command, RunCommandOptions& args) {
  command.add_option("--set", args.overrides, "value to override, e.g. fabric.bandwidth=800Gbps")
      .type_name("PATH=VALUE")
      .allow_extra_args(false);
  command
      .add_option("--from", args.replacements,
                  "stage replaced by a file that 'dump' wrote: links (the network), workload "
                  "(overrides the flows, collective or job given), trace (instead of a simulation)")
      .type_name("STAGE=FILE")
      .allow_extra_args(false);
  command
      .add_option("--threads", args.threads,
                  "maximum number of threads; results do not depend on it")
      .check(counts_to(1024))
      .type_name("N");
  command.add_flag_callback(
      "--no-folding", [&args] { args.overrides.emplace_back("folding=false"); },
      "no symmetry reduction: every device and message is simulated; same results");
}

void check_outputs(std::initializer_list<std::string> paths) {
  for (const std::string& it : paths) {
    if (!it.empty()) check_output(it);
  }
}

run::RunOptions run_options(const RunCommandOptions& args) {
  run::RunOptions options;
  options.replacements = run::parse_replacements(args.replacements);
  options.timeline = args.timeline;
  check_outputs({args.timeline});
  options.threads = args.threads;
  options.progress = [bar = std::make_shared<ProgressBar>()](double fraction) {
    bar->show(fraction);
  };
  return options;
}

void add_point_option(Command command, RunCommandOptions& args) {
  command
      .add_option(
          "--point", args.point,
          "combination of listed values to use: its number from 1, in the order of 'compare'")
      .check(counts_to(static_cast<int>(scenario::kMaxPoints)))
      .type_name("N");
}

scenario::Scenario one_point(const std::vector<scenario::Scenario>& scenarios, int point,
                             std::string_view remedy) {
  const int count = static_cast<int>(scenarios.size());
  if (point > count) {
    throw InputError(location_of(fmt::format("--point {}", point)),
                     fmt::format("the scenario has {} point{}; one of them is needed", count,
                                 count == 1 ? "" : "s"));
  }
  if (point > 0) return scenarios[static_cast<std::size_t>(point) - 1];
  if (count == 1) return scenarios.front();
  std::string varies = "fabric";
  if (!scenarios.front().axes.empty()) varies = scenarios.front().axes.front().first;
  throw InputError(scenarios.front().tree.location,
                   fmt::format("the scenario has {} points ({} varies) and one is needed; {}",
                               count, varies, remedy));
}

int exit_code(const std::optional<simulate::Deadlock>& deadlock) {
  if (!deadlock) return kOk;
  fmt::print(stderr, "{}", report::deadlock_text(*deadlock));
  return kInfeasible;
}

int exit_code(const std::vector<run::Report>& results) {
  int code = kOk;
  for (const run::Report& result : results) {
    code = std::max(code, exit_code(result.outcome.deadlock));
    if (!result.infeasible) continue;
    fmt::print(stderr, "{}: {}\n", result.fabric(), result.infeasible->why);
    code = std::max(code, kInfeasible);
  }
  return code;
}

std::string name_of(const Command& command) {
  const std::optional<Command> parent = command.parent();
  return parent ? name_of(*parent) + " " + command.name() : "lightloom";
}

std::string command_line(const Command& command) {
  std::string words = name_of(command);
  for (const GivenOption& it : command.given()) words += " " + words_of(it);
  return words;
}

bool colored() {
  const char* refused = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (refused == nullptr || *refused == '\0');
}

}  // namespace loom::cli
