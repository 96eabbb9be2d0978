// Packet format of requests and replies over UDP; docs/photonic_serving.md describes every byte.
//
// A packet is a 32-byte header in big-endian order, followed by a fragment of the input or by the
// answer. An input larger than a datagram is sent as several fragments, in any order. Parsing reads
// nothing beyond the datagram and allocates nothing; every byte string gives one of the verdicts
// below.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::photonic {

inline constexpr std::size_t kHeaderSize = 32;
inline constexpr std::size_t kLargestDatagram = 65'507;  // 65,535 minus the headers of IPv4 and UDP
inline constexpr std::size_t kMaxPayload = kLargestDatagram - kHeaderSize;
inline constexpr std::uint32_t kLargestInput = 16U << 20;  // bytes; larger requests are refused
inline constexpr std::size_t kMinFragment = 512;  // minimum size of a fragment, except the last
inline constexpr int kDefaultPort = 4055;  // named after the 4.055 GS/s of Lightning's prototype

enum class PacketKind : std::uint8_t { request = 1, reply = 2 };

enum class ReplyStatus : std::uint16_t {
  ok = 0,
  malformed = 1,      // the header contradicts itself or the datagram
  unknown_model = 2,  // no network has this number
  wrong_size = 3,     // the network takes an input of a different size
  too_large = 4,      // the input or the answer exceeds the limit
  busy = 5,           // too many unfinished requests; try again
  wrong_version = 6,
};

std::string_view text_of(ReplyStatus status);

inline constexpr std::uint16_t kWantLogits = 1;  // the answer includes all sums, not only the label
inline constexpr std::uint16_t kWantDescribe = 2;  // no input: requests the network's description

struct Packet {
  PacketKind kind = PacketKind::request;
  std::uint16_t flags = 0;
  std::uint16_t model = 0;
  ReplyStatus status = ReplyStatus::ok;
  std::uint32_t total = 0;    // bytes of the entire input or answer
  std::uint64_t request = 0;  // request number, chosen by the client and returned unchanged
  std::uint32_t offset = 0;   // start of this fragment within the input or answer
  std::span<const std::uint8_t> payload = {};
};

enum class PacketVerdict : std::uint8_t {
  good,
  other_traffic,  // no magic number: not one of our packets
  truncated,      // our magic number, but an incomplete header
  wrong_version,  // complete, but of another version
  malformed,      // complete, but inconsistent
};

struct ParsedPacket {
  PacketVerdict verdict = PacketVerdict::other_traffic;
  Packet packet = {};  // fields as far as they could be read; `payload` only if good
};

ParsedPacket parse_packet(std::span<const std::uint8_t> datagram);

std::vector<std::uint8_t> to_bytes(const Packet& packet);

// The body of a reply with status ok.
struct Answer {
  std::uint32_t label = 0;
  std::uint64_t cycles = 0;
  std::vector<std::int32_t> logits = {};  // only if requested by kWantLogits

  bool operator==(const Answer&) const = default;
};

struct Description {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint64_t cycles = 0;
  // Answers have noise: the same input with another request number may give another answer.
  bool noisy = false;
  std::string name;

  bool operator==(const Description&) const = default;
};

std::vector<std::uint8_t> to_bytes(const Answer& answer);
std::vector<std::uint8_t> to_bytes(const Description& description);

// Returns false if the bytes are not valid; the value is then unspecified.
bool parse_answer(std::span<const std::uint8_t> bytes, Answer& answer);
bool parse_description(std::span<const std::uint8_t> bytes, Description& description);

}  // namespace loom::photonic
