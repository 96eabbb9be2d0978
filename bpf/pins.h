// The folder in the BPF file system that keeps loaded objects alive: /sys/fs/bpf/lightloom.
#pragma once

#include <string>
#include <vector>

namespace loom::bpf {

inline constexpr const char* kPins = "/sys/fs/bpf/lightloom";

// Creates the folder, mounting the file system if necessary.
void make_pins();

// The names of all pins, sorted.
std::vector<std::string> pin_names();

// Removes a pin; an object that nothing else holds is freed.
void remove_pin(const std::string& name);

// Removes the folder once it has no pins, and the mount if it was ours.
void remove_pins();

// Allows one load, attach, bench or test at a time on a machine, because an algorithm's name is
// global to all namespaces. Held for the lifetime of the value; InputError if another process holds
// it and `wait` is false.
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
