#include "loom/fabric/components.h"

#include <algorithm>
#include <numeric>

namespace loom::fabric {

void add_component(Bill& components, std::string_view name, Bandwidth rate, std::int64_t count) {
  if (count == 0) return;
  const auto known = std::find_if(components.begin(), components.end(), [&](const BillLine& it) {
    return it.name == name && it.rate == rate;
  });
  if (known == components.end()) {
    components.push_back({std::string(name), rate, count});
  } else {
    known->count += count;
  }
}

void add_bill(Bill& components, const Bill& more) {
  for (const BillLine& it : more) add_component(components, it.name, it.rate, it.count);
}

std::int64_t LinkCounts::total() const {
  return std::accumulate(links.begin(), links.end(), std::int64_t{0});
}

void add_cables(Bill& components, Bandwidth rate, const LinkCounts& links) {
  add_component(components, kDac, rate, links.of(CableReach::rack));
  add_component(components, kTransceiver, rate, 2 * (links.total() - links.of(CableReach::rack)));
  add_component(components, kShortFiber, rate, links.of(CableReach::row));
  add_component(components, kFiber, rate, links.of(CableReach::hall));
}

void add_device_links(Bill& components, Bandwidth rate, const LinkCounts& links) {
  add_component(components, kNic, rate, links.total());
  add_component(components, kSwitchPort, rate, links.total());
  add_cables(components, rate, links);
}

void add_switch_links(Bill& components, Bandwidth rate, const LinkCounts& links) {
  add_component(components, kSwitchPort, rate, 2 * links.total());
  add_cables(components, rate, links);
}

void add_plane_links(Bill& components, std::string_view transceiver, std::string_view port,
                     Bandwidth rate, std::int64_t links) {
  for (const std::string_view component : {kNic, transceiver, port, kFiber}) {
    add_component(components, component, rate, links);
  }
}

}  // namespace loom::fabric
