#include "loom/fabric/kinds/optical/oddl.h"

#include <fmt/format.h>

#include "loom/fabric/circuits/circuit_parameters.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace oddl {
namespace {

// The authors measured a tuning time of 10.5 ns (section 3, figure 4). Their control messages cross
// one Ethernet switch at 100 Gbps. The control latency of 1 us is the sum of 300 ns for a
// cut-through switch (NVIDIA SN2700 datasheet), some 250 ns for MAC, FEC and transceiver at each
// end, and the rest for the control units and a few meters of fiber.
constexpr std::array kParameters = {
    Parameter{.name = "bandwidth",
              .type = ValueType::bandwidth,
              .summary = "total egress bandwidth of one device, summed over its ports",
              .required = true,
              .min = 1},
    Parameter{.name = "shape",
              .type = ValueType::shape,
              .summary = "rows and columns, such as 4x8; auto: as square as possible with a power "
                         "of two as the number of columns",
              .fallback = "auto",
              .automatic = true},
    Parameter{.name = "port",
              .type = ValueType::bandwidth,
              .summary = "bandwidth of each port; auto: bandwidth divided by the ports of a "
                         "device, which are one in a single row or column, else two",
              .fallback = "auto",
              .min = 1,
              .automatic = true},
    Parameter{.name = "latency",
              .type = ValueType::duration,
              .summary = "propagation latency between two devices",
              .fallback = "0 ns"},
    switch_time_parameter("tuning time of a laser before every message", "10.5 ns"),
    Parameter{.name = "control_latency",
              .type = ValueType::duration,
              .summary = "one-way latency of a request or grant over the control network",
              .fallback = "1 us"},
    Parameter{.name = "setup",
              .type = ValueType::duration,
              .summary = "time for the arbiter to configure the switches before the first message; "
                         "0 ns: configured before the job starts",
              .fallback = "0 ns"}};

// The links of device d begin at number 2 · ports · d: up to and down from its row switch, then up
// to and down from its column switch. The link up of each leg has the entire latency of request,
// grant, tuning and propagation.
struct OddlRoutes {
  OddlGrid grid;
  Duration leg_latency;

  // Adds a leg in a row (dimension 0) or a column (1).
  void add_leg(int from, int to, int dimension, Route& route) const {
    const int ports = grid.ports();
    const int port = ports == 2 ? dimension : 0;
    route.hops.push_back({LinkId(2 * (ports * from + port))});
    route.hops.push_back({LinkId(2 * (ports * to + port) + 1)});
    route.latency = add(route.latency, leg_latency);
  }

  void operator()(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
                  Route& route) const {
    const int between = grid.between(source, destination);
    const auto dimension = [&](int a, int b) { return grid.row(a) == grid.row(b) ? 0 : 1; };
    const int first = between < 0 ? destination : between;
    add_leg(source, first, dimension(source, first), route);
    if (between >= 0) add_leg(between, destination, dimension(between, destination), route);
  }
};

OddlGrid read_grid(const Settings& settings, int devices) {
  if (settings.automatic("shape")) return square_grid(devices);
  const std::vector<int> sizes = settings.shape("shape");
  if (sizes.size() != 2) settings.refuse("shape", "rows and columns are needed, such as 4x8");
  const std::int64_t places = std::int64_t{sizes[0]} * sizes[1];
  if (places < devices || places - sizes[1] >= devices) {
    settings.refuse(
        "shape",
        fmt::format("a grid that {} devices fill, except for the end of its last row, is needed",
                    devices));
  }
  // A single partial row has only as many columns as devices.
  return {devices, sizes[0], std::min(sizes[1], devices)};
}

Bandwidth port_bandwidth(const Settings& settings, int ports) {
  if (!settings.automatic("port")) return settings.bandwidth("port");
  const Bandwidth each{settings.bandwidth("bandwidth").bits_per_second / ports};
  if (each.bits_per_second == 0) settings.refuse("bandwidth", "at least 1 bps per port is needed");
  return each;
}

void add_port(Network& network, DeviceId device, NodeId center, Bandwidth bandwidth,
              Duration latency) {
  add_link(network, {device, center, bandwidth, latency});
  add_link(network, {center, device, bandwidth});
}

void add_links(Network& network, const OddlGrid& grid, Bandwidth port, Duration latency) {
  const bool in_rows = grid.columns > 1 || grid.rows == 1;
  const bool in_columns = grid.rows > 1;
  const int first_row = network.nodes;
  for (int r = 0; in_rows && r < grid.rows; ++r) add_switch(network, fmt::format("row{}", r));
  const int first_column = network.nodes;
  for (int c = 0; in_columns && c < grid.columns; ++c) {
    add_switch(network, fmt::format("column{}", c));
  }
  for (DeviceId d(0); d < grid.devices; ++d) {
    if (in_rows) add_port(network, d, NodeId(first_row + grid.row(d)), port, latency);
    if (in_columns) add_port(network, d, NodeId(first_column + grid.column(d)), port, latency);
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const OddlGrid grid = read_grid(settings, context.devices);
  check_links(settings, std::int64_t{context.devices} * 2 * grid.ports());
  const GrantRule rule{.control = settings.duration("control_latency"),
                       .switching = settings.duration("switch_time"),
                       .latency = settings.duration("latency"),
                       .setup = settings.duration("setup")};
  Network network = bare_network(context.devices);
  add_links(network, grid, port_bandwidth(settings, grid.ports()), rule.leg());
  network.router = computed_router(OddlRoutes{grid, rule.leg()},
                                   graph_router(network, Routing::shortest, context.seed, true));
  if (grid.rows * grid.columns == grid.devices) {
    network.levels = levels_of(context.devices, {grid.columns, grid.rows});
  }
  network.ring_order = snake_order(grid);
  network.grants = rule;
  return network;
}

// One tunable laser and one port of a wavelength switch per device port.
Bill components(const Settings& settings, const FabricContext& context) {
  const int ports = read_grid(settings, context.devices).ports();
  Bill components;
  add_plane_links(components, kDwdmTransceiver, kWssPort, port_bandwidth(settings, ports),
                  std::int64_t{context.devices} * ports);
  return components;
}

}  // namespace
}  // namespace oddl

int OddlGrid::between(int source, int destination) const {
  if (row(source) == row(destination) || column(source) == column(destination)) return -1;
  const int corner = row(source) * columns + column(destination);
  // In a partial last row the position may be empty; the opposite corner is then occupied.
  return corner < devices ? corner : row(destination) * columns + column(source);
}

OddlGrid square_grid(int devices) {
  int columns = 1;
  while (std::int64_t{columns} * columns < devices) columns *= 2;
  return {devices, (devices + columns - 1) / columns, columns};
}

const FabricKind kOddlKind = {"oddl",
                              "rows and columns of wavelength switches, with a grant for every "
                              "message (ODDL)",
                              oddl::kParameters,
                              oddl::build,
                              nullptr,
                              oddl::components};

}  // namespace loom::fabric
