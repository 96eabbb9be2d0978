// One training job over real TCP: in each iteration it computes (sleeps), sends its bytes, and
// waits until they have arrived.
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
  std::string algorithm;  // name in the kernel
  std::uint16_t port = 0;
  Bytes size;
  Duration compute{};
  Duration jitter{};
  int iterations = 0;
  Duration start{};  // start of the job, relative to the epoch
  Duration stall{};  // time without progress after which the job is given up
  Duration limit{};  // time after the epoch at which an unfinished job is given up
  BenchClock::time_point epoch;
  Random random;
  ShiftAgent<BenchClock>* agent = nullptr;  // set if the job follows a time shift
};

// Accepts one connection in the receivers' namespace, and answers every `size` bytes with one byte
// until the sender closes the connection. Calls `ready` once the receiver listens.
void receive(const Bed& bed, const JobSpec& job, const std::function<void()>& ready);

// Runs the sender of a job and returns its communications. Throws LimitError if the job stalls.
std::vector<Burst> send(const Bed& bed, JobSpec job);

// Runs receiver and sender of each job in parallel; the senders start once all receivers listen.
std::vector<std::vector<Burst>> run_jobs(const Bed& bed, const std::vector<JobSpec>& jobs);

}  // namespace loom::bpf
