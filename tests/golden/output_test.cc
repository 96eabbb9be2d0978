// The program's complete output for every example, every command's help and every output format.
// LOOM_REFRESH=1 (./test --refresh) rewrites tests/golden/expected; review the diff.
#include <cstdlib>
#include <set>

#include "tests/golden/examples.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

struct Golden {
  std::string name;  // file in expected/, without .txt
  std::vector<std::string> words;

  friend void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }
};

const char* const kCommands[] = {
    "simulate", "compare",    "collective", "flows", "fabrics",    "dump",    "export",
    "schema",   "completion", "explain",    "plan",  "reproduce",  "models",  "accelerators",
    "cost",     "prices",     "photonic",   "share", "compatible", "cluster", "mltcp"};

const char* const kPhotonicCommands[] = {"run",   "modules", "verilog", "curves", "calibrate",
                                         "train", "study",   "serve",   "client", "load"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void add_examples(std::vector<Golden>& all) {
  for (const std::string& name : example_names()) {
    all.push_back({name, {"compare", example_path(name)}});
    if (example_points(name).size() > 1) continue;
    all.push_back({name + ".simulate", {"simulate", example_path(name)}});
  }
  for (const std::string& name : profile_example_names()) {
    all.push_back({name, {"compatible", example_path(name), "--angles", "72"}});
  }
  all.push_back({"compatible_json", {"compatible", "examples/compatible_loop.yaml", "--json"}});
  all.push_back({"compatible_csv", {"compatible", "examples/compatible_loop.yaml", "--csv"}});
}

void add_helps(std::vector<Golden>& all) {
  all.push_back({"help", {"--help"}});
  all.push_back({"version", {"--version"}});
  for (const std::string command : kCommands)
    all.push_back({"help_" + command, {command, "--help"}});
  for (const std::string command : kPhotonicCommands) {
    all.push_back({"help_photonic_" + command, {"photonic", command, "--help"}});
  }
  for (const std::string nested : {"load", "attach", "detach", "stats", "unload", "bench"}) {
    all.push_back({"help_mltcp_" + nested, {"mltcp", nested, "--help"}});
  }
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    all.push_back({"completion_" + shell, {"completion", shell}});
  }
}

void add_commands(std::vector<Golden>& all) {
  const std::vector<std::string> flows = {"flows",       "examples/data/flows.csv",
                                          "--fabric",    "switch",
                                          "--bandwidth", "100Gbps",
                                          "--latency",   "1us"};
  const std::vector<std::string> collective = {
      "collective", "all_reduce", "--size",    "1GB", "--gpus",      "64",
      "--fabric",   "switch",     "--latency", "1us", "--bandwidth", "400Gbps"};
  all.insert(
      all.end(),
      {{"fabrics", {"fabrics"}},
       {"fabrics_torus_json", {"fabrics", "torus", "--json"}},
       {"schema", {"schema"}},
       {"cost", {"cost", "examples/cost_fabrics.yaml"}},
       {"cost_json",
        {"cost", "--fabric", "fat_tree", "--gpus", "16", "--bandwidth", "[50Gbps, 400Gbps]",
         "--json"}},
       {"cost_csv", {"cost", "examples/circuits_switches.yaml", "--csv"}},
       {"compare_cost", {"compare", "examples/cost_fabrics.yaml", "--cost"}},
       {"share", {"share", "examples/data/shared_link.yaml", "--start", "0ms,5ms"}},
       {"share_mltcp_json",
        {"share", "examples/data/shared_link.yaml", "--start", "0ms,5ms", "--transport", "mltcp",
         "--iterations", "10", "--json"}},
       {"share_weighted_csv",
        {"share", "examples/data/shared_link.yaml", "--transport", "weighted", "--weights", "60,40",
         "--csv"}},
       {"prices", {"prices"}},
       {"prices_json", {"prices", "transceiver", "--json"}},
       {"compare_json", {"compare", "examples/first.yaml", "--json"}},
       {"compare_csv", {"compare", "examples/first.yaml", "--csv"}},
       {"simulate_json", {"simulate", "examples/cluster_auto.yaml", "--json"}},
       {"simulate_csv", {"simulate", "examples/cluster_auto.yaml", "--csv"}},
       {"simulate_point", {"simulate", "examples/first.yaml", "--point", "2"}},
       {"simulate_set", {"simulate", "examples/cluster_auto.yaml", "--set", "workload.size=1 kB"}},
       {"collective", collective},
       {"collective_json", with(collective, {"--json"})},
       {"collective_csv", with(collective, {"--csv"})},
       {"collective_sweep", with(collective, {"--set", "workload.size=[1 kB, 1 MB, 1 GB]"})},
       {"flows_text", flows},
       {"flows_json", with(flows, {"--json"})},
       {"flows_csv", with(flows, {"--csv"})},
       {"flows_weighted", with(flows, {"--sharing", "weighted"})},
       {"models", {"models"}},
       {"models_json", {"models", "--json"}},
       {"models_preset", {"models", "llama3-8b"}},
       {"models_family", {"models", "mlp"}},
       {"accelerators", {"accelerators"}},
       {"accelerators_json", {"accelerators", "--json"}},
       {"reproduce", {"reproduce"}},
       {"reproduce_megatron", {"reproduce", "megatron"}},
       {"reproduce_megatron_json", {"reproduce", "megatron", "--json"}},
       {"job_simulate_json", {"simulate", "examples/job_first.yaml", "--point", "1", "--json"}},
       {"job_compare_json", {"compare", "examples/job_first.yaml", "--json"}},
       {"job_explain", {"explain", "examples/job_first.yaml", "--point", "1"}},
       {"job_plan", {"plan", "examples/job_first.yaml", "--point", "1", "--show", "10"}},
       {"job_plan_json", {"plan", "examples/job_first.yaml", "--point", "1", "--json"}}});
}

