// One of our congestion controls, registered in the kernel as long as this value lives.
//
// From Linux 6.4 on a registration is a link, which ends with its last holder, even one that was
// killed. Before, it stays until it is deleted; what a killed process left is found by its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bpf/descriptor.h"
#include "bpf/mltcp.h"

namespace loom::bpf {

class Algorithm {
 public:
  // Loads and registers it; InputError where one of the name is registered already.
  Algorithm(std::string_view base, const MltcpSettings& settings, bool with_link);

  // The one that is pinned in `folder`; InputError where there is none.
  static Algorithm pinned(std::string_view base, const std::string& folder);
  Algorithm(Algorithm&&) = default;
  Algorithm& operator=(Algorithm&&) = delete;
  ~Algorithm();

  const std::string& name() const { return name_; }
  void pin(const std::string& folder);  // it then stays

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
  Descriptor registration_;  // a link, or the map of its functions
  bool with_link_ = false;
  bool stays_ = false;
};

// Does this kernel know registrations that end with their holder?
bool kernel_has_links();

// Is a congestion control of this name there to be chosen?
bool is_registered(std::string_view name);

// Ends registrations without a link that no one holds or pinned any more, by the algorithm's name.
// False where there was none.
bool remove_registration(const std::string& name);

}  // namespace loom::bpf
