// A SystemVerilog test bench in Verilator: built once, then driven with one row of inputs per
// cycle.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "loom/photonic/datapath/machine.h"
#include "loom/photonic/verilog/verilog_emit.h"
#include "tests/program.h"

namespace loom::testing {

// One module on the bench, and its ports without `clock`, with numeric widths.
struct BenchInstance {
  std::string module;
  std::vector<photonic::Port> ports;
};

// Hexadecimal values in port order: the inputs of all instances, or their outputs.
using BenchRow = std::vector<std::string>;

class Bench {
 public:
  // The test fails if Verilator reports any error or warning.
  Bench(const std::string& verilog, std::vector<BenchInstance> instances);

  // The outputs in the cycle of each row.
  std::vector<BenchRow> run(const std::vector<BenchRow>& rows) const;

  BenchRow no_inputs() const;  // zeros

  // Index of a port in a row.
  std::size_t place(std::size_t instance, const std::string& port) const;

  // The actions of an instance's modules, in the form of text_of().
  std::string text(std::size_t instance, const photonic::WiredDesign& design,
                   const BenchRow& outputs) const;

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
  std::vector<std::map<std::string, std::size_t>> places_;  // per instance: port -> index in a row
};

// Signals seen and modules that acted: "word.due[0] ADC.valid[0]*2 | sampler".
std::string text_of(const photonic::WiredDesign& design, const photonic::MachineCycle& cycle);

}  // namespace loom::testing
