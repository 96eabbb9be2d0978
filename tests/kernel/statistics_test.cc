// MLTCP statistics of a connection while it runs, after it ends, and with --watch.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "bpf/command.h"
#include "bpf/kernel_machine.h"
#include "tests/program.h"

namespace loom::bpf {
namespace {

using KernelStatistics = KernelLoadTest;
using ::testing::HasSubstr;
using ::testing::Not;

// A connection over the loopback of the thread's namespace; received bytes are discarded.
class Connection {
 public:
  explicit Connection(const std::string& algorithm) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(5001);
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    const auto* where = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_EQ(::bind(door_.number(), where, sizeof(address)), 0);
    EXPECT_EQ(::listen(door_.number(), 1), 0);
    EXPECT_EQ(::setsockopt(out_.number(), IPPROTO_TCP, TCP_CONGESTION, algorithm.data(),
                           static_cast<socklen_t>(algorithm.size())),
              0);
    EXPECT_EQ(::connect(out_.number(), where, sizeof(address)), 0);
    in_ = Descriptor(::accept(door_.number(), nullptr, nullptr));
    reader_ = std::thread([this] {
      std::vector<char> buffer(1 << 18);
      while (::recv(in_.number(), buffer.data(), buffer.size(), 0) > 0) {
      }
    });
  }
  ~Connection() { end(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::int64_t count) {
    const std::vector<char> some(1 << 16, 'x');
    for (const std::int64_t end = sent_ + count; sent_ < end;) {
      const ssize_t now = ::send(out_.number(), some.data(), some.size(), MSG_NOSIGNAL);
      ASSERT_GT(now, 0);
      sent_ += now;
    }
  }

  std::int64_t acked() const {
    int waiting = 0;
    EXPECT_EQ(::ioctl(out_.number(), SIOCOUTQ, &waiting), 0);
    return sent_ - waiting;
  }

  std::string local() const {
    sockaddr_in address = {};
    socklen_t size = sizeof(address);
    ::getsockname(out_.number(), reinterpret_cast<sockaddr*>(&address), &size);
    return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

  void end() {
    if (!reader_.joinable()) return;
    out_ = Descriptor();
    reader_.join();
    in_ = Descriptor();
  }

 private:
  Descriptor door_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  Descriptor out_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  Descriptor in_;
  std::thread reader_;
  std::int64_t sent_ = 0;
};

Flow only_flow() {
  const std::vector<Flow> flows = loaded_mltcp().front().flows;
  EXPECT_EQ(flows.size(), 1U);
  return flows.empty() ? Flow{} : flows.front();
}

// With an idle threshold of one minute no iteration ends: only acknowledged bytes change.
void expect_live(const std::string& base) {
  load_mltcp(base, {.idle = std::chrono::minutes(1)});
  const Descriptor space = new_namespace();
  inside(space, [&] {
    must_run("ip link set lo up");
    Connection connection(algorithm_name(base));
    connection.send(17'500'000);
    const std::int64_t acked = connection.acked();
    ASSERT_GT(acked, 1'000'000);
    EXPECT_TRUE(within(std::chrono::seconds(30), [&] {
      connection.send(100'000);
      return only_flow().acked.count >= acked;
    }));
    const std::string local = connection.local();
    const Flow open = only_flow();
    EXPECT_EQ(open.iterations, 0);
    EXPECT_FALSE(open.closed);
    EXPECT_EQ(open.local, local);
    connection.end();
    EXPECT_TRUE(within(std::chrono::seconds(30), [] { return only_flow().closed; }));
    EXPECT_EQ(only_flow().local, local);
    EXPECT_EQ(only_flow().remote, "127.0.0.1:5001");
  });
}

TEST_F(KernelStatistics, ARunningRenoFlowWithoutPausesIsShown) { expect_live("reno"); }

TEST_F(KernelStatistics, ARunningCubicFlowWithoutPausesIsShown) { expect_live("cubic"); }

std::size_t count(const std::string& text, const std::string& wanted) {
  std::size_t found = 0;
  for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    ++found;
  return found;
}

TEST_F(KernelStatistics, WatchingExitsCleanlyWhenInterrupted) {
  load_mltcp("reno", {});
  const testing::Folder folder;
  const std::string out = folder.path("out");
  const pid_t child = start({LOOM_BINARY, "mltcp", "stats", "--watch", "0.1"}, out);
  ASSERT_GT(child, 0);
  const auto tables = [&] { return count(testing::content_of(out), "no memory\n"); };
  EXPECT_TRUE(within(std::chrono::seconds(60), [&] { return tables() >= 3; }));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_THAT(testing::content_of(out), Not(HasSubstr("\033")));
}

TEST_F(KernelStatistics, EverySettingIsShown) {
  load_mltcp("reno", {.slope = 4, .idle = std::chrono::milliseconds(20), .needed = 7});
  const std::string json = testing::output_of({"mltcp", "stats", "--json"});
  for (const char* setting : {R"("slope": 4.0)", R"("intercept": 0.25)", R"("idle": 20000000000)",
                              R"("min_bytes": 64000)", R"("needed": 7)"}) {
    EXPECT_THAT(json, HasSubstr(setting));
  }
}

TEST_F(KernelStatistics, CountsThatAreNotKeptAreShownAsDashes) {
  load_mltcp("reno", {});
  const Descriptor space = new_namespace();
  inside(space, [] {
    must_run("ip link set lo up");
    must_run("ip route add 10.1.0.0/24 dev lo");
    attach_route("reno", "10.1.0.0/24");
    EXPECT_THAT(testing::output_of({"mltcp", "stats"}),
                ::testing::ContainsRegex("mltcp_reno +route +10.1.0.0/24 +- +-\n"));
  });
}

}  // namespace
}  // namespace loom::bpf
