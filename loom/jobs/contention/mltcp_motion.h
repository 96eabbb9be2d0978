// Computes the progress of MLTCP senders, whose weights depend on how much they have sent.
//
// A sender's weight is F(r) or its square root, and r, the fraction already sent, grows with the
// bandwidth that the weight yields: an ordinary differential equation. If all senders share one
// link that each could fill by itself, it has a closed form. With s the time divided by the sum of
// all weights, ds = dt / sum,
//   dF / ds = k F        so F = F0 exp(k s),           k = slope * capacity * weight / bits
//   d sqrt(F) / ds = k / 2, a constant, in square-root mode,
// where `weight` is the job's configured weight and `bits` are those of an iteration. The elapsed
// time is the integral of the weights over s. (In linear mode, the ratio of the F of two equal jobs
// stays constant while they contend, so that the paper's Shift(D) is exact.)
// Otherwise the equation is integrated by the Dormand-Prince method of order 5(4) (J. Comp. Appl.
// Math. 6, 1980) with an error per step below 1e-10 of the longest stage. Speeds have a kink where
// a sender's bottleneck changes; a step across a kink is at most 1e-5 of the longest stage.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/contention/contention.h"

namespace loom::jobs {

class MltcpMotion {
 public:
  // Whether the closed form applies.
  static bool has_closed_form(const Contention& contention);

  // Advances `left`, the remaining time of each sender's stage at speed 1, by `time` picoseconds or
  // to the first end of a stage, whichever is earlier. Returns the time advanced.
  double move(const Contention& contention, const JobTransport& transport, std::span<double> left,
              double time);
  double move_by_steps(const Contention& contention, const JobTransport& transport,
                       std::span<double> left, double time);

 private:
  double move_exactly(const Contention& contention, const JobTransport& transport,
                      std::span<double> left, double time) const;
  void slopes(const Contention& contention, const JobTransport& transport,
              std::span<const double> left, std::vector<double>& slope);
  void begin_steps(const Contention& contention, const JobTransport& transport,
                   std::span<const double> left);
  double try_step(const Contention& contention, const JobTransport& transport,
                  std::span<const double> left, double step);
  double to_first_end(std::span<const double> left) const;

  Filling filling_;
  std::vector<double> weights_;
  std::uint64_t pattern_ = 0;               // bottleneck pattern at the start of the step
  std::vector<double> stage_;               // intermediate state at which a slope is evaluated
  std::vector<double> next_;                // state after the step
  std::vector<std::vector<double>> slope_;  // seven slopes; the last is at next_
};

}  // namespace loom::jobs
