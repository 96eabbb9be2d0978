#include "loom/fabric/circuits/circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace loom::fabric {
namespace {

std::string text_of(const Circuit& it) {
  return fmt::format("circuit {} -> {} on plane {}", it.from, it.to, it.plane);
}

Infeasible impossible(const Circuit& it, std::string_view why) {
  return {fmt::format("{}: {}", text_of(it), why)};
}

std::optional<Infeasible> ends_violation(int devices, int planes, const Circuit& it) {
  const bool known = it.from >= 0 && it.from < devices && it.to >= 0 && it.to < devices;
  if (!known || it.from == it.to) {
    return impossible(it, fmt::format("two different devices out of {} are needed", devices));
  }
  if (it.plane < 0 || it.plane >= planes) {
    return impossible(it, fmt::format("there are {} planes", planes));
  }
  return std::nullopt;
}

std::optional<Infeasible> ports_violation(const OcsLimits& limits) {
  for (int s = 0; s < limits.switches; ++s) {
    const std::size_t here = limits.wiring.empty()
                                 ? static_cast<std::size_t>(limits.devices)
                                 : limits.wiring[static_cast<std::size_t>(s)].size();
    if (here <= static_cast<std::size_t>(limits.ports)) continue;
    return Infeasible{fmt::format("switch {} has {} devices but {} ports", s, here, limits.ports)};
  }
  return std::nullopt;
}

}  // namespace

bool OcsLimits::wired(int device, int plane) const {
  if (wiring.empty()) return true;
  const std::vector<int>& here = wiring[static_cast<std::size_t>(plane)];
  return std::binary_search(here.begin(), here.end(), device);
}

bool OcsLimits::share_a_switch(int a, int b) const {
  for (int plane = 0; plane < switches; ++plane) {
    if (wired(a, plane) && wired(b, plane)) return true;
  }
  return false;
}

std::vector<int> OcsLimits::ports_of_devices() const {
  const int at_first = wiring.empty() ? switches : 0;
  std::vector<int> wired_ports(static_cast<std::size_t>(devices), at_first);
  for (const std::vector<int>& here : wiring) {
    for (const int device : here) ++wired_ports[static_cast<std::size_t>(device)];
  }
  return wired_ports;
}

int RingLimits::arc(int from, int to, int direction) const {
  const int clockwise = (to - from + devices) % devices;
  return direction == kClockwise ? clockwise : devices - clockwise;
}

bool RingLimits::reaches(int from, int to, int direction) const {
  return direction < directions && (reach == 0 || arc(from, to, direction) <= reach);
}

std::optional<Infeasible> violation(const OcsLimits& limits, const Circuits& circuits) {
  if (auto no = ports_violation(limits)) return no;
  std::set<std::pair<int, int>> sending;
  std::set<std::pair<int, int>> receiving;
  for (const Circuit& it : circuits) {
    if (auto no = ends_violation(limits.devices, limits.switches, it)) return no;
    for (const int end : {it.from, it.to}) {
      if (!limits.wired(end, it.plane)) {
        return impossible(it, fmt::format("device {} is not wired to it", end));
      }
    }
    if (!sending.insert({it.plane, it.from}).second) {
      return impossible(it, fmt::format("device {} already sends on it", it.from));
    }
    if (!receiving.insert({it.plane, it.to}).second) {
      return impossible(it, fmt::format("device {} already receives on it", it.to));
    }
  }
  return std::nullopt;
}

std::optional<Infeasible> violation(const RingLimits& limits, const Circuits& circuits) {
  // Occupied (plane, wavelength, segment) triples. Without wavelength reuse, a circuit takes its
  // wavelength on the whole ring, stored as segment 0.
  std::set<std::tuple<int, int, int>> taken;
  for (const Circuit& it : circuits) {
    if (auto no = ends_violation(limits.devices, 2 * limits.fibers, it)) return no;
    const int direction = it.plane % 2;
    if (direction >= limits.directions) return impossible(it, "the ring has one direction");
    if (it.wavelength < 0 || it.wavelength >= limits.wavelengths) {
      return impossible(it, fmt::format("wavelength {} does not exist; there are {}", it.wavelength,
                                        limits.wavelengths));
    }
    const int arc = limits.arc(it.from, it.to, direction);
    if (!limits.reaches(it.from, it.to, direction)) {
      return impossible(it,
                        fmt::format("the arc has {} segments; the reach is {}", arc, limits.reach));
    }
    const int first = direction == kClockwise ? it.from : it.to;
    for (int s = 0; s < (limits.reuse ? arc : 1); ++s) {
      const int segment = limits.reuse ? (first + s) % limits.devices : 0;
      if (!taken.insert({it.plane, it.wavelength, segment}).second) {
        return impossible(
            it, fmt::format("wavelength {} is taken on segment {}", it.wavelength, segment));
      }
    }
  }
  return std::nullopt;
}

std::string circuits_csv(const Circuits& circuits) {
  std::string text = "from,to,plane,wavelength\n";
  for (const Circuit& it : circuits) {
    text += fmt::format("{},{},{},{}\n", it.from, it.to, it.plane, it.wavelength);
  }
  return text;
}

std::vector<PairCircuits> by_pair(const Circuits& circuits) {
  std::map<std::pair<int, int>, int> counts;
  auto last = counts.end();  // circuits of a pair are mostly adjacent
  for (const Circuit& it : circuits) {
    const std::pair pair(it.from, it.to);
    if (last == counts.end() || last->first != pair) last = counts.emplace(pair, 0).first;
    ++last->second;
  }
  std::vector<PairCircuits> pairs;
  pairs.reserve(counts.size());
  for (const auto& it : counts) pairs.push_back({it.first.first, it.first.second, it.second});
  return pairs;
}

}  // namespace loom::fabric
