#include "cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace loom::cli {
namespace {

// The parser accepts "nan" and "inf" as numbers, and nan passes every range check.
std::string finite_objection(const std::string& text) {
  double value = 0;
  const bool number = CLI::detail::lexical_cast(text, value);
  return !number || std::isfinite(value) ? "" : text + " is given; a finite number is needed";
}

GivenOption given_option(const CLI::Option& option, const std::string& value) {
  const std::vector<std::string>& names = option.get_lnames();
  return {names.empty() ? "" : names.front(), value, option.get_items_expected_max() == 0};
}

}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option Option::group(const std::string& name) {
  option_->group(name);
  return *this;
}

Option Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Option Option::default_str(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option Option::delimiter(char mark) {
  option_->delimiter(mark);
  return *this;
}

Option Option::expected(int min, int max) {
  option_->expected(min, max);
  return *this;
}

Option Option::allow_extra_args(bool allowed) {
  option_->allow_extra_args(allowed);
  return *this;
}

Option Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option Option::needs(const std::string& name) {
  option_->needs(name);
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::excludes(const std::string& name) {
  option_->excludes(name);
  return *this;
}

Option Option::range(int min, int max) {
  option_->check(CLI::Range(min, max));
  return *this;
}

Option Option::range(std::int64_t min, std::int64_t max) {
  option_->check(CLI::Range(min, max));
  return *this;
}

Option Option::range(double min, double max) {
  option_->check(CLI::Range(min, max));
  return *this;
}

Option Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option Option::non_negative() {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& names) {
  option_->check(CLI::IsMember(names));
  return *this;
}

Option Option::check(std::function<std::string(const std::string&)> objection) {
  option_->check(std::move(objection));
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
  // CLI11 would use the parent's group.
  return Command(app_->add_subcommand(name, description)->group("Commands"));
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, int& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::int64_t& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::uint16_t& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::uint64_t& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::optional<int>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::vector<int>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) {
  return Option(app_->add_option(name, value, help)->check(finite_objection));
}

Option Command::add_option(const std::string& name, std::optional<double>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help)->check(finite_objection));
}

Option Command::add_option(const std::string& name, std::vector<double>& value,
                           const std::string& help) {
  return Option(app_->add_option(name, value, help)->check(finite_objection));
}

Option Command::add_option_function(const std::string& name,
                                    const std::function<void(const std::string&)>& take,
                                    const std::string& help) {
  return Option(app_->add_option_function<std::string>(name, take, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Option(app_->add_flag(name, value, help));
}

Option Command::add_flag_callback(const std::string& name, const std::function<void()>& call,
                                  const std::string& help) {
  return Option(app_->add_flag_callback(name, call, help));
}

Option Command::get_option(const std::string& name) { return Option(app_->get_option(name)); }

void Command::group(const std::string& name) { app_->group(name); }

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::require_subcommand(int count) { app_->require_subcommand(count); }

void Command::callback(const std::function<void()>& call) { app_->callback(call); }

std::string Command::name() const { return app_->get_name(); }

std::string Command::description() const { return app_->get_description(); }

std::optional<Command> Command::parent() const {
  if (app_->get_parent() == nullptr) return {};
  return Command(app_->get_parent());
}

Command Command::subcommand(const std::string& name) const {
  return Command(app_->get_subcommand(name));
}

std::vector<Command> Command::subcommands() const {
  std::vector<Command> all;
  for (CLI::App* it : app_->get_subcommands({})) all.emplace_back(it);
  return all;
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

bool Command::has_option(const std::string& name) const {
  return app_->get_option_no_throw(name) != nullptr;
}

std::optional<Command> Command::called() const {
  const std::vector<CLI::App*> parsed = app_->get_subcommands();
  if (parsed.empty()) return {};
  return Command(parsed.front());
}

std::size_t Command::count(const std::string& option) const { return app_->count(option); }

std::vector<GivenOption> Command::given() const {
  std::vector<GivenOption> all;
  std::map<const CLI::Option*, std::size_t> said;  // values seen per option
  for (const CLI::Option* it : app_->parse_order()) {
    all.push_back(given_option(*it, it->results().at(said[it]++)));
  }
  return all;
}

Program::Program(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name)) {}

Program::~Program() = default;

void Program::set_version_flag(const std::string& name, const std::string& text) {
  app_->set_version_flag(name, text);
}

void Program::column_width(int width) {
  app_->get_formatter()->column_width(static_cast<std::size_t>(width));
}

std::string Program::parse(std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 expects the last word first
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& asked) {
    app_->exit(asked);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace loom::cli
