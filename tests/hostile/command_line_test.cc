// Invalid command lines.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kGood =
    "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 4\n"
    "fabric: {kind: switch, bandwidth: 1 Gbps}\n";
const std::string kTwo =
    "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 4\n"
    "fabrics:\n  - {kind: switch, bandwidth: 1 Gbps}\n  - {kind: switch, bandwidth: 2 Gbps}\n";

const std::string kJob =
    "workload: {model: resnet-50, batch: 64}\naccelerator: a100\ngpus: 2\n"
    "fabric: {kind: switch, bandwidth: 1 Gbps}\n";

// A command line for a valid scenario.
Hostile simulate(const std::string& name, std::vector<std::string> options,
                 const std::string& message) {
  options.insert(options.begin(), {"simulate", "s.yaml"});
  return {name, {{"s.yaml", kGood}}, options, message};
}

Hostile simulate_two(const std::string& name, std::vector<std::string> options,
                     const std::string& message) {
  options.insert(options.begin(), {"simulate", "s.yaml"});
  return {name, {{"s.yaml", kTwo}}, options, message};
}

Hostile words(const std::string& name, const std::vector<std::string>& line,
              const std::string& message) {
  return {name, {}, line, message};
}

std::vector<std::string> collective(std::vector<std::string> more) {
  more.insert(more.begin(), {"collective", "all_reduce", "--gpus", "4", "--fabric", "switch"});
  return more;
}

const std::vector<Hostile> kCommands = {
    words("nothing", {}, "no command is given; 'lightloom --help' lists them"),
    words("an_unknown_command", {"nope"},
          "there is no command 'nope'; 'lightloom --help' lists them"),
    words(
        "a_misspelled_command", {"simulat", "s.yaml"},
        "there is no command 'simulat' (did you mean 'simulate'?); 'lightloom --help' lists them"),
    words("an_unknown_option", {"--nope"},
          "there is no option '--nope'; 'lightloom --help' lists them"),
    words("an_unknown_option_of_a_command", {"simulate", "--xyzzyx"},
          "there is no option '--xyzzyx'; 'lightloom simulate --help' lists them"),
    simulate("a_misspelled_option", {"--jsn"},
             "there is no option '--jsn' (did you mean '--json'?); 'lightloom simulate --help' "
             "lists them"),
    simulate("an_old_option", {"--trace", "t.json"}, "--trace was renamed; write --timeline"),
    simulate("an_option_with_underscores", {"--gpus_per_server=8"},
             "--gpus_per_server was renamed; write --gpus-per-server"),
    simulate("an_option_of_an_old_key", {"--reconfiguration", "1ms"},
             "--reconfiguration was renamed; write --switch-time"),
    simulate("an_unknown_short_option", {"-x"},
             "The following argument was not expected: -x; see 'lightloom simulate --help'"),
    simulate("a_word_too_many", {"more.yaml"},
             "The following argument was not expected: more.yaml; see 'lightloom simulate --help'"),
    words("a_chart_of_another_kind", {"compare", "s.yaml", "--plot", "x.png"},
          "--plot x.png: a file that ends in .svg is needed"),
    words("no_scenario", {"simulate"},
          "command line: one of SCENARIO, --rostam and --flexflow is needed"),
    words("a_missing_scenario", {"simulate", "nope.yaml"},
          "cannot read 'nope.yaml': No such file or directory"),
    words("a_folder_for_a_scenario", {"simulate", "."}, "'.' is a folder; a file is needed"),
    simulate("two_forms_of_output", {"--json", "--csv"},
             "--json excludes --csv; see 'lightloom simulate --help'"),
    simulate("no_threads", {"--threads", "0"},
             "--threads: 0 is given; an integer from 1 to 1024 is needed; see 'lightloom "
             "simulate --help'"),
    simulate("threads_in_words", {"--threads", "all"},
             "--threads: all is given; an integer from 1 to 1024 is needed; see 'lightloom "
             "simulate --help'"),
    simulate("a_missing_value", {"--threads"},
             "--threads: 1 required N missing; see 'lightloom simulate --help'"),
    simulate_two("no_point", {},
                 "s.yaml:1: the scenario has 2 points (fabric varies) and one is "
                 "needed; choose with --point or --set, or use 'lightloom compare'"),
    simulate_two("a_point_beyond", {"--point", "3"},
                 "--point 3: the scenario has 2 points; one of them is needed"),
    simulate_two("point_zero", {"--point", "0"},
                 "--point: 0 is given; an integer from 1 to 10000 is needed; see 'lightloom "
                 "simulate --help'"),
    simulate("a_timeline_in_no_folder", {"--timeline", "nowhere/t.json"},
             "cannot write 'nowhere/t.json': No such file or directory"),
    simulate("a_timeline_in_no_folder_before_anything_else",
             {"--timeline", "nowhere/t.json", "--set", "workload.ranks=0-99"},
             "cannot write 'nowhere/t.json': No such file or directory"),
    simulate("a_timeline_of_a_trace", {"--from", "trace=t.csv", "--timeline", "t.json"},
             "--from trace=t.csv: a trace or timeline is requested, which needs a run instead of "
             "this file"),
    simulate("a_timeline_over_a_folder", {"--timeline", "/tmp"},
             "cannot write '/tmp': Is a directory"),
    simulate("a_timeline_in_closed_form", {"--timeline", "t.json", "--set", "engine=coarse"},
             "--set engine=coarse: scenario.engine is coarse; fluid is needed for a trace or "
             "timeline"),
    simulate("a_bandwidth_beside_a_scenario", {"--bandwidth", "800Gbps"},
             "--bandwidth 800Gbps: SCENARIO is given; use --set fabric.bandwidth=800Gbps instead"),
    simulate("a_fabric_beside_a_scenario", {"--fabric", "sip_ring"},
             "--fabric sip_ring: SCENARIO is given; use --set fabric.kind=sip_ring instead"),
    simulate("devices_beside_a_scenario", {"--gpus", "64"},
             "--gpus 64: SCENARIO is given; use --set gpus=64 instead"),
    simulate("a_batch_beside_a_scenario", {"--batch", "7"},
             "--batch 7: SCENARIO is given; use --set workload.batch=7 instead"),
    words("an_unknown_fabric", {"fabrics", "tores"},
          "there is no fabric 'tores' (did you mean 'torus'?); 'lightloom fabrics' lists them"),
    words("an_unknown_shell", {"completion", "tcsh"},
          "SHELL: tcsh not in {bash,zsh,fish}; see 'lightloom completion --help'"),
    {"a_dump_of_a_trace_that_is_given",
     {{"s.yaml", kGood}},
     {"dump", "s.yaml", "--stage", "trace", "--from", "trace=t.csv"},
     "--from trace=t.csv: a trace or timeline is requested, which needs a run instead of this "
     "file"},
    {"a_workload_instead_of_the_job_to_explain",
     {{"s.yaml", kJob},
      {"w.yaml", "devices: 2\noperations:\n  - {name: a, compute: 1 us, device: 0}\n"}},
     {"explain", "s.yaml", "--from", "workload=w.yaml"},
     "s.yaml:1: --from replaces the training job by a workload; the job itself is needed"},
    {"an_unknown_stage",
     {{"s.yaml", kGood}},
     {"dump", "s.yaml", "--stage", "tea"},
     "--stage: tea not in {scenario,links,circuits,workload,messages,trace,cross_connects,"
     "cross_connects_json,forwarding,msccl}; see 'lightloom dump --help'"},
};

