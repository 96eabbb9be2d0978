#include "loom/fabric/kinds/electrical/packet_switches.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::fabric {
namespace {

constexpr std::int64_t kSmallestRadix = 64;

// The place of a switch that serves some of the devices, from number `from` to before `to`.
FloorSite site_of(const SomeDevices& devices, std::int64_t from, std::int64_t to,
                  const Floor& floor) {
  const auto rack = [&](std::int64_t i) {
    return floor.rack_of(DeviceId(static_cast<int>(devices.first + i * devices.stride)));
  };
  return floor.containing(rack(from), rack(to - 1));
}

// Adds the links between two tiers, one per device: groups of `size` devices share a lower switch,
// groups of `above` an upper one.
void add_tier(Bill& components, const SomeDevices& devices, std::int64_t size, std::int64_t above,
              Bandwidth rate, const Floor& floor) {
  LinkCounts links;
  for (std::int64_t from = 0; from < devices.count; from += size) {
    const std::int64_t to = std::min<std::int64_t>(from + size, devices.count);
    const std::int64_t first = from / above * above;
    const std::int64_t last = std::min<std::int64_t>(first + above, devices.count);
    const FloorSite lower = site_of(devices, from, to, floor);
    links.add(floor.containing(lower, site_of(devices, first, last, floor)).level, to - from);
  }
  size == 1 ? add_device_links(components, rate, links) : add_switch_links(components, rate, links);
}

}  // namespace

std::int64_t fat_tree_capacity(std::int64_t radix) { return radix * radix * radix / 4; }

std::int64_t default_radix(std::int64_t devices) {
  std::int64_t radix = kSmallestRadix;
  while (fat_tree_capacity(radix) < devices) radix *= 2;
  return radix;
}

int fitting_radix(const Settings& settings, int devices) {
  if (!settings.has("radix")) return static_cast<int>(default_radix(devices));
  const std::int64_t radix = settings.integer("radix");
  if (radix % 2 != 0) settings.refuse("radix", "an even number is needed");
  if (fat_tree_capacity(radix) < devices) {
    settings.refuse("radix", fmt::format("it holds {} devices; room for {} is needed",
                                         fat_tree_capacity(radix), devices));
  }
  return static_cast<int>(radix);
}

Bill ideal_switch_components(const SomeDevices& devices, int radix, Bandwidth rate,
                             const Floor& floor) {
  const std::int64_t half = radix / 2;
  const std::int64_t all = devices.count;
  Bill components;
  if (all <= radix) {
    add_tier(components, devices, 1, all, rate, floor);
    return components;
  }
  add_tier(components, devices, 1, half, rate, floor);
  if (all <= half * radix) {
    add_tier(components, devices, half, all, rate, floor);
  } else {
    add_tier(components, devices, half, half * half, rate, floor);
    add_tier(components, devices, half * half, all, rate, floor);
  }
  return components;
}

}  // namespace loom::fabric
