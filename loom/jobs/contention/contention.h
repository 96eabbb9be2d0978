// Speeds of jobs whose combined demand exceeds the capacity of some links.
//
// A sender is a job in one stage, treated as one flow: at speed s every link carries s times the
// stage's rate on it, and the sender's bandwidth is that on its most loaded link. Only overloaded
// links are listed, since no other link limits anyone. Weighted max-min fairness in floating point:
// MLTCP's weights are real numbers that change continuously, which the exact incremental
// transport/max_min.h with its integer weights does not support. Cost: at most one round of filling
// per sender, each over all hops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/contention/job_transport.h"

namespace loom::jobs {

struct LinkFraction {
  int link = 0;   // index into Contention::capacity
  double of = 1;  // fraction of the sender's bandwidth
};

struct Sender {
  double rate = 0;       // bandwidth at speed 1, in bit/s
  double weight = 1;     // the job's configured weight
  double left = 0;       // remaining time of the stage, in picoseconds at speed 1
  double bits = 0;       // per iteration
  double bits_left = 0;  // bits of the iteration still unsent when this stage ends
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

// The bits of its iteration that a sender still has to send.
double bits_to_send(const Sender& sender, double left);

// Weighted max-min fair speeds, at most 1. Reuses its buffers between calls.
class Filling {
 public:
  void fill(const Contention& contention, std::span<const double> weights,
            std::span<double> speeds);

  // Hash of which bottleneck limits which sender in the last fill(): speeds have a kink where it
  // changes.
  std::uint64_t pattern() const { return pattern_; }

 private:
  bool held_up(const Contention& contention, int sender, double weight, double level);

  std::uint64_t pattern_ = 0;
  std::vector<double> room_;    // remaining capacity per link
  std::vector<double> weight_;  // per link: total weight of the senders not yet fixed
  std::vector<int> open_;       // senders not yet fixed
};

// Speeds under strict priority in this order: each sender gets what those before it leave.
void fill_in_order(const Contention& contention, std::span<const int> order,
                   std::span<double> speeds);

}  // namespace loom::jobs
