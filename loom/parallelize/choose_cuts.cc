#include "loom/parallelize/choose_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace loom {
namespace {

constexpr std::array kDimensions = {CutDimension::sample, CutDimension::parameter,
                                    CutDimension::attribute};

std::vector<int> first_devices(std::size_t count) {
  std::vector<int> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

class Chooser {
 public:
  Chooser(const OperatorCuts& cuts, const CutRule& rule)
      : cuts_(cuts), rule_(rule), estimate_{rule.link} {}

  std::variant<std::vector<Cut>, Infeasible> run() {
    std::vector<Cut> chosen;
    for (int op = 0; op < static_cast<int>(operators().size()); ++op) {
      const ManualCut* fixed = manual(op);
      if (fixed != nullptr) {
        const std::string wrong = objection(op, fixed->cut);
        if (!wrong.empty()) return Infeasible{wrong};
      }
      CutOperator best = fixed != nullptr ? cuts_.cut(op, fixed->cut) : automatic(op);
      chosen.push_back(best.cut);
      done_.push_back(std::move(best));
    }
    return chosen;
  }

 private:
  const std::vector<Operator>& operators() const { return cuts_.model().operators; }

  const ManualCut* manual(int op) const {
    const std::string& name = operators()[static_cast<std::size_t>(op)].name;
    const auto found =
        std::find_if(rule_.manual.begin(), rule_.manual.end(),
                     [&](const ManualCut& it) { return name_fits(it.pattern, name); });
    return found == rule_.manual.end() ? nullptr : &*found;
  }

  std::string objection(int op, const Cut& cut) const {
    if (cut.degree > rule_.devices) {
      return fmt::format("{} {} ways; the group has {} devices",
                         operators()[static_cast<std::size_t>(op)].name, cut.degree, rule_.devices);
    }
    return cuts_.objection(op, cut);
  }

  // As many ways as leave the shortest piece, which is the last, its quantum.
  Cut finest(int op, CutDimension dimension) const {
    const bool pass = operators()[static_cast<std::size_t>(op)].kind == OperatorKind::memory;
    const Duration least = pass && rule_.fused_passes ? Duration(0) : rule_.quantum;
    for (int degree = rule_.devices; degree > 1; --degree) {
      const Cut cut{dimension, degree};
      if (!cuts_.objection(op, cut).empty()) continue;
      if (cuts_.piece_time(op, cut, degree - 1).forward >= least) return cut;
    }
    return {dimension, 1};
  }

  bool spreads(int op) const {
    const bool weights = operators()[static_cast<std::size_t>(op)].parameters > 0;
    return rule_.spread_weights && weights && finest(op, CutDimension::parameter).degree > 1;
  }

  CutOperator automatic(int op) const {
    std::optional<CutOperator> best;
    Duration least = kForever;
    for (const CutDimension dimension : kDimensions) {
      const Cut cut = finest(op, dimension);
      if (cut.degree == 1 || (dimension != CutDimension::parameter && spreads(op))) continue;
      CutOperator candidate = cuts_.cut(op, cut);
      const Bytes gradients{candidate.pieces.front().updated * cuts_.gradient_bytes()};
      const Duration cost = estimate_.cost(candidate, done_, gradients);
      if (cost >= least) continue;
      least = cost;
      best = std::move(candidate);
    }
    return best ? std::move(*best) : cuts_.cut(op, {});
  }

  const OperatorCuts& cuts_;
  const CutRule& rule_;
  const CutEstimate estimate_;
  std::vector<CutOperator> done_;
};

}  // namespace

Duration CutEstimate::cost(const CutOperator& it, const std::vector<CutOperator>& before,
                           Bytes gradients) const {
  const Piece& longest = it.pieces.front();
  Duration cost = longest.forward + longest.backward;
  const std::vector<int> devices = first_devices(it.pieces.size());
  const auto add = [&](const std::vector<Transfer>& sent) { cost += estimated_time(sent, link); };
  for (std::size_t i = 0; i < it.inputs.size(); ++i) {
    const CutOperator& input = before[static_cast<std::size_t>(it.inputs[i])];
    Layout from{first_devices(input.pieces.size()), {}, input.sums};
    for (const Piece& piece : input.pieces) from.boxes.push_back(piece.output);
    const Exchange sent = exchange(from, {devices, it.needs[i]}, input.whole, input.element_bytes);
    add(sent.forward);
    if (backward) add(sent.backward);
  }
  if (it.sums) {
    add({{CollectiveKind::all_reduce, devices, {it.whole.elements() * it.element_bytes}}});
  }
  if (it.shared) add({{CollectiveKind::all_reduce, devices, gradients}});
  return cost;
}

std::variant<std::vector<Cut>, Infeasible> choose_cuts(const OperatorCuts& cuts,
                                                       const CutRule& rule) {
  return Chooser(cuts, rule).run();
}

}  // namespace loom
