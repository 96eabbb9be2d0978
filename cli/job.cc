// models, accelerators, explain, plan and reproduce: what concerns training jobs.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/study/advise.h"
#include "loom/study/describe.h"
#include "loom/study/grid_files.h"
#include "loom/study/job_tables.h"
#include "loom/study/reproduce.h"
#include "loom/study/tables.h"
#include "loom/study/ways_tables.h"

namespace loom::cli {
namespace {

struct JobFlags {
  std::string scenario;
  bool json = false;
  std::size_t show = 20;
  std::string output;  // plan
  RunFlags run;
};

std::shared_ptr<JobFlags> job_command(CLI::App& command) {
  auto flags = std::make_shared<JobFlags>();
  command.add_option("SCENARIO", flags->scenario, "YAML file; - for standard input")->required();
  command.add_flag("--json", flags->json, "as JSON");
  add_run_flags(command, flags->run);
  add_point_flag(command, flags->run);
  return flags;
}

Scenario job_scenario(const JobFlags& flags) {
  Scenario scenario =
      one_point(read_scenarios(read_scenario_tree(flags.scenario), flags.run.overrides),
                flags.run.point, "choose with --point or --set");
  if (!scenario.trains()) {
    throw InputError(scenario.place(),
                     scenario.jobs.empty()
                         ? "workload is no training job; a model, or profiles, are needed"
                         : "there are jobs; a workload that is one training job is needed");
  }
  return scenario;
}

int explain(const JobFlags& flags) {
  const Scenario scenario = job_scenario(flags);
  const RunOptions options = run_options(flags.run);
  const std::vector<Result> results = {loom::run(scenario, options)};
  const int code = exit_code(results);
  if (code != kOk) return code;
  const Result& result = results.front();
  const std::vector<Advice> advice = advise(scenario, options);
  if (flags.json) {
    nlohmann::ordered_json json = result_json(result);
    json.update(explanation_json(*result.job));
    json["advice"] = advice_json(advice);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", to_text(job_facts(result)) + explanation_text(*result.job) +
                         "\nbusiest links:\n" + to_text(busiest_table(result)) +
                         advice_text(advice));
  }
  return kOk;
}

// Before long work.
void check_files(const std::string& folder) {
  if (!folder.empty()) check_folder(folder, place_of("--output " + folder));
}

void write_files(const std::string& folder,
                 const std::vector<std::pair<std::string, std::string>>& files) {
  make_folder(folder, place_of("--output " + folder));
  for (const auto& written : files) write_file(folder + "/" + written.first, written.second);
}

int plan(const JobFlags& flags) {
  const Scenario scenario = job_scenario(flags);
  check_files(flags.output);
  const std::vector<Result> results = {loom::run(scenario, run_options(flags.run))};
  const int code = exit_code(results);
  if (code != kOk) return code;
  const Result& result = results.front();
  if (!flags.output.empty()) write_files(flags.output, search_files(*result.job));
  if (flags.json) {
    nlohmann::ordered_json json = search_json(*result.job);
    json["strategy"] = strategy_text(*result.job);
    json["iteration_time"] = result.job->iteration_time.count();
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", to_text(job_facts(result)) + search_text(*result.job, flags.show));
  }
  return kOk;
}

struct ReproduceFlags {
  std::string name;
  bool json = false;
  bool quick = false;
  int threads = 0;
  std::string output;
};

int reproduce_one(const ReproduceFlags& flags) {
  if (flags.name.empty()) {
    for (const std::string_view name : paper_names()) {
      const Tree paper = parse_yaml(std::string(paper_text(std::string(name))), std::string(name));
      fmt::print("{:<22} {}\n", name, paper.find("title")->text);
    }
    return kOk;
  }
  const bool file = flags.name.ends_with(".yaml");
  const Tree paper = file ? read_scenario_tree(flags.name)
                          : parse_yaml(std::string(paper_text(flags.name)), flags.name + ".yaml");
  check_files(flags.output);
  RunFlags run;
  run.threads = flags.threads;
  const RunOptions options = run_options(run);
  const Study study = reproduce(paper, flags.quick, options);
  if (!flags.output.empty()) write_files(flags.output, study_files(study));
  fmt::print("{}", flags.json ? study_json(study).dump(2) + "\n" : study_text(study));
  return kOk;
}

// A command that lists what there is, or shows one.
void add_list(CLI::App& app, int& code, const std::string& name, const std::string& what,
              std::string (*text)(const std::string&),
              nlohmann::ordered_json (*json)(const std::string&)) {
  CLI::App& command = *app.add_subcommand(name, what);
  auto chosen = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command.add_option("NAME", *chosen, "only this one");
  command.add_flag("--json", *as_json, "as JSON");
  command.callback([chosen, as_json, text, json, &code] {
    fmt::print("{}", *as_json ? json(*chosen).dump(2) + "\n" : text(*chosen));
    code = kOk;
  });
}

}  // namespace

void add_models(CLI::App& app, int& code) {
  add_list(app, code, "models", "the built-in models, or one with its parameters", models_text,
           models_json);
}

void add_accelerators(CLI::App& app, int& code) {
  add_list(app, code, "accelerators", "the built-in accelerators", accelerators_text,
           accelerators_json);
}

void add_explain(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "explain", "where the time of a training iteration goes, and what would help");
  const auto flags = job_command(command);
  command.callback([flags, &code] { code = explain(*flags); });
}

void add_plan(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("plan", "the ways to cut a training job over devices, fastest first");
  const auto flags = job_command(command);
  command.add_option("--show", flags->show, "so many strategies")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option(
          "--output", flags->output,
          "folder for the ranking or the ways of operators (CSV) and, of a search by chance, "
          "how it went (CSV, SVG), made if it is not there")
      ->type_name("FOLDER");
  command.callback([flags, &code] { code = plan(*flags); });
}

void add_reproduce(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "reproduce", "run a published study again and say which of its claims hold");
  auto flags = std::make_shared<ReproduceFlags>();
  command.add_option("NAME", flags->name, "a built-in study, or a YAML file; none: list them");
  command.add_flag("--json", flags->json, "as JSON");
  command.add_flag("--quick", flags->quick, "a reduced run, where the study has one");
  command.add_option("--output", flags->output,
                     "folder for its points (CSV) and pictures (SVG), made if it is not there");
  command.add_option("--threads", flags->threads, "0: as many as the machine has")
      ->check(CLI::NonNegativeNumber);
  command.callback([flags, &code] { code = reproduce_one(*flags); });
}

}  // namespace loom::cli
