#include "loom/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace loom {
namespace {

// The path in /proc of an open file, through which linkat() can give an unnamed file a name.
std::string link_to(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

// Opens an unnamed file (O_TMPFILE) in the folder; returns -1 if the file system does not support
// unnamed files or /proc is missing.
int open_nameless(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0 || ::access(link_to(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

std::string read_file(const std::string& path, const SourceLocation& from, std::size_t largest) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(from, fmt::format("'{}' is a folder; a file is needed", path));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InputError(from, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  std::string content;
  char block[65536];
  while (stream.read(block, sizeof block) || stream.gcount() > 0) {
    content.append(block, static_cast<std::size_t>(stream.gcount()));
    if (content.size() > largest) {
      throw InputError(from, fmt::format("'{}' is larger than {} bytes", path, largest));
    }
  }
  return content;
}

void check_output(const std::string& path) {
  // Opening and closing a named pipe would signal the end of the file to its reader.
  if (std::filesystem::is_fifo(path)) return;
  const NewFile tried(path);
}

NewFile::NewFile(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, ::getpid())) {
  std::error_code error;
  in_place_ = std::filesystem::exists(path_, error) && !std::filesystem::is_regular_file(path_);
  if (in_place_) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    return;
  }
  descriptor_ = open_nameless(std::filesystem::absolute(path_).parent_path());
  if (descriptor_ >= 0) return;
  descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail();
  named_ = true;
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (named_) ::unlink(temporary_.c_str());
}

void NewFile::finish() {
  if (!named_ && !in_place_) {
    ::unlink(temporary_.c_str());  // left by an earlier process with our pid
    const std::string link = link_to(descriptor_);
    if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      fail();
    }
    named_ = true;
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  if (in_place_) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  named_ = false;
}

void NewFile::fail() const {
  throw InputError({}, fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

void write_file(const std::string& path, std::string_view content) {
  NewFile file(path);
  while (!content.empty()) {
    const ssize_t written = ::write(file.descriptor(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) file.fail();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  file.finish();
}

void make_folder(const std::string& path, const SourceLocation& from) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path)) {
    throw InputError(from, fmt::format("cannot create the folder '{}'{}", path,
                                       error ? ": " + error.message() : ""));
  }
}

void check_folder(const std::string& path, const SourceLocation& from) {
  std::error_code error;
  std::vector<std::filesystem::path> missing;  // innermost first
  auto folder = std::filesystem::absolute(path, error).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  for (; !std::filesystem::exists(folder, error) && folder.has_relative_path();
       folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  const auto remove_made = [&] {
    for (const auto& made : missing) ::rmdir(made.c_str());
  };
  try {
    make_folder(path, from);
    check_output(path + "/tried");
  } catch (const InputError&) {
    remove_made();
    throw;
  }
  remove_made();
}

std::string path_beside(const std::string& beside, const std::string& path) {
  return (std::filesystem::path(beside).parent_path() / path).lexically_normal().string();
}

}  // namespace loom
