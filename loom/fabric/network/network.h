// A network: directed links between nodes, and a router that finds routes between devices.
//
// A fabric builds a network, and the simulation engines run on it. Nodes 0 … devices-1 are the
// devices, the rest are switches. Links keep their numbers for as long as the network lives, so
// their capacity can change over time (a failure, a circuit that goes down) while flows run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loom/base/ids.h"
#include "loom/base/units.h"
#include "loom/fabric/network/router.h"

namespace loom::fabric {

struct Link {
  NodeId from;
  NodeId to;
  Bandwidth bandwidth;
  Duration latency{0};
  int members = 1;  // number of parallel links that share the bandwidth and the traffic evenly
};

// Timing of request-grant control, in which the sender of every message first asks the receiver
// (control/request_grant.h). A route is then a sequence of legs. A leg has two links, from a device
// up to a switch and down to the next device, which stores the message before the next leg. The
// latency of a route is that of request, grant, laser tuning and propagation, summed over its legs.
struct GrantRule {
  Duration control{0};    // latency of a control message, device to device
  Duration switching{0};  // tuning time of a laser
  Duration latency{0};    // propagation, device to device
  Duration setup{0};      // delay before the first request

  // Time until the first byte of an uncontended leg arrives.
  Duration leg() const { return add(add(control, control), add(switching, latency)); }
  bool operator==(const GrantRule&) const = default;
};

struct Network {
  int devices = 0;
  int nodes = 0;
  std::vector<Link> links;
  std::vector<std::string> switch_names;  // names of nodes devices, devices + 1, …
  std::shared_ptr<const Router> router;
  // Sizes of nested groups of nearby devices, from the inside out (8 GPUs per server, 16 servers);
  // their product is the number of devices. Hierarchical collectives may follow these levels. Empty
  // if there are no groups.
  std::vector<int> levels;
  // Routes between devices shifted by this many look the same. 0: no such number is known.
  int period = 0;
  // Whatever devices send, nothing but their own links limits them: it does not matter for
  // bandwidth which devices communicate. False: not known.
  bool full_bisection = false;
  // Order of the devices for ring collectives, in which neighbors are close. Empty: numerical
  // order.
  std::vector<int> ring_order = {};
  std::optional<GrantRule> grants = {};
  // Circuit fabrics: latency of an empty message between devices without a route. Such a message
  // travels over the control network and needs no circuit.
  std::optional<Duration> out_of_band = {};

  std::string node_name(NodeId node) const;  // "3" for a device, its name for a switch
  std::string link_name(LinkId link) const;  // "3->leaf0"
};

// Sets the route of an empty message for which the router finds no route: out of band, over no
// link. Returns false if the network has no out-of-band latency.
bool find_out_of_band(const Network& network, Route& route);

// Adds the link; returns its number.
LinkId add_link(Network& network, Link link);

// Adds equal links in both directions; returns the number of the link from a to b. The reverse link
// has the next number.
LinkId add_duplex_link(Network& network, NodeId a, NodeId b, Bandwidth bandwidth, Duration latency,
                       int members = 1);

// Adds a switch and returns its node number. All devices come before the first switch.
NodeId add_switch(Network& network, std::string name);

}  // namespace loom::fabric
