#include "loom/fabric/parts.h"

#include <algorithm>

namespace loom {

void add_part(Bill& parts, std::string_view name, Bandwidth rate, std::int64_t count) {
  if (count == 0) return;
  const auto known = std::find_if(parts.begin(), parts.end(), [&](const PartLine& it) {
    return it.name == name && it.rate == rate;
  });
  if (known == parts.end()) {
    parts.push_back({std::string(name), rate, count});
  } else {
    known->count += count;
  }
}

void add_parts(Bill& parts, const Bill& more) {
  for (const PartLine& it : more) add_part(parts, it.name, it.rate, it.count);
}

void add_device_links(Bill& parts, Bandwidth rate, std::int64_t links) {
  add_part(parts, kNic, rate, links);
  add_part(parts, kTransceiver, rate, 2 * links);
  add_part(parts, kSwitchPort, rate, links);
  add_part(parts, kFibre, rate, links);
}

void add_switch_links(Bill& parts, Bandwidth rate, std::int64_t links) {
  add_part(parts, kTransceiver, rate, 2 * links);
  add_part(parts, kSwitchPort, rate, 2 * links);
  add_part(parts, kFibre, rate, links);
}

void add_plane_links(Bill& parts, std::string_view transceiver, std::string_view port,
                     Bandwidth rate, std::int64_t links) {
  for (const std::string_view part : {kNic, transceiver, port, kFibre}) {
    add_part(parts, part, rate, links);
  }
}

}  // namespace loom
