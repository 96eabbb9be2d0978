// A file descriptor that closes itself. Network namespaces, BPF maps and BPF links exist as long as
// a descriptor refers to them, so they disappear when the process ends, even if it is killed.
#pragma once

#include <unistd.h>

#include <utility>

namespace loom::bpf {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Descriptor old(std::exchange(number_, std::exchange(other.number_, -1)));
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

}  // namespace loom::bpf
