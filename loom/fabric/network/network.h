// What there is to send over: directed links between nodes, and the way from one device to another.
//
// A network is a plain value. Nodes 0 … devices-1 are the devices, the rest are switches. A fabric
// builds it; the engines run over it. Links keep their place for as long as the network lives, so
// that their capacity can change over time (a failure, a circuit that goes dark) while flows run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom {

struct Link {
  int from = 0;
  int to = 0;
  Bandwidth bandwidth;
  Duration latency{0};
  int members = 1;  // parallel links that traffic is spread over evenly, together this bandwidth
};

// Shares are whole numbers out of kWhole = 2^12 · 3^4 · 5^2 · 7^2, so that an even split over the
// usual numbers of paths is exact.
inline constexpr std::uint32_t kWhole = 406'425'600;

// A link on the way, and how much of the message takes it. Above kWhole it stands for several
// messages alike.
struct Hop {
  int link = 0;
  std::uint64_t share = kWhole;
};

struct Route {
  std::vector<Hop> hops;
  Duration latency{0};  // of the slowest way taken
};

// Finds the way from one device to another; how, is the fabric's business. Holds no state that
// changes, so that many threads may ask.
class Router {
 public:
  virtual ~Router() = default;

  // The way for a message from `source` to `destination` (two different devices), where `down[l]`
  // says that link l is not there (empty: all are). `key` tells messages apart for hashing. False
  // if there is no way. `route` comes empty.
  virtual bool find(int source, int destination, std::uint64_t key, const std::vector<bool>& down,
                    Route& route) const = 0;

  // Whether ways depend on the key, while all links are there.
  virtual bool hashes() const { return true; }
};

// Where every message asks its receiver before it is sent (control/request_grant.h). A way is then
// a row of legs of two links each, from a device up to a switch and down to the next device, and a
// message is stored between them. The latency of a way is that of asking and sending, leg by leg.
struct GrantRule {
  Duration control{0};    // of a control message, from device to device
  Duration switching{0};  // until a laser sends on another wavelength
  Duration latency{0};    // of light, from device to device
  Duration setup{0};      // before the first message can ask

  // Before the first byte of a leg arrives, if nobody has to wait.
  Duration leg() const { return add(add(control, control), add(switching, latency)); }
  bool operator==(const GrantRule&) const = default;
};

struct Network {
  int devices = 0;
  int nodes = 0;
  std::vector<Link> links;
  std::vector<std::string> switch_names;  // of node devices, devices + 1, …
  std::shared_ptr<const Router> router;
  // Nested neighbourhoods from the inside out (8 GPUs a server, 16 servers), their product the
  // number of devices: a grouping that hierarchical collectives may follow. Empty if there is none.
  std::vector<int> levels;
  // The devices in an order in which neighbours are near, for collectives that go round a ring.
  // Empty: that of their numbers.
  std::vector<int> ring_order = {};
  std::optional<GrantRule> grants = {};
  // Of circuits: what a message of no bytes takes where no way leads. It needs no light, and goes
  // with what controls the circuits.
  std::optional<Duration> out_of_band = {};

  std::string node_name(int node) const;  // "3" for a device, the name of a switch
  std::string link_name(int link) const;  // "3->leaf0"
};

// The way of a message of no bytes where the router finds none: over no link. False if it needs
// one.
bool find_out_of_band(const Network& network, Route& route);

// Adds the link; returns its number.
int add_link(Network& network, Link link);

// Adds a link each way, alike; returns the first one's number, the way back has the next.
int add_duplex_link(Network& network, int a, int b, Bandwidth bandwidth, Duration latency,
                    int members = 1);

// Adds a switch and returns its node number. All devices come before the first switch.
int add_switch(Network& network, std::string name);

}  // namespace loom
