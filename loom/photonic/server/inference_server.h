// Request handling of the inference server: turns each datagram into a reply, without using sockets
// (see serve.h).
//
// Rules: datagrams without our magic number are other traffic, which a SmartNIC would forward; they
// are counted and never answered. Truncated headers and replies are dropped and counted, so that
// two servers never answer each other. Every other error is answered by a header with a status and
// no payload, which is not longer than the request. A repeated request is answered again, because
// the first answer may have been lost.
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

// A network that the server offers under a number. `run` takes an input of the right size and the
// request number, which selects the noise.
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
  std::int64_t answered = 0;   // requests answered with a result
  std::int64_t described = 0;  // requests answered with a description of the model
  std::int64_t passed_through = 0;
  std::int64_t truncated = 0;  // dropped
  std::int64_t replies = 0;    // dropped
  std::int64_t wrong_version = 0;
  std::int64_t malformed = 0;
  std::int64_t unknown_model = 0;
  std::int64_t wrong_size = 0;
  std::int64_t too_large = 0;
  std::int64_t busy = 0;
  std::int64_t fragments = 0;  // fragments after which the input was still incomplete
  std::int64_t given_up = 0;   // inputs dropped because fragments were missing
  std::int64_t send_failures = 0;

  bool operator==(const ServerCounters&) const = default;
};

class InferenceServer {
 public:
  // Needs at least one network. The numbers of the networks must be unique.
  explicit InferenceServer(std::vector<ServedNetwork> networks, AssemblyLimits limits = {});

  // The datagram to send back, if any. `sender` identifies the client.
  std::optional<std::vector<std::uint8_t>> handle(std::span<const std::uint8_t> datagram,
                                                  const std::string& sender, ArrivalTime now);

  // Drops inputs whose fragments never arrived; to be called periodically.
  void expire(ArrivalTime now);
  void count_send_failure() { ++counters_.send_failures; }

  const ServerCounters& counters() const { return counters_; }
  const std::vector<ServedNetwork>& networks() const { return networks_; }
  std::int64_t answers_of(std::uint16_t id) const;
  const Latencies& compute_times() const { return compute_; }

 private:
  std::vector<std::uint8_t> request(const Packet& packet, const std::string& sender,
                                    ArrivalTime now, bool& silent);
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
