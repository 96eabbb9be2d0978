#include "loom/fabric/circuits/rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/fabric/kinds/electrical/full_mesh.h"
#include "loom/fabric/kinds/electrical/switch.h"

namespace loom::fabric {
namespace {

std::vector<int> counted(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(std::max(count, 0)));
  std::iota(all.begin(), all.end(), first);
  return all;
}

void shuffle(std::vector<int>& all, Random& random) {
  for (auto left = static_cast<std::uint32_t>(all.size()); left > 1; --left) {
    std::swap(all[left - 1], all[random(left)]);
  }
}

int slots_for(std::size_t matchings, int planes) {
  const int count = static_cast<int>(matchings);
  return (count + planes - 1) / planes;
}

// Divides a flow over all relays and the direct circuit. Each relay gets one share; the direct
// circuit gets two, because it is both the first hop of one two-hop path and the second hop of
// another.
class ValiantRouter final : public Router {
 public:
  ValiantRouter(int devices, Duration latency, std::shared_ptr<const Router> direct)
      : devices_(devices), latency_(latency), direct_(std::move(direct)) {}

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const auto up = [&](LinkId link) {
      return down.empty() || !down[static_cast<std::size_t>(link)];
    };
    std::vector<std::pair<LinkId, LinkId>> paths;
    for (DeviceId relay(0); relay < devices_; ++relay) {
      if (relay == source || relay == destination) continue;
      const LinkId first = mesh_link(devices_, source, relay);
      const LinkId second = mesh_link(devices_, relay, destination);
      if (up(first) && up(second)) paths.emplace_back(first, second);
    }
    const LinkId straight = mesh_link(devices_, source, destination);
    const bool direct = up(straight);
    if (paths.empty()) return direct_->find(source, destination, key, down, route);
    divide(paths, direct ? straight : LinkId(-1), route);
    return true;
  }

  bool hashes() const override { return false; }

 private:
  // The remainder goes over the direct circuit, so that all relays carry the same; if that circuit
  // is down, the first relay carries it.
  void divide(const std::vector<std::pair<LinkId, LinkId>>& paths, LinkId straight,
              Route& route) const {
    const auto shares = static_cast<std::uint32_t>(paths.size()) + (straight < 0 ? 0 : 2);
    const std::uint32_t equal_share = kWhole / shares;
    std::uint32_t rest = kWhole - equal_share * static_cast<std::uint32_t>(paths.size());
    route.hops.reserve(2 * paths.size() + 1);
    if (straight >= 0) route.hops.push_back({straight, std::exchange(rest, 0)});
    for (const auto& path : paths) {
      const std::uint32_t share = equal_share + std::exchange(rest, 0);
      route.hops.push_back({path.first, share});
      route.hops.push_back({path.second, share});
    }
    route.latency = times(2, latency_);
  }

  int devices_;
  Duration latency_;
  std::shared_ptr<const Router> direct_;
};

}  // namespace

int Rotation::peer(int plane, int slot, int device) const {
  const auto at = static_cast<std::size_t>(slot) * static_cast<std::size_t>(planes) +
                  static_cast<std::size_t>(plane);
  if (at >= order.size()) return device;
  const int from = entry[static_cast<std::size_t>(device)];
  return exit[static_cast<std::size_t>((order[at] + from) % devices)];
}

Rotation cyclic_rotation(int devices, int planes) {
  Rotation rotation{
      devices, planes, 0, counted(1, devices - 1), counted(0, devices), counted(0, devices)};
  rotation.slots = slots_for(rotation.order.size(), planes);
  return rotation;
}

Rotation random_rotation(int devices, int planes, std::uint64_t seed) {
  Rotation rotation{
      devices, planes, 0, counted(0, devices), counted(0, devices), counted(0, devices)};
  rotation.slots = slots_for(rotation.order.size(), planes);
  Random random = random_stream(seed);
  shuffle(rotation.order, random);
  shuffle(rotation.entry, random);
  shuffle(rotation.exit, random);
  return rotation;
}

std::optional<Infeasible> violation(const Rotation& rotation) {
  const auto devices = static_cast<std::size_t>(rotation.devices);
  std::vector<std::uint8_t> connected(devices * devices, 0);
  for (int slot = 0; slot < rotation.slots; ++slot) {
    for (int plane = 0; plane < rotation.planes; ++plane) {
      std::vector<bool> reached(devices, false);
      for (int device = 0; device < rotation.devices; ++device) {
        const int peer = rotation.peer(plane, slot, device);
        if (peer < 0 || peer >= rotation.devices || reached[static_cast<std::size_t>(peer)]) {
          return Infeasible{
              fmt::format("plane {} connects to device {} twice in slot {}", plane, peer, slot)};
        }
        reached[static_cast<std::size_t>(peer)] = true;
        if (peer == device) continue;
        if (connected[static_cast<std::size_t>(device) * devices +
                      static_cast<std::size_t>(peer)]++) {
          return Infeasible{fmt::format("{} -> {} are connected twice in a cycle", device, peer)};
        }
      }
    }
  }
  for (std::size_t pair = 0; pair < connected.size(); ++pair) {
    if (connected[pair] == 0 && pair / devices != pair % devices) {
      return Infeasible{
          fmt::format("{} -> {} are never connected", pair / devices, pair % devices)};
    }
  }
  return std::nullopt;
}

AverageCircuit average_circuit(const Rotation& rotation, const RotationClock& clock,
                               Bandwidth egress) {
  LOOM_CHECK(clock.hold > clock.switch_time,
             "a plane holds a matching for longer than it takes to switch");
  const Int128 slots = std::max(rotation.slots, 1);
  const Int128 hold = clock.hold.count();
  const Int128 usable = hold - clock.switch_time.count();
  AverageCircuit circuit;
  circuit.bandwidth = {static_cast<std::int64_t>(egress.bits_per_second * usable /
                                                 (slots * hold * Int128{rotation.planes}))};
  circuit.cycle = times(static_cast<std::int64_t>(slots), clock.hold);
  // A message that arrives while the circuit is up does not wait; any other message waits on
  // average for half of the rest of the cycle.
  const Int128 rest = slots * hold - usable;
  circuit.mean_wait = Duration(static_cast<std::int64_t>(rest * rest / (2 * slots * hold)));
  return circuit;
}

Network direct_rotation(int devices, const AverageCircuit& circuit, Duration latency) {
  return fixed_mesh(devices, circuit.bandwidth, add(latency, circuit.mean_wait));
}

Network valiant_rotation(int devices, const AverageCircuit& circuit, Duration latency,
                         RotationLinks links) {
  const Duration hop = add(latency, circuit.mean_wait);
  const bool pairs = links == RotationLinks::pairs ||
                     (links == RotationLinks::automatic && devices <= kMaxPairDevices);
  if (!pairs && devices > 2) {
    // The limit of a pair link, out(a) + in(b) <= n · bandwidth, is divided evenly: half for each
    // of out(a) and in(b).
    const Int128 half = Int128{circuit.bandwidth.bits_per_second} * devices / 2;
    return ideal_switch(devices, {static_cast<std::int64_t>(half)}, times(2, hop));
  }
  Network network = fixed_mesh(devices, circuit.bandwidth, hop);
  network.router = std::make_shared<ValiantRouter>(devices, hop, network.router);
  return network;
}

}  // namespace loom::fabric
