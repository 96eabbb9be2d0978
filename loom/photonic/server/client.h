// Client of an inference server: sends requests over UDP, resends lost requests, and measures
// latency.
//
// Replies are matched by request number, so they may arrive in any order and more than once. An
// input of many fragments is sent with pauses, so that it does not overflow the server's buffer. If
// a rate is given, latency is measured from the scheduled time of a request, not from the time at
// which it is sent, so that a slow server cannot hide its queue by slowing the client down.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/photonic/server/packet.h"
#include "loom/photonic/server/udp_socket.h"

namespace loom::photonic {

struct LoadSpec {
  std::uint16_t model = 1;
  bool logits = false;
  std::span<const std::uint8_t> inputs;    // all inputs, concatenated; used round-robin
  std::size_t input_size = 1;              // at least 1
  std::int64_t count = 1;                  // number of requests
  double rate = 0;                         // requests per second; 0: as fast as the window allows
  int window = 32;                         // maximum number of unanswered requests
  std::chrono::milliseconds timeout{200};  // time until a request is sent again
  int tries = 10;
  std::uint64_t first_request = 1;  // first request number
};

struct LoadAnswer {
  bool answered = false;
  ReplyStatus status = ReplyStatus::ok;
  Answer answer;
  // From the scheduled time (without a rate: the first transmission) to the first reply.
  std::chrono::nanoseconds time{0};
};

struct LoadResult {
  std::vector<LoadAnswer> answers;  // per request
  std::int64_t sent_again = 0;
  std::int64_t lost = 0;        // requests without a reply after all tries
  std::int64_t duplicates = 0;  // replies to requests that are answered or lost
  std::int64_t strange = 0;     // datagrams that are not replies to this client
  double seconds = 0;           // from the first request to the last reply or loss
};

LoadResult run_load(UdpSocket& socket, const LoadSpec& spec);

// The server's description of a network; nullopt if the server does not answer or does not know the
// network (see `status`).
std::optional<Description> describe(UdpSocket& socket, std::uint16_t model, ReplyStatus& status);

}  // namespace loom::photonic
