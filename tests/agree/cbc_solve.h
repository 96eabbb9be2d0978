// COIN-OR Cbc as an oracle: small integer programs solved to proved optimality.
#pragma once

#include <optional>
#include <vector>

namespace loom::oracle {

// Maximize objective · x subject to 0 <= x <= upper, the rows, and integrality of some x.
struct IntegerProgram {
  struct Variable {
    double objective = 0;
    double upper = 0;
    bool integer = true;
  };
  struct Term {
    int variable = 0;
    double factor = 1;
  };
  struct Row {
    std::vector<Term> terms;
    double min = 0;
    double max = 0;
  };
  std::vector<Variable> variables;
  std::vector<Row> rows;
};

inline constexpr double kUnlimited = 1e30;

// The maximum of the objective; nothing if infeasible.
std::optional<double> solve(const IntegerProgram& program);

}  // namespace loom::oracle
