// Checks the machine for everything that MLTCP needs.
#include <bpf/btf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "bpf/command.h"
#include "bpf/mltcp.h"

namespace loom::bpf {
namespace {

// Kernel functions that the programs call.
constexpr std::array<const char*, 2> kFunctions = {"tcp_reno_cong_avoid", "cubictcp_cong_avoid"};

void look_into_kernel(std::vector<std::string>& missing) {
  const std::unique_ptr<btf, void (*)(btf*)> types(btf__load_vmlinux_btf(), btf__free);
  if (types == nullptr) {
    missing.emplace_back(
        "the kernel does not describe its types (/sys/kernel/btf/vmlinux); a kernel with "
        "CONFIG_DEBUG_INFO_BTF=y is needed, such as Debian's own");
    return;
  }
  if (btf__find_by_name_kind(types.get(), "bpf_struct_ops_tcp_congestion_ops", BTF_KIND_STRUCT) <=
      0) {
    missing.emplace_back(
        "the kernel does not support congestion control in BPF; Linux 6.1 or later with "
        "CONFIG_BPF_JIT=y "
        "is needed");
  }
  for (const char* name : kFunctions) {
    if (btf__find_by_name_kind(types.get(), name, BTF_KIND_FUNC) > 0) continue;
    missing.push_back(
        fmt::format("the kernel has no {}; CONFIG_TCP_CONG_CUBIC=y and BTF are "
                    "needed",
                    name));
  }
}

}  // namespace

std::vector<std::string> missing_for_mltcp() {
  std::vector<std::string> missing;
  if (::geteuid() != 0) missing.emplace_back("this is not root; run it with sudo");
  look_into_kernel(missing);
  return missing;
}

std::vector<std::string> missing_for_bench() {
  std::vector<std::string> missing = missing_for_mltcp();
  for (const char* name : {"ip", "tc"}) {
    if (program_path(name).empty()) {
      missing.push_back(
          fmt::format("program '{}' not found; 'apt-get install iproute2' installs it", name));
    }
  }
  return missing;
}

}  // namespace loom::bpf
