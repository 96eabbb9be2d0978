// SystemVerilog in Verilator: a bench is built once, then given rows of inputs, one for each cycle.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "loom/photonic/datapath/machine.h"
#include "loom/photonic/verilog/verilog_emit.h"
#include "tests/program.h"

namespace loom::testing {

// One module on the bench, and its ports without `clock`; their widths are numbers.
struct BenchInstance {
  std::string module;
  std::vector<Port> ports;
};

// Hexadecimal values in the order of the ports: inputs of all parts, or outputs.
using BenchRow = std::vector<std::string>;

class Bench {
 public:
  // A failure of the test where Verilator has anything to say about the text.
  Bench(const std::string& verilog, std::vector<BenchInstance> instances);

  // What the outputs are in the cycle of each row.
  std::vector<BenchRow> run(const std::vector<BenchRow>& rows) const;

  BenchRow no_inputs() const;  // zeros

  // Where a port stands in rows.
  std::size_t place(std::size_t instance, const std::string& port) const;

  // What the modules of a part did, in the words of text_of().
  std::string text(std::size_t instance, const WiredDesign& design, const BenchRow& outputs) const;

 private:
  struct Wire {
    std::string name;
    int width;
  };

  void name_wires();
  std::string top() const;

  Folder folder_;
  std::vector<BenchInstance> instances_;
  std::vector<Wire> inputs_;
  std::vector<Wire> outputs_;
  std::vector<std::map<std::string, std::size_t>> places_;  // of ports, for each part
};

// What was seen and who acted: "word.due[0] ADC.valid[0]*2 | sampler".
std::string text_of(const WiredDesign& design, const MachineCycle& cycle);

}  // namespace loom::testing
