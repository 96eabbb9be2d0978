#include "loom/report/fabric_upgrades.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::report {
namespace {

constexpr Duration kMicrosecond{1'000'000};

class Upgrades {
 public:
  Upgrades(const scenario::Scenario& scenario, int devices)
      : kind_(*scenario.fabric.kind), settings_(scenario.fabric.settings), devices_(devices) {}

  std::vector<Upgrade> all() {
    if (kind_.circuits == nullptr) return {};
    const bool wired = has("wiring") && settings_.given("wiring");
    if (has("switches") && !wired) one_more("switches", "switch", "port");
    if (has("degree")) one_more("degree", "port", "port");
    if (has("wavelength_bandwidth")) wavelength();
    if (has("reconfigure")) switching();
    return std::move(upgrades_);
  }

 private:
  bool has(std::string_view name) const {
    return std::any_of(kind_.parameters.begin(), kind_.parameters.end(),
                       [&](const Parameter& it) { return it.name == name; });
  }

  static std::string set(std::string_view key, const std::string& value) {
    return fmt::format("fabric.{}={}", key, value);
  }
  std::string bandwidth(std::int64_t bits_per_second) const {
    return set("bandwidth", exact(Bandwidth{bits_per_second}));
  }

  void one_more(std::string_view key, std::string_view what, std::string_view port) {
    const std::int64_t now = settings_.integer(key);
    const std::int64_t all = settings_.bandwidth("bandwidth").bits_per_second;
    // Rounded up: the bandwidth of a circuit is rounded down.
    const std::int64_t more = all + (all + now - 1) / now;
    const bool both = what != port;
    upgrades_.push_back({fmt::format("one more {}{}", what,
                                     both ? fmt::format(" ({} of each device)", port)
                                          : std::string(" of each device")),
                         {set(key, fmt::format("{}", now + 1)), bandwidth(more)}});
  }

  // A wavelength more in each direction, and on each fiber if the number of fibers is given.
  void wavelength() {
    const std::int64_t each = settings_.bandwidth("wavelength_bandwidth").bits_per_second;
    const std::int64_t all = settings_.bandwidth("bandwidth").bits_per_second;
    const bool both = has("direction") && settings_.text("direction") == "bidirectional";
    const bool ring = has("direction");
    const std::int64_t fibers =
        ring && !settings_.automatic("fibers") ? settings_.integer("fibers") : 1;
    const std::int64_t more = (both ? 2 : 1) * fibers;
    Upgrade upgrade{fmt::format("one more wavelength of each device{}{}",
                                both ? " in each direction" : "", fibers > 1 ? " and fiber" : ""),
                    {bandwidth(all + more * each)}};
    if (has("wavelengths")) {  // all devices share them
      const std::int64_t rings = settings_.integer("fibers");
      const std::int64_t wavelengths =
          settings_.integer("wavelengths") + (devices_ + rings - 1) / rings;
      upgrade.overrides.push_back(set("wavelengths", fmt::format("{}", wavelengths)));
    }
    upgrades_.push_back(std::move(upgrade));
  }

  void switching() {
    const Duration now = settings_.duration("switch_time");
    if (settings_.text("reconfigure") == "one_shot") {
      upgrades_.push_back({fmt::format("circuits that change between phases, in {}", readable(now)),
                           {set("reconfigure", "phases")}});
      return;
    }
    if (now <= kMicrosecond) return;
    upgrades_.push_back(
        {"a switch time 1 us shorter", {set("switch_time", exact(now - kMicrosecond))}});
    upgrades_.push_back({"half the switch time", {set("switch_time", exact(now / 2))}});
  }

  const fabric::FabricKind& kind_;
  const Settings& settings_;
  const int devices_;
  std::vector<Upgrade> upgrades_;
};

}  // namespace

std::vector<Upgrade> fabric_upgrades(const scenario::Scenario& scenario, int devices) {
  return Upgrades(scenario, devices).all();
}

}  // namespace loom::report
