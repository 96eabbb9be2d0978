// Commands and their options: a thin layer over CLI11. Only command.cc includes CLI11, because its
// header takes longer to compile than most commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace loom::cli {

// Handle of an option of a command; a copy refers to the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required();
  Option type_name(const std::string& name);  // placeholder for the value in the help
  Option group(const std::string& name);      // heading in the help; "" hides the option
  Option capture_default_str();               // the help shows the variable's current value
  Option default_str(const std::string& text);
  Option delimiter(char mark);        // separator of list values
  Option expected(int min, int max);  // number of values
  Option allow_extra_args(bool allowed);
  Option needs(const Option& other);
  Option needs(const std::string& name);
  Option excludes(const Option& other);
  Option excludes(const std::string& name);

  // Values from min to max, inclusive. Help and error messages show the bounds in the given type.
  Option range(int min, int max);
  Option range(std::int64_t min, std::int64_t max);
  Option range(double min, double max);
  Option positive();
  Option non_negative();
  Option one_of(const std::vector<std::string>& names);
  // `objection` returns the reason why a value is invalid; "" if it is valid.
  Option check(std::function<std::string(const std::string&)> objection);

 private:
  CLI::Option* option_;
};

// An option as the user gave it.
struct GivenOption {
  std::string name;   // the long name without dashes; "" for a positional argument
  std::string value;  // "true" for a flag that is set
  bool flag = false;
};

// Handle of a command or of the program itself; a copy refers to the same command. Variables passed
// to add_option and add_flag, and everything callbacks use, must outlive Program::parse().
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_subcommand(const std::string& name, const std::string& description);
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, int& value, const std::string& help);
  Option add_option(const std::string& name, std::int64_t& value, const std::string& help);
  Option add_option(const std::string& name, std::uint16_t& value, const std::string& help);
  Option add_option(const std::string& name, std::uint64_t& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<int>& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<std::string>& value,
                    const std::string& help);
  Option add_option(const std::string& name, std::vector<int>& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& value,
                    const std::string& help);
  // The floating-point overloads reject nan and infinities.
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_option(const std::string& name, std::optional<double>& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<double>& value, const std::string& help);
  Option add_option_function(const std::string& name,
                             const std::function<void(const std::string&)>& take,
                             const std::string& help);
  Option add_flag(const std::string& name, bool& value, const std::string& help);
  Option add_flag_callback(const std::string& name, const std::function<void()>& call,
                           const std::string& help);
  Option get_option(const std::string& name);
  void group(const std::string& name);  // heading of this command in the parent's help
  void footer(const std::string& text);
  void require_subcommand(int count);
  void callback(const std::function<void()>& call);

  std::string name() const;
  std::string description() const;
  std::optional<Command> parent() const;
  Command subcommand(const std::string& name) const;
  std::vector<Command> subcommands() const;
  std::vector<std::string> option_names() const;  // the long names, without dashes
  bool has_option(const std::string& name) const;

  // These functions are valid after parsing.
  std::optional<Command> called() const;  // the subcommand, if any
  std::size_t count(const std::string& option) const;
  std::vector<GivenOption> given() const;  // in the order given

 private:
  CLI::App* app_;
};

// Owns all commands and their options.
class Program {
 public:
  Program(const std::string& description, const std::string& name);
  ~Program();

  Command command() const { return Command(app_.get()); }
  void set_version_flag(const std::string& name, const std::string& text);
  void column_width(int width);  // width of the name column in the help

  // Runs the command given by the words, or prints the requested help or version. Returns an error
  // message; "" on success.
  std::string parse(std::vector<std::string> words);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace loom::cli
