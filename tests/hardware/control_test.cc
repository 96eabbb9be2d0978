// Random count-action modules in hardware against the interpreter: signals and actions agree in
// every cycle, including halt, reset, stop, fail and changing targets.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "loom/photonic/testing.h"
#include "tests/hardware/bench.h"

namespace loom::testing {
namespace {

constexpr int kPrograms = 24;
constexpr int kRuns = 5;
constexpr std::int64_t kCycles = 150;
constexpr int kSignals = 4;  // signals raised by modules
constexpr int kOutside = 2;  // external signals
constexpr int kHighest = 3;  // highest index

const photonic::Hardware kHardware = {{"change x.n"}, {"out.s0", "out.s1"}};
const photonic::Targets kTargets = {{"n", 2}, {"k", 1}, {"d", 2}};

// A signal with a random form of index.
std::string random_name(Random& random, const std::string& owner, int fields) {
  const std::string field = fmt::format("s{}", photonic::between(random, 0, fields - 1));
  const int low = photonic::between(random, 0, kHighest);
  switch (random(3)) {
    case 0:
      return fmt::format("{}.{}", owner, field);
    case 1:
      return fmt::format("{}[{}].{}", owner, low, field);
    default:
      return fmt::format("{}[i].{} (i = {} to {})", owner, field, low,
                         photonic::between(random, low, kHighest));
  }
}

std::string random_count(Random& random) {
  static constexpr const char* kKinds[] = {"sum", "count", "max"};
  const bool outside = random(3) == 0;
  return fmt::format("{} {}", kKinds[random(3)],
                     random_name(random, outside ? "out" : "in", outside ? kOutside : kSignals));
}

std::string random_target(Random& random) {
  static constexpr const char* kValues[] = {"1", "1", "2", "3", "n", "k", "k + 1", "d"};
  return kValues[random(8)];
}

std::string random_action(Random& random, int modules, int program) {
  switch (random(12)) {
    case 0:
    case 1:
      return "halt " + random_name(random, "in", kSignals);
    case 2:
    case 3:
      return fmt::format("reset p{}_{}", program, photonic::between(random, 0, modules - 1));
    case 4:
      return "change x.n";
    case 5:
      return random(6) == 0 ? "stop" : random(4) == 0 ? "fail \"random\"" : "change x.n";
    default:
      return fmt::format(
          "raise {} after {} cycles", random_name(random, "in", kSignals),
          random(4) == 0 ? "d + 1" : std::to_string(photonic::between(random, 1, 5)));
  }
}

std::string module_text(const std::string& name, const std::vector<std::string>& counts,
                        const std::vector<std::string>& targets,
                        const std::vector<std::string>& actions) {
  return fmt::format(
      "module {} {{\ncounts: {{\n{}\n}}\ntargets: {{\n{}\n}}\nactions: {{\n{}\n}}\n}};\n", name,
      fmt::join(counts, "\n"), fmt::join(targets, "\n"), fmt::join(actions, "\n"));
}

// The first module raises all signals, so that no module waits forever.
photonic::CountActionProgram random_program(Random& random, int number) {
  const int modules = photonic::between(random, 3, 7);
  std::vector<std::string> all;
  for (int s = 0; s < kSignals; ++s) {
    all.push_back(fmt::format("raise in[i].s{} (i = 0 to {}) after {} cycles", s, kHighest, s + 1));
  }
  std::string text = module_text(fmt::format("p{}_0", number), {"count out.s0"}, {"2"}, all);
  for (int m = 1; m < modules; ++m) {
    std::vector<std::string> counts;
    std::vector<std::string> targets;
    std::vector<std::string> actions;
    for (int i = photonic::between(random, 1, 2); i > 0; --i) {
      counts.push_back(random_count(random));
      targets.push_back(random_target(random));
    }
    for (int i = photonic::between(random, 1, 4); i > 0; --i) {
      actions.push_back(random_action(random, modules, number));
    }
    text += module_text(fmt::format("p{}_{}", number, m), counts, targets, actions);
  }
  return photonic::parse_modules(text, fmt::format("program {}", number));
}

// Inputs and actions of the interpreter, per cycle.
struct Told {
  std::vector<std::string> cycles;
  std::vector<std::int64_t> n;                               // target per cycle
  std::vector<std::set<std::pair<std::string, int>>> given;  // external signals per cycle
  photonic::MachineEnd end = photonic::MachineEnd::limit;
};

class Player {
 public:
  Player(const photonic::CountActionProgram& program, const photonic::WiredDesign& design,
         Random& random)
      : machine_(program, kTargets, {{"change x.n", [this] { change(); }}}, {"out.s0", "out.s1"}),
        design_(design),
        random_(random) {
    machine_.watch([this](const photonic::MachineCycle& cycle) {
      told_.cycles.push_back(text_of(design_, cycle));
      told_.n.push_back(n_);
      n_ = machine_.target("n");
    });
  }

