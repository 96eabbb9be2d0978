// A training job on its way to the engine: its strategy found, its operations written, its network
// there.
#pragma once

#include "loom/run/plan.h"

namespace loom {

// Above so many messages the fluid engine takes more than a few seconds.
inline constexpr std::int64_t kMaxFluidMessages = 2'000'000;

// Which job cannot be done, and what it would need.
std::string why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices);

// Puts a job that is cut, and the network that carries it, where the engine finds them; circuits
// that move between phases are planned here.
void take_mapped(MappedJob mapped, bool folding, Prepared& prepared);

// Fills the job and its workload; of a fabric of circuits, also the network.
void prepare_job(const Scenario& scenario, Prepared& prepared, const SearchOptions& options);

}  // namespace loom
