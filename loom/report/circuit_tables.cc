#include "loom/report/circuit_tables.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace loom::report {
std::vector<std::pair<std::string, Cell>> circuit_facts(const run::CircuitReport& circuits) {
  std::vector<std::pair<std::string, Cell>> facts;
  facts.emplace_back("circuits", circuits.circuits);
  facts.emplace_back("pairs_with_circuits", circuits.pairs);
  facts.emplace_back(circuits.packets ? "packet_pairs"
                     : circuits.waits ? "waiting_pairs"
                                      : "forwarded_pairs",
                     circuits.forwarded);
  if (circuits.forwarded == 0 && circuits.ring_ports < 0) {
    facts.emplace_back("share_of_best_rate", circuits.share_of_bound);
  }
  if (circuits.colors > 0) {
    facts.emplace_back("wavelengths_used",
                       fmt::format("{} of {} (lower bound {})", circuits.wavelengths,
                                   circuits.colors, circuits.load));
  }
  if (circuits.usable.bits_per_second > 0) {
    facts.emplace_back(
        "usable_bandwidth",
        fmt::format("{}: an integer number of wavelengths, equal in every direction and fiber",
                    readable(circuits.usable)));
  }
  if (circuits.unamplified_reach >= 0) {
    facts.emplace_back("longest_circuit", fmt::format("{} segment{}", circuits.longest,
                                                      circuits.longest == 1 ? "" : "s"));
    facts.emplace_back("reach_without_amplifier",
                       fmt::format("{} segments; {} circuits need an amplifier",
                                   circuits.unamplified_reach, circuits.amplified));
  }
  if (circuits.ring_ports >= 0) {
    facts.emplace_back("ports_for_rings",
                       fmt::format("{} of {}", circuits.ring_ports, circuits.ports));
    facts.emplace_back(
        "diameter", fmt::format("{} circuits, mean {:.2f}", circuits.diameter, circuits.mean_hops));
    facts.emplace_back("set_up", fmt::format("{} before the work begins, not included",
                                             readable(circuits.set_up)));
  }
  if (circuits.search) {
    const double change = seconds(circuits.search->last) / seconds(circuits.search->first) - 1;
    facts.emplace_back("circuit_search",
                       fmt::format("{} sets compared, time in turns {:+.1f} % from first to best",
                                   circuits.search->trials, 100 * change));
  }
  if (!circuits.phases.empty()) {
    facts.emplace_back("circuit_sets", fmt::format("{}", fmt::join(circuits.phases, "; ")));
  }
  return facts;
}

Table loss_table(const run::CircuitReport& circuits) {
  Table table{{"term", "times", "each", "power"}, {}};
  if (!circuits.loss_budget || circuits.longest == 0) return table;
  const fabric::LossBudget& loss_budget = *circuits.loss_budget;
  const auto row = [&](std::string what, Cell times, Cell each, double power) {
    table.rows.push_back(
        {std::move(what), std::move(times), std::move(each), fmt::format("{:.2f} dBm", power)});
  };
  double power = loss_budget.laser_power;
  row("laser, per wavelength", Cell(), Cell(), power);
  for (const fabric::LossTerm& it : loss_terms(loss_budget, circuits.longest)) {
    power -= it.total();
    row(std::string(it.what), std::int64_t{it.times}, fmt::format("{:.4g} dB", it.each), power);
  }
  row("needed by the receiver", Cell(), Cell(), loss_budget.receiver_sensitivity);
  return table;
}

std::vector<std::pair<std::string, Cell>> network_use_facts(const run::NetworkUse& use) {
  std::vector<std::pair<std::string, Cell>> facts;
  facts.emplace_back("bandwidth_tax", use.bandwidth_tax);
  facts.emplace_back("mean_hops", use.mean_hops);
  std::vector<std::string> hops;
  for (std::size_t h = 0; h < use.hop_shares.size(); ++h) {
    if (use.hop_shares[h] > 0) {
      hops.push_back(fmt::format("{}: {:.1f} %", h + 1, 100 * use.hop_shares[h]));
    }
  }
  facts.emplace_back("bytes_by_hops", fmt::format("{}", fmt::join(hops, ", ")));
  std::vector<std::string> loads;
  for (const auto& it : use.link_loads) {
    loads.push_back(fmt::format("{} {}", it.first, readable(it.second)));
  }
  facts.emplace_back("link_loads", fmt::format("{}", fmt::join(loads, ", ")));
  return facts;
}

void add_network_use_json(const run::NetworkUse& use, nlohmann::ordered_json& json) {
  json["bytes_by_hops"] = use.hop_shares;
  auto loads = nlohmann::ordered_json::object();
  for (const auto& it : use.link_loads) loads[it.first] = it.second.count;
  json["link_loads"] = std::move(loads);
}

}  // namespace loom::report
