#include "loom/photonic/datapath/count_action.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/photonic/datapath/lightning_modules.h"

namespace loom::photonic {
namespace {

// From the talk's slide.
constexpr std::string_view kStreamer = R"(module synchronized_data_streamer {
    counts: {
        // count the sum of valid DAC flags
        sum DAC[i].valid (i = 1 to num_DACs)
    }
    targets: {
        // trigger when the sum equals the number of DACs
        num_DACs
    }
    actions: {
        // stream DACs' data into photonic cores
        stream DAC[i].data (i = 1 to num_DACs)
    }
};
)";

std::string with(std::string_view counts, std::string_view targets, std::string_view actions) {
  return "module m {\ncounts: {\n" + std::string(counts) + "\n}\ntargets: {\n" +
         std::string(targets) + "\n}\nactions: {\n" + std::string(actions) + "\n}\n};\n";
}

std::string refusal(const std::string& text) {
  return message([&] { parse_modules(text, "m.txt"); });
}

std::string check_refusal(const std::string& text) {
  const Targets targets = {{"n", 2}};
  const Hardware hardware{{"read input.word"}, {"x.valid"}};
  return message([&] { check_modules(parse_modules(text, "m.txt"), targets, hardware); });
}

TEST(Modules, TheExampleFromTheTalkIsRead) {
  const CountActionProgram program = parse_modules(kStreamer, "talk");
  ASSERT_EQ(program.modules.size(), 1U);
  const CountActionModule& module = program.modules[0];
  EXPECT_EQ(module.name, "synchronized_data_streamer");
  EXPECT_EQ(module.counts[0].kind, CountKind::sum);
  EXPECT_EQ(to_text(module.counts[0].signal), "DAC[i].valid");
  EXPECT_EQ(to_text(module.counts[0].signal.to), "num_DACs");
  EXPECT_EQ(module.actions[0].verb, "stream");
  EXPECT_EQ(module.counts[0].notes, std::vector<std::string>{"count the sum of valid DAC flags"});
}

TEST(Modules, AreWrittenBackUnchanged) {
  EXPECT_EQ(to_text(parse_modules(kStreamer, "talk")), kStreamer);
  const std::string whole(lightning_modules_text());
  const CountActionProgram program = parse_modules("\xEF\xBB\xBF" + whole, "lightning");
  EXPECT_EQ(to_text(program), whole);
  EXPECT_EQ(parse_modules(to_text(program), "again"), program);
}

TEST(Modules, SpacesAndEmptyLinesDoNotMatter) {
  const std::string text =
      "\n  module m {\r\n\ncounts : {\ncount   x . valid\n}\ntargets:{\n1+ n\n}\n"
      "actions: {\nraise x.valid after 1 cycle\nstop\n}\n};";
  const CountActionProgram program = parse_modules(text, "m.txt");
  EXPECT_EQ(to_text(program.modules[0].targets[0].value), "1 + n");
  EXPECT_EQ(parse_modules(to_text(program), "again"), program);
}

TEST(Modules, InvalidTextIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("modul x {\n"), "m.txt:1: 'modul x {'; 'module NAME {' is needed");
  EXPECT_EQ(refusal(""), "m.txt: the text has no modules; at least one is needed");
  EXPECT_EQ(refusal(with("number x.valid", "1", "stop")),
            "m.txt:3: 'number x.valid'; sum, count or max of a signal is needed");
  EXPECT_EQ(refusal(with("most x.valid", "1", "stop")),
            "m.txt:3: 'most x.valid'; max, the new name of most, is needed");
  EXPECT_EQ(refusal(with("count x", "1", "stop")),
            "m.txt:3: 'count x'; a signal, such as ADC.valid, is needed");
  EXPECT_EQ(refusal(with("sum x[i].valid", "1", "stop")),
            "m.txt:3: 'sum x[i].valid'; a range such as (i = 1 to 2) is needed");
  EXPECT_EQ(refusal(with("count x.valid", "1 +", "stop")),
            "m.txt:6: '1 +'; a name, a number or a sum of those is needed");
  EXPECT_EQ(refusal(with("count x.valid", "1", "raise x.valid")),
            "m.txt:9: 'raise x.valid'; 'after' and a number of cycles is needed");
  EXPECT_EQ(refusal(with("count x.valid", "1", "fail now")),
            "m.txt:9: 'fail now'; a reason in double quotes, such as fail \"no preamble\", is "
            "needed");
  EXPECT_EQ(refusal(with("", "1", "stop")), "m.txt:4: there are no counts; at least one is needed");
  EXPECT_EQ(refusal("module m {\ncounts: {\n"), "m.txt:2: the text ends; '}' is needed");
}

TEST(Modules, ModulesThatCannotWorkAreRefused) {
  EXPECT_EQ(check_refusal(with("count x.valid", "n", "read input.word")), "no error");
  EXPECT_EQ(check_refusal(with("count x.valid", "k", "stop")),
            "m.txt:6: there is no target 'k'; known are n");
  EXPECT_EQ(check_refusal(with("count y.valid", "1", "stop")),
            "m.txt:3: nothing raises 'y.valid'; an action or a hardware signal is needed");
  EXPECT_EQ(
      check_refusal(with("count x.valid", "1", "write input.word")),
      "m.txt:9: there is no action 'write input.word'; the hardware supports read input.word");
  EXPECT_EQ(check_refusal(with("count x.valid", "0", "stop")),
            "m.txt:6: the target is 0; at least 1 is needed");
  EXPECT_EQ(check_refusal(with("count x.valid", "1", "raise x.valid after 0 cycles")),
            "m.txt:9: 'x.valid' is raised after 0 cycles; at least 1 is needed");
  EXPECT_EQ(check_refusal(with("count x.valid", "1", "reset other")),
            "m.txt:9: there is no module 'other' to reset; an existing module is needed");
  EXPECT_EQ(check_refusal(with("count x.valid\ncount x.valid", "1", "stop")),
            "m.txt:1: module 'm' has 2 counts and 1 targets; one target per count is needed");
  const std::string twice = with("count x.valid", "1", "stop");
  EXPECT_EQ(check_refusal(twice + twice),
            "m.txt:12: module 'm' is defined twice; a unique name is needed");
}

}  // namespace
}  // namespace loom::photonic
