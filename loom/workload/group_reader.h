// Reads device groups: entries of `groups`, and the devices that an operation lists itself.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/workload.h"

namespace loom::workload {

// The key `name` of a map; "" if there is none. InputError if the name has spaces, a leading '#' or
// too many bytes: lists of names could not contain it.
std::string checked_name(const Tree& map, std::string_view title);

// InputError at the value of `key` if the device does not exist.
void check_device(const Settings& settings, std::string_view key, int device, int devices);

class GroupReader {
 public:
  explicit GroupReader(int devices) : devices_(devices) {}

  void read_entry(const Tree& map);

  // The index in groups() of the groups of an operation: a named entry, or one group of the devices
  // listed under `list_key`. Operations that list the same devices share the group.
  int groups_of(const Settings& settings, std::string_view list_key);

  std::vector<Groups>& groups() { return groups_; }

 private:
  std::vector<int> devices_in(const Settings& settings, std::string_view key) const;
  void add(Groups groups, const Settings& settings, std::string_view key);

  int devices_;
  std::vector<Groups> groups_;
  std::unordered_map<std::string, std::size_t> named_;
  std::unordered_map<std::string, std::size_t> unnamed_;  // keyed by their devices as text
  std::size_t members_ = 0;                               // total over all groups
};

}  // namespace loom::workload
