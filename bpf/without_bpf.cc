// Stubs for a build without clang or libbpf: functions that need these throw a clear error.
#include "bpf/bench.h"
#include "bpf/mltcp.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

constexpr const char* kMissing =
    "this build was made without clang or libbpf; 'apt-get install clang-14 libbpf-dev iproute2' "
    "and build again";

[[noreturn]] void refuse() {
  throw InputError({}, std::string("MLTCP cannot run here: ") + kMissing);
}

}  // namespace

std::vector<std::string> missing_for_mltcp() { return {kMissing}; }
std::vector<std::string> missing_for_bench() { return {kMissing}; }
LoadOutcome load_mltcp(std::string_view, const MltcpChange&) { refuse(); }
void attach_cgroup(std::string_view, const std::string&) { refuse(); }
void attach_route(std::string_view, const std::string&) { refuse(); }
void detach_cgroup(const std::string&) { refuse(); }
void detach_route(const std::string&) { refuse(); }
std::vector<Loaded> loaded_mltcp() { refuse(); }
std::vector<Attachment> attachments() { refuse(); }
std::vector<std::string> unload_mltcp() { refuse(); }
BenchResult run_bench(const BenchSpec&, const Told&) { refuse(); }

}  // namespace loom::bpf
