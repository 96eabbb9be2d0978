// One training job over real TCP: computes, then sends and waits until everything has arrived.
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
  std::string algorithm;  // the kernel's name for it
  std::uint16_t port = 0;
  Bytes size;
  Duration compute{};
  Duration jitter{};
  int iterations = 0;
  Duration start{};  // relative to the epoch
  Duration stall{};  // time without progress after which the job is given up
  Duration limit{};  // no iteration starts later than this after the epoch
  BenchClock::time_point epoch;
  Random random;
  ShiftAgent<BenchClock>* agent = nullptr;  // set if the job follows a time shift
};

// Accepts one connection in the receivers' namespace and answers every `size` bytes with one byte,
// until the sender closes it. `ready` is called once the receiver listens.
void receive(const Bed& bed, const JobSpec& job, const std::function<void()>& ready);

// Runs the job; LimitError if it stalls.
std::vector<Burst> send(const Bed& bed, JobSpec job);

// Runs receiver and sender of each job in parallel; the senders start once all receivers listen.
std::vector<std::vector<Burst>> run_jobs(const Bed& bed, const std::vector<JobSpec>& jobs);

}  // namespace loom::bpf
