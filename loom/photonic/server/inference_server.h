// What a server does with a datagram: answer, count, or wait for more. No sockets here.
//
// Rules: what does not begin as our packets do is other traffic, which a network card would pass
// on: counted, never answered. A header that is not whole, and a reply, are dropped and counted; so
// two servers never talk to each other. Every other fault is answered by its status in a header
// alone, no longer than what was sent. The same request twice gets the same answer twice: a client
// that lost one asks again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/photonic/datapath/functional.h"
#include "loom/photonic/server/assembly.h"
#include "loom/photonic/server/latencies.h"
#include "loom/photonic/server/packet.h"

namespace loom::photonic {

// A network under its number. `run` gets an input of the right size and the request's number, from
// which its noise follows.
struct ServedNetwork {
  std::uint16_t id = 0;
  std::string name;
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint64_t cycles = 0;
  bool noisy = false;
  std::function<PhotonicResult(std::span<const std::uint8_t>, std::uint64_t)> run;
};

struct ServerCounters {
  std::int64_t received = 0;
  std::int64_t received_bytes = 0;
  std::int64_t answered = 0;   // with a result
  std::int64_t described = 0;  // with what a network is
  std::int64_t passed_through = 0;
  std::int64_t truncated = 0;  // dropped
  std::int64_t replies = 0;    // dropped
  std::int64_t wrong_version = 0;
  std::int64_t malformed = 0;
  std::int64_t unknown_model = 0;
  std::int64_t wrong_size = 0;
  std::int64_t too_large = 0;
  std::int64_t busy = 0;
  std::int64_t fragments = 0;  // of inputs that were not whole yet
  std::int64_t given_up = 0;   // inputs whose other parts never came
  std::int64_t send_failures = 0;

  bool operator==(const ServerCounters&) const = default;
};

class InferenceServer {
 public:
  // Needs at least one network, and numbers of their own.
  explicit InferenceServer(std::vector<ServedNetwork> networks, AssemblyLimits limits = {});

  // The datagram to send back, if there is one. `sender` tells clients apart.
  std::optional<std::vector<std::uint8_t>> handle(std::span<const std::uint8_t> datagram,
                                                  const std::string& sender, TimePoint now);

  // To be called now and then: gives up inputs whose parts never came.
  void expire(TimePoint now);
  void count_send_failure() { ++counters_.send_failures; }

  const ServerCounters& counters() const { return counters_; }
  const std::vector<ServedNetwork>& networks() const { return networks_; }
  std::int64_t answers_of(std::uint16_t id) const;
  const Latencies& compute_times() const { return compute_; }

 private:
  std::vector<std::uint8_t> request(const Packet& packet, const std::string& sender, TimePoint now,
                                    bool& silent);
  std::vector<std::uint8_t> answer(const ServedNetwork& network, const Packet& packet,
                                   std::span<const std::uint8_t> input);

  std::vector<ServedNetwork> networks_;
  std::map<std::uint16_t, std::size_t> by_id_;
  std::vector<std::int64_t> answers_;
  Assembly assembly_;
  ServerCounters counters_;
  Latencies compute_;
};

}  // namespace loom::photonic
