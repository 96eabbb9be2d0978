// A UDP socket and addresses, as plain values; closed with its owner.
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
  std::string key() const;   // the address as bytes: equal for one sender only
};

// "127.0.0.1:4055", "[::1]:4055", or a number alone for that port of the loopback. Names are not
// looked up. InputError naming `from` otherwise.
Endpoint parse_endpoint(const std::string& text, const SourceLocation& from);

class UdpSocket {
 public:
  // Bound to this address; port 0: one that is free. InputError where the system refuses it.
  static UdpSocket bound(const Endpoint& address, const SourceLocation& from);

  // For talking to one server only: what others send does not arrive.
  static UdpSocket connected(const Endpoint& server, const SourceLocation& from);

  UdpSocket(UdpSocket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  UdpSocket& operator=(UdpSocket&&) = delete;
  ~UdpSocket();

  int fd() const { return fd_; }
  Endpoint local() const;

  // The bytes of the next datagram that is there, put into `buffer`; nullopt if none is. Errors
  // that the network reports (nobody listens at the other end) count as none.
  std::optional<std::size_t> receive(std::span<std::uint8_t> buffer, Endpoint& sender) const;

  // False where it could not be sent now.
  bool send(std::span<const std::uint8_t> datagram) const;
  bool send(std::span<const std::uint8_t> datagram, const Endpoint& to) const;

 private:
  explicit UdpSocket(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace loom::photonic
