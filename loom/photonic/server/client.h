// The other end: sends requests, sends again what got lost, and measures.
//
// Replies are matched by request number, so they may come in any order and more than once. An input
// of many parts is sent with pauses, so that the server's buffer is not full before its end. With a
// rate, a request's time counts from the moment it was due, not from when it could be sent: a slow
// server cannot hide its queue by slowing the client down.
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
  std::span<const std::uint8_t> inputs;    // one after the other; used in turn
  std::size_t input_size = 1;              // at least 1
  std::int64_t count = 1;                  // requests
  double rate = 0;                         // requests a second; 0: as fast as the window allows
  int window = 32;                         // unanswered at once
  std::chrono::milliseconds timeout{200};  // then it is sent again
  int tries = 10;
  std::uint64_t first_request = 1;  // numbers go up from here
};

struct LoadAnswer {
  bool answered = false;
  ReplyStatus status = ReplyStatus::ok;
  Answer answer;
  std::chrono::nanoseconds time{0};  // to the first reply
};

struct LoadResult {
  std::vector<LoadAnswer> answers;  // by request
  std::int64_t sent_again = 0;
  std::int64_t lost = 0;        // no reply in all tries
  std::int64_t duplicates = 0;  // further replies to what was answered
  std::int64_t strange = 0;     // datagrams that are no reply to us
  double seconds = 0;           // from the first request to the last reply
};

LoadResult run_load(UdpSocket& socket, const LoadSpec& spec);

// What the server says of a network; nullopt where it does not answer or knows none (`status`).
std::optional<Description> describe(UdpSocket& socket, std::uint16_t model, ReplyStatus& status);

}  // namespace loom::photonic
