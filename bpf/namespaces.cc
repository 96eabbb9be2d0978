#include "bpf/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <future>
#include <thread>

#include "loom/base/error.h"

namespace loom::bpf {
namespace {

Descriptor made_here() {
  if (::unshare(CLONE_NEWNET) != 0) {
    throw InputError({}, fmt::format("cannot create a network namespace: {}; root, and a kernel "
                                     "with CONFIG_NET_NS, are needed",
                                     std::strerror(errno)));
  }
  Descriptor space(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  LOOM_CHECK(static_cast<bool>(space), "a thread can open its own namespace");
  return space;
}

}  // namespace

// Uses a separate thread, so that the caller stays in its own namespace.
Descriptor new_namespace() {
  std::packaged_task<Descriptor()> task(made_here);
  std::future<Descriptor> made = task.get_future();
  std::thread(std::move(task)).join();
  return made.get();
}

void enter(const Descriptor& space) {
  LOOM_CHECK(::setns(space.number(), CLONE_NEWNET) == 0, "a namespace that is held can be entered");
}

void inside(const Descriptor& space, const std::function<void()>& act) {
  std::packaged_task<void()> task([&] {
    enter(space);
    act();
  });
  std::future<void> done = task.get_future();
  std::thread(std::move(task)).join();
  done.get();
}

void write_sysctl(const std::string& name, const std::string& value) {
  const std::string path = "/proc/sys/" + name;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file &&
      ::write(file.number(), value.data(), value.size()) == static_cast<ssize_t>(value.size())) {
    return;
  }
  throw InputError({},
                   fmt::format("{} cannot be set to {}: {}", path, value, std::strerror(errno)));
}

}  // namespace loom::bpf
