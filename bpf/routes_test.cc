#include "bpf/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace loom::bpf {
namespace {

using testing::ElementsAre;

TEST(Routes, OutputOfIpBecomesItsInput) {
  EXPECT_THAT(route_words("10.0.0.0/24 dev eth0 proto kernel scope link src 10.0.0.1 linkdown "),
              ElementsAre("10.0.0.0/24", "dev", "eth0", "proto", "kernel", "scope", "link", "src",
                          "10.0.0.1"));
}

TEST(Routes, ACongestionControlIsLeftOut) {
  EXPECT_THAT(route_words("default via 10.0.0.2 dev out congctl mltcp_reno metric 5"),
              ElementsAre("default", "via", "10.0.0.2", "dev", "out", "metric", "5"));
  EXPECT_THAT(route_words("default dev out congctl lock cubic"),
              ElementsAre("default", "dev", "out"));
}

TEST(Routes, ACongestionControlIsFound) {
  EXPECT_EQ(route_algorithm("default dev out congctl mltcp_reno"), "mltcp_reno");
  EXPECT_EQ(route_algorithm("default dev out congctl lock cubic metric 1"), "cubic");
  EXPECT_EQ(route_algorithm("default dev out"), "");
  EXPECT_EQ(route_algorithm("default dev out congctl"), "");
}

TEST(Routes, AChoiceKeepsItsLock) {
  EXPECT_EQ(route_choice("default dev out congctl lock cubic metric 1"), "lock cubic");
  EXPECT_EQ(route_choice("default dev out congctl cubic"), "cubic");
  EXPECT_EQ(route_choice("default dev out"), "");
}

TEST(Routes, ARouteIsIdentifiedByFamilyPrefixAndTable) {
  EXPECT_EQ(route_key({"-4", "10.0.0.0/24 dev out congctl cubic"}), "-4 10.0.0.0/24");
  EXPECT_EQ(route_key({"-4", "default via 10.0.0.2 dev out table 7 metric 5"}),
            "-4 default table 7");
  EXPECT_EQ(route_key({"-6", "default dev out metric 1024"}), "-6 default");
}

// A fake `ip` that shows the same line for every family and records its arguments.
class Showing {
 public:
  explicit Showing(const std::string& line) {
    ::mkdir(folder_.c_str(), 0700);
    const std::string path = folder_ + "/ip";
    std::ofstream(path) << "#!/bin/sh\necho \"$@\" >> " << folder_ << "/asked\n"
                        << "case \"$*\" in *show*) echo '" << line << "';; esac\n";
    ::chmod(path.c_str(), 0700);
    std::ofstream(folder_ + "/asked").close();
    ::setenv("PATH", (folder_ + ":" + before_).c_str(), 1);
  }
  ~Showing() {
    ::setenv("PATH", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }

  std::string asked() const {
    std::stringstream all;
    all << std::ifstream(folder_ + "/asked").rdbuf();
    return all.str();
  }

 private:
  // Unique per process, since tests run in parallel.
  std::string folder_ = ::testing::TempDir() + "lightloom_routes_" + std::to_string(::getpid());
  std::string before_ = std::getenv("PATH");
};

TEST(Routes, AnIpv6DefaultRouteStaysIpv6) {
  const Showing ip("default dev wg0 metric 1024 pref medium");
  set_route_choice(route_to("::/0"), "mltcp_reno");
  EXPECT_EQ(ip.asked(),
            "-6 -o route show exact ::/0\n"
            "-6 route replace default dev wg0 metric 1024 pref medium congctl mltcp_reno\n");
}

TEST(Routes, AnIpv4RouteOverAnIpv6GatewayStaysIpv4) {
  const Showing ip("10.0.0.0/24 via inet6 fe80::1 dev out");
  set_route_choice(route_to("10.0.0.0/24"), "");
  EXPECT_EQ(ip.asked(),
            "-4 -o route show exact 10.0.0.0/24\n"
            "-4 route replace 10.0.0.0/24 via inet6 fe80::1 dev out\n");
}

TEST(Routes, OurRoutesHaveTheFamilyThatListsThem) {
  const Showing ip("default dev out congctl mltcp_reno");
  std::vector<std::string> families;
  for (const Route& it : our_routes()) families.push_back(it.family);
  EXPECT_THAT(families, ElementsAre("-4", "-6"));
}

}  // namespace
}  // namespace loom::bpf
