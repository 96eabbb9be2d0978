#include "loom/photonic/verilog/verilog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/lightning_modules.h"
#include "loom/photonic/verilog/verilog_emit.h"

namespace loom::photonic {
namespace {

// Ports of lightning_datapath that lightning_layer exposes, besides clock and reset.
const std::vector<Port>& outer_ports() {
  static const std::vector<Port> kPorts = {
      {"input logic [$clog2(LANES)-1:0]", "offset"},
      {"input logic", "write_input"},
      {"input logic", "write_weight"},
      {"input logic", "write_first"},
      {"input logic [31:0]", "write_address"},
      {"input logic [LANES-1:0][7:0]", "write_word"},
      {"input logic [LANES-1:0]", "write_signs"},
      {"input logic [15:0]", "write_sum"},
      {"input logic [31:0]", "read_address"},
      {"output logic", "sum_written"},
      {"output logic [15:0]", "sum"},
      {"output logic [15:0]", "read_sum"},
      {"output logic [7:0]", "read_value"},
  };
  return kPorts;
}

// Operations that lightning_datapath implements; other operations are left to the surrounding
// logic.
constexpr std::string_view kOperations[] = {
    "load layer.targets", "read input.word",     "read weight.word",  "stream DAC.data",
    "sample ADC.data",    "align window.offset", "emit window.word",  "match window.pattern",
    "add product.word",   "emit partial.sum",    "rectify sum.value", "normalize buffer.values",
};

void check_digital(const PhotonicDatapath& datapath) {
  if (datapath.wavelengths == 1 && datapath.dac_bits == 8 && Receiver(datapath, 0).plain()) return;
  throw InputError(location_of("command line"),
                   "this datapath is not all digital; one wavelength, 8 DAC bits, no loss and no "
                   "adc_range are needed");
}

class LayerDesign {
 public:
  LayerDesign(const WiredDesign& design, const Targets& targets, const PhotonicDatapath& datapath)
      : design_(design), targets_(targets), datapath_(datapath) {}

  std::string text() const {
    return fmt::format(
        "// The modules with the datapath that they control.\n"
        "module lightning_layer #(\n    parameter int WORDS = 4096,\n"
        "    parameter int OUTPUTS = 256,\n    localparam int LANES = {}\n) ({});\n"
        "  logic [LANES-1:0] match;\n  logic searched;\n  logic product;\n\n"
        "  lightning_control control (\n      {}\n  );\n"
        "  lightning_datapath #(\n      {}\n  ) datapath (\n      {}\n  );\nendmodule\n",
        datapath_.lanes, declared(ports()), fmt::join(to_control(), ",\n      "),
        fmt::join(parameters(), ",\n      "), fmt::join(to_datapath(), ",\n      "));
  }

 private:
  // True if lightning_datapath itself drives this port of lightning_control.
  static bool inner(const std::string& port) {
    return port == "raised_window_match" || port == "raised_window_searched" ||
           port == "raised_product_word";
  }

  // The value of a target for lightning_datapath: a constant if it is built in, otherwise a port.
  std::string target(const std::string& name) const {
    const auto built_in = design_.built_in.find(name);
    return built_in == design_.built_in.end() ? "target_" + name
                                              : fmt::format("32'd{}", built_in->second);
  }

  std::vector<Port> ports() const {
    std::vector<Port> ports;
    for (const Port& port : control_ports(design_)) {
      if (!inner(port.name)) ports.push_back(port);
    }
    for (const std::string name : {"preamble", "dot_words"}) {
      if (design_.inputs.contains(name) || design_.built_in.contains(name)) continue;
      ports.push_back({"input logic [31:0]", "target_" + name});
    }
    ports.insert(ports.end(), outer_ports().begin(), outer_ports().end());
    return ports;
  }

  std::vector<std::string> to_control() const {
    std::vector<std::string> wires;
    for (const Port& port : control_ports(design_)) {
      if (!inner(port.name)) wires.push_back(same_name(port.name));
    }
    const IndexRange& indices = design_.signals.find("window.match")->second.indices;
    wires.push_back(fmt::format(".raised_window_match({}'(match >> {}))",
                                indices.high - indices.low + 1, indices.low));
    wires.emplace_back(".raised_window_searched(searched)");
    wires.emplace_back(".raised_product_word(product)");
    return wires;
  }

  std::vector<std::string> to_datapath() const {
    std::vector<std::string> wires = {
        same_name("clock"),
        same_name("reset"),
        fmt::format(".preamble({})", target("preamble")),
        fmt::format(".dot_words({})", target("dot_words")),
        ".raised_window_match(match)",
        ".raised_window_searched(searched)",
        ".raised_product_word(product)",
        fmt::format(".partial_valid({})",
                    design_.signals.contains("partial.valid") ? "|seen_partial_valid" : "1'b0")};
    for (const Port& port : outer_ports()) wires.push_back(same_name(port.name));
    for (const std::string_view operation : kOperations) {
      const std::string name = "do_" + identifier(std::string(operation));
      wires.push_back(design_.operations.contains(operation) ? same_name(name)
                                                             : fmt::format(".{}(1'b0)", name));
    }
    return wires;
  }

  // The number of words in flight is bounded by the sum of all delays.
  std::vector<std::string> parameters() const {
    const std::int64_t signs = value_of({{"compensator", "signs"}}, targets_);
    std::int64_t cycles = signs + 1;
    for (const WiredModule& module : design_.modules) {
      for (const WiredRaise& raise : module.raises) cycles += raise.delay;
    }
    return {".LANES(LANES)",
            fmt::format(".KEPT(8'd{})", Receiver(datapath_, 0).mask()),
            fmt::format(".SIGNS({})", signs),
            fmt::format(".DEPTH({})", std::bit_ceil(static_cast<std::uint64_t>(cycles + 1))),
            ".WORDS(WORDS)",
            ".OUTPUTS(OUTPUTS)"};
  }

  const WiredDesign& design_;
  const Targets& targets_;
  const PhotonicDatapath& datapath_;
};

}  // namespace

std::string control_verilog(const CountActionProgram& program, const Targets& targets,
                            const Hardware& hardware,
                            const std::set<std::string, std::less<>>& rewritten,
                            const std::string& name) {
  return control_verilog(wired(program, targets, hardware, rewritten), name);
}

std::string lightning_verilog(const CountActionProgram& program, const PhotonicDatapath& datapath) {
  check_digital(datapath);
  const Targets targets = lightning_targets(datapath);
  const WiredDesign design = wired(program, targets, lightning_hardware(), loaded_targets());
  return fmt::format("{}\n{}\n{}", control_verilog(design, "lightning_control"), datapath_verilog(),
                     LayerDesign(design, targets, datapath).text());
}

}  // namespace loom::photonic
