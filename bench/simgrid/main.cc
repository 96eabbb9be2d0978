// bench_simgrid [--json] [--skip-slow] [--only TEXT]: compares our engine with SimGrid on the same
// messages. Each run is a separate process, so that its peak memory can be measured.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "bench/simgrid/works.h"
#include "loom/base/error.h"

namespace loom::bench {
namespace {

struct Measured {
  Duration end{0};  // simulated time
  Duration cpu{0};
  Bytes memory;
};

struct Row {
  Work work;
  Measured ours;
  std::optional<Measured> simgrid;
};

Duration duration_of(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

Measured measured_once(const std::function<Duration()>& run) {
  std::fflush(stdout);  // else the child would print it again
  int ends[2];
  LOOM_CHECK(pipe(ends) == 0, "a pipe can be opened");
  const pid_t child = fork();
  LOOM_CHECK(child >= 0, "a child can be started");
  if (child == 0) {
    const std::int64_t end = run().count();
    _exit(write(ends[1], &end, sizeof end) == sizeof end ? 0 : 1);
  }
  close(ends[1]);
  std::int64_t end = 0;
  LOOM_CHECK(read(ends[0], &end, sizeof end) == sizeof end, "the child reports its simulated time");
  close(ends[0]);
  rusage used{};
  wait4(child, nullptr, 0, &used);
  return {Duration(end),
          duration_of(used.ru_utime) + duration_of(used.ru_stime),
          {std::int64_t{used.ru_maxrss} * 1024}};
}

// Runs shorter than a second are repeated five times and the median counts: other load on the
// machine changes them by 10%.
Measured measured(const std::function<Duration()>& run) {
  std::vector<Measured> runs{measured_once(run)};
  while (runs.front().cpu < std::chrono::seconds(1) && runs.size() < 5) {
    runs.push_back(measured_once(run));
  }
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const Measured& a, const Measured& b) { return a.cpu < b.cpu; });
  return *middle;
}

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

std::optional<double> ratio(const Row& row) {
  if (!row.simgrid) return std::nullopt;
  return seconds_of(row.simgrid->cpu) / seconds_of(row.ours.cpu);
}

Row run(const Work& work, bool skip_slow) {
  Row row{work, measured([&] { return ours(work); }), std::nullopt};
  if (!work.by_simgrid || (work.slow && skip_slow)) return row;
  row.simgrid = measured([&] { return simgrid(work); });
  const double difference = seconds_of(row.simgrid->end) / seconds_of(row.ours.end) - 1;
  LOOM_CHECK(difference > -1e-6 && difference < 1e-6, "both simulators give the same time");
  return row;
}

void print(const Row& row) {
  const std::string theirs =
      row.simgrid ? fmt::format("{:9.2f} s", seconds_of(row.simgrid->cpu)) : "";
  const std::string times = ratio(row) ? fmt::format("{:.1f}x", *ratio(row)) : "";
  fmt::print("{:40}  {:8.3f} s  {:11}  {:>7}  {:>7.0f} MB  {}\n", row.work.name,
             seconds_of(row.ours.cpu), theirs, times,
             static_cast<double>(row.ours.memory.count) / 1e6, describe(row.work.goal));
}

nlohmann::ordered_json json_of(const Row& row) {
  nlohmann::ordered_json it;
  it["work"] = row.work.name;
  it["ours_cpu"] = row.ours.cpu.count();
  it["simgrid_cpu"] = nullptr;
  if (row.simgrid) it["simgrid_cpu"] = row.simgrid->cpu.count();
  it["ratio"] = nullptr;
  if (ratio(row)) it["ratio"] = *ratio(row);
  it["goal"] = describe(row.work.goal);
  it["peak_memory"] = row.ours.memory.count;
  return it;
}

int compare(bool json, bool skip_slow, std::string_view only) {
  auto rows = nlohmann::ordered_json::array();
  if (!json) {
    fmt::print("{:40}  {:>10}  {:>11}  {:>7}  {:>10}  {}\n", "work", "ours, CPU", "SimGrid, CPU",
               "ratio", "our memory", "goal");
  }
  for (const Work& work : all_works()) {
    if (work.name.find(only) == std::string::npos) continue;
    const Row row = run(work, skip_slow);
    json ? rows.push_back(json_of(row)) : print(row);
  }
  if (json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

int run_with(std::span<char* const> arguments) {
  bool json = false;
  bool skip_slow = false;
  std::string_view only;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view it = arguments[i];
    json |= it == "--json";
    skip_slow |= it == "--skip-slow";
    const bool takes_text = it == "--only" && i + 1 < arguments.size();
    if (takes_text) only = arguments[++i];
    if (!takes_text && it != "--json" && it != "--skip-slow") {
      fmt::print(stderr, "{} is no option; needs one of --json, --skip-slow, --only TEXT\n", it);
      return 2;
    }
  }
  return compare(json, skip_slow, only);
}

}  // namespace
}  // namespace loom::bench

int main(int count, char** arguments) try {
  return loom::bench::run_with({arguments, static_cast<std::size_t>(count)});
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 1;
}
