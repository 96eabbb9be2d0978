#include "bpf/former_choices.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "bpf/pins.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

constexpr std::string_view kRememberedPrefix = "former_";

// Encodes a text without dots, which a BPF file system does not allow in names. Different texts
// have different encodings.
std::string as_pin_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      name += c;
    } else {
      name += fmt::format("%{:02x}", byte);
    }
  }
  return name;
}

// The name of a stored choice, with the inode number of the thread's network namespace.
std::string pin_of(const Route& route) {
  struct stat about = {};
  LOOM_CHECK(::stat("/proc/thread-self/ns/net", &about) == 0, "a thread knows its namespace");
  return fmt::format("{}{}_{}", kRememberedPrefix, about.st_ino, as_pin_name(route_key(route)));
}

std::string path_of(const std::string& pin) { return fmt::format("{}/{}", kPins, pin); }

}  // namespace

void remember_choice(const Route& route) {
  const std::string choice = route_choice(route.line);
  if (is_ours(route_algorithm(route.line))) return;
  const std::string pin = pin_of(route);
  remove_pin(pin);
  if (choice.empty() || ::symlink(choice.c_str(), path_of(pin).c_str()) == 0) return;
  throw InputError({}, fmt::format("cannot make '{}': {}", path_of(pin), std::strerror(errno)));
}

std::string remembered_choice(const Route& route) {
  std::error_code none;
  return std::filesystem::read_symlink(path_of(pin_of(route)), none).string();
}

void forget_choice(const Route& route) { remove_pin(pin_of(route)); }

void forget_choices() {
  for (const std::string& name : pin_names()) {
    if (name.starts_with(kRememberedPrefix)) remove_pin(name);
  }
}

}  // namespace loom::bpf
