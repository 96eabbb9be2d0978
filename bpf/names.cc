// Names of our algorithms, and changes of their settings; part of every build, also without BPF.
#include "bpf/mltcp.h"

namespace loom::bpf {

const std::vector<std::string_view>& bases() {
  static const std::vector<std::string_view> kBases = {"reno", "cubic"};
  return kBases;
}

MltcpSettings changed(MltcpSettings settings, const MltcpChange& change) {
  settings.slope = change.slope.value_or(settings.slope);
  settings.intercept = change.intercept.value_or(settings.intercept);
  settings.idle = change.idle.value_or(settings.idle);
  settings.min_bytes = change.min_bytes.value_or(settings.min_bytes);
  settings.needed = change.needed.value_or(settings.needed);
  return settings;
}

std::string algorithm_name(std::string_view base) { return "mltcp_" + std::string(base); }

}  // namespace loom::bpf
