// Measures MLTCP with training jobs that send over real TCP through a bottleneck between network
// namespaces.
//
// A job computes (sleeps), then sends its bytes over one connection and waits until they have
// arrived. Jobs share the bottleneck: a token bucket with a queue and, optionally, a virtual queue
// that marks packets (ECN). Each seed sets the offset between the starts of the jobs. It is the
// same for every algorithm, so that comparisons are paired; the order of algorithms rotates from
// seed to seed. The testbed (bed.h) disappears when the process ends, even if it is killed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/mltcp.h"
#include "loom/base/units.h"

namespace loom::bpf {

struct BenchSpec {
  int jobs = 2;
  Bytes size{5'000'000};                              // bytes sent per iteration
  Duration compute = std::chrono::milliseconds(300);  // computation time per iteration
  Duration jitter{};  // maximum random addition to the computation time
  Bandwidth bandwidth{200'000'000};
  Bytes queue{250'000};     // queue length of the bottleneck
  Bytes threshold{60'000};  // queue length above which packets are marked; 0 B: no marking
  int iterations = 30;
  int seeds = 6;
  MltcpSettings settings;
  // Names of congestion control algorithms; mltcp_reno and mltcp_cubic are ours. With the suffix
  // "_f1", our algorithms run with F = 1; with the suffix "_shifted", the jobs follow time shifts.
  std::vector<std::string> algorithms;
};

// Start and end of one communication of a job, relative to the epoch of the run.
struct Burst {
  Duration begin{};
  Duration end{};
};

struct BenchRun {
  std::string algorithm;
  int seed = 0;
  Duration apart{};                        // offset between the starts of consecutive jobs
  std::vector<std::vector<Burst>> bursts;  // by job and iteration
  std::vector<Flow> flows;                 // flow statistics of our algorithm
  Totals totals;                           // counters of our algorithm in this run
  std::int64_t packets = 0;                // packets sent through the bottleneck; 0 without marking
  std::int64_t marked = 0;
  std::int64_t realigned = 0;  // delays inserted by the time-shift agents
};

struct BenchResult {
  Duration isolated{};  // mean iteration time of one isolated job, using reno
  std::vector<BenchRun> runs;
};

// The kernel's name of an algorithm: the name without a suffix "_f1" or "_shifted".
std::string kernel_algorithm(std::string_view name);
bool has_suffix(std::string_view name, std::string_view suffix);

// The names in a comma-separated list, without duplicates.
std::vector<std::string> algorithms_in(const std::string& list);

// Sending time of an isolated job, including headers: with Ethernet, IPv4 and TCP with timestamps,
// 1448 of 1514 bytes on the wire are payload.
Duration sending_time(const BenchSpec& spec);

// Iteration time of an isolated job under ideal conditions: it sends at the rate of the bottleneck,
// and every iteration has the maximum jitter.
Duration expected_isolated(const BenchSpec& spec);

// Offset between the starts of consecutive jobs for a seed. The offsets of all seeds are spread
// evenly over the sending time.
Duration apart(const BenchSpec& spec, int seed);

// The period of jobs with time shifts: 2 % longer than the iteration of an isolated job without
// jitter, so that a late job can catch up.
Duration shift_period(const BenchSpec& spec);

// Runs all algorithms with all seeds. Calls `told` before each run with its description, its index
// and the number of runs. Throws InputError if the machine cannot run the bench or an algorithm is
// unknown, LimitError if a job stalls.
using Told = std::function<void(const std::string& what, int done, int all)>;
BenchResult run_bench(const BenchSpec& spec, const Told& told);

}  // namespace loom::bpf
