#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loom/photonic/verilog/verilog_emit.h"

namespace loom::photonic {
namespace {

using Names = std::set<std::string, std::less<>>;

class ModuleText {
 public:
  ModuleText(const WiredDesign& design, const WiredModule& module)
      : design_(design), module_(module), from_(*module.from) {}

  std::string text() {
    for (std::size_t c = 0; c < from_.counts.size(); ++c) add_count(c);
    for (std::size_t r = 0; r < module_.raises.size(); ++r) add_raise(r);
    std::string text;
    for (const std::string& note : from_.notes) text += fmt::format("// {}\n", note);
    text += fmt::format("module module_{} ({});\n{}", from_.name, declared(ports()), body_);
    text += fmt::format("\n  assign act = run && {} && {};\n\n", stirred(),
                        fmt::join(reached_, " && "));
    text += fmt::format(
        "  always_ff @(posedge clock) begin\n    if (reset) begin\n      {}\n    end else begin\n"
        "      {}\n    end\n  end\nendmodule\n",
        fmt::join(cleared_, "\n      "), fmt::join(next_, "\n      "));
    return text;
  }

 private:
  std::vector<Port> ports() const {
    std::vector<Port> ports = {{"input logic", "clock"},
                               {"input logic", "reset"},
                               {"input logic", "run"},
                               {"input logic", "clear_before"},
                               {"input logic", "clear_after"}};
    for (const std::string& target : targets_of(design_, module_)) {
      ports.push_back({"input logic [31:0]", "target_" + target});
    }
    for (const std::string& name : signals_of(module_)) {
      ports.push_back(seen_port("input", name, design_.signals.find(name)->second));
    }
    for (std::size_t r = 0; r < module_.raises.size(); ++r) {
      ports.push_back({"input logic", fmt::format("halt_{}", r)});
      ports.push_back({"input logic", fmt::format("undo_{}", r)});
      ports.push_back({"output logic", fmt::format("raise_{}", r)});
    }
    ports.push_back({"output logic", "act"});
    return ports;
  }

  // The wires of the signal of count `c`, one per source, each formatted by `form`.
  std::vector<std::string> heard(std::size_t c, std::string_view form) const {
    const std::string name = plain_name(from_.counts[c].signal);
    std::vector<std::string> wires;
    for (int s = 0; s < design_.signals.find(name)->second.sources; ++s) {
      const std::string wire = fmt::format("seen_{}[{}]", identifier(name), s);
      wires.push_back(fmt::format(fmt::runtime(form), wire));
    }
    return wires;
  }

  void add_count(std::size_t c) {
    const IndexRange& range = module_.counted[c];
    const std::string bits = fmt::format("[{}:{}]", range.high, range.low);
    const std::string loop = fmt::format("for (int i = {}; i <= {}; i++)", range.low, range.high);
    const std::string ones = fmt::format("{}", fmt::join(heard(c, "32'({}[i])"), " + "));
    switch (from_.counts[c].kind) {
      case CountKind::count:
        begin_count(c, "[31:0]");
        body_ += fmt::format(
            "    counted_{0} = count_{0};\n    {1} counted_{0} += {2};\n"
            "    if (clear_before) counted_{0} = '0;\n    total_{0} = counted_{0};\n",
            c, loop, ones);
        break;
      case CountKind::sum:
        begin_count(c, bits);
        body_ += fmt::format(
            "    counted_{0} = clear_before ? '0 : count_{0} | {1};\n    total_{0} = '0;\n"
            "    {2} total_{0} += 32'(counted_{0}[i]);\n",
            c, fmt::join(heard(c, "{}" + bits), " | "), loop);
        break;
      case CountKind::max:
        begin_count(c, bits + "[31:0]");
        body_ += fmt::format(
            "    total_{0} = '0;\n    {1} begin\n"
            "      counted_{0}[i] = clear_before ? '0 : count_{0}[i] + {2};\n"
            "      if (counted_{0}[i] > total_{0}) total_{0} = counted_{0}[i];\n    end\n",
            c, loop, ones);
        break;
    }
    body_ += "  end\n";
    reached_.push_back(fmt::format("total_{} >= {}", c, target(from_.targets[c])));
  }

  void begin_count(std::size_t c, const std::string& width) {
    body_ += fmt::format(
        "\n  // {0}\n  logic {1} count_{2}, counted_{2};\n  logic [31:0] total_{2};\n"
        "  always_comb begin\n",
        to_text(from_.counts[c].signal), width, c);
    cleared_.push_back(fmt::format("count_{} <= '0;", c));
    next_.push_back(fmt::format("count_{0} <= act || clear_after ? '0 : counted_{0};", c));
  }

  std::string target(const Target& target) const {
    std::vector<std::string> terms;
    for (const std::string& term : target.value.terms) {
      const bool input = design_.inputs.contains(term);
      terms.push_back(input ? "target_" + term
                            : fmt::format("32'd{}", value_of({{term}}, design_.built_in)));
    }
    return fmt::format("{}", fmt::join(terms, " + "));
  }

  void add_raise(std::size_t r) {
    const WiredRaise& raise = module_.raises[r];
    body_ += fmt::format(
        "\n  // {0} after {1}\n  logic [{2}:0] line_{3};\n  assign raise_{3} = line_{3}[0];\n",
        raise.signal, raise.delay, raise.delay - 1, r);
    cleared_.push_back(fmt::format("line_{} <= '0;", r));
    const std::string older =
        raise.delay == 1
            ? ""
            : fmt::format(", line_{0}[{1}:1] & ~{{{1}{{halt_{0}}}}}", r, raise.delay - 1);
    next_.push_back(fmt::format("line_{0} <= {{act && !undo_{0}{1}}};", r, older));
  }

  // Expression that is true if a counted signal is raised in this cycle. Without it, a module with
  // a target of 0 would act in every cycle.
  std::string stirred() const {
    std::vector<std::string> wires;
    for (const std::string& name : signals_of(module_)) wires.push_back("seen_" + identifier(name));
    return fmt::format("(|{{{}}})", fmt::join(wires, ", "));
  }

  const WiredDesign& design_;
  const WiredModule& module_;
  const CountActionModule& from_;
  std::string body_;
  std::vector<std::string> reached_;
  std::vector<std::string> cleared_;
  std::vector<std::string> next_;
};

}  // namespace

std::string module_verilog(const WiredDesign& design, const WiredModule& module) {
  return ModuleText(design, module).text();
}

Names targets_of(const WiredDesign& design, const WiredModule& module) {
  Names names;
  for (const Target& target : module.from->targets) {
    for (const std::string& term : target.value.terms) {
      if (design.inputs.contains(term)) names.insert(term);
    }
  }
  return names;
}

Names signals_of(const WiredModule& module) {
  Names names;
  for (const Count& count : module.from->counts) names.insert(plain_name(count.signal));
  return names;
}

Port seen_port(const std::string& direction, const std::string& name, const WiredSignal& signal) {
  return {fmt::format("{} logic [{}:0][{}:{}]", direction, signal.sources - 1, signal.indices.high,
                      signal.indices.low),
          "seen_" + identifier(name)};
}

std::string declared(const std::vector<Port>& ports) {
  std::vector<std::string> lines;
  for (const Port& port : ports) lines.push_back(port.type + " " + port.name);
  return fmt::format("\n    {}\n", fmt::join(lines, ",\n    "));
}

std::string same_name(const std::string& name) { return fmt::format(".{0}({0})", name); }

}  // namespace loom::photonic
