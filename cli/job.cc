// models, accelerators, explain, plan and reproduce: the commands for training jobs.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/report/advise.h"
#include "loom/report/circuit_explanation_tables.h"
#include "loom/report/describe.h"
#include "loom/report/job_tables.h"
#include "loom/report/search_tables.h"
#include "loom/report/tables.h"
#include "loom/reproduce/grid_outputs.h"
#include "loom/reproduce/reproduce.h"

namespace loom::cli {
namespace {

struct JobOptions {
  std::string scenario;
  bool json = false;
  std::size_t show = 20;
  std::string output;  // only for plan
  RunCommandOptions run;
};

std::shared_ptr<JobOptions> job_command(Command command) {
  auto args = std::make_shared<JobOptions>();
  command.add_option("SCENARIO", args->scenario, "scenario file (YAML); - for standard input")
      .required();
  command.add_flag("--json", args->json, "JSON output");
  add_run_options(command, args->run);
  add_point_option(command, args->run);
  return args;
}

void refuse_other_work(const scenario::TrainingWork&, const SourceLocation&) {}

void refuse_other_work(const scenario::ColocatedWork&, const SourceLocation& location) {
  throw InputError(location,
                   "the scenario has a list of jobs; a workload with one training job is needed");
}

template <typename Kind>
void refuse_other_work(const Kind&, const SourceLocation& location) {
  throw InputError(location, "workload is not a training job; a model or profiles are needed");
}

scenario::Scenario job_scenario(const JobOptions& args) {
  scenario::Scenario scenario = one_point(
      scenario::read_scenarios(scenario::read_scenario_tree(args.scenario), args.run.overrides),
      args.run.point, "choose with --point or --set");
  std::visit([&](const auto& work) { refuse_other_work(work, scenario.location()); },
             scenario.work);
  return scenario;
}

// Runs a training job. If the run completes, shows the report of the run and of its job.
template <typename Show>
int run_job(const scenario::Scenario& scenario, const run::RunOptions& options, const Show& show) {
  const std::vector<run::Report> results = {run::run(scenario, options)};
  const int code = exit_code(results);
  if (code != kOk) return code;
  const run::TrainingReport* job = results.front().trained();
  if (job == nullptr) {
    throw InputError(scenario.location(),
                     "--from replaces the training job by a workload; the job itself is needed");
  }
  show(results.front(), *job);
  return kOk;
}

void show_explanation(const run::Report& result, const run::TrainingReport& job,
                      const std::vector<report::Advice>& advice, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json json = report::report_json(result);
    json.update(report::explanation_json(job));
    report::add_circuit_explanation_json(result, json);
    json["advice"] = advice_json(advice);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", report::to_text(report::job_facts(result)) + report::explanation_text(job) +
                         report::circuit_explanation_text(result) + "\nbusiest links:\n" +
                         to_text(report::busiest_table(result)) + advice_text(advice));
  }
}

int explain(const JobOptions& args) {
  const scenario::Scenario scenario = job_scenario(args);
  run::RunOptions options = run_options(args.run);
  options.details = true;
  return run_job(scenario, options, [&](const run::Report& result, const run::TrainingReport& job) {
    show_explanation(result, job, report::advise(scenario, options), args.json);
  });
}

// Throws, before a long computation, if the folder cannot be written.
void check_files(const std::string& folder) {
  if (!folder.empty()) check_folder(folder, location_of("--output " + folder));
}

void write_files(const std::string& folder,
                 const std::vector<std::pair<std::string, std::string>>& files) {
  make_folder(folder, location_of("--output " + folder));
  for (const auto& written : files) write_file(folder + "/" + written.first, written.second);
}

void show_search(const run::Report& result, const run::TrainingReport& job,
                 const JobOptions& args) {
  if (!args.output.empty()) write_files(args.output, report::search_files(job));
  if (args.json) {
    nlohmann::ordered_json json = report::search_json(job);
    json["strategy"] = strategy_text(job);
    json["iteration_time"] = job.iteration_time.count();
    json["engine"] = result.engine_name();
    json["collectives"] = report::algorithms_json(job);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", report::to_text(report::job_facts(result)) + report::algorithms_text(job) +
                         report::search_text(job, args.show));
  }
}