  Told play() {
    told_.given.resize(kCycles);
    for (const std::string& signal : kHardware.signals) {
      const photonic::IndexRange& indices = design_.signals.find(signal)->second.indices;
      for (std::int64_t t = 0; t < kCycles; ++t) {
        for (int i = indices.low; i <= indices.high; ++i) {
          if (random_(4) == 0) give(t, signal, i);
        }
      }
    }
    told_.end = machine_.run(kCycles).end;
    return std::move(told_);
  }

 private:
  void give(std::int64_t cycle, const std::string& signal, int index) {
    machine_.raise(machine_.signal(signal), index, cycle);
    told_.given[static_cast<std::size_t>(cycle)].emplace(signal, index);
  }

  // Takes effect in the next cycle.
  void change() { machine_.set_target("n", photonic::between(random_, 0, 4)); }

  photonic::CountActionMachine machine_;
  const photonic::WiredDesign& design_;
  Random& random_;
  std::int64_t n_ = kTargets.find("n")->second;
  Told told_;
};

std::string raised(const photonic::WiredDesign& design, const Told& told, const std::string& signal,
                   std::size_t cycle) {
  const photonic::IndexRange& indices = design.signals.find(signal)->second.indices;
  unsigned bits = 0;
  for (const auto& [name, index] : told.given[cycle]) {
    if (name == signal) bits |= 1U << static_cast<unsigned>(index - indices.low);
  }
  return fmt::format("{:x}", bits);
}

// All programs share one bench, because building it is slow.
class Programs {
 public:
  explicit Programs(Random& random) : random_(random) {
    std::string text;
    std::vector<BenchInstance> instances;
    for (int p = 0; p < kPrograms; ++p) {
      programs_.push_back(
          std::make_unique<photonic::CountActionProgram>(random_program(random, p)));
      designs_.push_back(wired(*programs_.back(), kTargets, kHardware, {"n", "k"}));
      const std::string name = fmt::format("control_{}", p);
      text += control_verilog(designs_.back(), name) + "\n";
      std::vector<photonic::Port> ports = control_ports(designs_.back());
      ports.erase(ports.begin());  // clock
      instances.push_back({name, std::move(ports)});
    }
    bench_ = std::make_unique<Bench>(text, std::move(instances));
  }

  void compare() {
    std::vector<Told> told;
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      told.push_back(Player(*programs_[p], designs_[p], random_).play());
    }
    const std::vector<BenchRow> outputs = bench_->run(rows(told));
    for (std::size_t p = 0; p < programs_.size(); ++p) {
      SCOPED_TRACE(to_text(*programs_[p]));
      compare(p, told[p], outputs);
      ++ends_[told[p].end];
    }
  }

  int ends(photonic::MachineEnd end) { return ends_[end]; }

 private:
  // The first row is a reset.
  std::vector<BenchRow> rows(const std::vector<Told>& told) const {
    std::vector<BenchRow> rows(kCycles + 1, bench_->no_inputs());
    for (std::size_t p = 0; p < told.size(); ++p) {
      rows[0][bench_->place(p, "reset")] = "1";
      for (std::size_t t = 0; t < told[p].cycles.size(); ++t) {
        BenchRow& row = rows[t + 1];
        for (const std::string& name : designs_[p].inputs) {
          const std::int64_t value = name == "n" ? told[p].n[t] : kTargets.find(name)->second;
          row[bench_->place(p, "target_" + name)] = std::to_string(value);
        }
        for (const std::string& signal : kHardware.signals) {
          row[bench_->place(p, "raised_" + photonic::identifier(signal))] =
              raised(designs_[p], told[p], signal, t);
        }
      }
    }
    return rows;
  }

  void compare(std::size_t p, const Told& told, const std::vector<BenchRow>& outputs) const {
    for (std::size_t t = 0; t < told.cycles.size(); ++t) {
      const BenchRow& row = outputs[t + 1];
      ASSERT_EQ(bench_->text(p, designs_[p], row), told.cycles[t]) << "in cycle " << t;
      const bool last = t + 1 == told.cycles.size();
      const bool failed = last && told.end == photonic::MachineEnd::failed;
      ASSERT_EQ(row[bench_->place(p, "fail")], failed ? "1" : "0") << "in cycle " << t;
      if (failed) continue;
      const bool stopped = last && told.end == photonic::MachineEnd::stopped;
      ASSERT_EQ(row[bench_->place(p, "stop")], stopped ? "1" : "0") << "in cycle " << t;
    }
  }

  Random& random_;
  std::vector<std::unique_ptr<photonic::CountActionProgram>> programs_;
  std::vector<photonic::WiredDesign> designs_;
  std::unique_ptr<Bench> bench_;
  std::map<photonic::MachineEnd, int> ends_;
};

TEST(Hardware, RandomModulesActAsInTheInterpreter) {
  Random random = random_stream(7);
  Programs programs(random);
  for (int run = 0; run < kRuns && !HasFailure(); ++run) programs.compare();
  EXPECT_GT(programs.ends(photonic::MachineEnd::stopped), 0);
  EXPECT_GT(programs.ends(photonic::MachineEnd::failed), 0);
  EXPECT_GT(programs.ends(photonic::MachineEnd::limit), 0);
}

}  // namespace
}  // namespace loom::testing
