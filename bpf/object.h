// One BPF object file of programs and maps, opened, configured and loaded into the kernel by
// libbpf.
#pragma once

#include <bpf/libbpf.h>

#include <memory>
#include <string>

#include "bpf/descriptor.h"

namespace loom::bpf {

class Object {
 public:
  explicit Object(const std::string& name);

  bpf_object* get() const { return object_.get(); }
  bpf_map* map(const char* name) const;
  bpf_program* program(const char* name) const;

  // Writes a `const volatile` of the program; call before load().
  template <typename T>
  void set_constant(const char* name, const T& value) {
    set_bytes(name, &value, sizeof(value));
  }

  // InputError with the kernel's reason if it rejects the programs.
  void load();

  // A separate descriptor for a map, which outlives the object.
  Descriptor held_map(const char* name) const;

 private:
  void set_bytes(const char* name, const void* value, std::size_t size);

  struct Close {
    void operator()(bpf_object* object) const { bpf_object__close(object); }
  };
  std::string name_;
  std::unique_ptr<bpf_object, Close> object_;
};

}  // namespace loom::bpf
