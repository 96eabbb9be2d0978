// One of our congestion control algorithms, registered in the kernel for the lifetime of an object.
//
// From Linux 6.4 on, a registration is a BPF link, which ends when its last descriptor is closed,
// also if the process is killed. Before 6.4, a registration stays until it is deleted; one that a
// killed process left behind is found by its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bpf/descriptor.h"
#include "bpf/mltcp.h"

namespace loom::bpf {

class Algorithm {
 public:
  // Loads and registers the algorithm. Throws InputError if its name is already registered.
  Algorithm(std::string_view base, const MltcpSettings& settings, bool with_link);

  // The algorithm pinned in `folder`. Throws InputError if there is none.
  static Algorithm pinned(std::string_view base, const std::string& folder);
  Algorithm(Algorithm&&) = default;
  Algorithm& operator=(Algorithm&&) = delete;
  ~Algorithm();

  const std::string& name() const { return name_; }
  void pin(const std::string& folder);  // keeps the registration beyond the lifetime of this object

  void set(const MltcpSettings& settings);
  MltcpSettings settings() const;
  Totals totals() const;
  std::vector<Flow> flows() const;

 private:
  Algorithm() = default;
  void register_it(std::string_view base);

  std::string name_;
  Descriptor settings_;
  Descriptor flows_;
  Descriptor totals_;
  Descriptor registration_;  // a link, or the map of the algorithm's functions
  bool with_link_ = false;
  bool stays_ = false;
};

// True if this kernel supports registration by a BPF link.
bool kernel_has_links();

// True if a congestion control with this name is registered in the kernel.
bool is_registered(std::string_view name);

// Deletes the registration of the named algorithm, which must have no BPF link. Returns false if
// there is no such registration.
bool remove_registration(const std::string& name);

}  // namespace loom::bpf
