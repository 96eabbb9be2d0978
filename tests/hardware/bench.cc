#include "tests/hardware/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>
#include <utility>

namespace loom::testing {
namespace {

constexpr const char* kMain = R"(#include <Vbench.h>
#include <verilated.h>

int main() {
  VerilatedContext context;
  Vbench bench(&context);
  for (bench.clock = 0; !context.gotFinish(); bench.clock = !bench.clock) bench.eval();
  bench.final();
}
)";

const std::vector<std::string> kWarnings = {"-Wall", "-Wno-UNUSED", "-Wno-DECLFILENAME",
                                            "-Wno-MULTITOP"};

void verilator(std::vector<std::string> words, const std::string& where) {
  words.insert(words.begin(), LOOM_VERILATOR);
  const Ran ran = run_program(std::move(words), where);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
}

// For example, input logic [1:0][2:1] has 4 bits.
int width_of(const std::string& type) {
  int width = 1;
  for (std::size_t at = type.find('['); at != std::string::npos; at = type.find('[', at + 1)) {
    const int high = std::stoi(type.substr(at + 1));
    const int low = std::stoi(type.substr(type.find(':', at) + 1));
    width *= high - low + 1;
  }
  return width;
}

// Bit 0 is the least significant.
bool bit(const std::string& hexadecimal, int number) {
  const auto digit = static_cast<std::size_t>(number / 4);
  if (digit >= hexadecimal.size()) return false;
  const std::string one(1, hexadecimal[hexadecimal.size() - 1 - digit]);
  return ((std::stoi(one, nullptr, 16) >> (number % 4)) & 1) != 0;
}

using Seen = std::map<std::pair<std::string, int>, int>;  // signal and index -> number of times

std::string in_words(const photonic::WiredDesign& design, const Seen& seen,
                     const std::vector<std::size_t>& acted) {
  std::string text;
  for (const auto& [signal, times] : seen) {
    text += fmt::format("{}[{}]{} ", signal.first, signal.second,
                        times == 1 ? "" : fmt::format("*{}", times));
  }
  text += "|";
  for (const std::size_t m : acted) text += " " + design.modules[m].from->name;
  return text;
}

void add_seen(Seen& seen, const std::string& name, const photonic::WiredSignal& signal,
              const std::string& wires) {
  const int width = signal.indices.high - signal.indices.low + 1;
  for (int b = 0; b < signal.sources * width; ++b) {
    if (bit(wires, b)) ++seen[{name, signal.indices.low + b % width}];
  }
}

}  // namespace

Bench::Bench(const std::string& verilog, std::vector<BenchInstance> instances)
    : instances_(std::move(instances)) {
  name_wires();
  folder_.write("design.sv", verilog);
  folder_.write("bench.sv", top());
  folder_.write("main.cpp", kMain);
  const std::string where = folder_.path("");
  std::vector<std::string> lint = kWarnings;
  lint.insert(lint.end(), {"--lint-only", "design.sv"});
  verilator(lint, where);
  verilator({"--cc", "--exe", "--build", "-Wno-fatal", "-Wno-lint", "--top-module", "bench", "-O3",
             "-CFLAGS", "-O1", "design.sv", "bench.sv", "main.cpp"},
            where);
}

void Bench::name_wires() {
  for (std::size_t p = 0; p < instances_.size(); ++p) {
    std::map<std::string, std::size_t> places;
    for (const photonic::Port& port : instances_[p].ports) {
      std::vector<Wire>& wires = port.type.starts_with("input") ? inputs_ : outputs_;
      places[port.name] = wires.size();
      wires.push_back({fmt::format("part_{}_{}", p, port.name), width_of(port.type)});
    }
    places_.push_back(std::move(places));
  }
}

// Inputs change on the falling edge of the clock; outputs are sampled just before the rising edge.
std::string Bench::top() const {
  std::string text =
      "module bench (input logic clock);\n  integer file = 0, got;\n  logic ready = 0;\n";
  std::string given;
  std::string taken;
  std::string formats[2];
  for (const Wire& wire : inputs_) given += ", " + wire.name;
  for (const Wire& wire : outputs_) taken += ", " + wire.name;
  for (const auto* wires : {&inputs_, &outputs_}) {
    for (const Wire& wire : *wires) {
      text += fmt::format("  logic [{}:0] {};\n", wire.width - 1, wire.name);
      formats[wires == &outputs_ ? 1 : 0] += "%h ";
    }
  }
  for (std::size_t p = 0; p < instances_.size(); ++p) {
    text += fmt::format("  {} part_{} (.clock(clock)", instances_[p].module, p);
    for (const photonic::Port& port : instances_[p].ports) {
      text += fmt::format(",\n      .{0}(part_{1}_{0})", port.name, p);
    }
    text += ");\n";
  }
  text += fmt::format(
      "  always @(negedge clock) begin\n"
      "    if (file == 0) file = $fopen(\"rows.txt\", \"r\");\n"
      "    got = $fscanf(file, \"{}\"{});\n"
      "    ready = got == {};\n    if (!ready) $finish;\n  end\n",
      formats[0], given, inputs_.size());
  return text + fmt::format("  always @(posedge clock) if (ready) $display(\"{}\"{});\nendmodule\n",
                            formats[1], taken);
}

std::vector<BenchRow> Bench::run(const std::vector<BenchRow>& rows) const {
  std::string text;
  for (const BenchRow& row : rows) text += fmt::format("{}\n", fmt::join(row, " "));
  folder_.write("rows.txt", text);
  const Ran ran = run_program({folder_.path("obj_dir/Vbench")}, folder_.path(""));
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::vector<BenchRow> result;
  std::istringstream stream(ran.out);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    BenchRow row;
    for (std::string word; words >> word;) row.push_back(word);
    if (row.size() == outputs_.size()) result.push_back(row);
  }
  EXPECT_EQ(result.size(), rows.size());
  result.resize(rows.size(), BenchRow(outputs_.size(), "0"));
  return result;
}

BenchRow Bench::no_inputs() const {
  BenchRow row(inputs_.size(), "0");
  return row;
}

std::size_t Bench::place(std::size_t instance, const std::string& port) const {
  const auto found = places_[instance].find(port);
  LOOM_CHECK(found != places_[instance].end(), "the port exists");
  return found->second;
}

std::string Bench::text(std::size_t instance, const photonic::WiredDesign& design,
                        const BenchRow& outputs) const {
  Seen seen;
  std::vector<std::size_t> acted;
  for (const auto& [name, signal] : design.signals) {
    add_seen(seen, name, signal, outputs[place(instance, "seen_" + photonic::identifier(name))]);
  }
  for (std::size_t m = 0; m < design.modules.size(); ++m) {
    if (bit(outputs[place(instance, "act_" + design.modules[m].from->name)], 0)) acted.push_back(m);
  }
  return in_words(design, seen, acted);
}

std::string text_of(const photonic::WiredDesign& design, const photonic::MachineCycle& cycle) {
  Seen seen;
  for (const auto& [signal, index] : cycle.seen) ++seen[{std::string(signal), index}];
  return in_words(design, seen, cycle.acted);
}

}  // namespace loom::testing
