#include "tests/agree/simgrid_run.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <simgrid/s4u.hpp>

#include "loom/base/error.h"

namespace loom {
namespace {

namespace s4u = simgrid::s4u;

constexpr double kPicosecond = 1e-12;

// TCP factors off; precision of times and rates as high as doubles allow.
void configure() {
  for (const char* option :
       {"network/model:CM02", "network/crosstraffic:0", "network/bandwidth-factor:1",
        "network/latency-factor:1", "network/weight-S:0", "network/TCP-gamma:0",
        "surf/precision:1e-12", "maxmin/precision:1e-7"}) {
    s4u::Engine::set_config(option);
  }
}

double seconds(Duration time) { return static_cast<double>(time.count()) * kPicosecond; }

double bytes_per_second(Bandwidth bandwidth) {
  return static_cast<double>(bandwidth.bits_per_second) / 8;
}

std::vector<s4u::Link*> create_links(s4u::NetZone* zone, std::size_t number, const FlowCase& it) {
  std::vector<s4u::Link*> links;
  for (std::size_t l = 0; l < it.network.links.size(); ++l) {
    links.push_back(zone->create_link(fmt::format("{}.{}", number, l),
                                      bytes_per_second(it.network.links[l].bandwidth)));
    links.back()->set_latency(0)->seal();
  }
  return links;
}

// Each flow has its own two hosts, and its own link of ample bandwidth with the path's full
// latency.
void create_flow(s4u::NetZone* zone, std::size_t number, std::size_t index, const FlowCase& it,
                 const std::vector<s4u::Link*>& links, double& end) {
  constexpr double kAmpleBandwidth = 1e18;
  const workload::Operation& flow = it.workload.operations[index];
  const fabric::Route& path = it.paths[index].front();
  const std::string name = fmt::format("{}.{}.", number, index);
  s4u::Host* const from = zone->create_host(name + "from", 1.0)->seal();
  s4u::Host* const to = zone->create_host(name + "to", 1.0)->seal();
  s4u::Link* const own = zone->create_link(name + "own", kAmpleBandwidth);
  own->set_latency(seconds(path.latency))->seal();
  std::vector<s4u::LinkInRoute> route = {s4u::LinkInRoute(own)};
  for (const fabric::Hop& hop : path.hops)
    route.emplace_back(links[static_cast<std::size_t>(hop.link)]);
  zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
  const double start = seconds(flow.start);
  const auto size = static_cast<std::uint64_t>(flow.size.count);
  s4u::Actor::create(name, from, [=, &end] {
    s4u::this_actor::sleep_until(start);
    s4u::Comm::sendto(from, to, size);
    end = s4u::Engine::get_clock();
  });
}

void run_simgrid(const std::vector<FlowCase>& cases, std::vector<std::vector<double>>& ends) {
  std::string program = "simgrid_run";
  std::string quiet = "--log=root.thres:critical";
  char* arguments[] = {program.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments);
  configure();
  s4u::NetZone* const zone = s4u::create_full_zone("all");
  for (std::size_t number = 0; number < cases.size(); ++number) {
    const std::vector<s4u::Link*> links = create_links(zone, number, cases[number]);
    for (std::size_t i = 0; i < ends[number].size(); ++i) {
      create_flow(zone, number, i, cases[number], links, ends[number][i]);
    }
  }
  zone->seal();
  engine.run();
}

void write_all(int pipe, const std::vector<std::vector<double>>& ends) {
  for (const std::vector<double>& each : ends) {
    const auto size = static_cast<ssize_t>(each.size() * sizeof(double));
    if (write(pipe, each.data(), each.size() * sizeof(double)) != size) _exit(1);
  }
}

void read_all(int pipe, std::vector<std::vector<double>>& ends) {
  for (std::vector<double>& each : ends) {
    auto* at = reinterpret_cast<char*>(each.data());
    for (std::size_t left = each.size() * sizeof(double); left > 0;) {
      const ssize_t got = read(pipe, at, left);
      LOOM_CHECK(got > 0, "the SimGrid child reports all ends");
      at += got;
      left -= static_cast<std::size_t>(got);
    }
  }
}

}  // namespace

std::vector<std::vector<double>> simgrid_ends(const std::vector<FlowCase>& cases) {
  std::vector<std::vector<double>> ends;
  for (const FlowCase& it : cases) ends.emplace_back(it.paths.size(), -1);
  int pipe_ends[2];
  LOOM_CHECK(pipe(pipe_ends) == 0, "a pipe can be opened");
  const pid_t child = fork();
  LOOM_CHECK(child >= 0, "a child can be started");
  if (child == 0) {
    run_simgrid(cases, ends);
    write_all(pipe_ends[1], ends);
    _exit(0);
  }
  close(pipe_ends[1]);
  read_all(pipe_ends[0], ends);
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return ends;
}

}  // namespace loom
