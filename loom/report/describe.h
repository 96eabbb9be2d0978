// Lists built-in fabrics, models and accelerators, and prints every stage of a scenario as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loom/fabric/deploy/cluster_files.h"
#include "loom/run/run.h"

namespace loom::report {

// The fabric kinds with their parameters: the kind `name`, or all if `name` is empty.
std::string fabrics_text(const std::string& name);
nlohmann::ordered_json fabrics_json(const std::string& name);

// The same for built-in models and accelerators.
std::string models_text(const std::string& name);
nlohmann::ordered_json models_json(const std::string& name);
std::string accelerators_text(const std::string& name);
nlohmann::ordered_json accelerators_json(const std::string& name);

// The stages that can be dumped: scenario, links, workload, messages (the workload with collectives
// expanded) and trace. Each dump can be read back: the scenario as a scenario file, messages as a
// workload, and the others as Replacements. Further outputs configure a cluster: circuits,
// cross_connects, cross_connects_json, forwarding (commands for hosts) and msccl (the rings of a
// collective).
std::span<const std::string_view> stage_names();

struct Stage {
  std::string text;
  std::optional<simulate::Deadlock> deadlock;  // deadlock of the traced run
};

Stage dump_stage(const scenario::Scenario& scenario, std::string_view name,
                 const run::RunOptions& options, const fabric::Addressing& addressing = {});

}  // namespace loom::report
