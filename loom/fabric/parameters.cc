#include "loom/fabric/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

Bandwidth within_trunk(const Settings& settings, Int128 bits_per_second) {
  if (bits_per_second > kLargestTrunk) {
    settings.refuse("bandwidth", fmt::format("a trunk of these links exceeds the maximum of {}",
                                             exact(Bandwidth{kLargestTrunk})));
  }
  return {static_cast<std::int64_t>(bits_per_second)};
}

}  // namespace

Routing routing(const Settings& settings) {
  const auto found = std::find(kRoutings.begin(), kRoutings.end(), settings.text("routing"));
  return static_cast<Routing>(found - kRoutings.begin());
}

Bandwidth oversubscribed(const Settings& settings, std::int64_t count, std::int64_t uplinks) {
  // Not in floating point: 110 / 1.1 would come out below 100.
  constexpr std::int64_t kMillion = 1'000'000;
  const std::int64_t millionths = std::llround(settings.real("oversubscription") * kMillion);
  if (millionths < kMillion) settings.refuse("oversubscription", "at least 1 is needed");
  const Int128 bandwidth = settings.bandwidth("bandwidth").bits_per_second;
  const Int128 divided = bandwidth * count * kMillion / (Int128{uplinks} * millionths);
  return within_trunk(settings, std::max<Int128>(divided, 1));
}

Bandwidth trunk(const Settings& settings, Bandwidth member, std::int64_t members) {
  return within_trunk(settings, Int128{member.bits_per_second} * members);
}

Bandwidth direct_bandwidth(const Settings& settings, std::int64_t links) {
  if (settings.given("bandwidth") == settings.given("egress")) {
    throw InputError(settings.location(),
                     fmt::format("fabric has {} bandwidth {} egress; exactly one is needed",
                                 settings.given("egress") ? "both" : "neither",
                                 settings.given("egress") ? "and" : "nor"));
  }
  if (settings.given("bandwidth")) return settings.bandwidth("bandwidth");
  const std::int64_t each =
      settings.bandwidth("egress").bits_per_second / std::max<std::int64_t>(links, 1);
  if (each == 0) {
    settings.refuse("egress", fmt::format("a device has {} links; at least {} is needed", links,
                                          exact(Bandwidth{links})));
  }
  return {each};
}

void check_links(const Settings& settings, std::int64_t links) {
  if (links > kMaxLinks) {
    throw InputError(settings.location(), fmt::format("the fabric has {} links; at most {} are "
                                                      "possible",
                                                      links, kMaxLinks));
  }
}

Network bare_network(int devices) {
  Network network;
  network.devices = network.nodes = devices;
  return network;
}

std::vector<int> levels_of(int devices, std::initializer_list<std::int64_t> sizes) {
  std::vector<int> levels;
  std::int64_t rest = devices;
  for (const std::int64_t size : sizes) {
    if (rest % size != 0) break;
    if (size > 1) levels.push_back(static_cast<int>(size));
    rest /= size;
  }
  if (rest > 1) levels.push_back(static_cast<int>(rest));
  return levels.size() > 1 ? levels : std::vector<int>();
}

}  // namespace loom::fabric
