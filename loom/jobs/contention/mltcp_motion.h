// How senders move whose weights go with what they have sent.
//
// Under MLTCP a sender's weight is F(r), or its root, and r grows with the bandwidth that the
// weight gives it: an ordinary differential equation. Where all meet on one full link, each able to
// fill it alone, it has a closed form. With s for the time that runs at 1 / (sum of the weights),
//   dF / ds = k F        so F = F0 exp(k s),           k = slope * capacity * weight / bits
//   d sqrt(F) / ds = k / 2, a constant, in the other mode,
// and the time gone is the integral of the weights over s. (So the ratio of two equal jobs' F stays
// as it was when they met, which is what makes Shift(D) exact.) Elsewhere the equation is
// integrated by Dormand and Prince's method of order 5(4) (J. Comp. Appl. Math. 6, 1980), every
// step held to an error of 1e-10 of the longest stage. Speeds bend where another link becomes the
// one that holds a sender up; a step over such a place is at most 1e-5 of the longest stage.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/contention/contention.h"

namespace loom {

class MltcpMotion {
 public:
  // Whether it is the closed form that moves them.
  static bool has_closed_form(const Contention& contention);

  // Moves `left`, by sender, on for `time` picoseconds, or to the first end of a stage if that is
  // earlier. Returns how long it went.
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
  std::uint64_t pattern_ = 0;               // of what holds up whom, where the step begins
  std::vector<double> stage_;               // where a slope is taken
  std::vector<double> next_;                // after a step
  std::vector<std::vector<double>> slope_;  // seven, the last that of next_
};

}  // namespace loom
