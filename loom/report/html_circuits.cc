#include "loom/report/html_circuits.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace loom::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxCircuits = 60'000;  // on one page, over all sets of a result
constexpr std::size_t kMaxSets = 60;
constexpr std::size_t kMaxSwitches = 2'000;

void add_limits(const run::CircuitDetails& details, Json& json) {
  if (const auto* ring = std::get_if<fabric::RingLimits>(&details.limits)) {
    json["limits"] = "ring";
    json["devices"] = ring->devices;
    json["fibers"] = ring->fibers;
    json["directions"] = ring->directions;
    json["wavelengths"] = ring->wavelengths;
  } else {
    const auto& switches = std::get<fabric::OcsLimits>(details.limits);
    json["limits"] = "switches";
    json["devices"] = switches.devices;
    json["switches"] = switches.switches;
  }
}

Json kinds(const std::vector<run::TrafficKind>& all) {
  Json list = Json::array();
  for (const run::TrafficKind& it : all) {
    Json kind = {{"name", it.name}};
    if (!it.category.empty()) kind["category"] = it.category;
    list.push_back(std::move(kind));
  }
  return list;
}

Json loads(const std::vector<run::PairLoad>& all) {
  Json list = Json::array();
  for (const run::PairLoad& it : all) {
    Json row = Json::array({it.from, it.to});
    for (const double bytes : it.bytes) row.push_back(std::llround(bytes));
    list.push_back(std::move(row));
  }
  return list;
}

Json circuits(const fabric::Circuits& all) {
  Json list = Json::array();
  for (const fabric::Circuit& it : all) {
    list.push_back(Json::array({it.from, it.to, it.plane, it.wavelength}));
  }
  return list;
}

// The sets that the page can hold; all switches to a set after these are left out.
Json sets(const run::CircuitDetails& details) {
  Json list = Json::array();
  std::size_t held = 0;
  for (const run::CircuitSet& it : details.sets) {
    held += it.circuits.size();
    if (held > kMaxCircuits || list.size() == kMaxSets) break;
    list.push_back({{"name", it.name},
                    {"circuits", circuits(it.circuits)},
                    {"loads", it.loads},
                    {"active_ps", it.active.count()}});
  }
  return list;
}

// The switches in the interval shown, preceded by the set with which it begins. Clears `complete`
// if some are left out.
Json switches(const run::CircuitDetails& details, bool& complete) {
  Json list = Json::array();
  const auto add = [&](TimePoint start, TimePoint end, std::size_t set) {
    list.push_back(Json::array({elapsed(start).count(), elapsed(end).count(), set}));
  };
  std::size_t first = 0;
  std::size_t set = 0;
  while (first < details.switches.size() && details.switches[first].end <= details.from) {
    set = details.switches[first++].set;
  }
  add(details.from, details.from, set);
  for (std::size_t s = first; s < details.switches.size(); ++s) {
    const run::CircuitSwitch& it = details.switches[s];
    if (it.start >= details.to) break;
    if (list.size() == kMaxSwitches) {
      complete = false;
      break;
    }
    add(std::max(it.start, details.from), it.end, it.set);
  }
  return list;
}

}  // namespace

Json circuits_json(const run::CircuitDetails& details) {
  Json json;
  add_limits(details, json);
  json["ports"] = details.ports;
  json["circuit_bps"] = details.circuit.bits_per_second;
  json["switch_time_ps"] = details.switch_time.count();
  json["kinds"] = kinds(details.traffic.kinds);
  json["estimated"] = details.traffic.estimated;
  json["loads"] = Json::array();
  for (const auto& it : details.traffic.loads) json["loads"].push_back(loads(it));
  json["sets"] = sets(details);
  json["all_sets"] = details.sets.size();
  json["from_ps"] = elapsed(details.from).count();
  json["to_ps"] = elapsed(details.to).count();
  bool complete = details.complete && json["sets"].size() == details.sets.size();
  if (!details.switches.empty()) json["switches_over_time"] = switches(details, complete);
  json["complete"] = complete;
  return json;
}

}  // namespace loom::report
