// A UDP socket, closed with its owner, and addresses as plain values.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "loom/base/error.h"

namespace loom::photonic {

struct Endpoint {
  sockaddr_storage address = {};
  socklen_t size = 0;

  std::string text() const;  // 127.0.0.1:4055, [::1]:4055
  std::string key() const;   // the address as bytes, unique per sender
};

// "127.0.0.1:4055", "[::1]:4055", or a bare number for that port on the loopback address. Host
// names are not resolved. InputError naming `from` otherwise.
Endpoint parse_endpoint(const std::string& text, const SourceLocation& from);

class UdpSocket {
 public:
  // Bound to this address; port 0 selects a free one. InputError if the system refuses it.
  static UdpSocket bound(const Endpoint& address, const SourceLocation& from);

  // Connected to one server: datagrams from others are not received.
  static UdpSocket connected(const Endpoint& server, const SourceLocation& from);

  UdpSocket(UdpSocket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  UdpSocket& operator=(UdpSocket&&) = delete;
  ~UdpSocket();

  int fd() const { return fd_; }
  Endpoint local() const;

  // Receives the next waiting datagram into `buffer` and returns its size; nullopt if there is
  // none. Errors reported by the network (nothing listens at the other end) count as none.
  std::optional<std::size_t> receive(std::span<std::uint8_t> buffer, Endpoint& sender) const;

  // False if it could not be sent now.
  bool send(std::span<const std::uint8_t> datagram) const;
  bool send(std::span<const std::uint8_t> datagram, const Endpoint& to) const;

 private:
  explicit UdpSocket(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace loom::photonic
