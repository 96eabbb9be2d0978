// cost and prices: print price and power of fabrics, and the table of component prices.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/report/cost_tables.h"

namespace loom::cli {
namespace {

struct CostOptions {
  std::string scenario;
  ScenarioOptions given;
  OutputOptions output;
  std::vector<std::string> overrides;
};

Tree tree_of(const CostOptions& args) {
  if (args.scenario.empty() == args.given.fabric.empty()) {
    throw InputError(location_of("command line"),
                     "one of SCENARIO and --fabric with its parameters is needed");
  }
  if (args.scenario.empty()) return fabric_tree(args.given);
  Tree tree = scenario::read_scenario_tree(args.scenario);
  put_scenario_options(args.given.scenario, tree);
  return tree;
}

int cost(const CostOptions& args) {
  const std::vector<scenario::FabricCost> costs =
      scenario::fabric_costs(tree_of(args), args.overrides);
  if (args.output.json) {
    fmt::print("{}\n", report::costs_json(costs).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? report::to_csv(report::bills_table(costs))
                                     : report::costs_text(costs));
  }
  return kOk;
}

struct PriceOptions {
  std::string component;
  std::string file;
  bool json = false;
  bool yaml = false;
};

int prices(const PriceOptions& args) {
  const cost::PriceTable table =
      args.file.empty() ? cost::built_in_prices()
                        : cost::prices_from(args.file, location_of("--prices " + args.file));
  fmt::print("{}", args.yaml   ? to_yaml(table)
                   : args.json ? report::prices_json(table, args.component).dump(2) + "\n"
                               : report::prices_text(table, args.component));
  return kOk;
}

}  // namespace

void add_cost(Command app, int& code) {
  Command command =
      app.add_subcommand("cost", "bill of materials of each fabric, with its price and power");
  command.group(kCostGroup);
  auto args = std::make_shared<CostOptions>();
  command.add_option("SCENARIO", args->scenario, "scenario file (YAML); - for standard input");
  add_output_options(command, args->output);
  command.add_option("--set", args->overrides, "value to override, e.g. fabric.bandwidth=800Gbps")
      .type_name("PATH=VALUE")
      .allow_extra_args(false);
  add_scenario_options(command, args->given);
  command.callback([args, &code] { code = cost(*args); });
}

void add_prices(Command app, int& code) {
  Command command =
      app.add_subcommand("prices", "price and power of every component, with their sources");
  command.group(kCostGroup);
  auto args = std::make_shared<PriceOptions>();
  command.add_option("COMPONENT", args->component, "component to show; all if not given");
  command.add_option("--prices", args->file, "price file that overrides the built-in prices")
      .type_name("FILE");
  const Option json = command.add_flag("--json", args->json, "JSON output");
  command.add_flag("--yaml", args->yaml, "YAML output, to edit and pass to --prices")
      .excludes(json);
  command.callback([args, &code] { code = prices(*args); });
}

}  // namespace loom::cli
