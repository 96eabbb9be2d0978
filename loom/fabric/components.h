// Bill of materials of a fabric: the components to buy, the line rate of each, and how many.
//
// Most bills follow from the links or circuits of a fabric (cost/bill.h). A kind gives its own in
// FabricKind::components if its model is simpler than the hardware: an ideal switch is bought as
// tiers of switches, and an oversubscribed trunk as fewer links.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/units.h"
#include "loom/fabric/floor.h"

namespace loom::fabric {

inline constexpr std::string_view kNic = "nic";                  // port of a device
inline constexpr std::string_view kTransceiver = "transceiver";  // pluggable, at one end of a link
inline constexpr std::string_view kSwitchPort = "switch_port";   // port of a packet switch
inline constexpr std::string_view kFiber = "fiber";              // fiber cable through the hall
inline constexpr std::string_view kShortFiber = "short_fiber";   // fiber cable within a row
inline constexpr std::string_view kDac = "dac";  // copper cable with both its connectors
inline constexpr std::string_view kServerPort = "server_port";  // device port inside its server
inline constexpr std::string_view kOcsPort = "ocs_port";        // port of an optical circuit switch
inline constexpr std::string_view kPatchPanelPort = "patch_panel_port";
inline constexpr std::string_view kOpticalSwitch = "optical_switch";  // 1×2, in front of two planes
// Optical interface of a silicon-photonic chip: modulators, filters and a share of the laser.
inline constexpr std::string_view kSipInterface = "sip_interface";
inline constexpr std::string_view kDwdmTransceiver = "dwdm_transceiver";  // single wavelength
inline constexpr std::string_view kWssPort = "wss_port";  // port of a wavelength-selective switch
inline constexpr std::string_view kMuxPort = "mux_port";  // multiplexer port for one wavelength

struct BillLine {
  std::string name;
  Bandwidth rate;
  std::int64_t count = 0;

  bool operator==(const BillLine&) const = default;
};

using Bill = std::vector<BillLine>;  // each (name, rate) once, in order of first appearance

// Adds `count` components; adds no line for 0.
void add_component(Bill& components, std::string_view name, Bandwidth rate, std::int64_t count);
void add_bill(Bill& components, const Bill& more);

// Numbers of links, by reach.
struct LinkCounts {
  std::array<std::int64_t, kReaches.size()> links = {};

  std::int64_t& of(CableReach reach) { return links[static_cast<std::size_t>(reach)]; }
  std::int64_t of(CableReach reach) const { return links[static_cast<std::size_t>(reach)]; }
  void add(CableReach reach, std::int64_t count) { of(reach) += count; }
  std::int64_t total() const;
};

// Adds the cables of links, without the ports at their ends: copper within a rack; a fiber with a
// transceiver at both ends otherwise.
void add_cables(Bill& components, Bandwidth rate, const LinkCounts& links);

// Adds links with their ports: between a device and a switch, or between two switches.
void add_device_links(Bill& components, Bandwidth rate, const LinkCounts& links);
void add_switch_links(Bill& components, Bandwidth rate, const LinkCounts& links);

// Adds links from devices to optical planes. A plane has no transceivers of its own, so each link
// has one, at the device.
void add_plane_links(Bill& components, std::string_view transceiver, std::string_view port,
                     Bandwidth rate, std::int64_t links);

}  // namespace loom::fabric
