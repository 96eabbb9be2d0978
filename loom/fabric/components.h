// What a fabric is built of: the parts to buy, the line rate that each must carry, and how many.
//
// Most lists follow from the links or circuits of a fabric (cost/bill.h). A kind gives its own in
// FabricKind::parts where its model is less than what must be bought: an ideal switch is a whole
// fat-tree, and a thinned trunk is fewer links.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/units.h"

namespace loom {

inline constexpr std::string_view kNic = "nic";                  // a port of a device
inline constexpr std::string_view kTransceiver = "transceiver";  // pluggable, at one end of a link
inline constexpr std::string_view kSwitchPort = "switch_port";   // of a packet switch
inline constexpr std::string_view kFibre = "fibre";              // a cable, there and back
inline constexpr std::string_view kServerPort = "server_port";   // of a device inside its server
inline constexpr std::string_view kOcsPort = "ocs_port";         // of an optical circuit switch
inline constexpr std::string_view kPatchPanelPort = "patch_panel_port";
inline constexpr std::string_view kOpticalSwitch = "optical_switch";  // 1×2, ahead of two planes
// What sends and receives on a silicon-photonic chip: modulators, filters and their share of light.
inline constexpr std::string_view kSipInterface = "sip_interface";
inline constexpr std::string_view kDwdmTransceiver = "dwdm_transceiver";  // of one wavelength
inline constexpr std::string_view kWssPort = "wss_port";  // of a wavelength-selective switch
inline constexpr std::string_view kMuxPort = "mux_port";  // of a multiplexer, for one wavelength

struct BillLine {
  std::string name;
  Bandwidth rate;
  std::int64_t count = 0;

  bool operator==(const BillLine&) const = default;
};

using Bill = std::vector<BillLine>;  // each name and rate once, in the order of appearance

// Adds so many; none where the count is 0.
void add_component(Bill& components, std::string_view name, Bandwidth rate, std::int64_t count);
void add_bill(Bill& components, const Bill& more);

// So many links, each a fibre with a transceiver at both ends: from a device to a switch, or
// between two switches.
void add_device_links(Bill& components, Bandwidth rate, std::int64_t links);
void add_switch_links(Bill& components, Bandwidth rate, std::int64_t links);

// So many ports of devices on planes of light, which have no transceivers of their own.
void add_plane_links(Bill& components, std::string_view transceiver, std::string_view port,
                     Bandwidth rate, std::int64_t links);

}  // namespace loom
