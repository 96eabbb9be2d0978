// A graph from a file: any network, link by link.
//
// A node that is a whole number is the device of that number, any other name is a switch. YAML:
//   links:
//     - {from: 0, to: leaf0, bandwidth: 100 Gbps, latency: 1 us}
// or CSV with the same names as columns. `latency` is 0 ns unless given, `two_way` true; `members`
// (1) makes a trunk of so many links, each of the given bandwidth.
#pragma once

#include <string>

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kCustomKind;

// The graph in a text; `source` names it in messages. It comes without a router.
Network read_custom_graph(const std::string& text, const std::string& source, bool is_csv);

// The links of any network as such a YAML text, in their order: read back they are the same (the
// switches numbered as they first occur). A network without links cannot be read back.
std::string to_text(const Network& network);

}  // namespace loom
