// A dense layer in hardware against the cycle-accurate engine: signals and actions agree in every
// cycle, as do all sums and activations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loom/photonic/datapath/digital.h"
#include "loom/photonic/datapath/engine_datapath.h"
#include "loom/photonic/datapath/lightning_modules.h"
#include "loom/photonic/testing.h"
#include "loom/photonic/verilog/verilog.h"
#include "tests/hardware/bench.h"

namespace loom::testing {
namespace {

constexpr int kCases = 20;

struct LayerCase {
  std::string name;
  photonic::PhotonicDatapath datapath;
  std::string from;  // text to replace in the modules, and its replacement
  std::string to;
};

void PrintTo(const LayerCase& layer, std::ostream* out) { *out << layer.name; }

photonic::CountActionProgram program_of(const LayerCase& layer) {
  std::string text(photonic::lightning_modules_text());
  for (std::size_t at = text.find(layer.from); !layer.from.empty() && at != std::string::npos;
       at = text.find(layer.from, at + layer.to.size())) {
    text.replace(at, layer.from.size(), layer.to);
  }
  return photonic::parse_modules(text, "modules");
}

// Ports of lightning_layer: those of the modules that are not connected inside, plus its own.
std::vector<photonic::Port> layer_ports(const photonic::WiredDesign& design,
                                        const photonic::PhotonicDatapath& datapath) {
  const int lanes = datapath.lanes;
  std::vector<photonic::Port> ports;
  for (const photonic::Port& port : control_ports(design)) {
    const bool outer = !port.name.starts_with("raised_") || port.name == "raised_packet_parsed";
    if (outer && port.name != "clock") ports.push_back(port);
  }
  const std::string word = fmt::format("input logic [{}:0]", lanes * 8 - 1);
  ports.insert(ports.end(),
               {{fmt::format("input logic [{}:0]", tree_depth(datapath) - 1), "offset"},
                {"input logic [0:0]", "write_input"},
                {"input logic [0:0]", "write_weight"},
                {"input logic [0:0]", "write_first"},
                {"input logic [31:0]", "write_address"},
                {word, "write_word"},
                {fmt::format("input logic [{}:0]", lanes - 1), "write_signs"},
                {"input logic [15:0]", "write_sum"},
                {"input logic [31:0]", "read_address"},
                {"output logic", "sum_written"},
                {"output logic [15:0]", "sum"},
                {"output logic [15:0]", "read_sum"},
                {"output logic [7:0]", "read_value"}});
  return ports;
}

std::string hex(std::int64_t value, int bits = 32) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  return fmt::format("{:x}", static_cast<std::uint64_t>(value) & mask);
}

// The last lane comes first.
std::string hex(const photonic::LightWord& word) {
  std::string text;
  for (const std::uint8_t value : word.intensities) text.insert(0, fmt::format("{:02x}", value));
  return text;
}

std::string hex(const std::vector<std::int8_t>& signs) {
  std::string text;
  for (std::size_t i = 0; i < signs.size(); i += 4) {
    int digit = 0;
    for (std::size_t b = 0; b < 4; ++b) digit |= signs[i + b] < 0 ? 1 << b : 0;
    text.insert(0, fmt::format("{:x}", digit));
  }
  return text;
}

class Trial {
 public:
  Trial(const Bench& bench, const photonic::WiredDesign& design, const LayerCase& layer,
        std::uint64_t seed)
      : bench_(bench), design_(design), given_(layer), random_(seed) {
    network_.name = "one";
    photonic::PhotonicLayer dense =
        photonic::random_dense(random_, {.channels = photonic::between(random_, 1, 150)});
    dense.relu = false;
    network_.layers.push_back(std::move(dense));
    input_ = photonic::random_input(random_, input_size(network_));
    offset_ = photonic::between(random_, 0, layer.datapath.lanes - 1);
  }

  void compare() {
    run_engine();
    write_memories();
    const std::size_t begin = rows_.size();
    add_cycles();
    const std::size_t end = rows_.size();
    for (int i = 0; i < layer().outputs; ++i) set(quiet(), "read_address", hex(i));
    const std::vector<BenchRow> outputs = bench_.run(rows_);
    compare_cycles({outputs.begin() + static_cast<std::ptrdiff_t>(begin),
                    outputs.begin() + static_cast<std::ptrdiff_t>(end)});
    compare_values({outputs.begin() + static_cast<std::ptrdiff_t>(end), outputs.end()});
  }

 private:
  const photonic::PhotonicLayer& layer() const { return network_.layers.front(); }
  std::int64_t words() const { return streaming_cycles(vector_length(layer()), given_.datapath); }

  void run_engine() {
    photonic::EngineDatapath engine(given_.datapath, {.offset = offset_}, program_of(given_));
    engine.load(network_);
    engine.watch(
        [&](const photonic::MachineCycle& cycle) { told_.push_back(text_of(design_, cycle)); });
    outcome_ = engine.run(input_, {});
    EXPECT_EQ(outcome_.fault.value_or(""), "");
  }

