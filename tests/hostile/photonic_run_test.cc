// Invalid networks, inputs and modules for the photonic engine.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kNetwork =
    "name: n\ninput: 4\nlayers:\n  - {name: a, outputs: 1, weights: w.bin}\n";
const std::string kOneModule =
    "module m {\ncounts: {\ncount packet.parsed\n}\ntargets: {\n1\n}\nactions: {\n";
const std::string kWeights("\1\0\2\0\3\0\4\0", 8);

Hostile run(const std::string& name, const std::vector<std::string>& more,
            const std::string& message, std::map<std::string, std::string> files = {},
            int code = 2) {
  files.insert({{"n.yaml", kNetwork}, {"w.bin", kWeights}, {"i.bin", "12345678"}});
  std::vector<std::string> words = {"photonic", "run", "n.yaml", "--inputs", "i.bin"};
  words.insert(words.end(), more.begin(), more.end());
  return {name, files, words, message, code};
}

const Hostile kRuns[] = {
    run("labels_that_are_too_few", {"--labels", "l.bin"},
        "--labels l.bin: there are 1 labels; one per input is needed, 2 in total",
        {{"l.bin", "1"}}),
    run("inputs_of_another_size", {}, "i.bin: the file has 3 values; the network takes 4 per input",
        {{"i.bin", "123"}}),
    run("no_inputs_at_all", {}, "i.bin: the file has 0 values; the network takes 4 per input",
        {{"i.bin", ""}}),
    run("a_network_without_weights", {},
        "n.yaml:4: cannot read 'none.bin': No such file or directory",
        {{"n.yaml", "name: n\ninput: 4\nlayers:\n  - {name: a, outputs: 1, weights: none.bin}\n"}}),
    run("weights_of_half_a_number", {}, "w.bin: the file has 7 bytes; int16 numbers are needed",
        {{"w.bin", "1234567"}}),
    run("lanes_that_make_no_tree", {"--lanes", "12"},
        "command line: lanes is 12; a power of two from 4 to 256 is needed"),
    run("labels_beyond_the_outputs", {"--labels", "l.bin"},
        "--labels l.bin: a label is 1; the network's 1 outputs are 0 to 0",
        {{"l.bin", std::string("\0\1", 2)}}),
    run("a_count_below_nothing", {"--count", "-3"},
        "--count: Value -3 not in range 1 to 1000000000; see 'lightloom photonic run --help'"),
    run("a_seed_below_nothing", {"--seed", "-1"},
        "--seed: -1 is no seed; a non-negative integer is needed; see 'lightloom photonic run "
        "--help'"),
    run("a_range_below_nothing", {"--adc-range", "-7"},
        "command line: adc_range is -7; -1 to 8 are possible"),
    run("layers_that_nobody_sees", {"--layers"},
        "--layers requires --json; see 'lightloom photonic run --help'"),
    run("light_that_is_too_weak", {"--engine", "cycles", "--loss", "20"},
        "input 0: known answer: the sum is 2700 instead of 6306 (tolerance 619), and 0 samples "
        "exceed the ADC's range; a lower loss, larger range or more bits are needed",
        {}, 3),
    run("noise_below_nothing", {"--sample-sigma", "-1"},
        "--sample-sigma -1: a value from 0 to 255 is needed"),
    run("a_skew_without_cycles", {"--skew", "3"},
        "command line: --offset, --skew, --compensation, --find-compensation and --modules need "
        "--engine cycles"),
    run("an_offset_beyond_a_cycle", {"--engine", "cycles", "--offset", "16"},
        "--offset 16: a value from 0 to 15 is needed"),
    run("modulators_that_are_skewed", {"--engine", "cycles", "--skew", "3"},
        "input 0: no preamble at any offset: modulators are skewed, or there is too little light",
        {}, 3),
    run("modules_that_are_none", {"--engine", "cycles", "--modules", "m.txt"},
        "m.txt:2: 'count: {'; 'counts: {' is needed", {{"m.txt", "module m {\ncount: {\n"}}),
    run("modules_that_only_stop", {"--engine", "cycles", "--modules", "m.txt"},
        "input 0: the modules stop before there is a result",
        {{"m.txt", kOneModule + "stop\n}\n};\n"}}, 3),
    run("modules_that_match_nothing", {"--engine", "cycles", "--modules", "m.txt", "--csv"},
        "input 0: the modules act before a layer is loaded",
        {{"m.txt", kOneModule + "match window.pattern\n}\n};\n"}}, 3),
    run("a_dense_layer_with_a_stride", {},
        "n.yaml:4: layer.stride is 2; a dense layer has none, 'kind: convolution' is needed for it",
        {{"n.yaml",
          "name: n\ninput: 4\nlayers:\n  - {name: a, outputs: 1, stride: 2, weights: w.bin}\n"}}),
    {"modules_with_an_unknown_action",
     {{"m.txt",
       "module m {\ncounts: {\ncount packet.parsed\n}\ntargets: {\n1\n}\nactions: {\nread "
       "nothing.word\n}\n};\n"}},
     {"photonic", "modules", "m.txt"},
     "m.txt:9: there is no action 'read nothing.word'; the hardware supports add product.word, "
     "align "
     "window.offset, emit partial.sum, emit window.word, load layer.targets, match window.pattern, "
     "normalize buffer.values, read input.word, read weight.word, rectify sum.value, run "
     "softmax.logarithm, sample ADC.data, stream DAC.data, swap buffer.halves"},
    {"hardware_with_a_delay_that_changes",
     {{"m.txt",
       "module m {\ncounts: {\ncount packet.parsed\n}\ntargets: {\n1\n}\nactions: {\nraise x.y "
       "after dot_words cycles\n}\n};\n"}},
     {"photonic", "verilog", "--modules", "m.txt"},
     "m.txt:9: 'dot_words' changes at run time; a delay must be constant in hardware"},
    {"hardware_of_no_such_lanes",
     {},
     {"photonic", "verilog", "--lanes", "5"},
     "command line: lanes is 5; a power of two from 4 to 256 is needed"},
    {"a_curve_over_what_is_given",
     {{"n.yaml", kNetwork}, {"w.bin", kWeights}, {"i.bin", "1234"}, {"l.bin", std::string(1, 0)}},
     {"photonic", "curves", "n.yaml", "--inputs", "i.bin", "--labels", "l.bin", "--over", "sigma",
      "--sample-sigma", "2"},
     "--sample-sigma: --over sigma sweeps it; --values is needed"},
    {"an_onnx_file_that_is_none",
     {{"n.onnx", "nothing"}, {"i.bin", "1"}},
     {"photonic", "run", "n.onnx", "--inputs", "i.bin"},
     "n.onnx: this is not an ONNX file; a model with a graph of nodes is needed"},
};

INSTANTIATE_TEST_SUITE_P(PhotonicRuns, Broken, ::testing::ValuesIn(kRuns), name_of);

}  // namespace
}  // namespace loom::testing
