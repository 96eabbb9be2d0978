#include "bpf/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "bpf/descriptor.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

std::string drained(int number) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(number, buffer.data(), buffer.size());
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe open_pipe() {
  std::array<int, 2> ends{};
  LOOM_CHECK(::pipe2(ends.data(), O_CLOEXEC) == 0, "a pipe can be opened");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<std::string> split(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string program_path(const std::string& name) {
  const char* given = std::getenv("PATH");
  std::istringstream folders((given == nullptr ? std::string() : std::string(given)) +
                             ":/usr/sbin:/sbin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = folder;
    path.append("/").append(name);
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

Outcome run_command(const std::vector<std::string>& words) {
  const std::string path = program_path(words.front());
  if (path.empty()) return {127, "", words.front() + " is not installed"};
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Pipe out = open_pipe();
  Pipe err = open_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.write.number(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write.number(), STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, path.c_str(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return {127, "", path + " cannot be started"};
  out.write = Descriptor();
  err.write = Descriptor();
  Outcome outcome;
  std::thread second([&] { outcome.err = drained(err.read.number()); });
  outcome.out = drained(out.read.number());
  second.join();
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string must_run(const std::string& line) {
  const Outcome outcome = run_command(split(line));
  if (outcome.code == 0) return outcome.out;
  std::string said = outcome.err.empty() ? outcome.out : outcome.err;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw InputError({}, fmt::format("'{}' failed: {}", line, said));
}

}  // namespace loom::bpf
