// lightloom: parses the command line and runs one command. Only main() ends the process.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/renamed_options.h"
#include "loom/base/error.h"
#include "loom/base/settings.h"

namespace {

using namespace loom::cli;

constexpr const char* kDescription =
    "Lightloom plans and simulates ML training on optical and electrical networks.\n\n"
    "  lightloom compare examples/first.yaml\n"
    "  lightloom collective all_reduce --size 1GB --gpus 1024 --fabric switch --bandwidth "
    "400Gbps\n";

// The full name of the innermost command that was called, for 'see … --help'.
std::string called(const Command& app) {
  const std::optional<Command> used = app.called();
  return used ? called(*used) : name_of(app);
}

// Names an unknown command; the parser would only report that a command is missing.
void refuse_unknown_command(const Command& app, const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : app.subcommands()) names.push_back(command.name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw loom::InputError({}, fmt::format("there is no command '{}'{}; '{} --help' lists them", word,
                                         loom::suggestion(word, known), name_of(app)));
}

// Names an unknown option; the parser would first report other missing arguments.
void refuse_unknown_options(const Command& command, std::span<char* const> words) {
  std::vector<std::string> names;
  for (const std::string& name : command.option_names()) names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string_view word : words) {
    if (word == "--") return;
    const std::string_view name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) {
      continue;
    }
    if (const auto now = renamed_option(name, known)) {
      throw loom::InputError({}, fmt::format("{} was renamed; write {}", name, *now));
    }
    throw loom::InputError({}, fmt::format("there is no option '{}'{}; '{} --help' lists them",
                                           name, loom::suggestion(name, known), name_of(command)));
  }
}

// Checks that run before the parser, for better error messages than its own.
void check_words(const Command& app, std::span<char* const> words) {
  if (words.empty()) {
    throw loom::InputError(
        {}, fmt::format("no command is given; '{} --help' lists them", name_of(app)));
  }
  const std::string first = words.front();
  if (first.starts_with('-')) return refuse_unknown_options(app, words);
  refuse_unknown_command(app, first);
  const Command command = app.subcommand(first);
  if (!command.subcommands().empty()) return check_words(command, words.subspan(1));
  refuse_unknown_options(command, words.subspan(1));
}

int run(int argc, char** argv) {
  Program program(kDescription, "lightloom");
  program.set_version_flag("--version", "lightloom " LOOM_VERSION);
  program.column_width(34);
  Command app = program.command();
  app.require_subcommand(1);
  int code = kOk;
  add_simulate(app, code);
  add_compare(app, code);
  add_collective(app, code);
  add_flows(app, code);
  add_plan(app, code);
  add_explain(app, code);
  add_compatible(app, code);
  add_share(app, code);
  add_cluster(app, code);
  add_cost(app, code);
  add_prices(app, code);
  add_reproduce(app, code);
  add_photonic(app, code);
  add_mltcp(app, code);
  add_models(app, code);
  add_accelerators(app, code);
  add_fabrics(app, code);
  add_dump(app, code);
  add_export(app, code);
  add_schema(app, code);
  add_completion(app, code);
  const auto words = std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1);
  check_words(app, words);
  const std::string error = program.parse({words.begin(), words.end()});
  if (error.empty()) return code;
  fmt::print(stderr, "{}; see '{} --help'\n", error, called(app));
  return kBadInput;
}

// Flushes the output and returns the exit code. Throws if the output cannot be written.
int written(int code) {
  if (std::fflush(stdout) == 0) return code;
  throw std::system_error(errno, std::generic_category(), "cannot write the output");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return written(run(argc, argv));
  } catch (const loom::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kBadInput;
  } catch (const loom::LimitError& error) {
    fmt::print(stderr, "limit reached: {}\n", error.what());
    return kLimit;
  } catch (const std::system_error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "limit reached: out of memory\n");
    return kLimit;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kOwnMistake;
  }
}
