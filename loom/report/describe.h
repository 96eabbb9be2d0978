// What there is, and every stage of a scenario as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "loom/fabric/deploy/cluster_files.h"
#include "loom/run/run.h"

namespace loom {

// The kinds of fabric with their parameters; one, or all where `name` is empty.
std::string fabrics_text(const std::string& name);
nlohmann::ordered_json fabrics_json(const std::string& name);

// The same for built-in models and accelerators.
std::string models_text(const std::string& name);
nlohmann::ordered_json models_json(const std::string& name);
std::string accelerators_text(const std::string& name);
nlohmann::ordered_json accelerators_json(const std::string& name);

// scenario, links, workload, messages (the workload with collectives written out) or trace. What is
// dumped can be given back in its place: the scenario as one, the others as Replacements, messages
// as a workload. And what sets up a cluster: circuits, cross_connects, cross_connects_json,
// forwarding (commands for hosts) and msccl (the rings of a collective).
std::span<const std::string_view> stage_names();

struct Stage {
  std::string text;
  std::optional<Deadlock> deadlock;  // of the run that a trace is of
};

Stage dump_stage(const Scenario& scenario, std::string_view name, const RunOptions& options,
                 const Addressing& addressing = {});

}  // namespace loom