const std::vector<Hostile> kSets = {
    simulate("no_value", {"--set", "gpus"},
             "--set gpus: a path and a value are needed, such as fabric.bandwidth=800Gbps"),
    simulate("an_empty_value", {"--set", "gpus="},
             "--set gpus=: a path and a value are needed, such as fabric.bandwidth=800Gbps"),
    simulate("no_path", {"--set", "=4"},
             "--set =4: a path and a value are needed, such as fabric.bandwidth=800Gbps"),
    simulate("a_leading_dot", {"--set", ".gpus=4"},
             "--set .gpus=4: '.gpus' is no path; at most 8 names separated by dots are needed"),
    simulate("two_dots", {"--set", "fabric..kind=4"},
             "--set fabric..kind=4: 'fabric..kind' is no path; at most 8 names separated by dots "
             "are needed"),
    simulate("a_path_without_end", {"--set", "a.b.c.d.e.f.g.h.i=4"},
             "--set a.b.c.d.e.f.g.h.i=4: 'a.b.c.d.e.f.g.h.i' is no path; at most 8 names separated "
             "by dots are needed"),
    simulate(
        "below_a_single_value", {"--set", "gpus.many=4"},
        "--set gpus.many=4: 'many' is set below a single value; a map or list is needed there"),
    simulate("an_unknown_key", {"--set", "fabric.shape=4"},
             "--set fabric.shape=4: fabric has no key 'shape'; known are kind, name, bandwidth, "
             "latency, radix"),
    simulate("fabrics_where_there_is_one", {"--set", "fabrics.0.bandwidth=1Gbps"},
             "--set fabrics.0.bandwidth=1Gbps: fabrics is not a list of maps; a list of {kind: "
             "switch, …} is needed"),
    simulate_two(
        "a_fabric_beyond", {"--set", "fabrics.2.bandwidth=1Gbps"},
        "--set fabrics.2.bandwidth=1Gbps: '2' is no index into a list of 2; its values are "
        "numbered from 0"),
    simulate("not_yaml", {"--set", "gpus=a: b: c"},
             "--set gpus=a: b: c: not YAML: illegal map value"),
    simulate("a_bare_number", {"--set", "fabric.latency=4"},
             "--set fabric.latency=4: fabric.latency is 4; a time needs one of the units ps, ns, "
             "us, ms, s, µs, min, h"),
    simulate("an_unknown_stage", {"--from", "tea=t.yaml"},
             "--from tea=t.yaml: links=FILE, workload=FILE or trace=FILE is needed"),
    simulate("a_stage_without_a_file", {"--from", "links"},
             "--from links: links=FILE, workload=FILE or trace=FILE is needed"),
    simulate("a_stage_that_is_not_there", {"--from", "links=l.yaml"},
             "--from links=l.yaml: cannot read 'l.yaml': No such file or directory"),
    simulate("links_of_another_network", {"--from", "links=s.yaml"},
             "s.yaml:1: a graph is one key 'links' with a list of links"),
};

