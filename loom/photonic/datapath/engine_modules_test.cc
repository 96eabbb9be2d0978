// Modules other than Lightning's in the cycle-accurate engine: the result is correct or a fault.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/testing.h"
#include "loom/photonic/datapath/engine.h"
#include "loom/photonic/datapath/lightning_modules.h"
#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(EngineModules, AReaderThatStallsIsADeadlock) {
  const std::string text = replaced(std::string(lightning_modules_text()),
                                    "        raise DAC[2].valid after memory cycles\n", "");
  PhotonicEngine engine({}, {}, parse_modules(text, "stalled"));
  EXPECT_EQ(engine.known_answer_fault(),
            "deadlock: no signal is pending: synchronized_data_streamer has counted 1 of 2 "
            "(DAC[i].valid); "
            "modulators are skewed by whole cycles, or a module stalls");
}

TEST(EngineModules, ADatapathWithOtherLatenciesTakesOtherCycles) {
  std::string text(lightning_modules_text());
  for (const std::string_view dac : {"DAC[1]", "DAC[2]"}) {
    text = replaced(text, fmt::format("{}.valid after memory cycles", dac),
                    fmt::format("{}.valid after memory + 5 cycles", dac));
  }
  PhotonicEngine slower({}, {}, parse_modules(text, "slower"));
  PhotonicEngine usual;
  Random random = random_stream(5);
  const PhotonicNetwork network = dense_network(random, {30, 6, 4});
  const auto input = random_input(random, 30);
  slower.load(network);
  usual.load(network);
  const EngineOutcome late = slower.run(input);
  const EngineOutcome early = usual.run(input);
  EXPECT_EQ(late.result.logits, early.result.logits);
  EXPECT_EQ(late.result.cycles, early.result.cycles + 10);
}

// Whatever the modules do, the engine gives the correct result or a fault.
TEST(EngineModules, ModulesWithoutALineGiveAFaultOrTheAnswer) {
  Random random = random_stream(6);
  const PhotonicNetwork network = dense_network(random, {20, 5, 3});
  const auto input = random_input(random, 20);
  const PhotonicResult expected = run(network, input);
  const CountActionProgram whole = parse_modules(lightning_modules_text(), "whole");
  int faults = 0;
  for (std::size_t m = 0; m < whole.modules.size(); ++m) {
    for (std::size_t a = 0; a < whole.modules[m].actions.size(); ++a) {
      CountActionProgram less = whole;
      less.modules[m].actions.erase(less.modules[m].actions.begin() +
                                    static_cast<std::ptrdiff_t>(a));
      SCOPED_TRACE(whole.modules[m].name + " without action " + std::to_string(a));
      const std::string refused = message([&] {
        PhotonicEngine engine({}, {}, less);
        engine.load(network);
        const EngineOutcome outcome = engine.run(input);
        if (outcome.fault) {
          ++faults;
        } else {
          EXPECT_EQ(outcome.result.logits, expected.logits);
        }
      });
      faults += refused == "no error" ? 0 : 1;
    }
  }
  EXPECT_GT(faults, 20);
}

constexpr std::string_view kOneModule =
    "module m {\ncounts: {\ncount packet.parsed\n}\ntargets: {\n1\n}\nactions: {\n";

// The fault of a module that starts with these actions.
std::string fault_of_first(const std::string& actions) {
  PhotonicEngine engine({}, {}, parse_modules(std::string(kOneModule) + actions + "}\n};\n", "m"));
  return engine.known_answer_fault().value_or("none");
}

TEST(EngineModules, ModulesThatActBeforeALayerIsLoadedAreAFault) {
  EXPECT_EQ(fault_of_first("stop\n"), "the modules stop before there is a result");
  for (const std::string& operation : lightning_hardware().operations) {
    if (operation == "load layer.targets") continue;
    EXPECT_EQ(fault_of_first(operation + "\nstop\n"), "the modules act before a layer is loaded")
        << operation;
  }
  EXPECT_EQ(fault_of_first("load layer.targets\nload layer.targets\n"),
            "the modules request more layers than there are");
}

