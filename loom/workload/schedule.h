// The messages of a collective in compact form.
//
// A schedule is a short list of phases; a phase is a graph of channels. A channel carries a
// sequence of messages from one rank to another, one at a time and in order. Message q of a channel
// may start when its source rank has entered the phase and, for each wait of the channel, message
// q-lag of the other channel has arrived (if q >= lag). A rank enters the next phase when every
// channel that leaves or reaches the rank in the current phase is done.
//
// A ring of n ranks is n channels of 2(n-1) messages each; every channel waits for its predecessor
// with a lag of one step. So memory is linear in the number of ranks, although the number of
// messages is quadratic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loom/base/units.h"
#include "loom/workload/collective.h"

namespace loom::workload {

// A sequence of messages between two ranks. `extent` is divided into the number of blocks of the
// phase. Each step sends `count` consecutive blocks, beginning with block (first - step) modulo the
// number of blocks, in `chunks` messages: message q is chunk q % chunks of step q / chunks. The
// blocks of a step never wrap around the end of the extent. A message of no bytes is still sent.
struct Channel {
  int source = 0;       // rank
  int destination = 0;  // rank
  Bytes extent{};
  int first = 0;
  int count = 1;
  int steps = 1;
  // Offset of the extent in the full buffer; for an all_to_all, in the buffer of the sender (0 if
  // hierarchical, because forwarded data is scattered over the buffer).
  Bytes offset{};
};

struct Wait {
  int channel = 0;
  int lag = 0;  // in messages
};

struct Phase {
  int blocks = 1;
  int chunks = 1;
  std::vector<Channel> channels;
  std::vector<int> first_wait;  // channel c has waits[first_wait[c]] … waits[first_wait[c + 1] - 1]
  std::vector<Wait> waits;

  int messages(int channel) const {
    return channels[static_cast<std::size_t>(channel)].steps * chunks;
  }
  std::span<const Wait> waits_of(int channel) const {
    const auto c = static_cast<std::size_t>(channel);
    return {waits.data() + first_wait[c],
            static_cast<std::size_t>(first_wait[c + 1] - first_wait[c])};
  }
  Bytes size(int channel, int message) const;
};

struct Schedule {
  int ranks = 0;
  std::vector<Phase> phases;
};

// The schedule of a collective. Requires that there is no objection(collective, ranks).
Schedule schedule(const Collective& collective, int ranks);

// If every rank sends the same number of bytes to every other at once and nothing waits: a schedule
// in which one channel per phase represents all n (n - 1) channels. Otherwise nothing.
std::optional<Schedule> even_exchange(const Collective& collective, int ranks);

// The length of the longest chain of waits before the first message of each channel. Waits with a
// lag, as in a ring, do not count. Channels of equal depth may send at the same time.
std::vector<int> channel_depths(const Phase& phase);

// Total bytes of all messages of a channel.
Int128 channel_bytes(const Phase& phase, int channel);

// Total number of messages.
std::int64_t message_count(const Schedule& schedule);

// Total bytes of all messages; LimitError if they exceed 63 bits.
Bytes total_bytes(const Schedule& schedule);

}  // namespace loom::workload
