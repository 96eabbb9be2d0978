// Measures MLTCP: training jobs over real TCP, through a bottleneck between network namespaces.
//
// A job computes (sleeps), then sends its bytes over one connection and waits until they have
// arrived. Jobs share the bottleneck: a token bucket with a queue behind it and, on request, a
// virtual queue that marks packets (ECN). Each seed sets the offset between the jobs' starts, the
// same for every algorithm, so that algorithms are compared in pairs; the order of algorithms
// rotates from seed to seed. The whole bed is held by descriptors of this process (bed.h), so it
// disappears with the process, however that ends.
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
  Bytes threshold{60'000};  // queue length above which packets are marked; 0 B: drops only
  int iterations = 30;
  int seeds = 6;
  MltcpSettings settings;
  // Names of the kernel's algorithms; mltcp_reno and mltcp_cubic are ours. The suffix "_f1" runs
  // ours with F = 1; with the suffix "_shifted" the jobs follow time shifts.
  std::vector<std::string> algorithms;
};

// One communication of a job, relative to the start of the bench.
struct Burst {
  Duration begin{};
  Duration end{};
};

struct BenchRun {
  std::string algorithm;
  int seed = 0;
  Duration apart{};                        // offset between the starts of consecutive jobs
  std::vector<std::vector<Burst>> bursts;  // by job and iteration
  std::vector<Flow> flows;                 // as learned by our algorithm
  Totals totals;                           // our algorithm's counts in this run
  std::int64_t packets = 0;                // sent through the bottleneck
  std::int64_t marked = 0;
  std::int64_t realigned = 0;  // delays inserted by the time-shift agents
};

struct BenchResult {
  Duration isolated{};  // mean iteration of one job with the link to itself, using reno
  std::vector<BenchRun> runs;
};

// The name without its suffix, as the kernel knows it; and whether a name has the suffix.
std::string kernel_algorithm(std::string_view name);
bool has_suffix(std::string_view name, std::string_view suffix);

// The names in a comma-separated list, without duplicates.
std::vector<std::string> algorithms_in(const std::string& list);

// Sending time of a job with the link to itself, headers included: with Ethernet, IPv4 and TCP with
// timestamps, 1448 of 1514 bytes on the wire are payload.
Duration sending_time(const BenchSpec& spec);

// Upper bound on the iteration time of a job with the link to itself, on an idle machine.
Duration expected_isolated(const BenchSpec& spec);

// Offset between the jobs' starts for a seed; the seeds are spread evenly over the sending time.
Duration apart(const BenchSpec& spec, int seed);

// The period of jobs with time shifts: 2 % longer than an isolated job needs, so that a late job
// can catch up.
Duration shift_period(const BenchSpec& spec);

// InputError if the machine cannot run the bench or an algorithm is unknown; LimitError if a job
// stalls. `told` is called before each run with its description, its index and the number of runs.
using Told = std::function<void(const std::string& what, int done, int all)>;
BenchResult run_bench(const BenchSpec& spec, const Told& told);

}  // namespace loom::bpf
