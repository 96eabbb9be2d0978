// Computes the speeds of jobs whose combined demand exceeds the capacity of some links, by weighted
// max-min fairness.
//
// A sender is a job in one stage, treated as one flow: at speed s, at most 1, it sends s times the
// stage's rate over each link, and its bandwidth is the largest of these rates. Only overloaded
// links are listed; others limit no sender. Uses floating point because MLTCP's weights are real
// numbers; the exact transport/max_min.h has integer weights. Cost: at most one round of filling
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
  double bits = 0;       // bits sent per iteration
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

// The bits that a sender still has to send in this iteration; `left` as in Sender.
double bits_to_send(const Sender& sender, double left);

// Computes weighted max-min fair speeds, at most 1. Reuses its buffers between calls.
class Filling {
 public:
  void fill(const Contention& contention, std::span<const double> weights,
            std::span<double> speeds);

  // Hash of the bottlenecks of all senders in the last fill(). Where it changes over time, speeds
  // have a kink.
  std::uint64_t pattern() const { return pattern_; }

 private:
  bool held_up(const Contention& contention, int sender, double weight, double level);

  std::uint64_t pattern_ = 0;
  std::vector<double> room_;    // remaining capacity per link
  std::vector<double> weight_;  // per link: total weight of the senders not yet fixed
  std::vector<int> open_;       // senders not yet fixed
};

// Computes speeds under strict priority: each sender gets the capacity that the senders before it
// in `order` leave.
void fill_in_order(const Contention& contention, std::span<const int> order,
                   std::span<double> speeds);

}  // namespace loom::jobs
