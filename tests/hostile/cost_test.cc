// Invalid price tables, and costs that cannot be computed.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kTree = "gpus: 16\nfabric: {kind: fat_tree, bandwidth: 50 Gbps}\n";

// The cost of a 50 Gbps fat-tree with this price file.
Hostile priced(const std::string& name, const std::string& prices, const std::string& message) {
  return {name,
          {{"p.yaml", prices}, {"s.yaml", kTree}},
          {"cost", "s.yaml", "--prices", "p.yaml"},
          message};
}

const Hostile kCosts[] = {
    {"no_price_file",
     {{"s.yaml", kTree}},
     {"cost", "s.yaml", "--prices", "none.yaml"},
     "--prices none.yaml: cannot read 'none.yaml': No such file or directory"},
    priced("prices_are_a_list", "- 1\n",
           "p.yaml:1: the prices are not a map; a map with between and components is needed"),
    priced("unknown_key_of_prices", "between: lanes\ncomponent: nic\n",
           "p.yaml:2: prices has no key 'component' (did you mean 'components'?); known are "
           "components, between, gpus_per_rack, racks_per_row, floor_source, energy_price, pue, "
           "energy_source"),
    priced("unknown_rule_between_rates", "between: guess\n",
           "p.yaml:1: prices.between is guess; one of refuse, lanes, linear is needed"),
    priced("price_without_a_unit",
           "components:\n  - {component: nic, rate: 50 Gbps, price: 300, power: 9 W}\n",
           "p.yaml:2: price.price is 300; a price needs one of the units USD, kUSD, MUSD, GUSD"),
    priced("an_old_key_of_prices", "parts: []\n",
           "p.yaml:1: prices.parts was renamed; write components"),
    priced("negative_price", "components:\n  - {component: fiber, price: -3 USD}\n",
           "p.yaml:2: price.price is -3 USD; a price is a number and a unit, at least 0"),
    priced("price_that_is_no_number", "components:\n  - {component: fiber, price: nan USD}\n",
           "p.yaml:2: price.price is nan USD; a price is a number and a unit, at least 0"),
    priced("huge_price", "components:\n  - {component: fiber, price: 2 GUSD}\n",
           "p.yaml:2: price.price is 2 GUSD; the largest is 1.000 GUSD"),
    priced("price_of_no_component", "components:\n  - {price: 3 USD}\n",
           "p.yaml:2: price lacks 'component' (component name, such as nic)"),
    priced("new_component_without_power", "components:\n  - {component: mirror, price: 3 USD}\n",
           "p.yaml:2: mirror lacks 'power', and no other table has it"),
    priced("rate_that_is_not_there", "between: refuse\n",
           "s.yaml:2: there is no price for component nic at 50 Gbps, only at 10 Gbps, 25 Gbps, "
           "40 "
           "Gbps, 100 Gbps, 200 Gbps, 400 Gbps, 800 Gbps; add it to a file for --prices: "
           "components: [{component: nic, rate: 50 Gbps, price: … USD, power: … W}], or set "
           "between: lanes or linear"),
    priced("prices_that_fall",
           "components:\n  - {component: fiber, rate: 1 Gbps, price: 3 USD, power: 0 W}\n"
           "  - {component: fiber, rate: 2 Gbps, price: 2 USD, power: 0 W}\n",
           "p.yaml:3: fiber at 2 Gbps costs 2 USD, less than 3 USD at 1 Gbps; prices must not fall "
           "with the rate"),
    {"cost_of_nothing",
     {},
     {"cost"},
     "command line: one of SCENARIO and --fabric with its parameters is needed"},
    {"cost_without_devices",
     {{"s.yaml", "fabric: {kind: switch, bandwidth: 1 Gbps}\n"}},
     {"cost", "s.yaml"},
     "s.yaml:1: scenario lacks 'gpus' (devices in the cluster)"},
    {"cost_of_no_fabric",
     {{"s.yaml", "gpus: 2\n"}},
     {"cost", "s.yaml"},
     "s.yaml:1: scenario lacks 'fabric' (a map with a kind and its parameters)"},
    {"no_such_component",
     {},
     {"prices", "nick"},
     "there is no component 'nick' (did you mean 'nic'?); 'lightloom prices' lists them"},
    {"same_cost_as_nobody",
     {{"s.yaml",
       "workload: {collective: all_reduce, size: 1 MB}\ngpus: 2\nfabric: {kind: switch, "
       "bandwidth: {same_cost_as: x}}\n"}},
     {"simulate", "s.yaml"},
     "s.yaml:3: fabric.bandwidth has the same cost as x; the name of another fabric is needed"},
};

INSTANTIATE_TEST_SUITE_P(Costs, Broken, ::testing::ValuesIn(kCosts), name_of);

}  // namespace
}  // namespace loom::testing
