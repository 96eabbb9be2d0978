#include "loom/photonic/server/packet.h"

#include <gtest/gtest.h>

#include <numeric>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

std::vector<std::uint8_t> bytes_from(std::size_t size, std::uint64_t seed) {
  Random random = random_stream(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& it : bytes) it = static_cast<std::uint8_t>(random(256));
  return bytes;
}

Packet request_of(std::span<const std::uint8_t> input) {
  Packet packet;
  packet.flags = kWantLogits;
  packet.model = 7;
  packet.request = 0x0102030405060708;
  packet.total = static_cast<std::uint32_t>(input.size());
  packet.payload = input;
  return packet;
}

TEST(Packet, HasTheDocumentedWireFormat) {
  const std::vector<std::uint8_t> input = {0xAA, 0xBB};
  const std::vector<std::uint8_t> expected = {'L', 'O', 'O', 'M', 1, 1, 0, 1, 0,    7,   0, 0,
                                              0,   0,   0,   2,   1, 2, 3, 4, 5,    6,   7, 8,
                                              0,   0,   0,   0,   0, 0, 0, 2, 0xAA, 0xBB};
  EXPECT_EQ(to_bytes(request_of(input)), expected);
}

TEST(Packet, RoundTrips) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<std::uint8_t> payload = bytes_from(1 + random(3000), seed);
    Packet packet = request_of(payload);
    packet.kind = random(2) == 0 ? PacketKind::request : PacketKind::reply;
    packet.model = static_cast<std::uint16_t>(random(65536));
    packet.request = mix(seed, 1);
    if (packet.kind == PacketKind::reply) packet.status = ReplyStatus::busy;
    packet.offset = random(1000);
    packet.total = packet.offset + static_cast<std::uint32_t>(payload.size());
    const std::vector<std::uint8_t> bytes = to_bytes(packet);
    const ParsedPacket parsed = parse_packet(bytes);
    ASSERT_EQ(parsed.verdict, PacketVerdict::good);
    EXPECT_EQ(parsed.packet.request, packet.request);
    EXPECT_EQ(parsed.packet.offset, packet.offset);
    EXPECT_EQ(to_bytes(parsed.packet), bytes);
  }
}

TEST(Packet, EveryLengthButTheRightOneIsRefused) {
  const std::vector<std::uint8_t> whole = to_bytes(request_of(bytes_from(100, 1)));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const PacketVerdict verdict = parse_packet(std::span(whole).first(size)).verdict;
    EXPECT_EQ(verdict, size < 4             ? PacketVerdict::other_traffic
                       : size < kHeaderSize ? PacketVerdict::truncated
                                            : PacketVerdict::malformed)
        << size;
  }
  std::vector<std::uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_EQ(parse_packet(longer).verdict, PacketVerdict::malformed);
}

TEST(Packet, AnInconsistentPacketIsMalformed) {
  const std::vector<std::uint8_t> input = bytes_from(600, 2);
  const auto verdict = [&](const auto& change) {
    Packet packet = request_of(input);
    change(packet);
    return parse_packet(to_bytes(packet)).verdict;
  };
  EXPECT_EQ(verdict([](Packet&) {}), PacketVerdict::good);
  EXPECT_EQ(verdict([](Packet& it) { it.offset = 1; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.offset = 0xFFFFFFFF; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.total = 599; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.flags = 4; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.flags = kWantDescribe; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.status = ReplyStatus::busy; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.kind = static_cast<PacketKind>(3); }),
            PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.payload = {}; }), PacketVerdict::malformed);
  EXPECT_EQ(verdict([](Packet& it) { it.total = 5000; }), PacketVerdict::good);  // a first fragment
  EXPECT_EQ(verdict([&](Packet& it) {
              it.total = 5000;
              it.payload = it.payload.first(511);
            }),
            PacketVerdict::malformed);  // too small for a fragment
}

TEST(Packet, AnotherVersionIsReported) {
  std::vector<std::uint8_t> bytes = to_bytes(request_of(bytes_from(10, 3)));
  bytes[4] = 2;
  EXPECT_EQ(parse_packet(bytes).verdict, PacketVerdict::wrong_version);
}

TEST(Packet, AnswersAndDescriptionsRoundTrip) {
  const Answer answer{9, 16825, {1, -2, 3, -32768}};
  Answer back;
  EXPECT_TRUE(parse_answer(to_bytes(answer), back));
  EXPECT_EQ(back, answer);
  std::vector<std::uint8_t> truncated = to_bytes(answer);
  truncated.pop_back();
  EXPECT_FALSE(parse_answer(truncated, back));
  EXPECT_FALSE(parse_answer({}, back));
  const Description description{784, 10, 16825, true, "digits"};
  Description again;
  EXPECT_TRUE(parse_description(to_bytes(description), again));
  EXPECT_EQ(again, description);
  EXPECT_FALSE(parse_description(std::span(truncated).first(5), again));
}

}  // namespace
}  // namespace loom::photonic
