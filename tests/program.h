// Runs the program as a user does: command line in; standard output, standard error, exit code out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace loom::testing {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A temporary folder for one test, removed at its end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "loom_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

// Runs `words` (program and arguments) in the folder `where`, with `input` as standard input.
inline Ran run_program(std::vector<std::string> words, const std::string& where = ".",
                       const std::string& input = "") {
  const Folder folder;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string in = folder.write("in", input);
  const std::string out = folder.path("out");
  const std::string err = folder.path("err");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT,
                                     0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT,
                                     0600);
  ::posix_spawn_file_actions_addchdir_np(&actions, where.c_str());
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    ADD_FAILURE() << words.front() << " cannot be started";
    return {};
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, content_of(out), content_of(err)};
}

inline Ran lightloom(std::vector<std::string> words, const std::string& where = ".",
                     const std::string& input = "") {
  words.insert(words.begin(), LOOM_BINARY);
  return run_program(std::move(words), where, input);
}

// Standard output of a run; the test fails unless the run succeeds without messages.
inline std::string output_of(const std::vector<std::string>& words,
                             const std::string& where = ".") {
  const Ran ran = lightloom(words, where);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

}  // namespace loom::testing
