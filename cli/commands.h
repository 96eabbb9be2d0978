// The commands. Each adds itself to the application; the one that is called leaves its exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace loom::cli {

void add_simulate(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);
void add_collective(CLI::App& app, int& code);
void add_flows(CLI::App& app, int& code);
void add_explain(CLI::App& app, int& code);
void add_plan(CLI::App& app, int& code);
void add_cost(CLI::App& app, int& code);
void add_prices(CLI::App& app, int& code);
void add_reproduce(CLI::App& app, int& code);
void add_models(CLI::App& app, int& code);
void add_accelerators(CLI::App& app, int& code);
void add_fabrics(CLI::App& app, int& code);
void add_dump(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
void add_schema(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);

}  // namespace loom::cli
