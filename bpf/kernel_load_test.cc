// Persistent loading, attachment to cgroups and routes, statistics, and removal without a trace.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "bpf/command.h"
#include "bpf/kernel_machine.h"
#include "bpf/mltcp.h"
#include "bpf/routes.h"
#include "loom/base/testing.h"

namespace loom::bpf {
namespace {

using KernelLoad = KernelLoadTest;

// Connects to itself in a new namespace and returns the algorithm of the connecting end.
std::string algorithm_of_a_connection() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(5001);
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  const auto* where = reinterpret_cast<const sockaddr*>(&address);
  const Descriptor door(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(::bind(door.number(), where, sizeof(address)), 0);
  EXPECT_EQ(::listen(door.number(), 1), 0);
  const Descriptor out(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(::connect(out.number(), where, sizeof(address)), 0);
  std::array<char, 16> name{};
  socklen_t size = name.size();
  ::getsockopt(out.number(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &size);
  return name.data();
}

std::string cgroup_mount() {
  std::ifstream mounts("/proc/mounts");
  std::string device, place, type, rest;
  while (mounts >> device >> place >> type && std::getline(mounts, rest)) {
    if (type == "cgroup2") return place;
  }
  return "";
}

// A cgroup that this process joins temporarily.
class Joined {
 public:
  explicit Joined(const std::string& mount) : mount_(mount), path_(mount + "/lightloom_test") {
    std::filesystem::create_directory(path_);
    move_to(path_);
  }
  ~Joined() {
    move_to(mount_ + home_);
    ::rmdir(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  static std::string where_now() {
    std::ifstream lines("/proc/self/cgroup");
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("0::")) return line.substr(3);
    }
    return "/";
  }
  static void move_to(const std::string& path) {
    std::ofstream(path + "/cgroup.procs") << ::getpid() << "\n";
  }

  std::string mount_;
  std::string path_;
  std::string home_ = where_now();
};

TEST_F(KernelLoad, BothAreLoadedAndRemoved) {
  EXPECT_TRUE(load_mltcp("reno", {}).fresh);
  EXPECT_TRUE(load_mltcp("cubic", {}).fresh);
  EXPECT_TRUE(is_registered("mltcp_reno"));
  EXPECT_TRUE(is_registered("mltcp_cubic"));
  EXPECT_EQ(loaded_mltcp().size(), 2U);
  EXPECT_EQ(unload_mltcp(), (std::vector<std::string>{"mltcp_reno", "mltcp_cubic"}));
  EXPECT_TRUE(unload_mltcp().empty());
  EXPECT_TRUE(loaded_mltcp().empty());
}

TEST_F(KernelLoad, LoadingAgainChangesOnlyTheGivenSettings) {
  using std::chrono::milliseconds;
  EXPECT_TRUE(load_mltcp("reno", {.slope = 4, .idle = milliseconds(30), .needed = 5}).fresh);
  const LoadOutcome again = load_mltcp("reno", {.intercept = 0.5, .min_bytes = Bytes{100'000}});
  EXPECT_FALSE(again.fresh);
  for (const MltcpSettings& now : {again.settings, loaded_mltcp().front().settings}) {
    EXPECT_EQ(now.slope, 4);
    EXPECT_EQ(now.intercept, 0.5);
    EXPECT_EQ(now.idle, milliseconds(30));
    EXPECT_EQ(now.min_bytes.count, 100'000);
    EXPECT_EQ(now.needed, 5);
  }
}

// Kernels before 6.4: the registration stays until it is deleted.
TEST_F(KernelLoad, ARegistrationWithoutALinkIsRemovedToo) {
  {
    const Algorithm it("reno", {}, false);
    EXPECT_TRUE(is_registered("mltcp_reno"));
  }
  EXPECT_FALSE(is_registered("mltcp_reno"));
}

TEST_F(KernelLoad, ASecondAlgorithmOfTheSameNameIsRefused) {
  const Algorithm first("reno", {}, kernel_has_links());
  EXPECT_EQ(
      message([] { Algorithm("reno", {}, kernel_has_links()); }),
      "congestion control 'mltcp_reno' is already registered; 'lightloom mltcp unload' removes "
      "it");
}

TEST_F(KernelLoad, ConnectionsOfACgroupGetIt) {
  const std::string mount = cgroup_mount();
  if (mount.empty()) GTEST_SKIP() << "skipped: no cgroup of version 2 is mounted";
  load_mltcp("cubic", {});
  const Joined cgroup(mount);
  attach_cgroup("cubic", cgroup.path());
  const Descriptor space = new_namespace();
  inside(space, [] {
    must_run("ip link set lo up");
    EXPECT_EQ(algorithm_of_a_connection(), "mltcp_cubic");
  });
  const std::vector<Attachment> all = attachments();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].place, cgroup.path());
  EXPECT_GE(all[0].chosen, 1);
  EXPECT_EQ(all[0].refused, 0);
  detach_cgroup(cgroup.path());
  inside(space, [] { EXPECT_NE(algorithm_of_a_connection(), "mltcp_cubic"); });
}

// A leftover of an interrupted attachment blocks the pin of the counts.
TEST_F(KernelLoad, AnAttachmentThatFailsHalfwayIsUndone) {
  const std::string mount = cgroup_mount();
  if (mount.empty()) GTEST_SKIP() << "skipped: no cgroup of version 2 is mounted";
  load_mltcp("cubic", {});
  const Joined cgroup(mount);
  struct stat about = {};
  ASSERT_EQ(::stat(cgroup.path().c_str(), &about), 0);
  const std::string counts = fmt::format("{}/counts_{}", kPins, about.st_ino);
  ASSERT_EQ(::symlink("nowhere", counts.c_str()), 0);
  EXPECT_EQ(message([&] { attach_cgroup("cubic", cgroup.path()); }),
            fmt::format("--cgroup {}: the kernel refused the attachment: File exists; a kernel "
                        "with CONFIG_CGROUP_BPF is needed",
                        cgroup.path()));
  EXPECT_TRUE(attachments().empty());
  attach_cgroup("cubic", cgroup.path());
  EXPECT_EQ(attachments().size(), 1U);
  detach_cgroup(cgroup.path());
}

// A namespace with a route that names `choice`.
Descriptor routed(const std::string& choice) {
  Descriptor space = new_namespace();
  inside(space, [&] {
    must_run("ip link set lo up");
    must_run("ip link add out type veth peer name other");
    must_run("ip addr add 10.1.0.1/24 dev out");
    must_run("ip link set out up");
    must_run("ip route replace 10.1.0.0/24 dev out " + choice);
  });
  return space;
}

std::string choice_now() { return route_choice(route_to("10.1.0.0/24").line); }

TEST_F(KernelLoad, ConnectionsOverARouteGetIt) {
  load_mltcp("reno", {});
  inside(routed(""), [] {
    attach_route("reno", "10.1.0.0/24");
    EXPECT_EQ(choice_now(), "mltcp_reno");
    const std::vector<Attachment> all = attachments();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].place, "10.1.0.0/24");
    EXPECT_FALSE(all[0].chosen.has_value());
    EXPECT_FALSE(all[0].refused.has_value());
    detach_route("10.1.0.0/24");
    EXPECT_EQ(choice_now(), "");
    attach_route("reno", "10.1.0.0/24");
    unload_mltcp();
    EXPECT_EQ(choice_now(), "");
  });
}

TEST_F(KernelLoad, DetachingRestoresTheFormerChoiceOfARoute) {
  for (const std::string choice : {"cubic", "lock cubic"}) {
    load_mltcp("reno", {});
    load_mltcp("cubic", {});
    inside(routed("congctl " + choice), [&] {
      EXPECT_EQ(choice_now(), choice);
      attach_route("reno", "10.1.0.0/24");
      attach_route("cubic", "10.1.0.0/24");
      EXPECT_EQ(choice_now(), "mltcp_cubic");
      detach_route("10.1.0.0/24");
      EXPECT_EQ(choice_now(), choice);
      attach_route("reno", "10.1.0.0/24");
      unload_mltcp();
      EXPECT_EQ(choice_now(), choice);
    });
  }
}

// A choice remembered by an earlier attachment is not reused.
TEST_F(KernelLoad, ARouteWithoutAFormerChoiceNamesNoneAfterDetaching) {
  load_mltcp("reno", {});
  inside(routed("congctl cubic"), [] {
    attach_route("reno", "10.1.0.0/24");
    must_run("ip route replace 10.1.0.0/24 dev out");
    attach_route("reno", "10.1.0.0/24");
    detach_route("10.1.0.0/24");
    EXPECT_EQ(choice_now(), "");
  });
}

// The namespace would hold the algorithm and keep choosing it.
TEST_F(KernelLoad, TheDefaultAlgorithmOfANamespaceIsNotUnloaded) {
  load_mltcp("reno", {});
  const Descriptor space = new_namespace();
  inside(space, [] {
    must_run("ip link set lo up");
    write_sysctl("net/ipv4/tcp_congestion_control", "mltcp_reno");
    EXPECT_EQ(message([] { unload_mltcp(); }),
              "net.ipv4.tcp_congestion_control is mltcp_reno, so new connections would still get "
              "it; 'sysctl -w net.ipv4.tcp_congestion_control=reno' (or what it was before), then "
              "unload again");
    EXPECT_EQ(loaded_mltcp().size(), 1U);
    EXPECT_EQ(algorithm_of_a_connection(), "mltcp_reno");
    write_sysctl("net/ipv4/tcp_congestion_control", "reno");
    EXPECT_EQ(unload_mltcp(), (std::vector<std::string>{"mltcp_reno"}));
    EXPECT_EQ(algorithm_of_a_connection(), "reno");
  });
}

TEST_F(KernelLoad, InvalidAttachmentsAreRefused) {
  EXPECT_EQ(message([] { attach_cgroup("reno", "/tmp"); }),
            "mltcp_reno is not loaded; 'lightloom mltcp load --base reno' loads it");
  load_mltcp("reno", {});
  EXPECT_EQ(message([] { attach_cgroup("reno", "/tmp"); }),
            "--cgroup /tmp: not a cgroup of version 2; 'mount -t cgroup2' shows where they "
            "are mounted");
  EXPECT_EQ(message([] { attach_route("reno", "203.0.113.0/24"); }),
            "--route 203.0.113.0/24: no route has exactly this prefix; 'ip -4 route' lists "
            "them");
}

}  // namespace
}  // namespace loom::bpf
