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

// Removes a pin. The kernel frees the pinned object if nothing else refers to it.
void remove_pin(const std::string& name);

// Removes the folder if it has no pins, and unmounts the file system if make_pins() mounted it.
void remove_pins();

// Lock that allows only one load, attach, bench or test at a time on a machine, because the name of
// an algorithm is global to all namespaces. Held for the lifetime of the object. Throws InputError
// if another process holds the lock and `wait` is false.
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
