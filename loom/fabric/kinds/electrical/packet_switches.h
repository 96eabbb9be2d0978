// The packet switches that stand for an ideal switch: the fewest tiers of switches with k ports.
//
// n devices need one switch up to k devices, leaves and spines up to k²/2, and a three-tier fat
// tree up to k³/4, always without oversubscription. Counted are the ports in use: n, 3n or 5n.
#pragma once

#include "loom/base/settings.h"
#include "loom/fabric/components.h"

namespace loom::fabric {

inline constexpr Parameter kRadix{
    .name = "radix",
    .type = ValueType::integer,
    .summary =
        "even number of ports per switch; by default the smallest of 64, 128, 256 … that "
        "three tiers need",
    .min = 2,
    .max = 1024};

// Max number of devices of a three-tier fat tree.
std::int64_t fat_tree_capacity(std::int64_t radix);

// The smallest radix on sale that holds the devices in three tiers: 64 ports at 100 to 800 Gbps
// (NVIDIA SN4600C, SN4600, QM9700, SN5600), or a power of 2 above.
std::int64_t default_radix(std::int64_t devices);

// The parameter `radix` or its default. Throws InputError if it is odd or does not hold the devices
// in three tiers.
int fitting_radix(const Settings& settings, int devices);

// Devices `first`, `first` + `stride`, … of a fabric.
struct SomeDevices {
  int count = 0;
  int first = 0;
  int stride = 1;
};

// The hardware that stands for an ideal switch between these devices. Requires a radix that holds
// them in three tiers.
Bill ideal_switch_components(const SomeDevices& devices, int radix, Bandwidth rate,
                             const Floor& floor);

}  // namespace loom::fabric
