// The same messages in SimGrid: one actor per rank, one mailbox per channel, and a star of hosts,
// each with a link to the switch and one from it. The network model is CM02 without its TCP
// correction factors, as in tests/agree/simgrid_run.cc.
#include <fmt/format.h>

#include <simgrid/s4u.hpp>

#include "bench/simgrid/works.h"
#include "loom/base/error.h"
#include "loom/workload/schedule.h"

namespace loom::bench {
namespace {

namespace s4u = simgrid::s4u;

constexpr double kPicosecond = 1e-12;

void configure() {
  for (const char* option :
       {"network/model:CM02", "network/crosstraffic:0", "network/bandwidth-factor:1",
        "network/latency-factor:1", "network/weight-S:0", "network/TCP-gamma:0",
        "surf/precision:1e-12", "maxmin/precision:1e-7"}) {
    s4u::Engine::set_config(option);
  }
}

// Each host has a link to and from the switch, each with half of the path latency.
std::vector<s4u::Host*> star_of_hosts(const Work& work) {
  s4u::NetZone* const zone = s4u::create_star_zone("switch");
  const fabric::Network network = network_of(work);
  fabric::Route route;
  network.router->find(DeviceId(0), DeviceId(1), 0, {}, route);
  const fabric::Link& first = network.links[static_cast<std::size_t>(route.hops.front().link)];
  const double bytes = static_cast<double>(first.bandwidth.bits_per_second) / 8;
  const double latency = static_cast<double>(route.latency.count()) * kPicosecond / 2;
  std::vector<s4u::Host*> hosts;
  for (int rank = 0; rank < work.devices; ++rank) {
    hosts.push_back(zone->create_host(fmt::format("{}", rank), 1.0)->seal());
    auto* const link = zone->create_split_duplex_link(fmt::format("link{}", rank), bytes);
    link->set_latency(latency)->seal();
    zone->add_route(hosts.back()->get_netpoint(), nullptr, nullptr, nullptr,
                    {{link, s4u::LinkInRoute::Direction::UP}}, true);
  }
  zone->seal();
  return hosts;
}

s4u::Mailbox* mailbox(int channel) { return s4u::Mailbox::by_name(fmt::format("{}", channel)); }

// A ring: message q on channel `out` leaves when message q - 1 on channel `in` has arrived.
void run_ring_rank(const workload::Phase& phase, int out, int in) {
  static int token = 0;
  s4u::Mailbox* const to_next = mailbox(out);
  s4u::Mailbox* const to_me = mailbox(in);
  for (int message = 0; message < phase.messages(out); ++message) {
    const auto size = static_cast<std::uint64_t>(phase.size(out, message).count);
    const s4u::CommPtr sent = to_next->put_async(&token, size);
    to_me->get<int>();
    sent->wait();
  }
}

// All messages at once.
void run_direct_rank(const workload::Phase& phase, int rank, int ranks) {
  static int token = 0;
  std::vector<s4u::CommPtr> messages;
  std::vector<int*> received(static_cast<std::size_t>(ranks), nullptr);  // by source
  for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
    const workload::Channel& channel = phase.channels[static_cast<std::size_t>(c)];
    if (channel.source == rank) {
      const auto size = static_cast<std::uint64_t>(phase.size(c, 0).count);
      messages.push_back(mailbox(c)->put_async(&token, size));
    } else if (channel.destination == rank) {
      messages.push_back(
          mailbox(c)->get_async<int>(&received[static_cast<std::size_t>(channel.source)]));
    }
  }
  s4u::Comm::wait_all(messages);
}

void create_ring(const workload::Phase& phase, const std::vector<s4u::Host*>& hosts) {
  std::vector<int> into(hosts.size());
  for (std::size_t c = 0; c < phase.channels.size(); ++c) {
    into[static_cast<std::size_t>(phase.channels[c].destination)] = static_cast<int>(c);
  }
  for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
    const auto rank = static_cast<std::size_t>(phase.channels[static_cast<std::size_t>(c)].source);
    const int in = into[rank];
    s4u::Actor::create(fmt::format("{}", rank), hosts[rank],
                       [&phase, c, in] { run_ring_rank(phase, c, in); });
  }
}

}  // namespace

Duration simgrid(const Work& work) {
  std::string program = "bench_simgrid";
  std::string quiet = "--log=root.thres:critical";
  char* arguments[] = {program.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments);
  configure();
  const std::vector<s4u::Host*> hosts = star_of_hosts(work);
  const workload::Schedule plan = schedule(work.collective, work.devices);
  LOOM_CHECK(plan.phases.size() == 1, "a ring and a direct all-to-all have one phase");
  const workload::Phase& phase = plan.phases.front();
  if (work.collective.algorithm == workload::Algorithm::ring) {
    create_ring(phase, hosts);
  } else {
    for (int rank = 0; rank < work.devices; ++rank) {
      s4u::Actor::create(fmt::format("{}", rank), hosts[static_cast<std::size_t>(rank)],
                         [&, rank] { run_direct_rank(phase, rank, work.devices); });
    }
  }
  engine.run();
  return Duration(static_cast<std::int64_t>(s4u::Engine::get_clock() / kPicosecond));
}

}  // namespace loom::bench
