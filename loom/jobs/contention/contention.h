// Jobs that ask more of some links than these have, and how fast each goes on.
//
// A sender is a job in one stage. It sends as one: where it goes at speed s every link carries s
// times what the stage asks of it, and its bandwidth is that on the link it asks most of. Only the
// links that are asked for more than they have are listed, for no other holds anyone up.
//
// Weighted max-min fairness in floating point: the weights of mltcp are real numbers that change
// all the time, which transport/max_min.h, exact and kept up to date for whole weights, is not for.
// Cost: rounds of filling, at most one a sender, each over all hops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/contention/job_transport.h"

namespace loom {

struct LinkFraction {
  int link = 0;   // in Contention::capacity
  double of = 1;  // of the sender's bandwidth
};

struct Sender {
  double rate = 0;       // bandwidth at speed 1, in bit/s
  double weight = 1;     // the job's own
  double left = 0;       // of the stage: picoseconds at speed 1
  double bits = 0;       // of an iteration
  double bits_left = 0;  // of the iteration, when this stage is over
  std::size_t first_hop = 0;
  std::size_t hop_count = 0;
};

struct Contention {
  std::vector<Sender> senders;
  std::vector<LinkFraction> hops;
  std::vector<double> capacity;  // bit/s

  std::span<const LinkFraction> path(const Sender& sender) const {
    return {hops.data() + sender.first_hop, sender.hop_count};
  }
};

// F of the iteration's bytes that are sent when so much of the stage is left.
double mltcp_factor(const Sender& sender, double left, const JobTransport& transport);

// What a sender counts for when so much of its stage is left.
double sharing_weight(const Sender& sender, double left, const JobTransport& transport);

// The bits of its iteration that a sender has yet to send.
double bits_to_send(const Sender& sender, double left);

// Weighted max-min fair speeds, none above 1. Keeps what it needs from call to call.
class Filling {
 public:
  void fill(const Contention& contention, std::span<const double> weights,
            std::span<double> speeds);

  // What held up whom in the last fill(), as a hash: speeds bend where it changes.
  std::uint64_t pattern() const { return pattern_; }

 private:
  bool held_up(const Contention& contention, int sender, double weight, double level);

  std::uint64_t pattern_ = 0;
  std::vector<double> room_;    // by link
  std::vector<double> weight_;  // by link: of the senders that are not fixed
  std::vector<int> open_;       // senders that are not fixed
};

// Speeds of the senders in this order: each takes what those before it leave.
void fill_in_order(const Contention& contention, std::span<const int> order,
                   std::span<double> speeds);

}  // namespace loom
