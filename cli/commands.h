// All commands. Each add_* function adds one command to the program; the callback of the command
// that runs stores its exit code.
#pragma once

#include "cli/command.h"

namespace loom::cli {

// Headings of `lightloom --help`, which lists groups in the order of their first command.
inline constexpr const char* kSimulationGroup = "Simulate and compare";
inline constexpr const char* kTrainingGroup = "Plan and explain training jobs";
inline constexpr const char* kClusterGroup = "Many jobs on one cluster";
inline constexpr const char* kCostGroup = "Cost";
inline constexpr const char* kStudyGroup = "Published studies";
inline constexpr const char* kPhotonicGroup = "Photonic inference";
inline constexpr const char* kKernelGroup = "Kernel (MLTCP)";
inline constexpr const char* kReferenceGroup = "Reference and tooling";

void add_simulate(Command app, int& code);
void add_compare(Command app, int& code);
void add_collective(Command app, int& code);
void add_flows(Command app, int& code);
void add_compatible(Command app, int& code);
void add_explain(Command app, int& code);
void add_plan(Command app, int& code);
void add_share(Command app, int& code);
void add_cost(Command app, int& code);
void add_prices(Command app, int& code);
void add_cluster(Command app, int& code);
void add_reproduce(Command app, int& code);
void add_photonic(Command app, int& code);
void add_models(Command app, int& code);
void add_accelerators(Command app, int& code);
void add_fabrics(Command app, int& code);
void add_dump(Command app, int& code);
void add_export(Command app, int& code);
void add_mltcp(Command app, int& code);
void add_mltcp_bench(Command mltcp, int& code);
void add_schema(Command app, int& code);
void add_completion(Command app, int& code);

// Subcommands of `photonic`.
void add_photonic_run(Command group, int& code);
void add_photonic_modules(Command group, int& code);
void add_photonic_verilog(Command group, int& code);
void add_photonic_curves(Command group, int& code);
void add_photonic_calibrate(Command group, int& code);
void add_photonic_train(Command group, int& code);
void add_photonic_study(Command group, int& code);
void add_photonic_serve(Command group, int& code);
void add_photonic_client(Command group, int& code);
void add_photonic_load(Command group, int& code);

}  // namespace loom::cli
