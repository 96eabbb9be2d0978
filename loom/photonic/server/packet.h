// Requests and replies as they go over UDP: docs/photonic_serving.md describes every byte.
//
// A header of 32 bytes, numbers with the high byte first, then a part of the input or the answer.
// An input larger than a datagram goes in several parts, in any order. Parsing reads nothing
// beyond the datagram and allocates nothing; what it makes of any bytes is one of a few verdicts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::photonic {

inline constexpr std::size_t kHeaderSize = 32;
inline constexpr std::size_t kLargestDatagram = 65'507;  // 65,535 less the headers of IPv4 and UDP
inline constexpr std::size_t kMaxPayload = kLargestDatagram - kHeaderSize;
inline constexpr std::uint32_t kLargestInput = 16U << 20;  // bytes; above, a request is refused
inline constexpr std::size_t kMinFragment = 512;           // of an input, but for its last part
inline constexpr int kDefaultPort = 4055;                  // the prototype's 4.055 GHz

enum class PacketKind : std::uint8_t { request = 1, reply = 2 };

enum class ReplyStatus : std::uint16_t {
  ok = 0,
  malformed = 1,      // the header contradicts itself or the datagram
  unknown_model = 2,  // no network has this number
  wrong_size = 3,     // the network takes an input of another size
  too_large = 4,      // the input, or the answer, is beyond what a request may be
  busy = 5,           // too many unfinished requests; try again
  wrong_version = 6,
};

std::string_view text_of(ReplyStatus status);

inline constexpr std::uint16_t kWantLogits = 1;    // the answer has all sums, not only the label
inline constexpr std::uint16_t kWantDescribe = 2;  // no input: what is this network?

struct Packet {
  PacketKind kind = PacketKind::request;
  std::uint16_t flags = 0;
  std::uint16_t model = 0;
  ReplyStatus status = ReplyStatus::ok;
  std::uint32_t total = 0;    // bytes of the whole input or answer
  std::uint64_t request = 0;  // chosen by the client; comes back as it is
  std::uint32_t offset = 0;   // of this part in the whole
  std::span<const std::uint8_t> payload = {};
};

enum class PacketVerdict : std::uint8_t {
  good,
  other_traffic,  // does not begin as ours do: none of our business
  truncated,      // begins as ours, but the header is not whole
  wrong_version,  // whole, but of another version
  malformed,      // whole, but it contradicts itself
};

struct ParsedPacket {
  PacketVerdict verdict = PacketVerdict::other_traffic;
  Packet packet = {};  // as far as it could be read; `part` only of a good one
};

ParsedPacket parse_packet(std::span<const std::uint8_t> datagram);

std::vector<std::uint8_t> to_bytes(const Packet& packet);

// What is in a reply that is ok.
struct Answer {
  std::uint32_t label = 0;
  std::uint64_t cycles = 0;
  std::vector<std::int32_t> logits = {};  // where asked for

  bool operator==(const Answer&) const = default;
};

struct Description {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint64_t cycles = 0;
  bool noisy = false;  // answers have noise: the same input under another number may get another
  std::string name;

  bool operator==(const Description&) const = default;
};

std::vector<std::uint8_t> to_bytes(const Answer& answer);
std::vector<std::uint8_t> to_bytes(const Description& description);

// False where the bytes are not one; nothing is promised of the value then.
bool parse_answer(std::span<const std::uint8_t> bytes, Answer& answer);
bool parse_description(std::span<const std::uint8_t> bytes, Description& description);

}  // namespace loom::photonic
