// cost and prices: what fabrics cost and draw, and by which prices.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/study/fabric_costs.h"

namespace loom::cli {
namespace {

struct CostFlags {
  std::string scenario;
  ScenarioFlags given;
  OutputFlags output;
  std::vector<std::string> overrides;
};

Tree tree_of(const CostFlags& flags) {
  if (flags.scenario.empty() == flags.given.fabric.empty()) {
    throw InputError(place_of("command line"),
                     "one of SCENARIO and --fabric with its parameters is needed");
  }
  if (flags.scenario.empty()) return fabric_tree(flags.given);
  Tree tree = read_scenario_tree(flags.scenario);
  put_scenario_flags(flags.given.scenario, tree);
  return tree;
}

int cost(const CostFlags& flags) {
  const std::vector<FabricCost> costs = fabric_costs(tree_of(flags), flags.overrides);
  if (flags.output.json) {
    fmt::print("{}\n", costs_json(costs).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(bills_table(costs)) : costs_text(costs));
  }
  return kOk;
}

struct PriceFlags {
  std::string part;
  std::string file;
  bool json = false;
  bool yaml = false;
};

int prices(const PriceFlags& flags) {
  const PriceTable table = flags.file.empty()
                               ? built_in_prices()
                               : prices_from(flags.file, place_of("--prices " + flags.file));
  fmt::print("{}", flags.yaml   ? to_yaml(table)
                   : flags.json ? prices_json(table, flags.part).dump(2) + "\n"
                                : prices_text(table, flags.part));
  return kOk;
}

}  // namespace

void add_cost(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("cost", "the parts of every fabric, and what they cost and draw");
  auto flags = std::make_shared<CostFlags>();
  command.add_option("SCENARIO", flags->scenario, "YAML file; - for standard input");
  add_output_flags(command, flags->output);
  command.add_option("--set", flags->overrides, "override a value, e.g. fabric.bandwidth=800Gbps")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  add_scenario_options(command, flags->given);
  command.callback([flags, &code] { code = cost(*flags); });
}

void add_prices(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("prices", "what parts cost and draw, and who says so");
  auto flags = std::make_shared<PriceFlags>();
  command.add_option("PART", flags->part, "only this one");
  command.add_option("--prices", flags->file, "with this file before the built-in prices")
      ->type_name("FILE");
  auto* json = command.add_flag("--json", flags->json, "as JSON");
  command.add_flag("--yaml", flags->yaml, "as a file to edit and give to --prices")->excludes(json);
  command.callback([flags, &code] { code = prices(*flags); });
}

}  // namespace loom::cli
