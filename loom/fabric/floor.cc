#include "loom/fabric/floor.h"

#include <algorithm>

namespace loom::fabric {

FloorSite Floor::containing(FloorSite a, FloorSite b) const {
  if (a == b) return a;
  const auto row_of = [&](FloorSite it) {
    return it.level == CableReach::rack ? FloorSite{CableReach::row, it.number / racks_per_row}
                                        : it;
  };
  const FloorSite row = row_of(a);
  return row.level == CableReach::row && row == row_of(b) ? row : FloorSite{CableReach::hall, 0};
}

Floor Floor::of_servers(int gpus_per_server) const {
  return {std::max(gpus_per_rack / gpus_per_server, 1) * gpus_per_server, racks_per_row};
}

}  // namespace loom::fabric
