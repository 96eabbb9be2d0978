// Support for tests in a real kernel: checks that the machine is suitable, and that tests leave
// nothing loaded.
#pragma once

#include <bpf/bpf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bpf/algorithm.h"
#include "bpf/bench.h"
#include "bpf/namespaces.h"
#include "bpf/pins.h"

namespace loom::bpf {

// The reason why the tests cannot run on this machine; nullopt if they can.
inline std::optional<std::string> why_not() {
  const std::vector<std::string> missing = missing_for_bench();
  if (!missing.empty()) return missing.front();
  if (!pin_names().empty()) return "MLTCP is loaded on this machine";
  try {
    new_namespace();
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

inline bool within(std::chrono::seconds limit, const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// Names of our BPF maps that exist in the kernel.
inline std::set<std::string> our_maps() {
  std::set<std::string> names;
  for (std::uint32_t id = 0; bpf_map_get_next_id(id, &id) == 0;) {
    const Descriptor map(bpf_map_get_fd_by_id(id));
    bpf_map_info about = {};
    std::uint32_t size = sizeof(about);
    if (!map || bpf_obj_get_info_by_fd(map.number(), &about, &size) != 0) continue;
    const std::string name = about.name;
    for (const char* start : {"mltcp_", "choose_", "marker_"}) {
      if (name.starts_with(start)) names.insert(name);
    }
  }
  return names;
}

// Expects that no pins, maps or algorithms of ours are left. The kernel frees maps and functions
// shortly after the last reference is dropped.
inline void expect_nothing_left() {
  EXPECT_TRUE(pin_names().empty());
  EXPECT_TRUE(within(std::chrono::seconds(10), [] {
    return our_maps().empty() && !is_registered("mltcp_reno") && !is_registered("mltcp_cubic");
  })) << "maps or algorithms are left";
}

// Skips on unsuitable machines, locks out other kernel tests, and checks for leftovers at the end.
class KernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    lock_ = Descriptor(::open("/run/lightloom_test.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock_) ::flock(lock_.number(), LOCK_EX);
    if (const auto why = why_not()) GTEST_SKIP() << "skipped: " << *why;
  }
  void TearDown() override {
    if (!IsSkipped()) expect_nothing_left();
  }

 private:
  Descriptor lock_;
};

// Also unloads the algorithms that a test pinned.
class KernelLoadTest : public KernelTest {
 protected:
  void TearDown() override {
    if (IsSkipped()) return;
    unload_mltcp();
    expect_nothing_left();
  }
};

// Starts a program, given by its path, and writes its standard output to a file.
inline pid_t start(std::vector<std::string> words, const std::string& out = "/dev/null") {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT,
                                     0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  EXPECT_EQ(::posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ),
            0);
  ::posix_spawn_file_actions_destroy(&actions);
  return child;
}

}  // namespace loom::bpf
