// The Python module lightloom, called from training loops. Times are in seconds, as in time.time().
#include <pybind11/pybind11.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "loom/base/shift_agent.h"

namespace loom {
namespace {

using Agent = ShiftAgent<std::chrono::system_clock>;
using Seconds = std::chrono::duration<double>;

Agent::Span span_of(double seconds) {
  return std::chrono::duration_cast<Agent::Span>(Seconds(seconds));
}

double seconds_of(Agent::Time time) { return Seconds(time.time_since_epoch()).count(); }

// Maximum time that a 64-bit nanosecond clock represents, rounded down.
constexpr double kMaxSeconds = 9e9;

double checked(double value, const char* what) {
  if (std::abs(value) <= kMaxSeconds) return value;
  throw std::invalid_argument(std::string(what) + " must be a number of seconds");
}

Agent agent_of(double epoch, double shift, double period, double tolerance) {
  if (!(checked(period, "period") > 1e-9)) {
    throw std::invalid_argument("period must be more than 0 seconds");
  }
  if (!(tolerance >= 0 && tolerance <= 0.5)) {
    throw std::invalid_argument("tolerance must be a fraction of the period, 0 to 0.5");
  }
  return Agent({.epoch = Agent::Time(span_of(checked(epoch, "epoch"))),
                .shift = span_of(checked(shift, "shift")),
                .period = span_of(period),
                .tolerance = tolerance});
}

// Waits until the agent admits the communication. Python's signal handlers do not run while this
// thread sleeps, so it sleeps in short intervals and lets the handlers run in between. An exception
// raised by a handler ends the wait.
void wait(Agent& agent) {
  constexpr auto kSlice = std::chrono::milliseconds(50);
  const Agent::Time until = agent.admit(std::chrono::system_clock::now());
  for (auto now = std::chrono::system_clock::now(); now < until;
       now = std::chrono::system_clock::now()) {
    {
      const pybind11::gil_scoped_release release;
      std::this_thread::sleep_until(std::min<Agent::Time>(until, now + kSlice));
    }
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  }
}

}  // namespace
}  // namespace loom

PYBIND11_MODULE(lightloom, module) {
  namespace py = pybind11;
  using loom::Agent;
  module.doc() = "Lightloom for training loops";
  py::class_<Agent>(module, "ShiftAgent",
                    "Keeps a training job to its time shift, as CASSINI's agents do.\n\n"
                    "Call wait() before communicating. The first communication is delayed to\n"
                    "epoch + shift + k * period; later ones only if they drifted from such a time\n"
                    "by more than tolerance * period. All jobs on a link need the same epoch.")
      .def(py::init(&loom::agent_of), py::kw_only(), py::arg("epoch"), py::arg("shift"),
           py::arg("period"), py::arg("tolerance") = 0.05)
      .def(
          "admit",
          [](Agent& agent, double ready) {
            const auto at = Agent::Time(loom::span_of(loom::checked(ready, "ready")));
            return loom::seconds_of(agent.admit(at));
          },
          py::arg("ready"), "Start time of a communication that is ready at `ready`.")
      .def("wait", &loom::wait,
           "Sleeps until the communication that is ready now may start, or a signal handler\n"
           "raises.")
      .def_property_readonly("realigned", &Agent::realigned,
                             "Number of communications delayed because the job had drifted.");
}
