#include "loom/photonic/datapath/machine.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::photonic {
namespace {

std::string module(const std::string& name, const std::string& counts, const std::string& targets,
                   const std::string& actions) {
  return "module " + name + " {\ncounts: {\n" + counts + "\n}\ntargets: {\n" + targets +
         "\n}\nactions: {\n" + actions + "\n}\n};\n";
}

// A machine whose operations record the cycle in which they run.
struct Bench {
  explicit Bench(const std::string& text, Targets targets = {})
      : machine(parse_modules(text, "test"), std::move(targets),
                {{"note x.a", [this] { noted += "a" + std::to_string(machine.cycle()) + " "; }},
                 {"note x.b", [this] { noted += "b" + std::to_string(machine.cycle()) + " "; }},
                 {"more x.n", [this] { machine.set_target("n", machine.target("n") + 1); }}},
                {"go.now", "part.valid"}) {}

  MachineOutcome run(std::int64_t cycles = 1000) {
    machine.raise(machine.signal("go.now"), 0, 0);
    return machine.run(cycles);
  }

  CountActionMachine machine;
  std::string noted;
};

const std::string kClock = module("clock", "count tick.now", "1", "raise tick.now after 1 cycle");
const std::string kStart = module("start", "count go.now", "1", "raise tick.now after 1 cycle");

TEST(Machine, ActsWhenACountReachesItsTarget) {
  Bench bench(kStart + kClock + module("m", "count tick.now", "n", "note x.a") +
                  module("end", "count tick.now", "10", "stop"),
              {{"n", 3}});
  const MachineOutcome outcome = bench.run();
  EXPECT_EQ(outcome.end, MachineEnd::stopped);
  EXPECT_EQ(outcome.cycles, 10);
  EXPECT_EQ(bench.noted, "a3 a6 a9 ");
}

TEST(Machine, TargetsAreRewrittenWhileItRuns) {
  Bench bench(kStart + kClock + module("m", "count tick.now", "n", "note x.a\nmore x.n") +
                  module("end", "count tick.now", "20", "stop"),
              {{"n", 1}});
  bench.run();
  EXPECT_EQ(bench.noted, "a1 a3 a6 a10 a15 ");
}

TEST(Machine, FlagsOfASumStayUpUntilAllAreRaised) {
  Bench bench(module("a", "count go.now", "1",
                     "raise part[1].valid after 1 cycle\nraise part[2].valid after 5 cycles") +
              module("m", "sum part[i].valid (i = 1 to 2)", "2", "note x.a\nstop"));
  EXPECT_EQ(bench.run().end, MachineEnd::stopped);
  EXPECT_EQ(bench.noted, "a5 ");
}

TEST(Machine, TheLargestOfSeveralCountsDecides) {
  Bench bench(module("a", "count go.now", "1",
                     "raise part[0].valid after 1 cycle\nraise part[1].valid after 2 cycles\n"
                     "raise part[0].valid after 3 cycles\nraise part[1].valid after 9 cycles") +
              module("m", "max part[i].valid (i = 0 to 1)", "2", "note x.a\nstop"));
  bench.run();
  EXPECT_EQ(bench.noted, "a3 ");
}

TEST(Machine, ModulesActInTheirWrittenOrderWithinACycle) {
  const std::string a = module("a", "count go.now", "1", "note x.a");
  const std::string b = module("b", "count go.now", "1", "note x.b\nstop");
  Bench first(a + b);
  first.run();
  EXPECT_EQ(first.noted, "a0 b0 ");
  Bench second(b + a);
  second.run();
  EXPECT_EQ(second.noted, "b0 a0 ");
}

TEST(Machine, AHaltDropsPendingSignals) {
  Bench bench(module("a", "count go.now", "1",
                     "raise tick.now after 3 cycles\nraise tock.now after 2 cycles") +
              module("h", "count tock.now", "1", "halt tick.now") +
              module("m", "count tick.now", "1", "note x.a"));
  const MachineOutcome outcome = bench.run();
  EXPECT_EQ(outcome.end, MachineEnd::deadlock);
  EXPECT_EQ(bench.noted, "");
}

TEST(Machine, ADeadlockReportsWhatEachModuleWaitsFor) {
  Bench bench(module("a", "count go.now", "1", "raise part[1].valid after 1 cycle") +
              module("streamer", "sum part[i].valid (i = 1 to 2)", "2", "stop"));
  const MachineOutcome outcome = bench.run();
  EXPECT_EQ(outcome.end, MachineEnd::deadlock);
  EXPECT_EQ(outcome.why, "no signal is pending: streamer has counted 1 of 2 (part[i].valid)");
  EXPECT_EQ(outcome.cycles, 1);
}

TEST(Machine, AResetClearsCounts) {
  Bench bench(kStart + kClock + module("r", "count tick.now", "3", "reset m") +
              module("m", "count tick.now", "5", "note x.a") +
              module("end", "count tick.now", "30", "stop"));
  bench.run();
  EXPECT_EQ(bench.noted, "");
}

TEST(Machine, AFailureHasItsReason) {
  Bench bench(module("a", "count go.now", "1", "fail \"no light\""));
  const MachineOutcome outcome = bench.run();
  EXPECT_EQ(outcome.end, MachineEnd::failed);
  EXPECT_EQ(outcome.why, "no light");
}

TEST(Machine, AnEndlessRunReachesItsLimit) {
  Bench bench(kStart + kClock);
  EXPECT_EQ(bench.run(100).end, MachineEnd::limit);
  Bench flood(kStart + kClock +
              module("flood", "count tick.now", "1",
                     "raise part[i].valid (i = 1 to 4000) after 4000 cycles"));
  EXPECT_EQ(flood.run(100'000).end, MachineEnd::failed);
}

TEST(Machine, RunsAgainAfterAReset) {
  Bench bench(kStart + kClock + module("end", "count tick.now", "4", "note x.a\nstop"));
  EXPECT_EQ(bench.run().cycles, 4);
  bench.machine.reset();
  EXPECT_EQ(bench.run().cycles, 4);
  EXPECT_EQ(bench.noted, "a4 a4 ");
}

TEST(Machine, ReportsItsEventsToAWatcher) {
  Bench bench(kStart + kClock + module("end", "count tick.now", "2", "stop"));
  std::string told;
  bench.machine.watch([&](const MachineCycle& cycle) {
    for (const auto& [signal, index] : cycle.seen) {
      told += std::string(signal) + std::to_string(index) + " ";
    }
    for (const std::size_t m : cycle.acted) told += std::to_string(m);
    told += "; ";
  });
  bench.run();
  EXPECT_EQ(told, "go.now0 0; tick.now0 1; tick.now0 12; ");
}

TEST(Machine, ADelayBeyondTheWheelIsRefused) {
  EXPECT_EQ(message([] { Bench(module("a", "count go.now", "1", "raise x.y after 5000 cycles")); }),
            "test:9: 'x.y' is raised after 5000 cycles; 1 to 4095 are possible");
}

}  // namespace
}  // namespace loom::photonic
