// Keeps a training job at its time shift, like the agents of CASSINI (Rajasekaran et al., NSDI
// 2024, section 4): the training loop calls wait() before it communicates; nothing else changes.
//
//   ShiftAgent<> agent({.epoch = agreed, .shift = 40ms, .period = 120ms});
//   for (;;) { compute(); agent.wait(); communicate(); }
//
// wait() delays the first communication to a scheduled time point: epoch + shift + k * period, k =
// 0, 1, … A later communication is delayed to the next scheduled time point only if the job has
// drifted from the schedule by more than a tolerance.
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
    // Time point on which all jobs of a link agree. Host clocks must be as accurate as the
    // tolerance (NTP suffices).
    Time epoch{};
    // Shift of the communication. `lightloom compatible` prints the shift of the iteration: add the
    // computation time that precedes the communication.
    Span shift{};
    // Positive; slightly longer than an iteration, so that a late job can catch up (2 % in the
    // mltcp testbed).
    Span period{};
    double tolerance = 0.05;  // fraction of the period; CASSINI, section 5.1
  };

  explicit ShiftAgent(const Plan& plan) : plan_(plan) {
    if (plan.period <= Span(0)) throw std::invalid_argument("the period must be positive");
  }

  // Time at which a communication that is ready at `ready` may begin; never earlier than `ready`.
  Time admit(Time ready) {
    const Time due = first_due_at(ready);
    const Span early = due - ready;  // from 0 to a period
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

  // Number of times the job was held because it had drifted.
  std::int64_t realigned() const { return realigned_; }

 private:
  // The job's first scheduled time point at or after `ready`.
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
