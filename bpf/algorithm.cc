#include "bpf/algorithm.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "bpf/mltcp_core.h"
#include "bpf/object.h"
#include "bpf/statistics_in.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

// Defined by linux/bpf.h since Linux 6.4; Debian 12's headers are older.
constexpr unsigned kMapWithLink = 1U << 13;                        // BPF_F_LINK
constexpr auto kStructOpsLink = static_cast<bpf_attach_type>(44);  // BPF_STRUCT_OPS
constexpr std::uint32_t kZero = 0;

[[noreturn]] void refuse_registration(const std::string& name, int error) {
  if (error == EEXIST) {
    throw InputError({},
                     fmt::format("congestion control '{}' is already registered; 'lightloom mltcp "
                                 "unload' removes it",
                                 name));
  }
  throw InputError({}, fmt::format("the kernel refused to register {}: {}; Linux 6.1 or later with "
                                   "BPF struct_ops is needed",
                                   name, std::strerror(error)));
}

Descriptor pinned_at(const std::string& path) { return Descriptor(bpf_obj_get(path.c_str())); }

Descriptor held(int number) { return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 0)); }

// Registers the functions in a map, and returns the descriptor that keeps them registered: a BPF
// link or, without links, the map. libbpf 1.1 does not support links: it fills in the functions,
// and this function creates the link for the map. From 1.2 on, libbpf creates the link if the map's
// flags request one; destroying `attached` closes only libbpf's own descriptor of the link.
Descriptor registration_of(const bpf_map* functions, bool with_link) {
  bpf_link* attached = bpf_map__attach_struct_ops(functions);
  if (attached == nullptr) return {};
  const int map = bpf_map__fd(functions);
  const bool has_link = bpf_link__fd(attached) != map;
  Descriptor link = has_link ? held(bpf_link__fd(attached)) : Descriptor();
  // Without disconnecting, destroying `attached` would end the registration.
  if (!has_link) bpf_link__disconnect(attached);
  bpf_link__destroy(attached);
  if (has_link) return link;
  return with_link ? Descriptor(bpf_link_create(map, 0, kStructOpsLink, nullptr)) : held(map);
}

void pin_at(const Descriptor& what, const std::string& path) {
  if (bpf_obj_pin(what.number(), path.c_str()) == 0) return;
  throw InputError({}, fmt::format("cannot pin at '{}': {}", path, std::strerror(errno)));
}

}  // namespace

bool kernel_has_links() {
  const std::unique_ptr<btf, void (*)(btf*)> types(btf__load_vmlinux_btf(), btf__free);
  return types != nullptr &&
         btf__find_by_name_kind(types.get(), "bpf_struct_ops_link", BTF_KIND_STRUCT) > 0;
}

bool is_registered(std::string_view name) {
  std::ifstream names("/proc/sys/net/ipv4/tcp_available_congestion_control");
  for (std::string it; names >> it;) {
    if (it == name) return true;
  }
  return false;
}

bool remove_registration(const std::string& name) {
  bool removed = false;
  for (std::uint32_t id = 0; bpf_map_get_next_id(id, &id) == 0;) {
    const Descriptor map(bpf_map_get_fd_by_id(id));
    bpf_map_info about = {};
    std::uint32_t size = sizeof(about);
    if (!map || bpf_obj_get_info_by_fd(map.number(), &about, &size) != 0) continue;
    if (about.type != BPF_MAP_TYPE_STRUCT_OPS || name != about.name) continue;
    if (bpf_map_delete_elem(map.number(), &kZero) == 0) removed = true;
  }
  return removed;
}

Algorithm::Algorithm(std::string_view base, const MltcpSettings& settings, bool with_link)
    : name_(algorithm_name(base)), with_link_(with_link) {
  register_it(base);
  set(settings);
}

void Algorithm::register_it(std::string_view base) {
  Object object("mltcp_" + std::string(base));
  bpf_map* functions = object.map(name_.c_str());
  if (with_link_) bpf_map__set_map_flags(functions, kMapWithLink);
  object.load();
  registration_ = registration_of(functions, with_link_);
  if (!registration_) refuse_registration(name_, errno);
  settings_ = object.held_map("mltcp_settings");
  flows_ = object.held_map("mltcp_flows");
  totals_ = object.held_map("mltcp_totals");
}

Algorithm Algorithm::pinned(std::string_view base, const std::string& folder) {
  Algorithm found;
  found.name_ = algorithm_name(base);
  found.stays_ = true;
  const std::string stem = folder + "/" + found.name_;
  found.settings_ = pinned_at(stem + "_settings");
  found.flows_ = pinned_at(stem + "_flows");
  found.totals_ = pinned_at(stem + "_totals");
  found.registration_ = pinned_at(stem);
  if (!found.settings_ || !found.flows_ || !found.totals_ || !found.registration_) {
    throw InputError({}, fmt::format("{} is not loaded; 'lightloom mltcp load --base {}' loads it",
                                     found.name_, base));
  }
  return found;
}

Algorithm::~Algorithm() {
  if (registration_ && !with_link_ && !stays_) bpf_map_delete_elem(registration_.number(), &kZero);
}

void Algorithm::pin(const std::string& folder) {
  const std::string stem = folder + "/" + name_;
  pin_at(settings_, stem + "_settings");
  pin_at(flows_, stem + "_flows");
  pin_at(totals_, stem + "_totals");
  pin_at(registration_, stem);
  stays_ = true;
}

void Algorithm::set(const MltcpSettings& settings) {
  const mltcp_settings raw = to_kernel(settings);
  LOOM_CHECK(bpf_map_update_elem(settings_.number(), &kZero, &raw, BPF_ANY) == 0,
             "settings can be written");
}

MltcpSettings Algorithm::settings() const {
  mltcp_settings raw = {};
  bpf_map_lookup_elem(settings_.number(), &kZero, &raw);
  return from_kernel(raw);
}

Totals Algorithm::totals() const {
  std::vector<mltcp_totals> each(static_cast<std::size_t>(libbpf_num_possible_cpus()));
  bpf_map_lookup_elem(totals_.number(), &kZero, each.data());
  return sum(each);
}

std::vector<Flow> Algorithm::flows() const {
  std::vector<std::pair<std::uint64_t, mltcp_flow_statistics>> raw;
  std::uint64_t key = 0;
  const std::uint64_t* before = nullptr;
  // The iteration is bounded because it may restart if an entry is removed in the meantime.
  for (int i = 0; i < 2 * MLTCP_MAX_FLOWS; ++i) {
    if (bpf_map_get_next_key(flows_.number(), before, &key) != 0) break;
    mltcp_flow_statistics seen = {};
    if (bpf_map_lookup_elem(flows_.number(), &key, &seen) == 0) raw.emplace_back(key, seen);
    before = &key;
  }
  return flows_of(std::move(raw));
}

}  // namespace loom::bpf
