// What MLTCP's algorithms are called, in every build.
#include "bpf/mltcp.h"

namespace loom::bpf {

const std::vector<std::string_view>& bases() {
  static const std::vector<std::string_view> kBases = {"reno", "cubic"};
  return kBases;
}

std::string algorithm_name(std::string_view base) { return "mltcp_" + std::string(base); }

}  // namespace loom::bpf
