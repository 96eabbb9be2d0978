// Whole files in, whole files out: a reader sees the old content or the new, never half.
#pragma once

#include <string>
#include <string_view>

#include "loom/base/error.h"

namespace loom {

// The content of a file; InputError naming `from` (where the path was given) when it cannot be read
// or is larger than `largest` bytes.
std::string read_file(const std::string& path, const SourceLocation& from = {},
                      std::size_t largest = std::size_t{1} << 30);

// A file on its way. Until it is whole it has no name, so that nothing is left of it whatever ends
// the process; on a file system without such files, and for the moment of renaming, a temporary one
// beside its place. What is no file, such as /dev/stdout, is written as it is. What cannot be
// written is an InputError.
class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Gives it its name, in place of what had it. Without it nothing is left behind.
  void finish();

  // For who writes to the descriptor: of the last error.
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  bool in_place_ = false;
  bool named_ = false;  // the temporary one is there
};

// Whether a file could be written there: asked before long work. InputError where not.
void check_output(const std::string& path);

void write_file(const std::string& path, std::string_view content);

// The folder, with those above it, where it is not there yet.
void make_folder(const std::string& path, const SourceLocation& from = {});

// Whether the folder could be made and written to: asked before long work. Nothing is left behind.
void check_folder(const std::string& path, const SourceLocation& from = {});

// `path` as seen from the folder of the file `beside`; absolute paths stay.
std::string path_beside(const std::string& beside, const std::string& path);

}  // namespace loom
