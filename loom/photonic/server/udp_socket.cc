#include "loom/photonic/server/udp_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

namespace loom::photonic {
namespace {

constexpr int kBuffer = 4 << 20;  // receive buffer: a burst of thousands of requests

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::optional<Endpoint> endpoint_of(const std::string& host, std::uint16_t port) {
  Endpoint endpoint;
  sockaddr_in four = {};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    std::memcpy(&endpoint.address, &four, sizeof four);
    endpoint.size = sizeof four;
    return endpoint;
  }
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) != 1) return std::nullopt;
  std::memcpy(&endpoint.address, &six, sizeof six);
  endpoint.size = sizeof six;
  return endpoint;
}

const sockaddr* raw(const Endpoint& endpoint) {
  return reinterpret_cast<const sockaddr*>(&endpoint.address);
}

int open_socket(const Endpoint& endpoint, const SourceLocation& from) {
  const int fd = ::socket(endpoint.address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    throw InputError(from, fmt::format("cannot open a UDP socket: {}", std::strerror(errno)));
  }
  // The system may grant less; a burst then loses datagrams, which clients resend.
  ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kBuffer, sizeof kBuffer);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kBuffer, sizeof kBuffer);
  return fd;
}

}  // namespace

std::string Endpoint::text() const {
  std::array<char, INET6_ADDRSTRLEN> host = {};
  if (address.ss_family == AF_INET) {
    sockaddr_in four = {};
    std::memcpy(&four, &address, sizeof four);
    ::inet_ntop(AF_INET, &four.sin_addr, host.data(), host.size());
    return fmt::format("{}:{}", host.data(), ntohs(four.sin_port));
  }
  sockaddr_in6 six = {};
  std::memcpy(&six, &address, sizeof six);
  ::inet_ntop(AF_INET6, &six.sin6_addr, host.data(), host.size());
  return fmt::format("[{}]:{}", host.data(), ntohs(six.sin6_port));
}

std::string Endpoint::key() const { return {reinterpret_cast<const char*>(&address), size}; }

Endpoint parse_endpoint(const std::string& text, const SourceLocation& from) {
  const std::size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const auto port = port_of(colon == std::string::npos ? text : text.substr(colon + 1));
  const auto endpoint = port ? endpoint_of(host, *port) : std::nullopt;
  if (!endpoint) {
    throw InputError(from, fmt::format("'{}' is given; an address and port such as "
                                       "127.0.0.1:4055 is needed",
                                       text));
  }
  return *endpoint;
}

UdpSocket UdpSocket::bound(const Endpoint& address, const SourceLocation& from) {
  UdpSocket socket(open_socket(address, from));
  if (::bind(socket.fd_, raw(address), address.size) == 0) return socket;
  throw InputError(
      from, fmt::format("cannot listen on {}: {}; an address of this machine and a free port are "
                        "needed",
                        address.text(), std::strerror(errno)));
}

UdpSocket UdpSocket::connected(const Endpoint& server, const SourceLocation& from) {
  UdpSocket socket(open_socket(server, from));
  if (::connect(socket.fd_, raw(server), server.size) == 0) return socket;
  throw InputError(from, fmt::format("cannot reach {}: {}", server.text(), std::strerror(errno)));
}

UdpSocket::~UdpSocket() {
  if (fd_ >= 0) ::close(fd_);
}

Endpoint UdpSocket::local() const {
  Endpoint endpoint;
  endpoint.size = sizeof endpoint.address;
  ::getsockname(fd_, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.size);
  return endpoint;
}

std::optional<std::size_t> UdpSocket::receive(std::span<std::uint8_t> buffer,
                                              Endpoint& sender) const {
  sender.size = sizeof sender.address;
  const ssize_t got = ::recvfrom(fd_, buffer.data(), buffer.size(), 0,
                                 reinterpret_cast<sockaddr*>(&sender.address), &sender.size);
  if (got < 0) return std::nullopt;
  return static_cast<std::size_t>(got);
}

bool UdpSocket::send(std::span<const std::uint8_t> datagram) const {
  return ::send(fd_, datagram.data(), datagram.size(), 0) >= 0;
}

bool UdpSocket::send(std::span<const std::uint8_t> datagram, const Endpoint& to) const {
  return ::sendto(fd_, datagram.data(), datagram.size(), 0, raw(to), to.size) >= 0;
}

}  // namespace loom::photonic
