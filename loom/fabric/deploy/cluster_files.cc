#include "loom/fabric/deploy/cluster_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "loom/fabric/deploy/forwarding_table.h"

namespace loom::fabric {
namespace {

constexpr int kOwnPlane = 255;  // plane number in a device's own address
constexpr int kHosts = 254;     // hosts per value of X: Y is 1 … 254

std::string replaced(std::string text, std::string_view what, int with) {
  const std::string number = std::to_string(with);
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + number.size())) {
    text.replace(at, what.size(), number);
  }
  return text;
}

std::map<int, Circuits> by_plane(const Circuits& circuits) {
  std::map<int, Circuits> planes;
  for (const Circuit& it : circuits) planes[it.plane].push_back(it);
  return planes;
}

// A locally administered MAC address (IEEE 802, bit 1 of the first octet).
std::string hardware_address(int device, int plane) {
  return fmt::format("02:00:{:02x}:{:02x}:{:02x}:{:02x}", plane, (device >> 16) & 255,
                     (device >> 8) & 255, device & 255);
}

bool is_octet(const std::string& text) {
  int number = -1;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end && number >= 0 && number <= 255;
}

class HostCommands {
 public:
  HostCommands(const Circuits& circuits, const Network& network, const Addressing& addressing)
      : network_(network), addressing_(addressing) {
    for (const Circuit& it : circuits) {
      planes_[{it.from, it.to}].push_back(it.plane);
      leaving_[it.from].push_back(it);
      ports_ = std::max(ports_, it.plane + 1);
    }
  }

  std::string set_up(int device) const {
    std::string text = "sysctl -w net.ipv4.ip_forward=1\nsysctl -w net.ipv4.conf.all.rp_filter=0\n";
    text += fmt::format("ip addr replace {}/32 dev lo\n", address(device, kOwnPlane));
    for (int plane = 0; plane < ports_; ++plane) {
      text += fmt::format("ip link set dev {} address {} up\n", interface(plane),
                          hardware_address(device, plane));
      text += fmt::format("sysctl -w net/ipv4/conf/{}/rp_filter=0\n", interface(plane));
      text +=
          fmt::format("ip addr replace {}/32 dev {}\n", address(device, plane), interface(plane));
    }
    const auto found = leaving_.find(device);
    if (found == leaving_.end()) return text;
    for (const Circuit& it : found->second) {
      text += fmt::format("ip neigh replace {} lladdr {} dev {} nud permanent\n",
                          address(it.to, it.plane), hardware_address(it.to, it.plane),
                          interface(it.plane));
    }
    return text;
  }

  std::string route(int device, int destination, const std::vector<NextLink>& next) const {
    std::string hops;
    std::size_t count = 0;
    for (const NextLink& it : next) {
      const int to = network_.links[static_cast<std::size_t>(it.link)].to;
      const std::vector<int>& planes = planes_.at({device, to});
      for (const int plane : planes) {
        const double share = it.share / static_cast<double>(planes.size());
        hops +=
            fmt::format(" nexthop via {} dev {} weight {} onlink", address(to, plane),
                        interface(plane), std::max(1, static_cast<int>(std::lround(share * 100))));
        ++count;
      }
    }
    if (count == 1) {
      const int to = network_.links[static_cast<std::size_t>(next.front().link)].to;
      const int plane = planes_.at({device, to}).front();
      hops = fmt::format(" via {} dev {} onlink", address(to, plane), interface(plane));
    }
    return fmt::format("ip route replace {}/32 src {}{}\n", address(destination, kOwnPlane),
                       address(device, kOwnPlane), hops);
  }

 private:
  std::string address(int device, int plane) const {
    return address_of(addressing_, device, plane);
  }
  std::string interface(int plane) const { return replaced(addressing_.interface, "PLANE", plane); }

  const Network& network_;
  const Addressing& addressing_;
  std::map<std::pair<int, int>, std::vector<int>> planes_;  // by pair: planes of its circuits
  std::map<int, Circuits> leaving_;                         // by device
  int ports_ = 0;
};

