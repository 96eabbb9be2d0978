#include "loom/photonic/server/serve.h"

#include <poll.h>

#include <array>
#include <vector>

namespace loom::photonic {
namespace {

constexpr int kTurn = 64;            // maximum number of datagrams between two checks of `stop`
constexpr int kCheckInterval = 100;  // ms between checks for inputs that lack a fragment too long

// Handles the waiting datagrams, up to a limit.
void take_turn(InferenceServer& server, UdpSocket& socket, std::vector<std::uint8_t>& buffer) {
  Endpoint sender;
  for (int i = 0; i < kTurn; ++i) {
    const auto size = socket.receive(buffer, sender);
    if (!size) return;
    const std::span<const std::uint8_t> datagram(buffer.data(), *size);
    const auto reply = server.handle(datagram, sender.key(), std::chrono::steady_clock::now());
    if (reply && !socket.send(*reply, sender)) server.count_send_failure();
  }
}

}  // namespace

void serve(InferenceServer& server, UdpSocket& socket, int stop) {
  std::vector<std::uint8_t> buffer(std::size_t{1} << 16);  // larger than any datagram
  std::array<pollfd, 2> watched = {{{socket.fd(), POLLIN, 0}, {stop, POLLIN, 0}}};
  ArrivalTime looked = std::chrono::steady_clock::now();
  for (;;) {
    ::poll(watched.data(), watched.size(), kCheckInterval);
    if (watched[1].revents != 0) return;
    if (watched[0].revents != 0) take_turn(server, socket, buffer);
    const ArrivalTime now = std::chrono::steady_clock::now();
    if (now - looked < std::chrono::milliseconds(kCheckInterval)) continue;
    server.expire(now);
    looked = now;
  }
}

}  // namespace loom::photonic
