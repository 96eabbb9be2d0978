#include "loom/scenario/fabric_costs.h"

#include <algorithm>

#include "loom/cost/bill.h"
#include "loom/scenario/equal_cost_bandwidth.h"
#include "loom/scenario/paths.h"
#include "loom/scenario/points.h"

namespace loom::scenario {
namespace {

// Removes the workload, the accelerator and link changes: they do not affect the cost, so lists
// inside them must not become axes.
Tree without_work(const Tree& scenario) {
  Tree bare = scenario;
  std::erase_if(bare.entries, [](const TreeEntry& it) {
    return it.key == "workload" || it.key == "accelerator" || it.key == "changes";
  });
  return bare;
}

FabricCost cost_at(const PointTree& point) {
  const Settings settings = scenario_settings(point.scenario);
  const Tree* fabric = point.scenario.find("fabric");
  if (fabric == nullptr) {
    throw InputError(point.scenario.location,
                     "scenario lacks 'fabric' (a map with a kind and its "
                     "parameters)");
  }
  if (!settings.given("gpus")) {
    throw InputError(settings.location(), "scenario lacks 'gpus' (devices in the cluster)");
  }
  FabricCost cost;
  cost.fabric = fabric::read_fabric(*fabric);
  cost.devices = static_cast<int>(settings.integer("gpus"));
  cost.axes = point.axes;
  cost.unaffordable = point.unaffordable;
  const cost::PriceTable prices = prices_of(settings);
  const fabric::FabricContext context{
      cost.devices, static_cast<std::uint64_t>(settings.integer("seed")), {}, prices.floor};
  cost.cost = cost_of(cost::bill_of(cost.fabric, context), prices, fabric->location);
  return cost;
}

}  // namespace

std::string FabricCost::name() const {
  return fabric.name.empty() ? std::string(fabric.kind->name) : fabric.name;
}

cost::PriceTable prices_of(const Settings& scenario) {
  cost::PriceTable table = scenario.given("prices") ? cost::prices_from(path_of(scenario, "prices"),
                                                                        scenario.location("prices"))
                                                    : cost::built_in_prices();
  const auto replace = [&](std::string_view key, int& value) {
    if (scenario.given(key)) value = static_cast<int>(scenario.integer(key));
  };
  replace("gpus_per_rack", table.floor.gpus_per_rack);
  replace("racks_per_row", table.floor.racks_per_row);
  return table;
}

std::vector<FabricCost> fabric_costs(Tree tree, std::span<const std::string> overrides) {
  for (const std::string& assignment : overrides) override_value(tree, assignment);
  std::vector<FabricCost> costs;
  for (const PointTree& point : with_bought_bandwidths(expand_axes(without_work(tree)))) {
    costs.push_back(cost_at(point));
  }
  return costs;
}

}  // namespace loom::scenario
