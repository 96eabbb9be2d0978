# Writes the bytes of every BPF object into one source: cmake -DFILES=a;b -DOUTPUT=objects.cc -P …
set(text "// Made by cmake/embed_bpf.cmake from what clang made of bpf/*.bpf.c.\n#include \"bpf/objects.h\"\n\n#include \"loom/base/error.h\"\n\nnamespace loom::bpf {\nnamespace {\n\n")
set(choices "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" content HEX)
  string(REGEX REPLACE "(..)" "0x\\1," content "${content}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" content "${content}")
  # libbpf reads structures in place: they must lie as in a file that was read into memory.
  string(APPEND text "alignas(16) constexpr unsigned char k_${name}[] = {\n${content}\n};\n\n")
  string(APPEND choices "  if (name == \"${name}\") return k_${name};\n")
endforeach()
string(APPEND text "}  // namespace\n\nstd::span<const unsigned char> object_bytes(std::string_view name) {\n${choices}  LOOM_CHECK(false, \"the object was built in\");\n  return {};\n}\n\n}  // namespace loom::bpf\n")
file(WRITE "${OUTPUT}" "${text}")