  BenchRow& quiet() {
    rows_.push_back(bench_.no_inputs());
    BenchRow& row = rows_.back();
    set(row, "offset", hex(offset_));
    return row;
  }

  void set(BenchRow& row, const std::string& port, const std::string& value) const {
    row[bench_.place(0, port)] = value;
  }

  void write_memories() {
    const auto write = [&](const std::string& what, std::int64_t address) -> BenchRow& {
      BenchRow& row = quiet();
      set(row, "reset", "1");
      set(row, what, "1");
      set(row, "write_address", hex(address));
      return row;
    };
    for (std::int64_t i = 0; i < words(); ++i) {
      set(write("write_input", i), "write_word",
          hex(input_word(layer(), given_.datapath, input_, i)));
    }
    for (std::int64_t i = 0; i < words() * layer().outputs; ++i) {
      const photonic::WeightWord word = weight_word(layer(), given_.datapath, i);
      BenchRow& row = write("write_weight", i);
      set(row, "write_word", hex(word.light));
      set(row, "write_signs", hex(word.signs));
    }
    for (int i = 0; i < layer().outputs; ++i) {
      set(write("write_first", i), "write_sum", hex(first_sum(layer(), i, 0), 16));
    }
  }

  // The configuration loader sets the layer's targets, as in the engine.
  void add_cycles() {
    photonic::Targets targets = lightning_targets(given_.datapath);
    for (std::size_t t = 0; t < told_.size(); ++t) {
      BenchRow& row = quiet();
      for (const std::string& name : design_.inputs) {
        set(row, "target_" + name, hex(targets.find(name)->second));
      }
      if (t == 0) set(row, "raised_packet_parsed", "1");
      if (told_[t].find(" configuration_loader") == std::string::npos) continue;
      targets["dot_words"] = words();
      targets["layer_words"] = words() * layer().outputs;
      targets["layer_width"] = layer().outputs;
    }
  }

  void compare_cycles(const std::vector<BenchRow>& outputs) const {
    std::vector<std::int16_t> sums;
    for (std::size_t t = 0; t < outputs.size(); ++t) {
      ASSERT_EQ(bench_.text(0, design_, outputs[t]), told_[t]) << "in cycle " << t;
      EXPECT_EQ(outputs[t][bench_.place(0, "stop")], t + 1 == outputs.size() ? "1" : "0");
      EXPECT_EQ(outputs[t][bench_.place(0, "fail")], "0");
      if (outputs[t][bench_.place(0, "sum_written")] == "1") {
        sums.push_back(number(outputs[t], "sum"));
      }
    }
    EXPECT_EQ(std::vector<std::int32_t>(sums.begin(), sums.end()), outcome_.result.logits);
  }

  void compare_values(const std::vector<BenchRow>& outputs) const {
    const std::vector<std::int32_t>& sums = outcome_.result.logits;
    const photonic::Activations expected = activate(layer(), sums, 0);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(number(outputs[i], "read_sum"), sums[i]) << i;
      EXPECT_EQ(number(outputs[i], "read_value"), expected.values[i]) << i;
    }
  }

  std::int16_t number(const BenchRow& outputs, const std::string& port) const {
    const std::string& digits = outputs[bench_.place(0, port)];
    return static_cast<std::int16_t>(std::stoi(digits, nullptr, 16));
  }

  const Bench& bench_;
  const photonic::WiredDesign& design_;
  const LayerCase& given_;
  Random random_;
  photonic::PhotonicNetwork network_;
  std::vector<std::uint8_t> input_;
  int offset_ = 0;
  photonic::EngineOutcome outcome_;
  std::vector<std::string> told_;  // engine's text per cycle
  std::vector<BenchRow> rows_;
};

class Layers : public ::testing::TestWithParam<LayerCase> {};

TEST_P(Layers, ActAndComputeAsInTheEngine) {
  const LayerCase& given = GetParam();
  const photonic::CountActionProgram program = program_of(given);
  const photonic::WiredDesign design =
      wired(program, lightning_targets(given.datapath), photonic::lightning_hardware(),
            photonic::loaded_targets());
  const Bench bench(lightning_verilog(program, given.datapath),
                    {{"lightning_layer", layer_ports(design, given.datapath)}});
  for (std::uint64_t seed = 1; seed <= kCases && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Trial(bench, design, given, seed).compare();
  }
}

const LayerCase kLayers[] = {
    {"lightning", {}, "", ""},
    {"four_lanes", {.lanes = 4, .adc_bits = 5}, "after memory cycles", "after memory + 3 cycles"},
    {"eight_lanes", {.lanes = 8}, "flight cycles", "flight + 9 cycles"},
};

INSTANTIATE_TEST_SUITE_P(Hardware, Layers, ::testing::ValuesIn(kLayers),
                         [](const auto& layer) { return layer.param.name; });

}  // namespace
}  // namespace loom::testing
