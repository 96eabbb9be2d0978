// Reads which devices do something: entries of `groups`, and the devices an operation lists itself.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/workload.h"

namespace loom {

// The name a map gives itself; "" if none. InputError where it could not be told apart in a list.
std::string checked_name(const Tree& map, std::string_view title);

// InputError at the value of `key` unless there is such a device.
void check_device(const Settings& settings, std::string_view key, int device, int devices);

class GroupReader {
 public:
  explicit GroupReader(int devices) : devices_(devices) {}

  void read_entry(const Tree& map);

  // The groups of an operation as a place in groups(): named, or one of the devices listed under
  // `alone`, shared by all operations that list the same.
  int groups_of(const Settings& settings, std::string_view alone);

  std::vector<Groups>& groups() { return groups_; }

 private:
  std::vector<int> devices_in(const Settings& settings, std::string_view key) const;
  void add(Groups groups, const Settings& settings, std::string_view key);

  int devices_;
  std::vector<Groups> groups_;
  std::unordered_map<std::string, std::size_t> named_;
  std::unordered_map<std::string, std::size_t> unnamed_;  // by their devices as text
  std::size_t members_ = 0;                               // of all groups
};

}  // namespace loom
