// Server and client over real loopback sockets.
#include "loom/photonic/server/serve.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/photonic/server/client.h"
#include "loom/photonic/server/testing.h"

namespace loom::photonic {
namespace {

Endpoint loopback(const std::string& port = "0") { return parse_endpoint(port, {}); }

// A server on a thread, stopped by the destructor.
class Running {
 public:
  explicit Running(std::vector<ServedNetwork> networks)
      : server_(std::move(networks)), socket_(UdpSocket::bound(loopback(), {})) {
    EXPECT_EQ(::pipe(stop_.data()), 0);
    thread_ = std::thread([this] { serve(server_, socket_, stop_[0]); });
  }
  ~Running() { stop(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Endpoint where() const { return socket_.local(); }

  const ServerCounters& stop() {
    if (thread_.joinable()) {
      EXPECT_EQ(::write(stop_[1], "x", 1), 1);
      thread_.join();
      ::close(stop_[0]);
      ::close(stop_[1]);
    }
    return server_.counters();
  }

 private:
  InferenceServer server_;
  UdpSocket socket_;
  std::array<int, 2> stop_ = {};
  std::thread thread_;
};

std::vector<std::uint8_t> random_bytes(std::size_t size, std::uint64_t seed) {
  Random random = random_stream(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& it : bytes) it = static_cast<std::uint8_t>(random(256));
  return bytes;
}

// Expects that every answer belongs to its input.
void expect_right(const LoadResult& result, const LoadSpec& spec) {
  ASSERT_EQ(result.answers.size(), static_cast<std::size_t>(spec.count));
  const std::size_t inputs = spec.inputs.size() / spec.input_size;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    ASSERT_TRUE(result.answers[i].answered) << i;
    ASSERT_EQ(result.answers[i].status, ReplyStatus::ok) << i;
    const auto input = spec.inputs.subspan(i % inputs * spec.input_size, spec.input_size);
    ASSERT_EQ(result.answers[i].answer.label,
              spec.model * 1'000'000U + std::accumulate(input.begin(), input.end(), 0U))
        << i;
  }
}

LoadSpec spec_for(std::uint16_t model, const std::vector<std::uint8_t>& inputs, std::size_t size,
                  std::int64_t count) {
  LoadSpec spec;
  spec.model = model;
  spec.inputs = inputs;
  spec.input_size = size;
  spec.count = count;
  return spec;
}

TEST(Serve, TenThousandRequestsGetTheirOwnAnswers) {
  Running server({sum_network(1, 784)});
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  const std::vector<std::uint8_t> inputs = random_bytes(392'000, 1);
  const LoadSpec spec = spec_for(1, inputs, 784, 10'000);
  const LoadResult result = run_load(socket, spec);
  expect_right(result, spec);
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(result.strange, 0);
  EXPECT_GE(server.stop().answered, 10'000);
}

TEST(Serve, TwoClientsAndTwoNetworksAreNotMixed) {
  Running server({sum_network(1, 100), sum_network(2, 200'000)});
  const std::vector<std::uint8_t> small = random_bytes(5'000, 2);
  const std::vector<std::uint8_t> large = random_bytes(600'000, 3);
  std::thread other([&] {
    UdpSocket socket = UdpSocket::connected(server.where(), {});
    LoadSpec spec = spec_for(2, large, 200'000, 60);
    spec.window = 4;
    expect_right(run_load(socket, spec), spec);
  });
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  const LoadSpec spec = spec_for(1, small, 100, 3000);
  expect_right(run_load(socket, spec), spec);
  other.join();
  EXPECT_GE(server.stop().fragments, 60 * 3);
}

// Four times the kernel's buffer: without pauses it would be resent again and again.
TEST(Serve, TheLargestInputIsAnswered) {
  Running server({sum_network(1, kLargestInput)});
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  std::vector<std::uint8_t> input = random_bytes(kLargestInput, 10);
  for (std::uint8_t& it : input) it %= 16;  // keeps the sum below the largest label
  LoadSpec spec = spec_for(1, input, kLargestInput, 2);
  spec.window = 1;
  spec.timeout = std::chrono::milliseconds(1000);
  const LoadResult result = run_load(socket, spec);
  expect_right(result, spec);
  EXPECT_LE(result.sent_again, 4);
}

TEST(Serve, TheRequestRateIsKept) {
  Running server({sum_network(1, 10)});
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  const std::vector<std::uint8_t> inputs = random_bytes(10, 4);
  LoadSpec spec = spec_for(1, inputs, 10, 100);
  spec.rate = 500;
  const LoadResult result = run_load(socket, spec);
  EXPECT_GE(result.seconds, 0.19);
  EXPECT_EQ(result.lost, 0);
}

TEST(Serve, RefusalsAreAnswersAndSilenceIsLoss) {
  Running server({sum_network(1, 10)});
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  const std::vector<std::uint8_t> inputs = random_bytes(20, 5);
  const LoadResult refused = run_load(socket, spec_for(1, inputs, 20, 3));
  EXPECT_EQ(refused.answers[2].status, ReplyStatus::wrong_size);
  EXPECT_EQ(refused.lost, 0);
  ReplyStatus status = ReplyStatus::ok;
  EXPECT_EQ(describe(socket, 1, status)->inputs, 10U);
  EXPECT_FALSE(describe(socket, 8, status));
  EXPECT_EQ(status, ReplyStatus::unknown_model);
  const UdpSocket silent = UdpSocket::bound(loopback(), {});
  UdpSocket lonely = UdpSocket::connected(silent.local(), {});
  LoadSpec spec = spec_for(1, inputs, 10, 3);
  spec.timeout = std::chrono::milliseconds(5);
  spec.tries = 3;
  const LoadResult lost = run_load(lonely, spec);
  EXPECT_EQ(lost.lost, 3);
  EXPECT_EQ(lost.sent_again, 6);
}

// A proxy between client and server that drops, delays, duplicates and reorders datagrams in both
// directions.
class BadNetwork {
 public:
  BadNetwork(const Endpoint& server, std::uint64_t seed)
      : front_(UdpSocket::bound(loopback(), {})),
        back_(UdpSocket::connected(server, {})),
        random_(random_stream(seed)),
        thread_([this] { run(); }) {}
  ~BadNetwork() {
    stop_ = true;
    thread_.join();
  }
  BadNetwork(const BadNetwork&) = delete;
  BadNetwork& operator=(const BadNetwork&) = delete;

  Endpoint where() const { return front_.local(); }

 private:
  void run() {
    std::array<pollfd, 2> watched = {{{front_.fd(), POLLIN, 0}, {back_.fd(), POLLIN, 0}}};
    std::vector<std::uint8_t> buffer(65536);
    Endpoint sender;
    while (!stop_) {
      ::poll(watched.data(), watched.size(), 5);
      while (const auto size = front_.receive(buffer, client_)) {
        forward({buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*size)}, true);
      }
      while (const auto size = back_.receive(buffer, sender)) {
        forward({buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*size)}, false);
      }
    }
  }

  void forward(std::vector<std::uint8_t> datagram, bool to_server) {
    const std::uint32_t fate = random_(10);
    if (fate == 0) return;                     // lost
    if (fate == 1) send(datagram, to_server);  // duplicated
    if (fate == 2 && held_.empty()) {          // sent after the next one
      held_ = std::move(datagram);
      held_to_server_ = to_server;
      return;
    }
    send(datagram, to_server);
    if (!held_.empty()) send(held_, held_to_server_);
    held_.clear();
  }

  void send(const std::vector<std::uint8_t>& datagram, bool to_server) {
    if (to_server) {
      back_.send(datagram);
    } else {
      front_.send(datagram, client_);
    }
  }

  UdpSocket front_;
  UdpSocket back_;
  Random random_;
  Endpoint client_;
  std::vector<std::uint8_t> held_;
  bool held_to_server_ = false;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST(Serve, LossDuplicationAndReorderingChangeNoAnswer) {
  Running server({sum_network(1, 784)});
  BadNetwork network(server.where(), 6);
  UdpSocket socket = UdpSocket::connected(network.where(), {});
  const std::vector<std::uint8_t> inputs = random_bytes(15'680, 7);
  LoadSpec spec = spec_for(1, inputs, 784, 2000);
  spec.timeout = std::chrono::milliseconds(20);
  spec.tries = 50;
  const LoadResult result = run_load(socket, spec);
  expect_right(result, spec);
  EXPECT_GT(result.sent_again, 50);
  EXPECT_GT(result.duplicates, 10);
}

// Random datagrams at full speed, then a request; LOOM_SOAK_SECONDS extends it.
TEST(Serve, TheServerSurvivesASoakOfRandomPackets) {
  const char* wanted = std::getenv("LOOM_SOAK_SECONDS");
  const double seconds = wanted == nullptr ? 0.5 : std::strtod(wanted, nullptr);
  Running server({sum_network(1, 784), sum_network(2, 5000)});
  UdpSocket socket = UdpSocket::connected(server.where(), {});
  Random random = random_stream(8);
  std::vector<std::uint8_t> datagram;
  std::vector<std::uint8_t> taken(65536);
  Endpoint sender;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::int64_t sent = 0;
  while (std::chrono::steady_clock::now() < end) {
    datagram.assign(random(random(100) == 0 ? 65'000 : 1500), 0);
    for (std::uint8_t& it : datagram) it = static_cast<std::uint8_t>(random());
    if (random(2) == 0 && datagram.size() > kHeaderSize) {
      Packet packet;
      packet.model = static_cast<std::uint16_t>(random(4));
      packet.request = random();
      packet.payload = std::span(datagram).subspan(kHeaderSize);
      packet.total = static_cast<std::uint32_t>(packet.payload.size()) + random(3) * 600;
      std::vector<std::uint8_t> ours = to_bytes(packet);
      if (random(3) == 0) ours[random(kHeaderSize)] = static_cast<std::uint8_t>(random());
      datagram = std::move(ours);
    }
    sent += socket.send(datagram) ? 1 : 0;
    while (socket.receive(taken, sender)) continue;
  }
  EXPECT_GT(sent, 1000);
  UdpSocket healthy = UdpSocket::connected(server.where(), {});
  const std::vector<std::uint8_t> inputs = random_bytes(7'840, 9);
  const LoadSpec spec = spec_for(1, inputs, 784, 1000);
  expect_right(run_load(healthy, spec), spec);
  EXPECT_GT(server.stop().received, 1000);
}

TEST(Endpoint, RoundTripsAsText) {
  EXPECT_EQ(parse_endpoint("4055", {}).text(), "127.0.0.1:4055");
  EXPECT_EQ(parse_endpoint("10.0.0.1:7", {}).text(), "10.0.0.1:7");
  EXPECT_EQ(parse_endpoint("[::1]:9", {}).text(), "[::1]:9");
  const SourceLocation location = location_of("--listen x");
  for (const std::string bad : {"x", "localhost:1", "1.2.3.4:70000", "1.2.3.4:", ""}) {
    EXPECT_EQ(
        message([&] { parse_endpoint(bad, location); }),
        "--listen x: '" + bad + "' is given; an address and port such as 127.0.0.1:4055 is needed");
  }
  const UdpSocket taken = UdpSocket::bound(loopback(), {});
  EXPECT_EQ(message([&] { UdpSocket::bound(taken.local(), location); }),
            "--listen x: cannot listen on " + taken.local().text() +
                ": Address already in use; an address of this machine and a free port are needed");
}

}  // namespace
}  // namespace loom::photonic
