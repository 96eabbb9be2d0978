// A BPF object file with programs and maps, which libbpf opens and loads into the kernel.
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

  // Sets a `const volatile` variable of the programs; call before load().
  template <typename T>
  void set_constant(const char* name, const T& value) {
    set_bytes(name, &value, sizeof(value));
  }

  // Loads the programs. Throws InputError with the kernel's reason if it rejects them.
  void load();

  // A separate descriptor of a map, which keeps the map when the object is closed.
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
