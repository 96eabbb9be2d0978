// Invalid tables of layers and requests, and impossible serving options.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kLayers = "model,layer_id,vec_len,num_vvp,prereqs\na,1,10,10,\n";

Hostile study(const std::string& name, const std::vector<std::string>& words,
              const std::string& message, const std::map<std::string, std::string>& files = {}) {
  std::vector<std::string> all = {"photonic", "study"};
  all.insert(all.end(), words.begin(), words.end());
  return {name, files, all, message};
}

const Hostile kPhotonic[] = {
    {"photonic_without_a_command",
     {},
     {"photonic"},
     "no command is given; 'lightloom photonic --help' lists them"},
    {"photonic_with_an_unknown_command",
     {},
     {"photonic", "studdy"},
     "there is no command 'studdy' (did you mean 'study'?); 'lightloom photonic --help' lists "
     "them"},
    {"photonic_with_an_unknown_option",
     {},
     {"photonic", "study", "--lod", "1Mbps"},
     "there is no option '--lod' (did you mean '--load'?); 'lightloom photonic study --help' lists "
     "them"},
    study("study_of_no_processor", {"--processor", "A1000"},
          "--processor A1000: there is no processor 'A1000' (did you mean 'A100'?); known are "
          "Lightning, A100, A100X, Brainwave, A100-fair, A100X-fair, Lightning-fed"),
    study("study_of_no_model", {"--model", "Alexnet"},
          "--model Alexnet: there is no model 'Alexnet' (did you mean 'AlexNet'?); known are "
          "AlexNet, ResNet-18, VGG-16, VGG-19, BERT, GPT-2, DLRM, LeNet-300-100"),
    study("study_at_a_load_without_a_unit", {"--load", "60"},
          "--load 60: a bandwidth needs one of the units bps, kbps, Mbps, Gbps, Tbps, Pbps, bit/s, "
          "Mbit/s, Gbit/s, Tbit/s, Mb/s, Gb/s, Tb/s, MB/s, GB/s, TB/s"),
    study("study_at_no_load", {"--load", "0Mbps"},
          "--load 0Mbps: the load is out of range; 1 kbps to 1 Pbps is needed"),
    study("study_of_a_model_nobody_measured",
          {"--model", "LeNet-300-100", "--processor", "Lightning,A100"},
          "--processor A100: no published time for LeNet-300-100 on this processor; other networks "
          "or "
          "processors are needed"),
    study(
        "study_of_layers_whose_kernels_nobody_knows",
        {"--layers", "l.csv", "--trace", "t.csv", "--processor", "A100-fair"},
        "--processor A100-fair: the kernels of a are unknown, because its layers come from a file; "
        "other networks or processors are needed",
        {{"l.csv", kLayers}, {"t.csv", "a,1\n"}}),
    study("study_of_layers_without_input", {"--layers", "l.csv"},
          "--layers l.csv: the input size of a is unknown; networks of the paper, or a "
          "--trace, are needed",
          {{"l.csv", kLayers}}),
    study("study_of_a_trace_that_is_not_there", {"--trace", "none.csv"},
          "--trace none.csv: cannot read 'none.csv': No such file or directory"),
    study("study_of_a_trace_of_an_unknown_model", {"--trace", "t.csv"},
          "t.csv:2: there is no model 'Alexnet' (did you mean 'AlexNet'?); known are AlexNet, "
          "ResNet-18, VGG-16, VGG-19, BERT, GPT-2, DLRM, LeNet-300-100",
          {{"t.csv", "AlexNet,1\nAlexnet,2\n"}}),
    study("study_of_a_trace_with_a_plot", {"--trace", "t.csv", "--plot", "p.svg"},
          "--plot: it applies to generated requests; a study without --trace is needed",
          {{"t.csv", "AlexNet,1\n"}}),
    study("study_of_a_trace_at_a_load", {"--trace", "t.csv", "--load", "1Mbps"},
          "--load: it applies to generated requests; a study without --trace is needed",
          {{"t.csv", "AlexNet,1\n"}}),
    study("study_of_a_trace_with_runs", {"--trace", "t.csv", "--runs", "3"},
          "--runs: it applies to generated requests; a study without --trace is needed",
          {{"t.csv", "AlexNet,1\n"}}),
    study("study_of_a_trace_with_idle_power", {"--trace", "t.csv", "--idle", "0.1"},
          "--idle: it applies to generated requests; a study without --trace is needed",
          {{"t.csv", "AlexNet,1\n"}}),
    study("study_of_a_trace_evaluated_twice", {"--trace", "t.csv", "--requests", "1,2"},
          "--requests: a trace is evaluated once; a single number is needed",
          {{"t.csv", "AlexNet,1\n"}}),
    study("study_with_a_seed_below_nothing", {"--seed", "-1"},
          "--seed: -1 is no seed; a non-negative integer is needed; see 'lightloom photonic study "
          "--help'"),
    {"serve_without_a_network_file",
     {},
     {"photonic", "serve", "--network", "1=none.yaml"},
     "--network 1=none.yaml: cannot read 'none.yaml': No such file or directory"},
    {"serve_under_no_number",
     {},
     {"photonic", "serve", "--network", "x=none.yaml"},
     "--network x=none.yaml: the id is 'x'; an integer from 0 to 65535 is needed"},
    {"client_at_no_address",
     {},
     {"photonic", "client", "--server", "nowhere", "--inputs", "i.npy"},
     "--server nowhere: 'nowhere' is given; an address and port such as 127.0.0.1:4055 is needed"},
    {"load_where_nobody_listens",
     {},
     {"photonic", "load", "--server", "127.0.0.1:1"},
     "--server 127.0.0.1:1: no answer; 'lightloom photonic serve' at this address is needed"},
};

INSTANTIATE_TEST_SUITE_P(Photonic, Broken, ::testing::ValuesIn(kPhotonic), name_of);

}  // namespace
}  // namespace loom::testing
