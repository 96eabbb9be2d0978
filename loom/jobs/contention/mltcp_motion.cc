#include "loom/jobs/contention/mltcp_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "loom/base/units.h"
#include "loom/jobs/contention/transports/mltcp.h"

namespace loom::jobs {
namespace {

constexpr double kTolerance = 1e-10;  // max error of a step, relative to the longest stage
constexpr double kKinkStep = 1e-5;    // max step across a kink, relative to the longest stage
constexpr int kMaxKinks = 200;        // max refinements at kinks: a tie would cause endless kinks
constexpr double kThere = 0.25;       // picoseconds; a stage with less time left has ended
constexpr double kNoChange = std::numeric_limits<double>::infinity();

// (exp(x) - 1) / x.
double mean_exp(double x) { return std::abs(x) < 1e-12 ? 1 + x / 2 : std::expm1(x) / x; }

// A sender in the closed form, with the growth of its weight over s.
struct Grower {
  double factor = 0;  // current F, or its square root
  double growth = 0;  // d log(F) / ds, or d sqrt(F) / ds
  double pull = 0;    // multiplier of F, or of its square root, in the sum of weights
};

Grower grower(const Contention& contention, const Sender& sender, double left,
              const JobTransport& transport) {
  const double factor = mltcp_factor(sender, left, transport);
  const double growth = transport.slope * contention.capacity.front() * sender.weight /
                        sender.bits / kPicosecondsPerSecond;
  const double pull = sender.weight * contention.path(sender).front().of;
  return transport.share == MltcpShare::linear ? Grower{factor, growth, pull}
                                               : Grower{std::sqrt(factor), growth / 2, pull};
}

// The value of s at which the stage ends.
double end_of(const Grower& it, const Sender& sender, const JobTransport& transport) {
  const double factor = mltcp_factor(sender, 0, transport);
  return transport.share == MltcpShare::linear ? std::log(factor / it.factor) / it.growth
                                               : (std::sqrt(factor) - it.factor) / it.growth;
}

// The integral of the sender's weight from 0 to s.
double pulled(const Grower& it, double s, MltcpShare share) {
  const double mean = share == MltcpShare::linear ? it.factor * mean_exp(it.growth * s)
                                                  : it.factor + it.growth * s / 2;
  return it.pull * s * mean;
}

double weight_at(const Grower& it, double s, MltcpShare share) {
  return it.pull * (share == MltcpShare::linear ? it.factor * std::exp(it.growth * s)
                                                : it.factor + it.growth * s);
}

double time_at(const std::vector<Grower>& all, double s, MltcpShare share) {
  double time = 0;
  for (const Grower& it : all) time += pulled(it, s, share);
  return time;
}

// The s in [0, high] that corresponds to `time`: Newton's method, with bisection where it would
// leave the bracket.
double s_at(const std::vector<Grower>& all, double time, double high, MltcpShare share) {
  double low = 0;
  double s = high * time / time_at(all, high, share);
  for (int i = 0; i < 200; ++i) {
    const double off = time_at(all, s, share) - time;
    if (std::abs(off) <= 1e-15 * time) return s;
    (off > 0 ? high : low) = s;
    double weights = 0;
    for (const Grower& it : all) weights += weight_at(it, s, share);
    const double next = s - off / weights;
    if (next == s) return s;
    s = next > low && next < high ? next : (low + high) / 2;
  }
  return s;
}

// Dormand-Prince coefficients: the stages, and the difference between the results of order 5 and 4.
constexpr std::array<std::array<double, 6>, 6> kStages = {{
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
constexpr std::array<double, 7> kError = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

}  // namespace

bool MltcpMotion::has_closed_form(const Contention& contention) {
  if (contention.capacity.size() != 1) return false;
  return std::all_of(contention.senders.begin(), contention.senders.end(), [&](const Sender& it) {
    return it.rate * contention.path(it).front().of >= contention.capacity.front();
  });
}

double MltcpMotion::move(const Contention& contention, const JobTransport& transport,
                         std::span<double> left, double time) {
  return transport.kind == &kMltcp && has_closed_form(contention)
             ? move_exactly(contention, transport, left, time)
             : move_by_steps(contention, transport, left, time);
}

double MltcpMotion::move_exactly(const Contention& contention, const JobTransport& transport,
                                 std::span<double> left, double time) const {
  std::vector<Grower> all;
  double s = kNoChange;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Sender& sender = contention.senders[i];
    all.push_back(grower(contention, sender, left[i], transport));
    s = std::min(s, end_of(all.back(), sender, transport));
  }
  const double until_end = time_at(all, s, transport.share);
  const bool ends = until_end <= time;
  if (!ends) s = s_at(all, time, s, transport.share);
  for (std::size_t i = 0; i < left.size(); ++i) {
    // The bits sent are the integral of the weight times the capacity.
    const Sender& sender = contention.senders[i];
    const double sent = pulled(all[i], s, transport.share) * contention.capacity.front() /
                        contention.path(sender).front().of;
    left[i] = std::max(0.0, left[i] - sent / sender.rate);
  }
  return ends ? until_end : time;
}

void MltcpMotion::slopes(const Contention& contention, const JobTransport& transport,
                         std::span<const double> left, std::vector<double>& slope) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    weights_[i] = transport.kind->weight(contention.senders[i], std::max(0.0, left[i]), transport);
  }
  filling_.fill(contention, weights_, slope);
  for (double& it : slope) it = -it;
}

