// Keeps a training job to its time-shift, as CASSINI's agents do (Rajasekaran et al., NSDI 2024,
// section 4): a training loop calls wait() before it communicates, and nothing else changes.
//
//   ShiftAgent<> agent({.epoch = agreed, .shift = 40ms, .period = 120ms});
//   for (;;) { compute(); agent.wait(); communicate(); }
//
// The job's communication is to begin at epoch + shift + k * period, k = 0, 1, …: a shift of the
// whole iteration, as `lightloom compatible` gives it, plus the time that it computes before. The
// first one is delayed to such a moment. Later ones run freely: a job of the right period stays
// where it is. One that has drifted from its moment by more than a tolerance is held until the
// next. The jobs of a link agree on the epoch, and on periods a little longer than an iteration
// takes, so that a late one can catch up (2 % do in the test bed of mltcp); their hosts' clocks
// must be as exact as the tolerance (NTP is enough).
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

namespace loom {

template <typename Clock = std::chrono::system_clock>
class ShiftAgent {
 public:
  using Time = typename Clock::time_point;
  using Span = typename Clock::duration;

  struct Plan {
    Time epoch{};
    Span shift{};
    Span period{};            // more than 0
    double tolerance = 0.05;  // of the period; CASSINI, section 5.1
  };

  explicit ShiftAgent(const Plan& plan) : plan_(plan) {
    if (plan.period <= Span(0)) throw std::invalid_argument("a period is more than 0");
  }

  // When a communication may begin that could begin at `ready`: never before that.
  Time admit(Time ready) {
    const Time due = first_due_at(ready);
    const Span early = due - ready;  // 0 up to a period
    const Span allowed(
        static_cast<std::int64_t>(static_cast<double>(plan_.period.count()) * plan_.tolerance));
    const bool near = early <= allowed || plan_.period - early <= allowed;
    if (begun_ && near) return ready;
    if (begun_) ++realigned_;
    begun_ = true;
    return due;
  }

  // Sleeps until the communication that is ready now may begin.
  void wait() { std::this_thread::sleep_until(admit(Clock::now())); }

  // How often it was held because it had drifted.
  std::int64_t realigned() const { return realigned_; }

 private:
  // The first of the job's moments that is not before `ready`.
  Time first_due_at(Time ready) const {
    const Time first = plan_.epoch + plan_.shift;
    if (ready <= first) return first;
    const auto passed = (ready - first + plan_.period - Span(1)) / plan_.period;
    return first + passed * plan_.period;
  }

  Plan plan_;
  bool begun_ = false;
  std::int64_t realigned_ = 0;
};

}  // namespace loom
