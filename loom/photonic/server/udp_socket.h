// UDP sockets that close automatically, and their addresses.
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

// Parses "127.0.0.1:4055", "[::1]:4055", or a bare port number, which means the loopback address.
// Host names are not resolved. Throws InputError at `from` for any other text.
Endpoint parse_endpoint(const std::string& text, const SourceLocation& from);

class UdpSocket {
 public:
  // A socket bound to this address; port 0 selects a free port. Throws InputError if the system
  // refuses the address.
  static UdpSocket bound(const Endpoint& address, const SourceLocation& from);

  // A socket connected to one server: it does not receive datagrams from other senders.
  static UdpSocket connected(const Endpoint& server, const SourceLocation& from);

  UdpSocket(UdpSocket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  UdpSocket& operator=(UdpSocket&&) = delete;
  ~UdpSocket();

  int fd() const { return fd_; }
  Endpoint local() const;

  // Receives the next waiting datagram into `buffer` and returns its size; nullopt if there is
  // none. Network errors, such as "port unreachable", also give nullopt.
  std::optional<std::size_t> receive(std::span<std::uint8_t> buffer, Endpoint& sender) const;

  // Returns false if the datagram could not be sent now.
  bool send(std::span<const std::uint8_t> datagram) const;
  bool send(std::span<const std::uint8_t> datagram, const Endpoint& to) const;

 private:
  explicit UdpSocket(int fd) : fd_(fd) {}

  int fd_ = -1;
};

}  // namespace loom::photonic
