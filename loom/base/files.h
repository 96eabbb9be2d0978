// Atomic file input and output: a reader sees the old content or the new, never a mixture.
#pragma once

#include <string>
#include <string_view>

#include "loom/base/error.h"

namespace loom {

// The content of a file; InputError at `from` (where the path was given) if it cannot be read or is
// larger than `largest` bytes.
std::string read_file(const std::string& path, const SourceLocation& from = {},
                      std::size_t largest = std::size_t{1} << 30);

// A file being written. It has no name until it is complete, so nothing is left behind whatever
// ends the process; on a file system without unnamed files, and during the final rename, it is a
// temporary file in the same folder. A path that is not a regular file, such as /dev/stdout, is
// written directly. Throws InputError if writing fails.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Gives the file its name, replacing an existing file. Without this call nothing is left behind.
  void finish();

  // For callers that write to the descriptor: throws the InputError for the current errno.
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  bool in_place_ = false;
  bool named_ = false;  // the temporary file exists
};

// Checks before long work that a file can be written there; InputError if not.
void check_output(const std::string& path);

void write_file(const std::string& path, std::string_view content);

// Creates the folder and its parents if they do not exist.
void make_folder(const std::string& path, const SourceLocation& from = {});

// Checks before long work that the folder can be created and written to. Leaves nothing behind.
void check_folder(const std::string& path, const SourceLocation& from = {});

// `path` relative to the folder of the file `beside`; absolute paths are unchanged.
std::string path_beside(const std::string& beside, const std::string& path);

}  // namespace loom
