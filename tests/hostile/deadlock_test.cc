// Workloads that deadlock or exceed a limit: the message is complete and the exit code specific.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kScenario =
    "workload: {file: w.yaml}\nfabric: {kind: switch, bandwidth: 1 Gbps}\n";

Hostile work(const std::string& name, int code, const std::string& operations,
             const std::string& message, const std::string& more = "") {
  return {name,
          {{"s.yaml", kScenario + more}, {"w.yaml", "devices: 2\noperations:\n" + operations}},
          {"simulate", "s.yaml"},
          message,
          code};
}

// Repeated computations of one week each.
std::string weeks(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += fmt::format("  - {{name: week{}, compute: 168 h, device: 0{}}}\n", i,
                         i == 0 ? "" : fmt::format(", after: week{}", i - 1));
  }
  return lines;
}

const std::vector<Hostile> kDeadlocks = {
    work("a_circle", 3,
         "  - {name: egg, compute: 1 ms, device: 0, after: hen}\n"
         "  - {name: hen, compute: 1 ms, device: 0, after: egg}\n",
         "deadlock at 0 ps: 2 operations cannot finish\n"
         "  egg on device 0 waits for hen\n"
         "  hen on device 0 waits for egg"),
    work("a_circle_after_some_work", 3,
         "  - {name: work, compute: 1 ms, device: 0}\n"
         "  - {name: egg, compute: 1 ms, device: 0, after: work hen}\n"
         "  - {name: hen, compute: 1 ms, device: 0, after: egg}\n",
         "deadlock at 1.000 ms: 2 operations cannot finish\n"
         "  egg on device 0 waits for hen\n"
         "  hen on device 0 waits for egg"),
    work("a_circle_in_closed_form", 3,
         "  - {name: egg, compute: 1 ms, device: 0, after: hen}\n"
         "  - {name: hen, compute: 1 ms, device: 0, after: egg}\n",
         "deadlock at 0 ps: 2 operations cannot finish\n"
         "  egg on device 0 waits for hen\n"
         "  hen on device 0 waits for egg",
         "engine: coarse\n"),
    work("a_message_that_nobody_sends", 3,
         "  - {name: answer, receive: 0 -> 1}\n"
         "  - {name: next, compute: 1 ms, device: 1, after: answer}\n",
         "deadlock at 0 ps: 2 operations cannot finish\n"
         "  answer on device 1 waits for a message 0 -> 1 that nobody sends\n"
         "  next on device 1 waits for answer"),
    work("a_link_down_for_ever", 3, "  - {name: news, message: 0 -> 1, size: 1 MB}\n",
         "deadlock at 1.000 ms: 1 operation cannot finish\n"
         "  news is a message 0 -> 1 of 1 MB that has no route: a link is down",
         "changes:\n  - {at: 1 ms, link: 0->switch, bandwidth: 0 bps}\n"),
    {"two_islands",
     {{"s.yaml",
       "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 2\n"
       "fabric: {kind: custom, file: g.csv}\n"},
      {"g.csv", "from,to,bandwidth\n0,west,1 Gbps\n1,east,1 Gbps\n"}},
     {"simulate", "s.yaml"},
     "s.yaml:3: fabric.file is g.csv; it has no path from device 0 to device 1; every device needs "
     "one "
     "to every other",
     2},
    work("more_than_the_clock", 4, weeks(16),
         "limit reached: the simulated time exceeds 106 days, the range of the picosecond clock"),
    work("more_than_the_clock_in_closed_form", 4, weeks(16),
         "limit reached: the simulated time exceeds 106 days, the range of the picosecond clock",
         "engine: coarse\n"),
    work("a_transfer_beyond_the_clock", 4, "  - {name: all, message: 0 -> 1, size: 1 PB}\n",
         "limit reached: the simulated time exceeds 106 days, the range of the picosecond clock",
         "changes:\n  - {at: 1 ms, link: 0->switch, bandwidth: 1 Mbps}\n"),
};

INSTANTIATE_TEST_SUITE_P(WorkWithoutEnd, Broken, ::testing::ValuesIn(kDeadlocks), name_of);

}  // namespace
}  // namespace loom::testing
