#include "loom/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "loom/base/testing.h"

namespace loom {
namespace {

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string pattern = (std::filesystem::temp_directory_path() / "loom_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::filesystem::path folder_;
};

TEST_F(Files, AWrittenFileReadsBackAndLeavesNothingElse) {
  const std::string content = std::string("line\r\n\0\xff", 8) + std::string(200'000, 'x');
  write_file(path("a"), content);
  EXPECT_EQ(read_file(path("a")), content);
  write_file(path("a"), "");
  EXPECT_EQ(read_file(path("a")), "");
  EXPECT_EQ(count(), 1);
}

// So an interrupt leaves nothing behind.
TEST_F(Files, AFileBeingWrittenHasNoName) {
  const int probe = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system does not support unnamed files";
  ::close(probe);
  {
    const NewFile dropped(path("a"));
    EXPECT_EQ(count(), 0);
  }
  write_file(path("a"), "old");
  NewFile file(path("a"));
  ASSERT_EQ(::write(file.descriptor(), "new", 3), 3);
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(read_file(path("a")), "old");
  file.finish();
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(read_file(path("a")), "new");
}

TEST_F(Files, APipeStaysAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write_file(path("pipe"), "x");
  char got = 0;
  EXPECT_EQ(::read(reader, &got, 1), 1);
  ::close(reader);
  EXPECT_EQ(got, 'x');
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, CheckingAFileGivesTheErrorsOfWritingIt) {
  std::filesystem::create_directory(path("d"));
  for (const std::string name : {"no/a", "d"}) {
    EXPECT_EQ(message([&] { check_output(path(name)); }),
              message([&] { write_file(path(name), "x"); }));
  }
  check_output(path("a"));
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, CheckingAFolderGivesTheErrorsOfCreatingIt) {
  write_file(path("a"), "x");
  for (const std::string name : {"a", "a/b", "a/b/c/"}) {
    EXPECT_EQ(message([&] { check_folder(path(name), location_of("here")); }),
              message([&] { make_folder(path(name), location_of("here")); }));
    EXPECT_NE(message([&] { check_folder(path(name)); }), "");
  }
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, CheckingAFolderLeavesNothingBehindAndKeepsExistingOnes) {
  for (const std::string name : {"d", "d/e/f", "d/e/f/", "./d"}) check_folder(path(name));
  EXPECT_EQ(count(), 0);
  make_folder(path("d"));
  write_file(path("d/a"), "x");
  check_folder(path("d"));
  check_folder(path("d/e"));
  EXPECT_EQ(read_file(path("d/a")), "x");
  EXPECT_FALSE(std::filesystem::exists(path("d/e")));
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, AnUnreadableFileIsReportedWhereItWasGiven) {
  EXPECT_EQ(message([&] { read_file(path("b"), location_of("s.yaml", 3)); }),
            "s.yaml:3: cannot read '" + path("b") + "': No such file or directory");
  EXPECT_EQ(message([&] { read_file(path("")); }),
            "'" + path("") + "' is a folder; a file is needed");
}

TEST_F(Files, AFileThatIsTooLargeIsRefused) {
  write_file(path("a"), std::string(100, 'x'));
  EXPECT_EQ(read_file(path("a"), {}, 100).size(), 100U);
  EXPECT_EQ(message([&] { read_file(path("a"), {}, 99); }),
            "'" + path("a") + "' is larger than 99 bytes");
}

TEST_F(Files, AFileThatNeverEndsIsRefused) {
  EXPECT_EQ(message([&] { read_file("/dev/zero", {}, 1 << 20); }),
            "'/dev/zero' is larger than 1048576 bytes");
}

TEST_F(Files, AFailedWriteLeavesNothingBehind) {
  EXPECT_EQ(message([&] { write_file(path("no/a"), "x"); }),
            "cannot write '" + path("no/a") + "': No such file or directory");
  std::filesystem::create_directory(path("d"));
  EXPECT_EQ(message([&] { write_file(path("d"), "x"); }),
            "cannot write '" + path("d") + "': Is a directory");
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, APathInAFileIsRelativeToThatFile) {
  EXPECT_EQ(path_beside("examples/a.yaml", "data/b.csv"), "examples/data/b.csv");
  EXPECT_EQ(path_beside("examples/a.yaml", "../b.csv"), "b.csv");
  EXPECT_EQ(path_beside("a.yaml", "b.csv"), "b.csv");
  EXPECT_EQ(path_beside("examples/a.yaml", "/b.csv"), "/b.csv");
}

}  // namespace
}  // namespace loom
