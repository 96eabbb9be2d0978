// mltcp bench: compares MLTCP with the kernel's own congestion control, over real TCP connections
// between network namespaces.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "bpf/bench_summary.h"
#include "cli/commands.h"
#include "cli/mltcp_options.h"
#include "cli/output.h"
#include "loom/base/error.h"
#include "loom/base/files.h"
#include "loom/report/chart/iterations_chart.h"
#include "loom/report/tables.h"

namespace loom::cli {
namespace {

struct BenchOptions {
  bool quick = false;
  bool shift = false;
  int jobs = 2;
  int iterations = 30;
  int seeds = 6;
  std::string size = "5MB";
  std::string compute = "300ms";
  std::string compute_jitter = "0ms";
  std::string bandwidth = "200Mbps";
  std::string queue = "250KB";
  std::string threshold = "60KB";
  std::string algorithms = "reno,cubic,mltcp_reno,mltcp_reno_f1,mltcp_cubic";
  std::string plot;
  MltcpOptions mltcp;
  OutputOptions output;
};

void refuse(const std::string& option, const std::string& given, const std::string& needed) {
  throw InputError({}, fmt::format("{} is {}; {} is needed", option, given, needed));
}

void check(const bpf::BenchSpec& spec) {
  const auto outside = [](auto value, auto min, auto max) { return value < min || value > max; };
  if (outside(spec.size, 100_KB, 10_GB)) {
    refuse("--size", exact(spec.size), "a size from 100 KB to 10 GB");
  }
  if (outside(spec.bandwidth, Bandwidth{1'000'000}, 10_Gbps)) {
    refuse("--bandwidth", exact(spec.bandwidth), "a bandwidth from 1 Mbps to 10 Gbps");
  }
  if (outside(spec.compute, 2 * spec.settings.idle, Duration(std::chrono::seconds(60)))) {
    refuse("--compute", exact(spec.compute),
           fmt::format("a time from twice --idle ({}) to 60 s", exact(2 * spec.settings.idle)));
  }
  if (outside(spec.jitter, Duration{}, Duration(std::chrono::seconds(60)))) {
    refuse("--compute-jitter", exact(spec.jitter), "a time from 0 s to 60 s");
  }
  if (outside(spec.queue, 20_KB, 1_GB)) {
    refuse("--queue", exact(spec.queue), "a size from 20 KB to 1 GB");
  }
  // Below 20 KB the shaper's burst would count as a queue (bed.cc).
  if (spec.threshold.count != 0 && outside(spec.threshold, 20_KB, spec.queue)) {
    refuse("--threshold", exact(spec.threshold), "0 B, or a size from 20 KB to --queue,");
  }
  if (spec.algorithms.empty()) refuse("--algorithms", "empty", "a list such as reno,mltcp_reno");
}

bpf::BenchSpec spec_of(const BenchOptions& args) {
  const std::string shifted = args.shift ? ",reno_shifted" : "";
  bpf::BenchSpec spec{.jobs = args.jobs,
                      .size = bytes_of("--size", args.size),
                      .compute = duration_of("--compute", args.compute),
                      .jitter = duration_of("--compute-jitter", args.compute_jitter),
                      .bandwidth = bandwidth_of("--bandwidth", args.bandwidth),
                      .queue = bytes_of("--queue", args.queue),
                      .threshold = bytes_of("--threshold", args.threshold),
                      .iterations = args.iterations,
                      .seeds = args.seeds,
                      .settings = bpf::changed({}, mltcp_change_of(args.mltcp)),
                      .algorithms = bpf::algorithms_in(args.algorithms + shifted)};
  check(spec);
  return spec;
}

std::string with_error(const bpf::Estimate& it, double scale, int digits) {
  return fmt::format("{:.{}f} ± {:.{}f}", it.mean * scale, digits, it.half_width * scale, digits);
}

// On a busy machine the benchmark measures process scheduling instead of link sharing.
std::string warning(const bpf::BenchSpec& spec, const bpf::BenchResult& result) {
  const Duration expected = bpf::expected_isolated(spec);
  if (result.isolated <= expected + expected / 10) return "";
  return fmt::format(
      "The isolated job took over 10 % longer than {}, its iteration time at line rate with the "
      "maximum jitter: the machine is too busy for a valid measurement.\n",
      readable(expected));
}

std::string summary_text(const bpf::BenchSpec& spec, const bpf::BenchResult& result) {
  report::Table table{.columns = {"algorithm", "mean [ms]", "p95 [ms]", "against",
                                  "difference [ms]", "overlap", "interleaved from", "of runs"}};
  for (const bpf::AlgorithmSummary& it : bpf::summaries(spec, result)) {
    const bool compared = !it.compared_with.empty();
    table.rows.push_back(
        {it.algorithm, with_error(it.mean, 1e3, 1), with_error(it.p95, 1e3, 1), it.compared_with,
         compared ? with_error(it.difference, 1e3, 1) : std::string(), with_error(it.overlap, 1, 2),
         with_error(it.interleaved, 1, 1), fmt::format("{} of {}", it.did_interleave, it.runs)});
  }
  return fmt::format(
      "{} jobs of {} and {} at {}, {} iterations, {} seeds; an isolated job takes {}\n\n{}\n"
      "± is half of a 95 % confidence interval over seeds; overlap is measured over the second "
      "half "
      "of the run.\n{}",
      spec.jobs, readable(spec.size), readable(spec.compute), readable(spec.bandwidth),
      spec.iterations, spec.seeds, readable(result.isolated), to_text(table),
      warning(spec, result));
}

report::Table bursts_table(const bpf::BenchResult& result) {
  report::Table table{
      .columns = {"algorithm", "seed", "apart", "job", "iteration", "begin", "end", "overlap"}};
  for (const bpf::BenchRun& run : result.runs) {
    for (std::size_t job = 0; job < run.bursts.size(); ++job) {
      const std::vector<double> overlap = bpf::overlaps(run.bursts, job);
      for (std::size_t i = 0; i < overlap.size(); ++i) {
        const bpf::Burst& burst = run.bursts[job][i];
        table.rows.push_back({run.algorithm, std::int64_t{run.seed} + 1, run.apart,
                              static_cast<std::int64_t>(job) + 1, static_cast<std::int64_t>(i) + 1,
                              burst.begin, burst.end, overlap[i]});
      }
    }
  }
  return table;
}

nlohmann::ordered_json estimate_json(const bpf::Estimate& it) {
  return {{"mean", it.mean}, {"half_width", it.half_width}};
}

nlohmann::ordered_json bench_json(const bpf::BenchSpec& spec, const bpf::BenchResult& result) {
  nlohmann::ordered_json json;
  json["isolated"] = result.isolated.count();
  json["expected_isolated"] = bpf::expected_isolated(spec).count();
  for (const bpf::AlgorithmSummary& it : bpf::summaries(spec, result)) {
    json["algorithms"].push_back({{"algorithm", it.algorithm},
                                  {"runs", it.runs},
                                  {"mean_seconds", estimate_json(it.mean)},
                                  {"p95_seconds", estimate_json(it.p95)},
                                  {"longest_seconds", it.longest},
                                  {"overlap", estimate_json(it.overlap)},
                                  {"interleaved_from", estimate_json(it.interleaved)},
                                  {"interleaved_runs", it.did_interleave},
                                  {"compared_with", it.compared_with},
                                  {"difference_seconds", estimate_json(it.difference)}});
  }
  for (const bpf::BenchRun& run : result.runs) {
    nlohmann::ordered_json learned = nlohmann::ordered_json::array();
    for (const bpf::Flow& it : run.flows) learned.push_back(it.learned.count);
    json["runs"].push_back({{"algorithm", run.algorithm},
                            {"seed", run.seed + 1},
                            {"apart", run.apart.count()},
                            {"packets", run.packets},
                            {"marked", run.marked},
                            {"realigned", run.realigned},
                            {"learned_bytes", learned}});
  }
  json["bursts"] = to_json(bursts_table(result));
  return json;
}

// Chart of the iteration time over iterations, one line per algorithm; mean over jobs and seeds.
std::string bench_svg(const bpf::BenchSpec& spec, const bpf::BenchResult& result) {
  std::vector<report::IterationLine> lines;
  for (const std::string& name : spec.algorithms) {
    std::vector<double> sum(static_cast<std::size_t>(spec.iterations - 1));
    int jobs = 0;
    for (const bpf::BenchRun& run : result.runs) {
      if (run.algorithm != name) continue;
      for (const auto& bursts : run.bursts) {
        const std::vector<Duration> times = bpf::iteration_times(bursts);
        for (std::size_t i = 0; i < times.size(); ++i) {
          sum[i] += std::chrono::duration<double>(times[i]).count();
        }
        ++jobs;
      }
    }
    for (double& it : sum) it /= std::max(1, jobs);
    lines.push_back({name, sum});
  }
  lines.push_back(
      {"isolated", std::vector<double>(static_cast<std::size_t>(spec.iterations - 1),
                                       std::chrono::duration<double>(result.isolated).count())});
  return iterations_svg(
      fmt::format("Mean iteration time of {} jobs over {} seeds", spec.jobs, spec.seeds), lines);
}

// Throws, before the benchmark runs for minutes, if the result cannot be saved. Keeps an existing
// file.
void check_can_write(const std::string& path) {
  const std::string beside = fmt::format("{}.{}.tmp", path, ::getpid());
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (!std::ofstream(beside)) {
    error.assign(errno, std::generic_category());
  } else {
    std::filesystem::remove(beside, error);
  }
  if (!error) return;
  throw InputError({}, fmt::format("cannot write '{}': {}", path, error.message()));
}

int bench(const BenchOptions& args) {
  const bpf::BenchSpec spec = spec_of(args);
  if (!args.plot.empty()) check_can_write(args.plot);
  const bpf::BenchResult result =
      bpf::run_bench(spec, [](const std::string& what, int done, int all) {
        fmt::print(stderr, "[{}/{}] {}\n", done + 1, all, what);
      });
  if (args.output.json) {
    fmt::print("{}\n", bench_json(spec, result).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(bursts_table(result)) : summary_text(spec, result));
  }
  std::fflush(stdout);
  if (!args.plot.empty()) write_file(args.plot, bench_svg(spec, result));
  return kOk;
}

// Reduces the benchmark to a few seconds: enough to see that it works, too short for a measurement.
// Options that are given keep their values.
void make_quick(const Command& command, BenchOptions& args) {
  const auto unless_given = [&](const char* option, auto& value, const auto& quick) {
    if (command.count(option) == 0) value = quick;
  };
  unless_given("--seeds", args.seeds, 2);
  unless_given("--iterations", args.iterations, 12);
  unless_given("--size", args.size, "1MB");
  unless_given("--compute", args.compute, "60ms");
  unless_given("--algorithms", args.algorithms, "reno,mltcp_reno,mltcp_reno_f1");
}

void add_bed_options(Command command, BenchOptions& args) {
  command.add_option("--jobs", args.jobs, "number of jobs that share the link")
      .range(1, 16)
      .capture_default_str();
  command.add_option("--size", args.size, "bytes sent per iteration").capture_default_str();
  command.add_option("--compute", args.compute, "computation time per iteration")
      .capture_default_str();
  command
      .add_option("--compute-jitter", args.compute_jitter,
                  "maximum random addition to each computation time, such as 40ms")
      .capture_default_str();
  command.add_option("--bandwidth", args.bandwidth, "bandwidth of the link").capture_default_str();
  command.add_option("--queue", args.queue, "queue size of the link").capture_default_str();
  command
      .add_option("--threshold", args.threshold,
                  "queue length above which packets are marked (ECN); 0B: drops, no marks")
      .capture_default_str();
}

}  // namespace

void add_mltcp_bench(Command mltcp, int& code) {
  Command command = mltcp.add_subcommand(
      "bench", "iteration times of training jobs over real TCP, under each congestion control");
  command.footer(
      "Examples:\n"
      "  lightloom mltcp bench --quick\n"
      "  lightloom mltcp bench --algorithms reno,mltcp_reno,mltcp_reno_f1 --plot times.svg");
  auto args = std::make_shared<BenchOptions>();
  command.add_flag("--quick", args->quick,
                   "short run of a few seconds, to see that the benchmark works");
  command
      .add_option(
          "--algorithms", args->algorithms,
          "algorithms to compare: mltcp_reno, mltcp_cubic, or any of the kernel's; suffix _f1 "
          "sets F = 1, _shifted applies CASSINI's time shifts")
      .type_name("NAME,...")
      .capture_default_str();
  command.add_flag("--shift", args->shift,
                   "addition of reno_shifted, reno with CASSINI's time shifts, to the algorithms");
  command.add_option("--iterations", args->iterations, "iterations per job")
      .range(4, 10'000)
      .capture_default_str();
  command
      .add_option("--seeds", args->seeds,
                  "runs per algorithm, each with a different start offset between jobs")
      .range(1, 100)
      .capture_default_str();
  add_bed_options(command, *args);
  add_mltcp_options(command, args->mltcp);
  add_output_options(command, args->output);
  command.add_option("--plot", args->plot, "SVG file to write: chart of iteration times")
      .type_name("FILE.svg");
  command.callback([args, command, &code] {
    if (args->quick) make_quick(command, *args);
    code = bench(*args);
  });
}

}  // namespace loom::cli
