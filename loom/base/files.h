// Reads files, and writes them atomically: a reader sees the old content or the new, never a
// mixture.
#pragma once

#include <string>
#include <string_view>

#include "loom/base/error.h"

namespace loom {

// Returns the content of a file. Throws an InputError located at `from`, where the user wrote the
// path, if the file cannot be read or is larger than `largest` bytes.
std::string read_file(const std::string& path, const SourceLocation& from = {},
                      std::size_t largest = std::size_t{1} << 30);

// A file being written. It has no name until it is complete, so a process that ends early leaves
// nothing behind. On a file system without unnamed files, and during the final rename, it is a
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
  bool named_ = false;  // the file has a name: temporary_
};

// Checks, before a long computation, that a file can be written to `path`; throws an InputError if
// not.
void check_output(const std::string& path);

void write_file(const std::string& path, std::string_view content);

// Creates the folder and its parents if they do not exist.
void make_folder(const std::string& path, const SourceLocation& from = {});

// Checks, before a long computation, that the folder can be created and written to; removes what it
// created.
void check_folder(const std::string& path, const SourceLocation& from = {});

// Resolves `path` relative to the folder of the file `beside`; an absolute path is unchanged.
std::string path_beside(const std::string& beside, const std::string& path);

}  // namespace loom
