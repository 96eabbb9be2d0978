#include "loom/photonic/server/inference_server.h"

#include <utility>

#include "loom/base/error.h"

namespace loom::photonic {
namespace {

// Max bytes of a network's name in a description: a reply must not be much longer than its request.
constexpr std::size_t kLongestName = 64;

// A reply to this packet with this status and an optional body.
std::vector<std::uint8_t> reply_to(const Packet& packet, ReplyStatus status,
                                   std::span<const std::uint8_t> body = {}) {
  Packet reply;
  reply.kind = PacketKind::reply;
  reply.flags = static_cast<std::uint16_t>(packet.flags & (kWantLogits | kWantDescribe));
  reply.model = packet.model;
  reply.status = status;
  reply.request = packet.request;
  reply.total = static_cast<std::uint32_t>(body.size());
  reply.payload = body;
  return to_bytes(reply);
}

}  // namespace

InferenceServer::InferenceServer(std::vector<ServedNetwork> networks, AssemblyLimits limits)
    : networks_(std::move(networks)), answers_(networks_.size(), 0), assembly_(limits) {
  LOOM_CHECK(!networks_.empty(), "a server has a network to serve");
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    LOOM_CHECK(by_id_.emplace(networks_[i].id, i).second, "networks have unique numbers");
  }
}

std::optional<std::vector<std::uint8_t>> InferenceServer::handle(
    std::span<const std::uint8_t> datagram, const std::string& sender, ArrivalTime now) {
  ++counters_.received;
  counters_.received_bytes += static_cast<std::int64_t>(datagram.size());
  const ParsedPacket parsed = parse_packet(datagram);
  const Packet& packet = parsed.packet;
  switch (parsed.verdict) {
    case PacketVerdict::other_traffic:
      ++counters_.passed_through;
      return std::nullopt;
    case PacketVerdict::truncated:
      ++counters_.truncated;
      return std::nullopt;
    default:
      break;
  }
  if (packet.kind == PacketKind::reply) {
    ++counters_.replies;
    return std::nullopt;
  }
  if (parsed.verdict == PacketVerdict::wrong_version) {
    ++counters_.wrong_version;
    return reply_to(packet, ReplyStatus::wrong_version);
  }
  if (parsed.verdict == PacketVerdict::malformed) {
    ++counters_.malformed;
    return reply_to(packet, ReplyStatus::malformed);
  }
  bool silent = false;
  std::vector<std::uint8_t> reply = request(packet, sender, now, silent);
  if (silent) return std::nullopt;
  return reply;
}

// The reply to a request. Sets `silent` if there is no reply because fragments are missing.
std::vector<std::uint8_t> InferenceServer::request(const Packet& packet, const std::string& sender,
                                                   ArrivalTime now, bool& silent) {
  const auto found = by_id_.find(packet.model);
  if (found == by_id_.end()) {
    ++counters_.unknown_model;
    return reply_to(packet, ReplyStatus::unknown_model);
  }
  const ServedNetwork& network = networks_[found->second];
  if ((packet.flags & kWantDescribe) != 0) {
    ++counters_.described;
    return reply_to(packet, ReplyStatus::ok,
                    to_bytes(Description{network.inputs, network.outputs, network.cycles,
                                         network.noisy, network.name.substr(0, kLongestName)}));
  }
  if (packet.total > kLargestInput) {
    ++counters_.too_large;
    return reply_to(packet, ReplyStatus::too_large);
  }
  if (packet.total != network.inputs) {
    ++counters_.wrong_size;
    return reply_to(packet, ReplyStatus::wrong_size);
  }
  if (packet.payload.size() == packet.total) return answer(network, packet, packet.payload);
  std::vector<std::uint8_t> whole;
  switch (assembly_.take(sender, packet, now, whole)) {
    case Assembly::Outcome::whole:
      return answer(network, packet, whole);
    case Assembly::Outcome::full:
      ++counters_.busy;
      return reply_to(packet, ReplyStatus::busy);
    case Assembly::Outcome::contradiction:
      ++counters_.malformed;
      return reply_to(packet, ReplyStatus::malformed);
    case Assembly::Outcome::waiting:
      break;
  }
  ++counters_.fragments;
  silent = true;
  return {};
}

std::vector<std::uint8_t> InferenceServer::answer(const ServedNetwork& network,
                                                  const Packet& packet,
                                                  std::span<const std::uint8_t> input) {
  const auto begun = std::chrono::steady_clock::now();
  const PhotonicResult result = network.run(input, packet.request);
  compute_.add(std::chrono::steady_clock::now() - begun);
  Answer answer{
      static_cast<std::uint32_t>(result.label), static_cast<std::uint64_t>(result.cycles), {}};
  if ((packet.flags & kWantLogits) != 0) answer.logits = result.logits;
  const std::vector<std::uint8_t> body = to_bytes(answer);
  if (body.size() > kMaxPayload) {
    ++counters_.too_large;
    return reply_to(packet, ReplyStatus::too_large);
  }
  ++counters_.answered;
  ++answers_[by_id_.at(network.id)];
  return reply_to(packet, ReplyStatus::ok, body);
}

void InferenceServer::expire(ArrivalTime now) {
  counters_.given_up += static_cast<std::int64_t>(assembly_.expire(now));
}

std::int64_t InferenceServer::answers_of(std::uint16_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? 0 : answers_[found->second];
}

}  // namespace loom::photonic
