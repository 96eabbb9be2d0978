#include "loom/jobs/contention/transports/transports.h"

namespace loom::jobs {

const Transport& default_transport() { return kFair; }

const Transport& transport_named(std::string_view name) { return *named(kTransports, name); }

}  // namespace loom::jobs
