// Shared by all commands: exit codes, output formats, run options and a progress bar.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "loom/run/run.h"

namespace loom::cli {

// Exit codes; see the README.
inline constexpr int kOk = 0;
inline constexpr int kOwnMistake = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInfeasible = 3;
inline constexpr int kLimit = 4;

struct OutputOptions {
  bool json = false;
  bool csv = false;
};

void add_output_options(Command command, OutputOptions& args);

// Throws, before a long computation, if an output file cannot be written. Ignores empty paths.
void check_outputs(std::initializer_list<std::string> paths);

// Options of commands that run a scenario. Only some commands offer `timeline` and `point`.
struct RunCommandOptions {
  std::vector<std::string> overrides;
  std::vector<std::string> replacements;
  std::string timeline;
  int threads = 0;
  int point = 0;  // counted from 1; 0 requires a single point
};

void add_run_options(Command command, RunCommandOptions& args);
run::RunOptions run_options(const RunCommandOptions& args);

// --point, for commands that work on one point of a scenario.
void add_point_option(Command command, RunCommandOptions& args);

// Returns the requested point, or the only one if `point` is 0. Throws if there are several; the
// message names an axis and the remedy.
scenario::Scenario one_point(
    const std::vector<scenario::Scenario>& scenarios, int point,
    std::string_view remedy = "choose with --point or --set, or use 'lightloom compare'");

// Returns 0 if the run or all runs completed. If one deadlocked or was infeasible, prints the
// reason on stderr and returns 3.
int exit_code(const std::optional<simulate::Deadlock>& deadlock);
int exit_code(const std::vector<run::Report>& results);

// The full name of a command: "lightloom photonic serve".
std::string name_of(const Command& command);

// The command line of this run, quoted for a shell: "lightloom simulate s.yaml --set gpus=8".
std::string command_line(const Command& command);

// Whether to color the output: yes if it is a terminal and NO_COLOR is not set.
bool colored();

}  // namespace loom::cli
