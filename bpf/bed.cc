#include "bpf/bed.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <net/if.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bpf/command.h"
#include "bpf/namespaces.h"
#include "bpf/object.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

// Same layout as in ecn_marker.bpf.c.
struct MarkerQueue {
  std::uint32_t lock;
  std::uint64_t backlog;
  std::uint64_t time;
  std::uint64_t packets;
  std::uint64_t marked;
};

// HTB's burst in bytes: a few large packets, below the default threshold of the marker.
constexpr int kBurst = 15'140;

// Maximum number of segments in a packet that a sender hands to its network device (GSO); a single
// larger packet would fill the queue.
constexpr int kSegments = 4;

void set_up_host() {
  must_run("ip link set lo up");
  write_sysctl("net/ipv4/tcp_ecn", "1");
  write_sysctl("net/ipv4/tcp_no_metrics_save", "1");
}

void attach_marker(const Object& marker, const char* device) {
  const auto index = static_cast<int>(::if_nametoindex(device));
  LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = index, .attach_point = BPF_TC_EGRESS);
  LIBBPF_OPTS(bpf_tc_opts, options, .prog_fd = bpf_program__fd(marker.program("mark")));
  const int error = bpf_tc_hook_create(&hook);
  if (error == 0 && bpf_tc_attach(&hook, &options) == 0) return;
  throw InputError({}, fmt::format("the marker cannot be attached: {}; a kernel with "
                                   "CONFIG_NET_SCH_INGRESS and CONFIG_NET_CLS_BPF is needed, or "
                                   "--threshold 0B",
                                   std::strerror(errno)));
}

}  // namespace

Bed::Bed(const BenchSpec& spec)
    : senders_(new_namespace()), router_(new_namespace()), receivers_(new_namespace()) {
  inside(senders_, set_up_host);
  inside(receivers_, set_up_host);
  join(senders_, "out", "10.77.1.1/24", "near", "10.77.1.2/24");
  join(receivers_, "out", "10.77.2.1/24", "far", "10.77.2.2/24");
  inside(senders_, [] { must_run("ip route add default via 10.77.1.2"); });
  inside(receivers_, [] { must_run("ip route add default via 10.77.2.2"); });
  inside(router_, [&] {
    write_sysctl("net/ipv4/ip_forward", "1");
    shape(spec);
  });
}

Bed::~Bed() = default;

// Creates a veth pair between a host and the router, with addresses at both ends, and sets it up.
void Bed::join(const Descriptor& end, const std::string& name, const std::string& address,
               const std::string& peer, const std::string& peer_address) const {
  inside(end, [&] {
    must_run(fmt::format("ip link add {} type veth peer name {} netns /proc/{}/fd/{}", name, peer,
                         ::getpid(), router_.number()));
    must_run(fmt::format("ip link set {} gso_max_segs {}", name, kSegments));
    must_run(fmt::format("ip addr add {} dev {}", address, name));
    must_run(fmt::format("ip link set {} up", name));
  });
  inside(router_, [&] {
    must_run(fmt::format("ip addr add {} dev {}", peer_address, peer));
    must_run(fmt::format("ip link set {} up", peer));
  });
}

void Bed::shape(const BenchSpec& spec) {
  must_run("tc qdisc add dev far root handle 1: htb default 1");
  must_run(
      fmt::format("tc class add dev far parent 1: classid 1:1 htb rate {}bit burst {} cburst "
                  "{} quantum {}",
                  spec.bandwidth.bits_per_second, kBurst, kBurst, kBurst));
  must_run(
      fmt::format("tc qdisc add dev far parent 1:1 handle 10: bfifo limit {}", spec.queue.count));
  if (spec.threshold.count == 0) return;
  marker_ = std::make_unique<Object>("ecn_marker");
  marker_->set_constant("marker_rate",
                        static_cast<std::uint64_t>(spec.bandwidth.bits_per_second / 8));
  marker_->set_constant("marker_threshold", static_cast<std::uint64_t>(spec.threshold.count));
  marker_->load();
  attach_marker(*marker_, "far");
}

Bed::Counts Bed::counts() const {
  if (marker_ == nullptr) return {};
  const std::uint32_t zero = 0;
  MarkerQueue seen = {};
  bpf_map_lookup_elem(bpf_map__fd(marker_->map("marker_queue")), &zero, &seen);
  return {static_cast<std::int64_t>(seen.packets), static_cast<std::int64_t>(seen.marked)};
}

}  // namespace loom::bpf
