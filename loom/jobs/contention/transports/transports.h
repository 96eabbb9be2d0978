// The list of transports.
#pragma once

#include "loom/base/names.h"
#include "loom/jobs/contention/transports/fair.h"
#include "loom/jobs/contention/transports/mltcp.h"
#include "loom/jobs/contention/transports/srpt.h"
#include "loom/jobs/contention/transports/weighted.h"

namespace loom::jobs {

inline constexpr std::array kTransports = {&kFair, &kWeighted, &kMltcp, &kSrpt};
inline constexpr auto kTransportNames = names_of(kTransports);

// The transport of that name, which must be one of kTransportNames.
const Transport& transport_named(std::string_view name);

}  // namespace loom::jobs
