// A custom network, read link by link from a file.
//
// A node named by an integer is the device of that number; any other name is a switch. YAML:
//   links:
//     - {from: 0, to: leaf0, bandwidth: 100 Gbps, latency: 1 us}
// or CSV with the same names as columns. Defaults: `latency` 0 ns, `duplex` true, `members` 1. More
// members make a trunk of that many links, each with the given bandwidth.
#pragma once

#include <string>

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kCustomKind;

// Parses a graph; `source` is its name in messages. The network has no router yet.
Network read_custom_graph(const std::string& text, const std::string& source, bool is_csv);

// The links of any network, in order, as YAML in the format above. Reading the text gives the same
// links, with switches numbered by first occurrence. A network without links cannot be read back.
std::string to_text(const Network& network);

}  // namespace loom::fabric
