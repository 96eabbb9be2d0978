#include "loom/base/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace loom {

std::string read_file(const std::string& path, const Place& from, std::size_t largest) {
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
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::string reason;
  if (std::filesystem::is_directory(path)) {
    reason = "it is a folder";
  } else if (!std::filesystem::is_directory(folder)) {
    reason = fmt::format("there is no folder '{}'", folder.string());
  } else if (::access(folder.c_str(), W_OK) != 0) {
    reason = std::strerror(errno);
  }
  if (!reason.empty()) throw InputError({}, fmt::format("cannot write '{}': {}", path, reason));
}

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) {
      const std::string reason = std::strerror(errno);
      std::remove(temporary.c_str());
      throw InputError({}, fmt::format("cannot write '{}': {}", path, reason));
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    throw InputError({}, fmt::format("cannot write '{}': {}", path, error.message()));
  }
}

void make_folder(const std::string& path, const Place& from) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path)) {
    throw InputError(from, fmt::format("cannot make the folder '{}'{}", path,
                                       error ? ": " + error.message() : ""));
  }
}

std::string path_beside(const std::string& beside, const std::string& path) {
  return (std::filesystem::path(beside).parent_path() / path).lexically_normal().string();
}

}  // namespace loom
