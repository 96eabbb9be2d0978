// completion: generates shell completion scripts from the commands and their options.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/output.h"

namespace loom::cli {
namespace {

std::string option_names(const Command& command) {
  std::string names;
  for (const std::string& name : command.option_names()) names += " --" + name;
  return names;
}

// The options of a command and of its subcommands, if any.
std::string all_option_names(const Command& command) {
  std::string names = option_names(command);
  for (const Command& subcommand : command.subcommands()) names += option_names(subcommand);
  return names;
}

std::string command_names(const Command& command) {
  std::string names;
  for (const Command& subcommand : command.subcommands()) names += " " + subcommand.name();
  return names;
}

std::string bash_script(const Command& app) {
  std::string cases;
  for (const Command& command : app.subcommands()) {
    const std::string subcommand_names = command_names(command);
    cases += fmt::format(
        "    {}) words=\"{}\"{} ;;\n", command.name(), all_option_names(command),
        subcommand_names.empty() ? "" : fmt::format(" commands=\"{}\"", subcommand_names));
  }
  return fmt::format(
      "_lightloom() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\" commands=\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] && case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ] && [[ \"$current\" != -* ]]; then\n"
      "    COMPREPLY=($(compgen -f -W \"$commands\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _lightloom lightloom ./lightloom\n",
      command_names(app), cases);
}

// Quotes a text for fish.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_options(const std::string& seen, const Command& command) {
  std::string script;
  for (const std::string& flag : command.option_names()) {
    script += fmt::format("{} -l {}\n", seen, flag);
  }
  return script;
}

std::string fish_script(const Command& app) {
  std::string script = "complete -c lightloom -n __fish_use_subcommand -f\n";
  for (const Command& command : app.subcommands()) {
    const std::string name = command.name();
    script += fmt::format("complete -c lightloom -n __fish_use_subcommand -a {} -d {}\n", name,
                          fish_quoted(command.description()));
    const std::string seen =
        fmt::format("complete -c lightloom -n '__fish_seen_subcommand_from {}'", name);
    script += fish_options(seen, command);
    for (const Command& subcommand : command.subcommands()) {
      script += fmt::format("{} -a {} -d {}\n", seen, subcommand.name(),
                            fish_quoted(subcommand.description()));
      script += fish_options(seen, subcommand);
    }
  }
  return script;
}

}  // namespace

void add_completion(Command app, int& code) {
  Command command = app.add_subcommand(
      "completion", "shell completion script: source <(lightloom completion bash)");
  command.group(kReferenceGroup);
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      .required()
      .one_of({"bash", "zsh", "fish"});
  command.callback([shell, app, &code] {
    if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
    fmt::print("{}", *shell == "fish" ? fish_script(app) : bash_script(app));
    code = kOk;
  });
}

}  // namespace loom::cli
