#include "bpf/object.h"

#include <bpf/btf.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "bpf/objects.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

// Offset and size of a variable in the map of constants, from the type information of the object.
std::pair<std::size_t, std::size_t> place_of_constant(const btf* types, const char* name) {
  const int section = btf__find_by_name_kind(types, ".rodata", BTF_KIND_DATASEC);
  LOOM_CHECK(section > 0, "the object has constants");
  const btf_type* constants = btf__type_by_id(types, static_cast<unsigned>(section));
  const btf_var_secinfo* entries = btf_var_secinfos(constants);
  for (int i = 0; i < btf_vlen(constants); ++i) {
    const btf_type* variable = btf__type_by_id(types, entries[i].type);
    if (std::strcmp(btf__name_by_offset(types, variable->name_off), name) == 0) {
      return {entries[i].offset, entries[i].size};
    }
  }
  LOOM_CHECK(false, "the constant is in the object");
  return {};
}

const char* hint(int error) {
  if (error == EPERM) return "; root, or the capabilities CAP_BPF and CAP_NET_ADMIN, are needed";
  if (error == ENOENT || error == ESRCH || error == EINVAL) {
    return "; Linux 6.1 or later with BTF and BPF struct_ops is needed";
  }
  return "";
}

}  // namespace

Object::Object(const std::string& name) : name_(name) {
  libbpf_set_print(nullptr);  // our own messages report errors
  const auto bytes = object_bytes(name);
  LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = name_.c_str());
  object_.reset(bpf_object__open_mem(bytes.data(), bytes.size(), &options));
  LOOM_CHECK(object_ != nullptr, "an object that was built in can be opened");
}

bpf_map* Object::map(const char* name) const {
  bpf_map* found = bpf_object__find_map_by_name(object_.get(), name);
  LOOM_CHECK(found != nullptr, "the map is in the object");
  return found;
}

bpf_program* Object::program(const char* name) const {
  bpf_program* found = bpf_object__find_program_by_name(object_.get(), name);
  LOOM_CHECK(found != nullptr, "the program is in the object");
  return found;
}

void Object::set_bytes(const char* name, const void* value, std::size_t size) {
  const auto [offset, room] = place_of_constant(bpf_object__btf(object_.get()), name);
  LOOM_CHECK(size == room, "a constant is as large as what is written into it");
  bpf_map* constants = nullptr;
  bpf_object__for_each_map(constants, object_.get()) {
    if (std::strstr(bpf_map__name(constants), ".rodata") != nullptr) break;
  }
  std::size_t whole = 0;
  auto* content = static_cast<char*>(
      const_cast<void*>(static_cast<const void*>(bpf_map__initial_value(constants, &whole))));
  LOOM_CHECK(offset + size <= whole, "a constant lies within the constants");
  std::memcpy(content + offset, value, size);
}

void Object::load() {
  if (bpf_object__load(object_.get()) == 0) return;
  const int error = errno;
  throw InputError(
      {}, fmt::format("the kernel rejects {}: {}{}", name_, std::strerror(error), hint(error)));
}

Descriptor Object::held_map(const char* name) const {
  Descriptor held(::fcntl(bpf_map__fd(map(name)), F_DUPFD_CLOEXEC, 0));
  LOOM_CHECK(static_cast<bool>(held), "a map of a loaded object can be held");
  return held;
}

}  // namespace loom::bpf
