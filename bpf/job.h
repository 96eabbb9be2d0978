// One training job over real TCP: compute, then send and wait until everything has arrived.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "bpf/bed.h"
#include "loom/base/random.h"
#include "loom/base/shift_agent.h"

namespace loom::bpf {

using BenchClock = std::chrono::steady_clock;

struct JobSpec {
  std::string algorithm;  // as the kernel knows it
  std::uint16_t port = 0;
  Bytes size;
  Duration compute{};
  Duration jitter{};
  int iterations = 0;
  Duration start{};  // after the epoch
  Duration stall{};  // without a byte moving: then it is given up
  Duration limit{};  // after the epoch: no iteration begins later
  BenchClock::time_point epoch;
  Random random;
  ShiftAgent<BenchClock>* agent = nullptr;  // where the job keeps to a time-shift
};

// Accepts one connection in the receivers' namespace and answers each `size` bytes with one, until
// the sender ends. `ready` is called once it listens.
void receive(const Bed& bed, const JobSpec& job, const std::function<void()>& ready);

// Runs the job; LimitError where it stalls.
std::vector<Burst> send(const Bed& bed, JobSpec job);

// Receiver and sender of each job side by side, begun once all listen.
std::vector<std::vector<Burst>> run_jobs(const Bed& bed, const std::vector<JobSpec>& jobs);

}  // namespace loom::bpf