int plan(const JobOptions& args) {
  const scenario::Scenario scenario = job_scenario(args);
  check_files(args.output);
  return run_job(scenario, run_options(args.run),
                 [&](const run::Report& result, const run::TrainingReport& job) {
                   show_search(result, job, args);
                 });
}

struct ReproduceOptions {
  std::string name;
  bool json = false;
  bool quick = false;
  int threads = 0;
  std::string output;
};

int reproduce_one(const ReproduceOptions& args) {
  if (args.name.empty()) {
    for (const std::string_view name : reproduce::paper_names()) {
      const Tree paper =
          parse_yaml(std::string(reproduce::paper_text(std::string(name))), std::string(name));
      fmt::print("{:<22} {}\n", name, paper.find("title")->text);
    }
    return kOk;
  }
  const bool file = args.name.ends_with(".yaml");
  const Tree paper =
      file ? scenario::read_scenario_tree(args.name)
           : parse_yaml(std::string(reproduce::paper_text(args.name)), args.name + ".yaml");
  check_files(args.output);
  RunCommandOptions run;
  run.threads = args.threads;
  const run::RunOptions options = run_options(run);
  const reproduce::Study study = reproduce::reproduce(paper, args.quick, options);
  if (!args.output.empty()) write_files(args.output, study_files(study));
  fmt::print("{}", args.json ? study_json(study).dump(2) + "\n" : study_text(study));
  return kOk;
}

// Adds a command that lists built-in items, or shows one of them.
void add_list(Command app, int& code, const std::string& name, const std::string& what,
              std::string (*text)(const std::string&),
              nlohmann::ordered_json (*json)(const std::string&)) {
  Command command = app.add_subcommand(name, what);
  command.group(kReferenceGroup);
  auto chosen = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  command.add_option("NAME", *chosen, "item to show in detail; lists all if not given");
  command.add_flag("--json", *as_json, "JSON output");
  command.callback([chosen, as_json, text, json, &code] {
    fmt::print("{}", *as_json ? json(*chosen).dump(2) + "\n" : text(*chosen));
    code = kOk;
  });
}

}  // namespace

void add_models(Command app, int& code) {
  add_list(app, code, "models", "built-in models, or one model with its parameters",
           report::models_text, report::models_json);
}

void add_accelerators(Command app, int& code) {
  add_list(app, code, "accelerators", "built-in accelerators and their specifications",
           report::accelerators_text, report::accelerators_json);
}

void add_explain(Command app, int& code) {
  Command command = app.add_subcommand(
      "explain", "breakdown of a training iteration, and the time that upgrades would save");
  command.group(kTrainingGroup);
  const auto args = job_command(command);
  command.callback([args, &code] { code = explain(*args); });
}

void add_plan(Command app, int& code) {
  Command command =
      app.add_subcommand("plan", "parallelization strategies for a training job, fastest first");
  command.group(kTrainingGroup);
  const auto args = job_command(command);
  command.add_option("--show", args->show, "number of strategies to show")
      .positive()
      .capture_default_str();
  command
      .add_option(
          "--output", args->output,
          "folder to write: the ranking (CSV) or, with partition: co_optimized, the operator "
          "configurations (CSV) and the progress of the search (CSV, SVG)")
      .type_name("FOLDER");
  command.callback([args, &code] { code = plan(*args); });
}

void add_reproduce(Command app, int& code) {
  Command command = app.add_subcommand(
      "reproduce", "rerun of a published study, with a verdict on each of its claims");
  command.group(kStudyGroup);
  auto args = std::make_shared<ReproduceOptions>();
  command.add_option("NAME", args->name,
                     "built-in study, or a YAML file; without it, a list of the built-in studies");
  command.add_flag("--json", args->json, "JSON output");
  command.add_flag("--quick", args->quick, "reduced version of the study, if it has one");
  command.add_option("--output", args->output,
                     "folder to write: data points (CSV) and charts (SVG)");
  command.add_option("--threads", args->threads, "maximum number of threads; 0 uses all cores")
      .non_negative();
  command.callback([args, &code] { code = reproduce_one(*args); });
}

}  // namespace loom::cli
