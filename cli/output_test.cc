#include "cli/output.h"

#include <gtest/gtest.h>

namespace loom::cli {
namespace {

std::vector<scenario::Scenario> scenarios(const std::string& gpus) {
  return scenario::read_scenarios(
      parse_yaml("workload: {collective: all_reduce, size: 1 MB}\ngpus: " + gpus +
                     "\nfabric: {kind: switch, bandwidth: 1 Gbps}\n",
                 "s.yaml"),
      {});
}

std::string refusal(const std::string& gpus, int point) {
  try {
    one_point(scenarios(gpus), point);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OnePoint, IsTheOnlyOneOrTheRequestedOne) {
  EXPECT_EQ(one_point(scenarios("4"), 0).settings.integer("gpus"), 4);
  EXPECT_EQ(one_point(scenarios("[4, 8]"), 2).settings.integer("gpus"), 8);
}

TEST(OnePoint, OfSeveralMustBeChosenAndTheErrorNamesWhatVaries) {
  EXPECT_EQ(refusal("[4, 8]", 0),
            "s.yaml:1: the scenario has 2 points (gpus varies) and one is needed; choose with "
            "--point or --set, or use 'lightloom compare'");
  EXPECT_EQ(refusal("[4, 8]", 3), "--point 3: the scenario has 2 points; one of them is needed");
  EXPECT_EQ(refusal("4", 2), "--point 2: the scenario has 1 point; one of them is needed");
}

// Parses these words into options; returns the error message.
std::string parsed(std::vector<std::string> words, RunCommandOptions& args) {
  Program program("", "lightloom");
  add_run_options(program.command(), args);
  add_point_option(program.command(), args);
  return program.parse(std::move(words));
}

TEST(RunCommandOptions, MayBeRepeated) {
  RunCommandOptions args;
  EXPECT_EQ(parsed({"--set", "a=1", "--from", "links=x", "--set=b=2", "--threads", "3"}, args), "");
  EXPECT_EQ(args.overrides, (std::vector<std::string>{"a=1", "b=2"}));
  EXPECT_EQ(args.replacements, std::vector<std::string>{"links=x"});
  EXPECT_EQ(args.threads, 3);
  EXPECT_EQ(args.point, 0);
}

TEST(RunCommandOptions, CountFromOne) {
  RunCommandOptions args;
  for (const std::string number : {"0", "1025", "x", "1.5", "2x", ""}) {
    EXPECT_EQ(parsed({"--threads", number}, args),
              "--threads: " + number + " is given; an integer from 1 to 1024 is needed");
  }
}

// The command line that a command reports when called with these words.
std::string said(std::vector<std::string> words) {
  Program program("", "lightloom");
  Command command = program.command().add_subcommand("simulate", "");
  RunCommandOptions args;
  OutputOptions output;
  std::string scenario;
  std::string line;
  command.add_option("SCENARIO", scenario, "");
  add_run_options(command, args);
  add_output_options(command, output);
  command.callback([&] { line = command_line(command); });
  words.insert(words.begin(), "simulate");
  EXPECT_EQ(program.parse(std::move(words)), "");
  return line;
}

TEST(CommandLine, IsReproducedAsGiven) {
  EXPECT_EQ(said({}), "lightloom simulate");
  EXPECT_EQ(said({"--set", "b=2", "s.yaml", "--json", "--threads=3", "--set", "a=1"}),
            "lightloom simulate --set b=2 s.yaml --json --threads 3 --set a=1");
  EXPECT_EQ(said({"my s.yaml", "--set", "size=[1 MB, 2 MB]", "--set", "name=it's"}),
            R"(lightloom simulate 'my s.yaml' --set 'size=[1 MB, 2 MB]' --set 'name=it'\''s')");
}

TEST(ExitCode, IsThreeIfAnythingDeadlocks) {
  std::vector<run::Report> results(2);
  EXPECT_EQ(exit_code(results), kOk);
  results[1].outcome.deadlock =
      simulate::Deadlock{.at = TimePoint(1_us), .unfinished = 1, .waiting = {"a waits for b"}};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(exit_code(results), kInfeasible);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "deadlock at 1.000 us: 1 operation cannot finish\n  a waits for b\n");
}

}  // namespace
}  // namespace loom::cli
