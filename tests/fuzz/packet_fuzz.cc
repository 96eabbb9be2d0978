// A sequence of datagrams to the inference server: the input is split into length-prefixed
// datagrams, so that the fuzzer can recombine them. Each is counted once; a good one survives a
// round trip.
#include <algorithm>

#include "loom/photonic/server/inference_server.h"
#include "tests/fuzz/fuzz.h"

namespace photonic = loom::photonic;

namespace {

photonic::ServedNetwork network(std::uint16_t id, std::uint32_t inputs) {
  photonic::ServedNetwork it;
  it.id = id;
  it.name = "fuzz";
  it.inputs = inputs;
  it.outputs = 1;
  it.run = [](std::span<const std::uint8_t>, std::uint64_t) { return photonic::PhotonicResult(); };
  return it;
}

void check(const std::span<const std::uint8_t> datagram) {
  const photonic::ParsedPacket parsed = photonic::parse_packet(datagram);
  if (parsed.verdict == photonic::PacketVerdict::good) {
    const std::vector<std::uint8_t> again = to_bytes(parsed.packet);
    LOOM_CHECK(std::equal(again.begin(), again.end(), datagram.begin(), datagram.end()),
               "a good packet survives a round trip");
  }
  photonic::Answer answer;
  photonic::parse_answer(datagram, answer);
  photonic::Description description;
  photonic::parse_description(datagram, description);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  photonic::InferenceServer server({network(0, 1), network(1, 700), network(2, 2000)});
  std::span<const std::uint8_t> rest(data, size);
  while (rest.size() >= 2) {
    const std::size_t length =
        std::min<std::size_t>(rest.size() - 2, std::size_t{rest[0]} * 256 + rest[1]);
    const auto datagram = rest.subspan(2, length);
    rest = rest.subspan(2 + length);
    check(datagram);
    server.handle(datagram, "fuzz", {});
  }
  server.expire(photonic::ArrivalTime{} + std::chrono::seconds(2));
  const photonic::ServerCounters& it = server.counters();
  LOOM_CHECK(it.received == it.answered + it.described + it.passed_through + it.truncated +
                                it.replies + it.wrong_version + it.malformed + it.unknown_model +
                                it.wrong_size + it.too_large + it.busy + it.fragments,
             "every datagram is counted once");
  return 0;
}