// Runs a two-layer network on Lightning's modules, with the first `from` in their text replaced
// by `to`; returns the reported fault, or "none".
std::string fault_with(std::string_view from, std::string_view to) {
  Random random = random_stream(8);
  const PhotonicNetwork network = dense_network(random, {20, 5, 3});
  const std::string text = replaced(std::string(lightning_modules_text()), from, to);
  PhotonicEngine engine({}, {}, parse_modules(text, "m"));
  engine.load(network);
  return engine.run(random_input(random, 20), {.keep_layers = true}).fault.value_or("none");
}

TEST(EngineModules, ModulesThatStopEarlyOrActTwiceAreAFault) {
  const std::string early = "the modules stop before there is a result";
  EXPECT_EQ(fault_with("count result.sent", "count layer.done"), early);
  EXPECT_EQ(fault_with("run softmax.logarithm", "stop"), early);
  EXPECT_EQ(fault_with("normalize buffer.values", "stop"), early);
  EXPECT_EQ(fault_with("        swap buffer.halves", "        stop"), early);
  EXPECT_EQ(
      fault_with("normalize buffer.values", "normalize buffer.values\nnormalize buffer.values"),
      "the modules normalize a layer twice");
  EXPECT_EQ(fault_with("sample ADC.data", "sample ADC.data\nsample ADC.data"),
            "the modules sample twice in a cycle");
  EXPECT_EQ(fault_with("load layer.targets", "load layer.targets\nswap buffer.halves"),
            "the modules swap the buffer before a layer is written");
  EXPECT_EQ(fault_with("swap buffer.halves", "swap buffer.halves\nload layer.targets"),
            "the modules request more layers than there are");
}

// The lines of a text, including their line ends.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
    lines.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::size_t> action_lines(const std::vector<std::string>& lines) {
  std::vector<std::size_t> found;
  bool actions = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (actions && lines[i].starts_with("        ") && !lines[i].starts_with("        //")) {
      found.push_back(i);
    }
    if (lines[i].ends_with("{\n")) actions = lines[i].starts_with("    actions");
  }
  return found;
}

// Deletes, doubles, replaces or moves one action.
std::string mutated(const std::vector<std::string>& lines, Random& random) {
  const std::vector<std::size_t> actions = action_lines(lines);
  const auto any = [&] { return actions[random(static_cast<std::uint32_t>(actions.size()))]; };
  std::vector<std::string> changed = lines;
  std::string& line = changed[any()];
  switch (random(4)) {
    case 0:
      line = "";
      break;
    case 1:
      line += line;
      break;
    case 2:
      line = lines[any()];
      break;
    default:
      line += lines[any()];
  }
  std::string text;
  for (const std::string& it : changed) text += it;
  return text;
}

// The cycle count may differ, because other modules may be slower.
void expect_answer(const PhotonicResult& given, const PhotonicResult& expected) {
  ASSERT_EQ(given.layers.size(), expected.layers.size());
  for (std::size_t l = 0; l < given.layers.size(); ++l) {
    EXPECT_EQ(given.layers[l].sums, expected.layers[l].sums);
    EXPECT_EQ(given.layers[l].activations, expected.layers[l].activations);
  }
  EXPECT_EQ(given.log_probabilities, expected.log_probabilities);
  EXPECT_EQ(given.label, expected.label);
  EXPECT_EQ(given.overflows, expected.overflows);
  EXPECT_EQ(given.clipped, expected.clipped);
}

TEST(EngineModules, MutatedModulesGiveAFaultOrTheAnswer) {
  const std::vector<std::string> lines = lines_of(std::string(lightning_modules_text()));
  ASSERT_GT(action_lines(lines).size(), 30U);
  int faults = 0;
  int answers = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Random random = random_stream(seed);
    const std::string text = mutated(lines, random);
    const PhotonicNetwork network = random_network(random);
    const auto input = random_input(random, input_size(network));
    const PhotonicResult expected = run(network, input, {.keep_layers = true});
    SCOPED_TRACE(fmt::format("seed {}:\n{}", seed, text));
    const std::string refused = message([&] {
      PhotonicEngine engine({}, {}, parse_modules(text, "mutated"));
      engine.load(network);
      const EngineOutcome outcome = engine.run(input, {.keep_layers = true});
      ++(outcome.fault ? faults : answers);
      if (!outcome.fault) expect_answer(outcome.result, expected);
    });
    if (refused != "no error") ++faults;
  }
  EXPECT_GT(faults, 300);
  EXPECT_GT(answers, 20);
}

}  // namespace
}  // namespace loom::photonic
