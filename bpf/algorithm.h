// One of our congestion controls, registered in the kernel for the lifetime of this value.
//
// From Linux 6.4 on, a registration is a link and ends with its last holder, even a killed one.
// Before 6.4 it stays until it is deleted; what a killed process left behind is found by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bpf/descriptor.h"
#include "bpf/mltcp.h"

namespace loom::bpf {

class Algorithm {
 public:
  // Loads and registers it; InputError if the name is already registered.
  Algorithm(std::string_view base, const MltcpSettings& settings, bool with_link);

  // The algorithm pinned in `folder`; InputError if there is none.
  static Algorithm pinned(std::string_view base, const std::string& folder);
  Algorithm(Algorithm&&) = default;
  Algorithm& operator=(Algorithm&&) = delete;
  ~Algorithm();

  const std::string& name() const { return name_; }
  void pin(const std::string& folder);  // the registration then outlives this value

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

// Whether this kernel supports registrations that end with their holder.
bool kernel_has_links();

// Whether a congestion control with this name is available.
bool is_registered(std::string_view name);

// Ends the registration of the named algorithm if it has no link and is neither held nor pinned any
// more. False if there is none.
bool remove_registration(const std::string& name);

}  // namespace loom::bpf
