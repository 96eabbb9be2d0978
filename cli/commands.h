// The commands. Each adds itself to the application; the one that is called leaves its exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace loom::cli {

void add_simulate(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);
void add_collective(CLI::App& app, int& code);
void add_flows(CLI::App& app, int& code);
void add_compatible(CLI::App& app, int& code);
void add_explain(CLI::App& app, int& code);
void add_plan(CLI::App& app, int& code);
void add_share(CLI::App& app, int& code);
void add_cost(CLI::App& app, int& code);
void add_prices(CLI::App& app, int& code);
void add_cluster(CLI::App& app, int& code);
void add_reproduce(CLI::App& app, int& code);
void add_photonic(CLI::App& app, int& code);
void add_models(CLI::App& app, int& code);
void add_accelerators(CLI::App& app, int& code);
void add_fabrics(CLI::App& app, int& code);
void add_dump(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
void add_mltcp(CLI::App& app, int& code);
void add_mltcp_bench(CLI::App& mltcp, int& code);
void add_schema(CLI::App& app, int& code);
void add_completion(CLI::App& app, int& code);

// Commands of `photonic`.
void add_photonic_run(CLI::App& group, int& code);
void add_photonic_modules(CLI::App& group, int& code);
void add_photonic_verilog(CLI::App& group, int& code);
void add_photonic_curves(CLI::App& group, int& code);
void add_photonic_calibrate(CLI::App& group, int& code);
void add_photonic_train(CLI::App& group, int& code);
void add_photonic_study(CLI::App& group, int& code);
void add_photonic_serve(CLI::App& group, int& code);
void add_photonic_client(CLI::App& group, int& code);
void add_photonic_load(CLI::App& group, int& code);

}  // namespace loom::cli
