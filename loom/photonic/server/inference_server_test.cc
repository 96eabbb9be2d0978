#include "loom/photonic/server/inference_server.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"
#include "loom/photonic/server/testing.h"

namespace loom::photonic {
namespace {

Packet request_for(std::uint16_t model, std::span<const std::uint8_t> input) {
  Packet packet;
  packet.model = model;
  packet.request = 42;
  packet.total = static_cast<std::uint32_t>(input.size());
  packet.payload = input;
  return packet;
}

class Server : public ::testing::Test {
 protected:
  // The status of the reply, or nullopt without a reply.
  std::optional<ReplyStatus> status_of(const std::vector<std::uint8_t>& datagram) {
    reply_ = server_.handle(datagram, "client", {});
    if (!reply_) return std::nullopt;
    const ParsedPacket parsed = parse_packet(*reply_);
    EXPECT_EQ(parsed.verdict, PacketVerdict::good);
    EXPECT_EQ(parsed.packet.kind, PacketKind::reply);
    return parsed.packet.status;
  }

  Answer answer() const {
    Answer answer;
    EXPECT_TRUE(parse_answer(parse_packet(*reply_).packet.payload, answer));
    return answer;
  }

  InferenceServer server_{{sum_network(1, 4), sum_network(2, 1000), sum_network(9, 2, 20'000)}};
  std::optional<std::vector<std::uint8_t>> reply_;
  const std::vector<std::uint8_t> four_ = {1, 2, 3, 4};
};

TEST_F(Server, AnswersEachNetworkByItsNumber) {
  EXPECT_EQ(status_of(to_bytes(request_for(1, four_))), ReplyStatus::ok);
  EXPECT_EQ(answer(), (Answer{1'000'010, 100, {}}));
  const std::vector<std::uint8_t> thousand(1000, 1);
  Packet packet = request_for(2, thousand);
  packet.flags = kWantLogits;
  EXPECT_EQ(status_of(to_bytes(packet)), ReplyStatus::ok);
  EXPECT_EQ(answer(), (Answer{2'001'000, 100, {2'001'000, 2'001'000, 2'001'000}}));
  EXPECT_EQ(parse_packet(*reply_).packet.request, 42U);
  EXPECT_EQ(server_.answers_of(1), 1);
  EXPECT_EQ(server_.answers_of(2), 1);
  EXPECT_EQ(server_.answers_of(3), 0);
  EXPECT_EQ(server_.compute_times().count(), 2);
}

TEST_F(Server, TheSameRequestTwiceGetsTheSameAnswerTwice) {
  status_of(to_bytes(request_for(1, four_)));
  const auto first = reply_;
  status_of(to_bytes(request_for(1, four_)));
  EXPECT_EQ(reply_, first);
}

TEST_F(Server, DescribesANetwork) {
  Packet packet = request_for(2, {});
  packet.flags = kWantDescribe;
  EXPECT_EQ(status_of(to_bytes(packet)), ReplyStatus::ok);
  Description description;
  ASSERT_TRUE(parse_description(parse_packet(*reply_).packet.payload, description));
  EXPECT_EQ(description, (Description{1000, 3, 100, false, "sum"}));
}

TEST_F(Server, OtherTrafficTruncatedHeadersAndRepliesAreDroppedAndCounted) {
  EXPECT_EQ(status_of({}), std::nullopt);
  EXPECT_EQ(status_of({'G', 'E', 'T', ' ', '/'}), std::nullopt);
  EXPECT_EQ(server_.counters().passed_through, 2);
  EXPECT_EQ(status_of({'L', 'O', 'O', 'M', 1, 1}), std::nullopt);
  EXPECT_EQ(server_.counters().truncated, 1);
  Packet reply = request_for(1, four_);
  reply.kind = PacketKind::reply;
  EXPECT_EQ(status_of(to_bytes(reply)), std::nullopt);
  EXPECT_EQ(server_.counters().replies, 1);
  EXPECT_EQ(server_.counters().received, 4);
}

TEST_F(Server, EveryOtherErrorIsAnsweredByABareHeader) {
  const std::vector<std::uint8_t> three = {1, 2, 3};
  EXPECT_EQ(status_of(to_bytes(request_for(5, four_))), ReplyStatus::unknown_model);
  EXPECT_EQ(reply_->size(), kHeaderSize);
  EXPECT_EQ(status_of(to_bytes(request_for(1, three))), ReplyStatus::wrong_size);
  EXPECT_EQ(reply_->size(), kHeaderSize);
  EXPECT_EQ(status_of(to_bytes(request_for(1, {}))), ReplyStatus::wrong_size);
  const std::vector<std::uint8_t> payload(600);
  Packet large = request_for(1, payload);
  large.total = kLargestInput + 1;
  EXPECT_EQ(status_of(to_bytes(large)), ReplyStatus::too_large);
  std::vector<std::uint8_t> version = to_bytes(request_for(1, four_));
  version[4] = 99;
  EXPECT_EQ(status_of(version), ReplyStatus::wrong_version);
  std::vector<std::uint8_t> longer = to_bytes(request_for(1, four_));
  longer.push_back(0);
  EXPECT_EQ(status_of(longer), ReplyStatus::malformed);
  const ServerCounters& it = server_.counters();
  EXPECT_EQ(it.unknown_model + it.wrong_size + it.too_large + it.wrong_version + it.malformed, 6);
  EXPECT_EQ(it.answered, 0);
}

TEST_F(Server, AnAnswerTooLargeForADatagramIsReported) {
  const std::vector<std::uint8_t> two = {1, 2};
  Packet packet = request_for(9, two);
  packet.flags = kWantLogits;
  EXPECT_EQ(status_of(to_bytes(packet)), ReplyStatus::too_large);
  packet.flags = 0;
  EXPECT_EQ(status_of(to_bytes(packet)), ReplyStatus::ok);
}

TEST_F(Server, FragmentsAreAnsweredWhenTheLastHasArrived) {
  const std::vector<std::uint8_t> thousand(1000, 2);
  Packet packet = request_for(2, thousand);
  packet.offset = 600;
  packet.payload = std::span(thousand).subspan(600);
  EXPECT_EQ(status_of(to_bytes(packet)), std::nullopt);
  packet.offset = 0;
  packet.payload = std::span(thousand).first(600);
  EXPECT_EQ(status_of(to_bytes(packet)), ReplyStatus::ok);
  EXPECT_EQ(answer().label, 2'002'000U);
  EXPECT_EQ(server_.counters().fragments, 1);
  status_of(to_bytes(packet));
  server_.expire(ArrivalTime{} + std::chrono::seconds(2));
  EXPECT_EQ(server_.counters().given_up, 1);
}

// Whatever arrives, the counters add up, and no reply is longer than a valid one may be.
TEST_F(Server, RandomAndDamagedDatagramsAreAllAccountedFor) {
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    std::vector<std::uint8_t> datagram = to_bytes(request_for(1, four_));
    if (random(4) == 0) {
      datagram.assign(random(200), 0);
      for (std::uint8_t& it : datagram) it = static_cast<std::uint8_t>(random(256));
    }
    for (std::uint32_t i = random(4); i > 0 && !datagram.empty(); --i) {
      datagram[random(static_cast<std::uint32_t>(datagram.size()))] =
          static_cast<std::uint8_t>(random(256));
    }
    const auto reply = server_.handle(datagram, "client", {});
    ASSERT_LE(reply ? reply->size() : 0, kHeaderSize + 16 + 64);
  }
  const ServerCounters& it = server_.counters();
  EXPECT_EQ(it.received, 20'000);
  EXPECT_EQ(it.received, it.answered + it.described + it.passed_through + it.truncated +
                             it.replies + it.wrong_version + it.malformed + it.unknown_model +
                             it.wrong_size + it.too_large + it.busy + it.fragments);
  EXPECT_GT(it.answered, 1000);
  EXPECT_EQ(status_of(to_bytes(request_for(1, four_))), ReplyStatus::ok);
}

}  // namespace
}  // namespace loom::photonic
