// The floor of a data center: racks of devices, rows of racks, and the hall.
//
// Devices fill racks in numerical order, and racks fill rows. A switch stands in the smallest place
// that holds everything it is linked to. The smallest place that holds both ends of a link decides
// what the link is made of: copper within a rack, a short fiber within a row, a long one beyond.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "loom/base/ids.h"

namespace loom::fabric {

enum class CableReach : std::uint8_t { rack, row, hall };
inline constexpr std::array<CableReach, 3> kReaches = {CableReach::rack, CableReach::row,
                                                       CableReach::hall};

// A rack or a row with its number, or the hall.
struct FloorSite {
  CableReach level = CableReach::rack;
  std::int64_t number = 0;

  bool operator==(const FloorSite&) const = default;
};

struct Floor {
  int gpus_per_rack = 32;
  int racks_per_row = 16;

  FloorSite rack_of(DeviceId device) const { return {CableReach::rack, device / gpus_per_rack}; }

  // The smallest site that contains both.
  FloorSite containing(FloorSite a, FloorSite b) const;

  // The same floor with whole servers in every rack, at least one.
  Floor of_servers(int gpus_per_server) const;
};

}  // namespace loom::fabric