std::optional<Objection> object_pattern(const Addressing& addressing) {
  std::map<std::string, int> seen;
  int fields = 0;
  for (std::size_t begin = 0; begin != std::string::npos; ++fields) {
    const std::size_t dot = addressing.pattern.find('.', begin);
    const std::string field = addressing.pattern.substr(begin, dot - begin);
    if (!is_octet(field)) ++seen[field];
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  const std::map<std::string, int> wanted = {{"PLANE", 1}, {"X", 1}, {"Y", 1}};
  if (fields == 4 && seen == wanted) return std::nullopt;
  return Objection{"addresses",
                   fmt::format("the pattern is '{}'; four fields separated by dots are needed: "
                               "PLANE, X, Y and a number up to 255, such as 10.PLANE.X.Y",
                               addressing.pattern)};
}

std::optional<Objection> object_interface(const Addressing& addressing) {
  constexpr std::size_t kLongest = 15;  // Linux IFNAMSIZ without the terminating zero
  const std::string longest = replaced(addressing.interface, "PLANE", kMaxAddressedPlanes);
  const bool plain = std::all_of(longest.begin(), longest.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  const bool numbered = addressing.interface.find("PLANE") != std::string::npos;
  if (plain && numbered && longest.size() <= kLongest) return std::nullopt;
  return Objection{
      "interface",
      fmt::format("the interface is '{}'; a name with PLANE, letters and digits is needed, at most "
                  "{} characters with the plane number filled in, such as ethPLANE",
                  addressing.interface, kLongest)};
}

}  // namespace

std::string cross_connects_csv(const Circuits& circuits) {
  std::string text = "plane,input,output\n";
  for (const auto& plane : by_plane(circuits)) {
    for (const Circuit& it : plane.second) {
      text += fmt::format("{},{},{}\n", it.plane, it.from, it.to);
    }
  }
  return text;
}

std::string cross_connects_json(const Circuits& circuits) {
  std::vector<std::string> planes;
  for (const auto& plane : by_plane(circuits)) {
    std::vector<std::string> connections;
    for (const Circuit& it : plane.second) {
      connections.push_back(
          fmt::format(R"(        {{"input": {}, "output": {}}})", it.from, it.to));
    }
    planes.push_back(
        fmt::format("    {{\n      \"plane\": {},\n      \"connections\": [\n{}\n      ]\n    }}",
                    plane.first, fmt::join(connections, ",\n")));
  }
  return fmt::format("{{\n  \"planes\": [\n{}\n  ]\n}}\n", fmt::join(planes, ",\n"));
}

std::optional<Objection> objection(const Addressing& addressing) {
  auto no = object_pattern(addressing);
  if (!no) no = object_interface(addressing);
  return no;
}

std::string address_of(const Addressing& addressing, int device, int plane) {
  const std::string text = replaced(addressing.pattern, "PLANE", plane);
  return replaced(replaced(text, "X", device / kHosts), "Y", device % kHosts + 1);
}

std::string forwarding_commands(const Circuits& circuits, const Network& network,
                                const workload::Demand& demand, const Addressing& addressing) {
  const HostCommands commands(circuits, network, addressing);
  std::vector<std::string> hosts;
  for (int device = 0; device < network.devices; ++device) {
    hosts.push_back(fmt::format("# host {}\n{}", device, commands.set_up(device)));
  }
  std::map<int, workload::Demand> to;
  for (const workload::PairDemand& it : demand) to[it.to].push_back(it);
  for (int destination = 0; destination < network.devices; ++destination) {
    const NextLinks next = forwarding_to(network, DeviceId(destination), to[destination]);
    for (int device = 0; device < network.devices; ++device) {
      const std::vector<NextLink>& here = next[static_cast<std::size_t>(device)];
      if (here.empty()) continue;
      hosts[static_cast<std::size_t>(device)] += commands.route(device, destination, here);
    }
  }
  return fmt::format("{}", fmt::join(hosts, "\n"));
}

}  // namespace loom::fabric