void add_photonic(std::vector<Golden>& all) {
  const std::vector<std::string> study = {"photonic",   "study", "--load",  "5Mbps,60Mbps",
                                          "--runs",     "2",     "--model", "AlexNet,VGG-16,DLRM",
                                          "--requests", "20,40"};
  const std::vector<std::string> digits = {"examples/data/digits/network.yaml", "--inputs",
                                           "examples/data/digits/inputs.npy", "--labels",
                                           "examples/data/digits/labels.npy"};
  const auto photonic = [&](const std::string& command, const std::vector<std::string>& more) {
    return with(with({"photonic", command}, digits), more);
  };
  all.insert(
      all.end(),
      {{"photonic_run", photonic("run", {})},
       {"photonic_run_json", photonic("run", {"--json", "--count", "5"})},
       {"photonic_run_unlabeled_json",
        {"photonic", "run", digits[0], digits[1], digits[2], "--json", "--count", "5"}},
       {"photonic_run_csv", photonic("run", {"--csv", "--count", "5", "--sample-sigma", "1.657"})},
       {"photonic_run_cycles",
        photonic("run", {"--engine", "cycles", "--count", "3", "--offset", "7"})},
       {"photonic_modules", {"photonic", "modules"}},
       {"photonic_verilog", {"photonic", "verilog"}},
       {"photonic_curves", photonic("curves", {"--over", "wavelengths"})},
       {"photonic_curves_json",
        photonic("curves", {"--over", "sigma", "--values", "0,5", "--seeds", "2", "--json"})},
       {"photonic_calibrate", {"photonic", "calibrate"}}});
  all.insert(all.end(), {{"photonic_study", study},
                         {"photonic_study_json", with(study, {"--json"})},
                         {"photonic_study_csv", with(study, {"--csv"})}});
}

void add_scheduling(std::vector<Golden>& all) {
  all.insert(all.end(),
             {{"cluster_trace", {"cluster", "examples/cluster_trace.yaml"}},
              {"cluster_trace_csv",
               {"cluster", "examples/cluster_trace.yaml", "--csv", "--set", "arrivals.jobs=5",
                "--set", "policy=fair"}},
              {"cluster_trace_json",
               {"cluster", "examples/cluster_trace.yaml", "--json", "--set", "arrivals.jobs=3",
                "--set", "policy=locality", "--set", "cassini=true"}}});
  for (const std::string stage : {"scenario", "links", "workload", "messages", "trace"}) {
    all.push_back({"dump_" + stage,
                   {"dump", "examples/custom_graph_csv.yaml", "--point", "1", "--stage", stage}});
  }
}

std::vector<Golden> goldens() {
  std::vector<Golden> all;
  add_examples(all);
  add_helps(all);
  add_commands(all);
  add_photonic(all);
  add_scheduling(all);
  return all;
}

std::filesystem::path expected_path(const std::string& name) {
  return std::filesystem::path(LOOM_SOURCE_DIR) / "tests/golden/expected" / (name + ".txt");
}

bool refreshing() {
  const char* asked = std::getenv("LOOM_REFRESH");
  return asked != nullptr && std::string(asked) == "1";
}

class Output : public ::testing::TestWithParam<Golden> {};

TEST_P(Output, IsTheExpectedOne) {
  const std::string printed = output_of(GetParam().words);
  const std::filesystem::path path = expected_path(GetParam().name);
  if (refreshing() && !HasFailure()) std::ofstream(path, std::ios::binary) << printed;
  ASSERT_TRUE(std::filesystem::exists(path))
      << path << " is missing; './test --refresh' writes it; review and commit it";
  EXPECT_EQ(printed, content_of(path))
      << "if the change is intended, './test --refresh' rewrites " << path;
}

INSTANTIATE_TEST_SUITE_P(, Output, ::testing::ValuesIn(goldens()), [](const auto& golden) {
  std::string name = golden.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(Expected, HasNoUnusedFile) {
  std::set<std::string> known;
  for (const Golden& golden : goldens()) known.insert(golden.name + ".txt");
  for (const auto& entry : std::filesystem::directory_iterator(expected_path("x").parent_path())) {
    EXPECT_EQ(known.count(entry.path().filename().string()), 1U)
        << entry.path() << " belongs to no example and no command; delete it";
  }
}

}  // namespace
}  // namespace loom::testing
