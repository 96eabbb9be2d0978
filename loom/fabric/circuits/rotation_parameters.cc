#include "loom/fabric/circuits/rotation_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {

std::string rotation_routing(const Settings& settings, std::string_view chosen) {
  if (settings.text("routing") != "auto") return settings.text("routing");
  return chosen.empty() ? "valiant" : std::string(chosen);
}

std::vector<std::string_view> rotation_routings(const Settings& settings, int devices) {
  constexpr int kMaxDirectDevices = 1024;
  if (settings.text("links") == "devices" || devices > kMaxDirectDevices) return {"valiant"};
  return {"valiant", "direct"};
}

RotationClock rotation_clock(const Settings& settings, std::string_view slot, int times_slot) {
  const Duration switch_time = settings.duration("switch_time");
  if (settings.duration(slot) <= switch_time) {
    settings.refuse(slot,
                    fmt::format("it must be longer than switch_time, {}", exact(switch_time)));
  }
  return {times(times_slot, settings.duration(slot)), switch_time};
}

AverageCircuit circuit_of(const Settings& settings, const Rotation& rotation,
                          const RotationClock& clock) {
  const AverageCircuit circuit = average_circuit(rotation, clock, settings.bandwidth("bandwidth"));
  if (circuit.bandwidth.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("{} planes and {} slots divide it to nothing",
                                             rotation.planes, rotation.slots));
  }
  return circuit;
}

Network rotation_network(const Settings& settings, const Rotation& rotation,
                         const RotationClock& clock, bool valiant) {
  const auto found =
      std::find(kRotationLinks.begin(), kRotationLinks.end(), settings.text("links"));
  const auto links = static_cast<RotationLinks>(found - kRotationLinks.begin());
  if (links == RotationLinks::devices && !valiant) {
    settings.refuse("links", "direct routing needs a link for every pair");
  }
  const std::int64_t devices = rotation.devices;
  if (!valiant || links == RotationLinks::pairs) check_links(settings, devices * (devices - 1));
  const AverageCircuit circuit = circuit_of(settings, rotation, clock);
  const Duration latency = settings.duration("latency");
  return valiant ? valiant_rotation(rotation.devices, circuit, latency, links)
                 : direct_rotation(rotation.devices, circuit, latency);
}

Bill uplink_components(const Settings& settings, int devices, std::int64_t planes,
                       std::string_view transceiver, std::string_view port) {
  Bill components;
  add_plane_links(components, transceiver, port,
                  {settings.bandwidth("bandwidth").bits_per_second / planes}, devices * planes);
  return components;
}

}  // namespace loom::fabric