const std::vector<Hostile> kCollectives = {
    words("no_kind", {"collective"}, "KIND is required; see 'lightloom collective --help'"),
    words("a_misspelled_kind",
          {"collective", "all_redoce", "--size", "1B", "--gpus", "4", "--fabric", "switch"},
          "collective all_redoce: workload.collective is all_redoce; one of all_reduce, "
          "reduce_scatter, all_gather, all_to_all, broadcast, point_to_point is needed (did you "
          "mean 'all_reduce'?)"),
    words("no_fabric", {"collective", "all_reduce", "--size", "1B"},
          "--fabric is required; see 'lightloom collective --help'"),
    words("no_size", collective({"--bandwidth", "1Gbps"}),
          "command line: workload has neither size nor sizes; one of them is needed"),
    words("no_bandwidth", collective({"--size", "1B"}),
          "command line: fabric lacks 'bandwidth' (bandwidth between one device and the network, "
          "per direction)"),
    words("a_bare_size", collective({"--size", "1", "--bandwidth", "1Gbps"}),
          "--size 1: workload.size is 1; a size needs one of the units B, kB, MB, GB, TB, PB, KB, "
          "KiB, MiB, GiB, TiB"),
    words(
        "a_parameter_of_others",
        collective({"--size", "1B", "--bandwidth", "1Gbps", "--shape", "2x2"}),
        "--shape 2x2: fabric has no key 'shape'; known are kind, name, bandwidth, latency, radix"),
    words(
        "a_list_without_end", collective({"--size", "[1B", "--bandwidth", "1Gbps"}),
        "--size [1B: a list or map is used as a key, or a bracket is not closed; a key is a plain "
        "word"),
    words("an_empty_list", collective({"--size", "[]", "--bandwidth", "1Gbps"}),
          "--size []: workload.size is an empty list; a value is needed"),
    words("a_timeline_of_several",
          collective({"--size", "[1B,2B]", "--bandwidth", "1Gbps", "--timeline", "t.json"}),
          "command line: the scenario has 2 points (workload.size varies) and one is needed; a "
          "timeline needs single values"),
    words("flows_that_are_not_there",
          {"flows", "f.csv", "--fabric", "switch", "--bandwidth", "1Gbps"},
          "flows f.csv: cannot read 'f.csv': No such file or directory"),
};

TEST(Output, ThatCannotBeWrittenIsAnError) {
  const Ran ran =
      run_program({"/bin/sh", "-c", "\"$0\" compare examples/first.yaml > /dev/full", LOOM_BINARY});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "cannot write the output: No space left on device\n");
}

TEST(StandardInput, HasASizeLimit) {
  const Ran ran = run_program({"/bin/sh", "-c", "\"$0\" simulate - < /dev/zero", LOOM_BINARY});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "<stdin>: the input is larger than 4194304 bytes; a smaller scenario is needed\n");
}

TEST(StandardInput, IsNamedInMessages) {
  const Ran ran = lightloom({"simulate", "-"}, ".", "gpus: 4\n\ngpus: 5\n");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "<stdin>:3: key 'gpus' appears twice; once is enough\n");
}

INSTANTIATE_TEST_SUITE_P(Command, Broken, ::testing::ValuesIn(kCommands), name_of);
INSTANTIATE_TEST_SUITE_P(Set, Broken, ::testing::ValuesIn(kSets), name_of);
INSTANTIATE_TEST_SUITE_P(Collective, Broken, ::testing::ValuesIn(kCollectives), name_of);

}  // namespace
}  // namespace loom::testing
