// Converts settings and statistics between the plain numbers of the BPF maps and values with units.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "bpf/mltcp.h"
#include "bpf/mltcp_core.h"
#include "bpf/statistics.bpf.h"

namespace loom::bpf {

// Converts settings. Fractions are rounded to the nearest 1/1024; idle times are rounded up to a
// microsecond.
mltcp_settings to_kernel(const MltcpSettings& settings);
MltcpSettings from_kernel(const mltcp_settings& raw);

Totals sum(std::span<const mltcp_totals> each);

// Flows in the order of their ids, without duplicates.
std::vector<Flow> flows_of(std::vector<std::pair<std::uint64_t, mltcp_flow_statistics>> raw);

}  // namespace loom::bpf
