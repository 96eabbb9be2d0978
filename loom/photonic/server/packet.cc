#include "loom/photonic/server/packet.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace loom::photonic {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic = {'L', 'O', 'O', 'M'};
constexpr std::uint8_t kVersion = 1;
constexpr std::uint16_t kKnownFlags = kWantLogits | kWantDescribe;

// Reads consecutive big-endian numbers; the caller ensures that there are enough bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class Number>
  Number next() {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) number = number << 8 | bytes_[i];
    bytes_ = bytes_.subspan(sizeof(Number));
    return static_cast<Number>(number);
  }

  std::span<const std::uint8_t> rest() const { return bytes_; }

 private:
  std::span<const std::uint8_t> bytes_;
};

template <class Number>
void put(std::vector<std::uint8_t>& bytes, Number number) {
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(number) >> (8 * i)));
  }
}

bool begins_as_ours(std::span<const std::uint8_t> datagram) {
  return datagram.size() >= kMagic.size() &&
         std::equal(kMagic.begin(), kMagic.end(), datagram.begin());
}

// True if header and datagram are consistent. `length` is the fragment's length in the header,
// `there` its actual length.
bool agrees(const Packet& packet, std::uint32_t length, std::size_t there) {
  if (length != there || packet.offset > packet.total) return false;
  if (length > packet.total - packet.offset) return false;
  if (length == 0 && packet.total > 0) return false;
  if ((packet.flags & ~kKnownFlags) != 0) return false;
  if (packet.kind == PacketKind::reply) return true;
  if (packet.kind != PacketKind::request || packet.status != ReplyStatus::ok) return false;
  const bool last = length == packet.total - packet.offset;
  if (!last && length < kMinFragment) return false;
  return (packet.flags & kWantDescribe) == 0 || packet.total == 0;
}

}  // namespace

std::string_view text_of(ReplyStatus status) {
  constexpr std::array<std::string_view, 7> kTexts = {
      "ok", "malformed", "unknown model", "wrong size", "too large", "busy", "wrong version"};
  const auto at = static_cast<std::size_t>(status);
  return at < kTexts.size() ? kTexts[at] : "unknown status";
}

ParsedPacket parse_packet(std::span<const std::uint8_t> datagram) {
  ParsedPacket parsed;
  if (!begins_as_ours(datagram)) return parsed;
  parsed.verdict = PacketVerdict::truncated;
  if (datagram.size() < kHeaderSize) return parsed;
  Packet& packet = parsed.packet;
  Reader reader(datagram.subspan(kMagic.size()));
  const auto version = reader.next<std::uint8_t>();
  packet.kind = static_cast<PacketKind>(reader.next<std::uint8_t>());
  packet.flags = reader.next<std::uint16_t>();
  packet.model = reader.next<std::uint16_t>();
  packet.status = static_cast<ReplyStatus>(reader.next<std::uint16_t>());
  packet.total = reader.next<std::uint32_t>();
  packet.request = reader.next<std::uint64_t>();
  packet.offset = reader.next<std::uint32_t>();
  const auto length = reader.next<std::uint32_t>();
  parsed.verdict = PacketVerdict::wrong_version;
  if (version != kVersion) return parsed;
  parsed.verdict = PacketVerdict::malformed;
  if (!agrees(packet, length, reader.rest().size())) return parsed;
  parsed.verdict = PacketVerdict::good;
  packet.payload = reader.rest();
  return parsed;
}

std::vector<std::uint8_t> to_bytes(const Packet& packet) {
  std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
  bytes.reserve(kHeaderSize + packet.payload.size());
  put(bytes, kVersion);
  put(bytes, static_cast<std::uint8_t>(packet.kind));
  put(bytes, packet.flags);
  put(bytes, packet.model);
  put(bytes, static_cast<std::uint16_t>(packet.status));
  put(bytes, packet.total);
  put(bytes, packet.request);
  put(bytes, packet.offset);
  put(bytes, static_cast<std::uint32_t>(packet.payload.size()));
  bytes.insert(bytes.end(), packet.payload.begin(), packet.payload.end());
  return bytes;
}

std::vector<std::uint8_t> to_bytes(const Answer& answer) {
  std::vector<std::uint8_t> bytes;
  put(bytes, answer.label);
  put(bytes, answer.cycles);
  put(bytes, static_cast<std::uint32_t>(answer.logits.size()));
  for (const std::int32_t it : answer.logits) put(bytes, static_cast<std::uint32_t>(it));
  return bytes;
}

std::vector<std::uint8_t> to_bytes(const Description& description) {
  std::vector<std::uint8_t> bytes;
  put(bytes, description.inputs);
  put(bytes, description.outputs);
  put(bytes, description.cycles);
  put(bytes, static_cast<std::uint32_t>(description.noisy ? 1 : 0));
  bytes.insert(bytes.end(), description.name.begin(), description.name.end());
  return bytes;
}

bool parse_answer(std::span<const std::uint8_t> bytes, Answer& answer) {
  constexpr std::size_t kFixed = 16;
  if (bytes.size() < kFixed) return false;
  Reader reader(bytes);
  answer.label = reader.next<std::uint32_t>();
  answer.cycles = reader.next<std::uint64_t>();
  const auto count = reader.next<std::uint32_t>();
  if (reader.rest().size() != std::size_t{4} * count) return false;
  answer.logits.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    answer.logits.push_back(static_cast<std::int32_t>(reader.next<std::uint32_t>()));
  }
  return true;
}

bool parse_description(std::span<const std::uint8_t> bytes, Description& description) {
  constexpr std::size_t kFixed = 20;
  if (bytes.size() < kFixed) return false;
  Reader reader(bytes);
  description.inputs = reader.next<std::uint32_t>();
  description.outputs = reader.next<std::uint32_t>();
  description.cycles = reader.next<std::uint64_t>();
  description.noisy = reader.next<std::uint32_t>() != 0;
  description.name.assign(reader.rest().begin(), reader.rest().end());
  return true;
}

}  // namespace loom::photonic
