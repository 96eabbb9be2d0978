#include "tests/agree/cbc_solve.h"

#include <coin/CbcModel.hpp>
#include <coin/OsiClpSolverInterface.hpp>

#include "loom/base/error.h"

namespace loom::oracle {

std::optional<double> solve(const IntegerProgram& program) {
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  for (const IntegerProgram::Variable& it : program.variables) {
    solver.addCol(CoinPackedVector(), 0, it.upper, -it.objective);
    if (it.integer) solver.setInteger(solver.getNumCols() - 1);
  }
  for (const IntegerProgram::Row& it : program.rows) {
    std::vector<int> columns;
    std::vector<double> factors;
    for (const IntegerProgram::Term& term : it.terms) {
      columns.push_back(term.variable);
      factors.push_back(term.factor);
    }
    solver.addRow(static_cast<int>(columns.size()), columns.data(), factors.data(), it.min, it.max);
  }
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.initialSolve();
  if (model.solver()->isProvenPrimalInfeasible()) return std::nullopt;
  model.branchAndBound();
  LOOM_CHECK(model.isProvenOptimal() || model.isProvenInfeasible(), "Cbc terminates with a proof");
  if (model.isProvenInfeasible() || model.bestSolution() == nullptr) return std::nullopt;
  return -model.getObjValue();
}

}  // namespace loom::oracle
