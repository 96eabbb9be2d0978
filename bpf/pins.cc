#include "bpf/pins.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "loom/base/error.h"

namespace loom::bpf {
namespace {

constexpr const char* kFileSystem = "/sys/fs/bpf";
constexpr const char* kLock = "/run/lightloom_mltcp.lock";
// An empty folder beside the pins records that we mounted the file system.
constexpr const char* kMounted = "/sys/fs/bpf/lightloom_mounted_it";

bool mounted() {
  struct statfs about = {};
  return ::statfs(kFileSystem, &about) == 0 &&
         static_cast<unsigned long>(about.f_type) == BPF_FS_MAGIC;
}

}  // namespace

void make_pins() {
  if (!mounted()) {
    if (::mount("bpf", kFileSystem, "bpf", 0, nullptr) != 0) {
      throw InputError({}, fmt::format("the BPF file system cannot be mounted at {}: {}; root, and "
                                       "a kernel with CONFIG_BPF_SYSCALL, are needed",
                                       kFileSystem, std::strerror(errno)));
    }
    ::mkdir(kMounted, 0700);
  }
  if (::mkdir(kPins, 0700) != 0 && errno != EEXIST) {
    throw InputError({}, fmt::format("cannot create '{}': {}", kPins, std::strerror(errno)));
  }
}

std::vector<std::string> pin_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& it : std::filesystem::directory_iterator(kPins, none)) {
    names.push_back(it.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void remove_pin(const std::string& name) { ::unlink((kPins + ("/" + name)).c_str()); }

void remove_pins() {
  if (::rmdir(kPins) != 0 && errno != ENOENT) return;
  if (::rmdir(kMounted) == 0) ::umount2(kFileSystem, 0);
}

MachineLock::MachineLock(bool wait) : number_(::open(kLock, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (number_ < 0) {
    throw InputError(
        {}, fmt::format("cannot open '{}': {}; root is needed", kLock, std::strerror(errno)));
  }
  if (::flock(number_, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0) return;
  ::close(number_);
  throw InputError({}, "another 'lightloom mltcp' is running on this machine; wait for it to end");
}

MachineLock::~MachineLock() { ::close(number_); }

}  // namespace loom::bpf
