#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

// The program writes exactly this message, no output, and no file.
TEST_P(Broken, InputIsRejectedWithLocationAndReason) {
  const Folder folder;
  std::vector<std::string> names;
  for (const auto& [name, content] : GetParam().files) {
    folder.write(name, content);
    names.push_back(name);
  }
  const Ran ran = lightloom(GetParam().words, folder.path("."));
  EXPECT_EQ(ran.err, GetParam().message + "\n");
  EXPECT_EQ(ran.code, GetParam().code);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(folder.names(), names) << "something was written";
}

}  // namespace
}  // namespace loom::testing