// Tries a step: sets next_ and the last slope, and returns the error in picoseconds.
double MltcpMotion::try_step(const Contention& contention, const JobTransport& transport,
                             std::span<const double> left, double step) {
  for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k <= stage; ++k) sum += kStages[stage][k] * slope_[k][i];
      stage_[i] = left[i] + step * sum;
    }
    slopes(contention, transport, stage_, slope_[stage + 1]);
  }
  next_ = stage_;  // the last stage is evaluated at the end of the step
  double worst = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    double error = 0;
    for (std::size_t k = 0; k < kError.size(); ++k) error += kError[k] * slope_[k][i];
    worst = std::max(worst, std::abs(step * error));
  }
  return worst;
}

void MltcpMotion::begin_steps(const Contention& contention, const JobTransport& transport,
                              std::span<const double> left) {
  weights_.resize(left.size());
  stage_.resize(left.size());
  slope_.resize(kStages.size() + 1);
  for (auto& it : slope_) it.resize(left.size());
  slopes(contention, transport, left, slope_[0]);
  pattern_ = filling_.pattern();
}

double MltcpMotion::move_by_steps(const Contention& contention, const JobTransport& transport,
                                  std::span<double> left, double time) {
  begin_steps(contention, transport, left);
  const double longest = *std::max_element(left.begin(), left.end());
  const double tolerance = std::max(kTolerance * longest, 1e-3);
  double gone = 0;
  double step = longest;
  int kinks = 0;
  while (*std::min_element(left.begin(), left.end()) > kThere && gone < time) {
    step = std::min(step, time - gone);
    // Stops at the first stage end predicted by the current speeds.
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (slope_[0][i] < 0) step = std::min(step, -left[i] / slope_[0][i]);
    }
    const double error = try_step(contention, transport, left, step);
    const double factor = error == 0 ? 5 : 0.9 * std::pow(tolerance / error, 0.2);
    const bool tiny = step <= 1;  // 1 ps: the step is at a kink that no smaller step resolves
    const bool bent = filling_.pattern() != pattern_ && step > kKinkStep * longest && !tiny;
    if (bent && ++kinks < kMaxKinks) {
      step *= 0.25;
      continue;
    }
    if (const double back = to_first_end(left); back < 1 || (error > tolerance && !tiny)) {
      step *= back < 1 ? std::min(back, std::max(factor, 0.1)) : std::clamp(factor, 0.1, 0.9);
      continue;
    }
    pattern_ = filling_.pattern();
    std::copy(next_.begin(), next_.end(), left.begin());
    std::swap(slope_.front(), slope_.back());
    gone = step >= time - gone ? time : gone + step;
    step *= std::clamp(factor, 0.2, 5.0);
  }
  for (double& it : left) it = std::max(it, 0.0);
  return gone;
}

// The fraction of the step up to the first end of a stage if the step went beyond it; otherwise 1.
double MltcpMotion::to_first_end(std::span<const double> left) const {
  double back = 1;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (next_[i] < -kThere) back = std::min(back, left[i] / (left[i] - next_[i]));
  }
  return back;
}

}  // namespace loom::jobs
