#include "loom/plan/circuits/shift_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/shifts/shift_finder.h"
#include "loom/fabric/circuits/shift_network.h"
#include "loom/plan/rank_bound.h"

namespace loom::plan {
namespace {

double bytes_of(const fabric::ShiftKind& kind) {
  double bytes = kind.ring_bytes;
  for (const fabric::ShiftBytes& it : kind.fixed) bytes += it.bytes;
  return bytes;
}

Duration circuit_time(double bytes, Bandwidth circuit) {
  const double seconds = bytes * 8 / static_cast<double>(circuit.bits_per_second);
  return Duration(static_cast<std::int64_t>(
      std::min(seconds * 1e12, static_cast<double>(kForever.count()) / 2)));
}

// A trial takes time in proportion to the number of shifts with traffic. A single kind shares ports
// with no other, and a choice of algorithms asks for many of them.
int affordable(int trials, const fabric::ShiftTraffic& traffic) {
  constexpr std::int64_t kUsual = 32;
  constexpr std::int64_t kOfRings = 4;
  constexpr std::int64_t kAtMost = 4;  // times as many trials
  constexpr int kLessForOne = 8;
  std::int64_t shifts = 1;
  for (const fabric::ShiftKind& it : traffic.kinds) {
    shifts += it.shift_of.empty() ? static_cast<std::int64_t>(it.fixed.size()) : kOfRings;
  }
  if (traffic.kinds.size() == 1) trials /= kLessForOne;
  return static_cast<int>(std::min(kAtMost * trials, trials * kUsual / shifts));
}

// Groups whose kind has no shifts of its own go round a ring in the order of their members.
std::vector<fabric::GroupRings> rings_of(const GridTraffic& traffic,
                                         const fabric::ShiftRouting& routing) {
  std::vector<fabric::GroupRings> rings;
  for (std::size_t g = 0; g < traffic.kind_of_group.size(); ++g) {
    if (traffic.rings.demand.groups[g].members.size() < 2) continue;
    const int kind = traffic.kind_of_group[g];
    rings.push_back({static_cast<int>(g), {1}, false});
    if (kind >= 0) rings.back().steps = routing.steps[static_cast<std::size_t>(kind)];
  }
  return rings;
}

std::uint64_t mix_in(std::uint64_t hash, double value) {
  return mix(hash, std::bit_cast<std::uint64_t>(value));
}

std::uint64_t mix_in(std::uint64_t hash, int value) {
  return mix(hash, static_cast<std::uint64_t>(value));
}

}  // namespace

void weigh_kinds(double power, GridTraffic& traffic) {
  double largest = 1;
  for (const fabric::ShiftKind& it : traffic.shifts.kinds)
    largest = std::max(largest, bytes_of(it));
  for (fabric::ShiftKind& it : traffic.shifts.kinds) {
    it.weight = std::pow(std::max(1.0, bytes_of(it)) / largest, power - 1);
  }
}

CircuitLayout shift_layout(const fabric::CircuitFabric& fabric, const GridTraffic& traffic,
                           int trials) {
  const fabric::DeviceGrid& grid = traffic.shifts.grid;
  const int ports = std::get<fabric::OcsLimits>(fabric.limits).switches;
  const fabric::ShiftPlan plan =
      fabric::find_shifts(traffic.shifts, ports, affordable(trials, traffic.shifts));
  CircuitLayout layout;
  layout.network = std::make_shared<fabric::Network>(
      fabric::shift_network(fabric, grid, plan.circuits, plan.routing));
  layout.rings = rings_of(traffic, plan.routing);
  const workload::Demand sent = fabric::demand_over(traffic.rings.demand, layout.rings);
  layout.provisioned.circuits = fabric::circuits_at(grid, plan.circuits);
  layout.provisioned.search = {plan.trials, circuit_time(plan.first, fabric.circuit),
                               circuit_time(plan.last, fabric.circuit)};
  rate_for(sent, fabric, layout.provisioned);
  if (plan.routing.reaches_all) {
    layout.busiest = busiest_link_bound(*layout.network, sent);
  } else {
    layout.infeasible = Infeasible{"circuits at the same shifts do not connect all devices"};
  }
  return layout;
}

std::uint64_t hash_of(const GridTraffic& traffic) {
  std::uint64_t hash = traffic.shifts.kinds.size();
  for (const int extent : traffic.shifts.grid.extents()) hash = mix_in(hash, extent);
  for (const fabric::ShiftKind& kind : traffic.shifts.kinds) {
    hash = mix_in(hash, kind.ring_bytes);
    for (const int shift : kind.shift_of) hash = mix_in(hash, shift);
    for (const fabric::ShiftBytes& it : kind.fixed) hash = mix_in(mix_in(hash, it.shift), it.bytes);
  }
  for (const fabric::AllReduceGroup& group : traffic.rings.demand.groups) {
    hash = mix_in(hash, static_cast<int>(group.members.size()));
    for (const int member : group.members) hash = mix_in(hash, member);
  }
  for (const int kind : traffic.kind_of_group) hash = mix_in(hash, kind);
  return hash;
}

}  // namespace loom::plan
