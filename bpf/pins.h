// The folder in the BPF file system where what is loaded stays: /sys/fs/bpf/lightloom.
#pragma once

#include <string>
#include <vector>

namespace loom::bpf {

inline constexpr const char* kPins = "/sys/fs/bpf/lightloom";

// Makes the folder, mounting the file system where that was not done yet.
void make_pins();

// The names of what is pinned, sorted.
std::vector<std::string> pin_names();

// Removes a pin; what nothing else holds is gone with it.
void remove_pin(const std::string& name);

// Removes the folder once nothing is pinned in it, and the mount if it was ours.
void remove_pins();

// One load, attach, bench or test at a time on a machine: algorithms have one name in all
// namespaces. Held as long as the value lives; where another holds it and `wait` is false, that is
// an InputError.
class MachineLock {
 public:
  explicit MachineLock(bool wait);
  ~MachineLock();
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

 private:
  int number_;
};

}  // namespace loom::bpf
