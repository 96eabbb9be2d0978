// MLTCP measured: training jobs over real TCP, through a bottleneck between network namespaces.
//
// A job computes (sleeps), then sends its bytes over one connection and waits until they are there.
// Jobs share the bottleneck: a token bucket with a queue behind it and, where asked for, a virtual
// queue that marks (ECN). Each seed sets how far apart the jobs start, the same for every
// algorithm, so that algorithms are compared in pairs; the order of algorithms turns from seed to
// seed.
//
// Everything the bed is made of is held by descriptors of this process (bed.h): it is gone when the
// process is, whatever ends it.
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
  Bytes size{5'000'000};                              // sent in an iteration
  Duration compute = std::chrono::milliseconds(300);  // between sending
  Duration jitter{};                                  // of computing: up to so much longer
  Bandwidth bandwidth{200'000'000};
  Bytes queue{250'000};     // of the bottleneck
  Bytes threshold{60'000};  // above which it marks; 0 B: it does not, and only drops
  int iterations = 30;
  int seeds = 6;
  MltcpSettings settings;
  // Names of the kernel's algorithms; mltcp_reno and mltcp_cubic are ours. With "_f1" behind it
  // ours runs with F = 1; with "_shifted" the jobs keep to time-shifts.
  std::vector<std::string> algorithms;
};

// One communication of a job, since the bench began.
struct Burst {
  Duration begin{};
  Duration end{};
};

struct BenchRun {
  std::string algorithm;
  int seed = 0;
  Duration apart{};                        // between the starts of the jobs
  std::vector<std::vector<Burst>> bursts;  // by job and iteration
  std::vector<Flow> flows;                 // what ours learned
  Totals totals;                           // what ours counted in this run
  std::int64_t packets = 0;                // through the bottleneck
  std::int64_t marked = 0;
  std::int64_t realigned = 0;  // by agents of time-shifts
};

struct BenchResult {
  Duration isolated{};  // the mean iteration of one job with the link to itself, with reno
  std::vector<BenchRun> runs;
};

// The algorithm that the kernel runs under a name with a suffix, and whether it has that one.
std::string kernel_algorithm(std::string_view name);
bool has_suffix(std::string_view name, std::string_view suffix);

// The names in a list with commas between, each once.
std::vector<std::string> algorithms_in(const std::string& list);

// How long sending takes with the link to itself, headers included (1448 of 1514 bytes on the wire
// are a job's, with Ethernet, IPv4 and TCP with timestamps).
Duration sending_time(const BenchSpec& spec);

// How long an iteration of a job with the link to itself takes at most, on a quiet machine.
Duration expected_isolated(const BenchSpec& spec);

// How far apart the jobs of a seed start: spread evenly over the time that sending takes.
Duration apart(const BenchSpec& spec, int seed);

// The period that jobs with time-shifts keep to: a fiftieth longer than a job alone needs, so that
// one can catch up.
Duration shift_period(const BenchSpec& spec);

// InputError where the machine cannot do it or the algorithm is unknown; LimitError where a job
// stalls. `told` is called before each run with what it is and how many there are.
using Told = std::function<void(const std::string& what, int done, int all)>;
BenchResult run_bench(const BenchSpec& spec, const Told& told);

}  // namespace loom::bpf
