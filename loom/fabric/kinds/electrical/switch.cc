#include "loom/fabric/kinds/electrical/switch.h"

#include "loom/fabric/kinds/electrical/packet_switches.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace single_switch {
namespace {

constexpr std::array kParameters = {kDeviceBandwidth, kDeviceLatency, kRadix};

// Device i has link 2i up to the switch and link 2i + 1 down from the switch. The latency is given
// from device to device; link 2i has the entire latency.
struct SwitchRoutes {
  Duration latency;

  void operator()(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
                  Route& route) const {
    route.hops = {{LinkId(2 * source)}, {LinkId(2 * destination + 1)}};
    route.latency = latency;
  }
};

Network build(const Settings& settings, const FabricContext& context) {
  return ideal_switch(context.devices, settings.bandwidth("bandwidth"),
                      settings.duration("latency"));
}

Bill components(const Settings& settings, const FabricContext& context) {
  return ideal_switch_components({context.devices}, fitting_radix(settings, context.devices),
                                 settings.bandwidth("bandwidth"), context.floor);
}

}  // namespace
}  // namespace single_switch

Network ideal_switch(int devices, Bandwidth bandwidth, Duration latency) {
  Network network = bare_network(devices);
  const NodeId center = add_switch(network, "switch");
  for (DeviceId device(0); device < devices; ++device) {
    add_link(network, {device, center, bandwidth, latency});
    add_link(network, {center, device, bandwidth});
  }
  network.router = computed_router(single_switch::SwitchRoutes{latency}, nullptr);
  return network;
}

const FabricKind kSwitchKind = {"switch",
                                "one ideal switch: only the devices' own links limit bandwidth",
                                single_switch::kParameters,
                                single_switch::build,
                                nullptr,
                                single_switch::components};

}  // namespace loom::fabric
