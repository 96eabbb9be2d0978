#include "loom/photonic/verilog/verilog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loom/base/testing.h"
#include "loom/photonic/datapath/engine.h"
#include "loom/photonic/datapath/lightning_modules.h"
#include "loom/photonic/verilog/verilog_design.h"

namespace loom::photonic {
namespace {

using ::testing::HasSubstr;

CountActionProgram lightning() { return parse_modules(lightning_modules_text(), "lightning"); }

std::string module(const std::string& name, const std::string& count, const std::string& target,
                   const std::string& actions) {
  return "module " + name + " {\ncounts: {\n" + count + "\n}\ntargets: {\n" + target +
         "\n}\nactions: {\n" + actions + "\n}\n};\n";
}

std::string refusal(const std::string& text) {
  const Targets targets = {{"n", 2}, {"d", 2}};
  const Hardware hardware{{"do x.a", "do x_a.b", "do x.a_b"}, {"go.now"}};
  return message(
      [&] { control_verilog(parse_modules(text, "m.txt"), targets, hardware, {"n"}, "control"); });
}

TEST(Verilog, EveryModuleIsDefinedAndUsed) {
  const CountActionProgram program = lightning();
  const std::string text = lightning_verilog(program, {});
  for (const CountActionModule& module : program.modules) {
    EXPECT_THAT(text, HasSubstr("\nmodule module_" + module.name + " (")) << module.name;
    EXPECT_THAT(text, HasSubstr("  module_" + module.name + " the_" + module.name + " ("));
  }
  EXPECT_THAT(text, HasSubstr("\nmodule lightning_layer #("));
}

TEST(Verilog, ADelayIsAsLongAsItsShiftRegister) {
  const Targets targets = {{"d", 2}};
  const std::string text = control_verilog(
      parse_modules(module("m", "count go.now", "1", "raise x.y after d + 3 cycles"), "m"), targets,
      {{}, {"go.now"}}, {}, "control");
  EXPECT_THAT(text, HasSubstr("  // x.y after 5\n  logic [4:0] line_0;"));
}

TEST(Verilog, ATargetThatANetworkRewritesIsAnInput) {
  const CountActionProgram program = lightning();
  const WiredDesign design =
      wired(program, lightning_targets({}), lightning_hardware(), loaded_targets());
  for (const std::string& name : loaded_targets())
    EXPECT_TRUE(design.inputs.contains(name)) << name;
  EXPECT_TRUE(design.built_in.contains("memory"));
}

TEST(Verilog, TheEffectOfAHaltDependsOnTheOrderOfModules) {
  const std::string text = module("a", "count go.now", "1", "halt x.y") +
                           module("b", "count go.now", "1", "raise x.y after 3 cycles") +
                           module("c", "count go.now", "1", "halt x.y");
  const CountActionProgram program = parse_modules(text, "m.txt");
  const WiredDesign design = wired(program, {}, {{}, {"go.now"}}, {});
  EXPECT_EQ(design.modules[1].raises[0].halted_by, (ModuleNumbers{0, 2}));
  EXPECT_EQ(design.modules[1].raises[0].undone_by, ModuleNumbers{2});
}

TEST(Verilog, ModulesThatHardwareCannotImplementAreRefused) {
  EXPECT_EQ(refusal(module("m", "count go.now", "n", "stop")), "no error");
  EXPECT_EQ(refusal(module("m", "count go.now", "1", "raise x.y after n cycles")),
            "m.txt:9: 'n' changes at run time; a delay must be constant in hardware");
  EXPECT_EQ(refusal(module("m", "sum go[i].now (i = 1 to n)", "1", "stop")),
            "m.txt:3: 'n' changes at run time; an index must be constant in hardware");
  EXPECT_EQ(
      refusal(module("m", "count go.now", "1", "halt go.now")),
      "m.txt:9: 'go.now' is raised outside the modules; hardware can halt only signals of modules");
  EXPECT_EQ(refusal(module("m", "count go.now", "9999999999", "stop")),
            "m.txt:6: the target is 9999999999; hardware counts from 0 to 4294967295");
  EXPECT_EQ(refusal(module("m", "count go.now", "1", "do x_a.b\ndo x.a_b")),
            "m.txt: 'do x.a_b' and 'do x_a.b' are both do_x_a_b in SystemVerilog; different names "
            "are needed");
  EXPECT_EQ(refusal(module("m", "count go.now", "k", "stop")),
            "m.txt:6: there is no target 'k'; known are d, n");
}

TEST(Verilog, SeveralWavelengthsAreRefused) {
  EXPECT_EQ(message([] { lightning_verilog(lightning(), {.wavelengths = 2}); }),
            "command line: this datapath is not all digital; one wavelength, 8 DAC bits, no loss "
            "and no adc_range are needed");
}

// The engine refuses an operation that it does not have.
TEST(Verilog, TheEngineImplementsAllOperationsOfTheHardware) {
  std::string actions;
  for (const std::string& operation : lightning_hardware().operations) actions += operation + "\n";
  actions += "stop";
  const CountActionProgram all =
      parse_modules(module("m", "count packet.parsed", "1", actions), "m.txt");
  EXPECT_EQ(message([&] { PhotonicEngine({}, {}, all); }), "no error");
}

}  // namespace
}  // namespace loom::photonic
