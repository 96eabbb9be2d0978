// What every command does alike: flags for the form of the output, a bar for long work.
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

// How a command ends; see exit codes in the README.
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

// Of those given: that each could be written, before long work.
void check_outputs(std::initializer_list<std::string> paths);

// Options of everything that runs a scenario.
struct RunCommandOptions {
  std::vector<std::string> overrides;
  std::vector<std::string> replacements;
  std::string timeline;
  int threads = 0;
  int point = 0;  // 1 is the first; 0: there is to be only one
};

void add_run_options(Command command, RunCommandOptions& args);
RunOptions run_options(const RunCommandOptions& args);

// --point, for commands that work on one point of a scenario.
void add_point_option(Command command, RunCommandOptions& args);

// The point asked for, or the only one; refused, naming what varies and the remedy, where there are
// several.
Scenario one_point(
    const std::vector<Scenario>& scenarios, int point,
    std::string_view remedy = "choose with --point or --set, or use 'lightloom compare'");

// 0, or 3 with the reasons on stderr where there is a deadlock.
int exit_code(const std::optional<Deadlock>& deadlock);
int exit_code(const std::vector<Report>& results);

// A command with those it belongs to: "lightloom photonic serve".
std::string name_of(const Command& command);

// The command as it was given, for a shell: "lightloom simulate s.yaml --set gpus=8".
std::string command_line(const Command& command);

// Whether to color what goes to the terminal: it is one, and NO_COLOR is not set.
bool colored();

}  // namespace loom::cli
