#include "bpf/mltcp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "bpf/algorithm.h"
#include "bpf/cgroups.h"
#include "bpf/former_choices.h"
#include "bpf/pins.h"
#include "bpf/routes.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

constexpr const char* kNamespaceChoice = "/proc/sys/net/ipv4/tcp_congestion_control";

bool is_pinned(std::string_view base) {
  for (const std::string& name : pin_names()) {
    if (name == algorithm_name(base)) return true;
  }
  return false;
}

// Removes all pins of an algorithm, also those that an interrupted load left behind.
void remove_pins_of(const std::string& name) {
  for (const char* suffix : {"", "_settings", "_flows", "_totals"}) remove_pin(name + suffix);
}

void need(const std::vector<std::string>& missing) {
  if (missing.empty()) return;
  throw InputError({}, fmt::format("MLTCP cannot run here: {}", fmt::join(missing, "; ")));
}

std::vector<Attachment> routes_as_attachments() {
  std::vector<Attachment> all;
  for (const Route& it : our_routes()) {
    all.push_back({.algorithm = route_algorithm(it.line),
                   .kind = "route",
                   .place = it.line.substr(0, it.line.find(' '))});
  }
  return all;
}

// Restores the congestion control that the route named before our algorithm was attached.
void put_back(const Route& route) {
  set_route_choice(route, remembered_choice(route));
  forget_choice(route);
}

// Throws InputError if one of our algorithms is the default of this network namespace. If the
// algorithm were removed, the namespace would keep it alive and use it for every new connection.
// Only the user knows the former default.
void need_no_namespace_choice() {
  std::string choice;
  std::ifstream(kNamespaceChoice) >> choice;
  if (!is_ours(choice)) return;
  throw InputError({}, fmt::format("net.ipv4.tcp_congestion_control is {}, so new connections "
                                   "would still get it; 'sysctl -w "
                                   "net.ipv4.tcp_congestion_control=reno' (or what it was "
                                   "before), then unload again",
                                   choice));
}

}  // namespace

LoadOutcome load_mltcp(std::string_view base, const MltcpChange& change) {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  if (is_pinned(base)) {
    Algorithm loaded = Algorithm::pinned(base, kPins);
    loaded.set(changed(loaded.settings(), change));
    return {.settings = loaded.settings()};
  }
  const std::string name = algorithm_name(base);
  const MltcpSettings settings = changed({}, change);
  make_pins();
  remove_pins_of(name);
  try {
    if (!kernel_has_links()) remove_registration(name);
    Algorithm(base, settings, kernel_has_links()).pin(kPins);
  } catch (...) {
    remove_pins_of(name);
    remove_pins();
    throw;
  }
  return {.fresh = true, .settings = settings};
}

void attach_cgroup(std::string_view base, const std::string& path) {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  choose_in_cgroup(Algorithm::pinned(base, kPins).name(), path);
}

void attach_route(std::string_view base, const std::string& prefix) {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  const std::string name = Algorithm::pinned(base, kPins).name();
  const Route route = route_to(prefix);
  remember_choice(route);
  set_route_choice(route, name);
}

void detach_cgroup(const std::string& path) {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  if (unchoose_in_cgroup(path)) return;
  throw InputError({}, fmt::format("--cgroup {}: none of our algorithms is attached to it", path));
}

void detach_route(const std::string& prefix) {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  const Route route = route_to(prefix);
  if (!is_ours(route_algorithm(route.line))) {
    throw InputError({},
                     fmt::format("--route {}: none of our algorithms is attached to it", prefix));
  }
  put_back(route);
}

std::vector<Loaded> loaded_mltcp() {
  need(missing_for_mltcp());
  std::vector<Loaded> all;
  for (const std::string_view base : bases()) {
    if (!is_pinned(base)) continue;
    const Algorithm it = Algorithm::pinned(base, kPins);
    all.push_back({.algorithm = it.name(),
                   .settings = it.settings(),
                   .totals = it.totals(),
                   .flows = it.flows()});
  }
  return all;
}

std::vector<Attachment> attachments() {
  std::vector<Attachment> all = chosen_in_cgroups();
  for (Attachment& it : routes_as_attachments()) all.push_back(std::move(it));
  return all;
}

// Detaches routes and cgroups before it removes the algorithms that they use. A registration with a
// link ends when its pin is removed; one without a link must be deleted.
std::vector<std::string> unload_mltcp() {
  need(missing_for_mltcp());
  const MachineLock lock(false);
  need_no_namespace_choice();
  std::vector<std::string> removed;
  for (const Attachment& it : attachments()) {
    removed.push_back(fmt::format("{} from {} {}", it.algorithm, it.kind, it.place));
  }
  for (const Route& it : our_routes()) put_back(it);
  forget_choices();
  unchoose_everywhere();
  for (const std::string_view base : bases()) {
    const std::string name = algorithm_name(base);
    if (is_pinned(base)) removed.push_back(name);
    remove_pins_of(name);
    if (!kernel_has_links()) remove_registration(name);
  }
  remove_pins();
  return removed;
}

}  // namespace loom::bpf
