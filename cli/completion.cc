// completion: scripts for the shells, made from the commands themselves.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/output.h"

namespace loom::cli {
namespace {

std::string option_names(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names += " --" + name;
  }
  return names;
}

// Of a group of commands, such as photonic, those of all its commands.
std::string all_option_names(const CLI::App& command) {
  std::string names = option_names(command);
  for (const CLI::App* part : command.get_subcommands({})) names += option_names(*part);
  return names;
}

std::string command_names(const CLI::App& command) {
  std::string names;
  for (const CLI::App* part : command.get_subcommands({})) names += " " + part->get_name();
  return names;
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string parts = command_names(*command);
    cases +=
        fmt::format("    {}) words=\"{}\"{} ;;\n", command->get_name(), all_option_names(*command),
                    parts.empty() ? "" : fmt::format(" parts=\"{}\"", parts));
  }
  return fmt::format(
      "_lightloom() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"{}\" parts=\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] && case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ] && [[ \"$current\" != -* ]]; then\n"
      "    COMPREPLY=($(compgen -f -W \"$parts\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _lightloom lightloom ./lightloom\n",
      command_names(app), cases);
}

// Between single quotes, as fish reads them.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_options(const std::string& seen, const CLI::App& command) {
  std::string script;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& flag : option->get_lnames()) {
      script += fmt::format("{} -l {}\n", seen, flag);
    }
  }
  return script;
}

std::string fish_script(const CLI::App& app) {
  std::string script = "complete -c lightloom -n __fish_use_subcommand -f\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string name = command->get_name();
    script += fmt::format("complete -c lightloom -n __fish_use_subcommand -a {} -d {}\n", name,
                          fish_quoted(command->get_description()));
    const std::string seen =
        fmt::format("complete -c lightloom -n '__fish_seen_subcommand_from {}'", name);
    script += fish_options(seen, *command);
    for (const CLI::App* part : command->get_subcommands({})) {
      script += fmt::format("{} -a {} -d {}\n", seen, part->get_name(),
                            fish_quoted(part->get_description()));
      script += fish_options(seen, *part);
    }
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("completion", "a completion script: source <(lightloom completion bash)");
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.callback([shell, &app, &code] {
    if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
    fmt::print("{}", *shell == "fish" ? fish_script(app) : bash_script(app));
    code = kOk;
  });
}

}  // namespace loom::cli
