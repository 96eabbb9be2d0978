// The JSON Schema for editors accepts exactly what the program accepts, according to independent
// implementations of YAML and JSON Schema.
#include "tests/golden/examples.h"
#include "tests/program.h"

namespace loom::testing {
namespace {

class Schema : public ::testing::Test {
 protected:
  // The verdicts, one line per file.
  Ran validate(const std::vector<std::string>& files) {
    std::vector<std::string> words = {LOOM_PYTHON, "-B", "tests/golden/validate.py",
                                      folder_.write("schema.json", output_of({"schema"}))};
    words.insert(words.end(), files.begin(), files.end());
    return run_program(words);
  }

  // Both the schema and the program give this verdict on each text.
  void expect_verdict(const std::string& verdict, const std::vector<std::string>& texts) {
    std::vector<std::string> files;
    std::string expected;
    for (const std::string& text : texts) {
      files.push_back(folder_.write(std::to_string(files.size()) + ".yaml", text));
      expected += files.back() + ": " + verdict + "\n";
      EXPECT_EQ(lightloom({"compare", files.back()}).code, verdict == "valid" ? 0 : 2) << text;
    }
    const Ran ran = validate(files);
    if (ran.code == 77) GTEST_SKIP() << ran.out;
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(ran.out, expected);
  }

  Folder folder_;
};

TEST_F(Schema, AcceptsEveryExample) {
  std::vector<std::string> files;
  std::string expected;
  for (const std::string& name : example_names()) {
    files.push_back(example_path(name));
    expected += example_path(name) + ": valid\n";
  }
  const Ran ran = validate(files);
  if (ran.code == 77) GTEST_SKIP() << ran.out;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, expected);
}

const std::string kWorkload = "workload: {collective: all_reduce, size: 1 MB}\n";
const std::string kFabric = "fabric: {kind: switch, bandwidth: 1 Gbps}\n";

TEST_F(Schema, AcceptsWhatTheProgramAccepts) {
  expect_verdict(
      "valid",
      {
          kWorkload + "gpus: 4\n" + kFabric,
          kWorkload + "gpus: [2, 4]\n" + kFabric,
          kWorkload + "gpus: 4\nengine: [fluid, coarse]\nseed: 3\n" + kFabric,
          kWorkload + "gpus: 4\nfabric: {kind: torus, shape: 4, egress: 0.5 GB/s, name: line}\n",
          kWorkload + "gpus: 4\nfabrics:\n  - {kind: full_mesh, bandwidth: [1Gbps, 2 Gbit/s]}\n",
          kWorkload + "gpus: 4\n" + kFabric +
              "changes:\n  - {at: 1 µs, link: 0->switch, bandwidth: 1 Mbps}\n",
          "workload: {collective: broadcast, size: 0 B, ranks: 0}\ngpus: 2\n" + kFabric,
      });
}

TEST_F(Schema, RejectsWhatTheProgramRejects) {
  expect_verdict(
      "invalid",
      {
          kWorkload + "gpus: four\n" + kFabric,
          kWorkload + "gpus: 0\n" + kFabric,
          kWorkload + "gpus: 4\nengin: fluid\n" + kFabric,
          kWorkload + "gpus: 4\nengine: packet\n" + kFabric,
          kWorkload + "gpus: 4\n",
          "gpus: 4\n" + kFabric,
          kWorkload + "gpus: 4\nfabric: {kind: switch}\n",
          kWorkload + "gpus: 4\nfabric: {kind: switch, bandwidth: 10}\n",
          kWorkload + "gpus: 4\nfabric: {kind: switch, bandwidth: 10 Gb}\n",
          kWorkload + "gpus: 4\nfabric: {kind: sun, bandwidth: 10 Gbps}\n",
          kWorkload + "gpus: 4\nfabric: {kind: switch, bandwidth: 1 Gbps, shape: 4}\n",
          kWorkload + "gpus: 4\nfabric: {kind: torus, shape: 2y2, bandwidth: 1 Gbps}\n",
          kWorkload + "gpus: 4\nfabrics: []\n",
          kWorkload + "gpus: 4\n" + kFabric + "fabrics:\n  - {kind: switch, bandwidth: 1 Gbps}\n",
          kWorkload + "gpus: 4\n" + kFabric + "changes:\n  - {at: 1 us, link: 0->switch}\n",
          "workload: {collective: all_reduce, size: 5}\ngpus: 4\n" + kFabric,
          "workload: {collective: all_reduce, size: []}\ngpus: 4\n" + kFabric,
          "workload: {collective: sum, size: 5 B}\ngpus: 4\n" + kFabric,
          "workload: {}\ngpus: 4\n" + kFabric,
          "workload: {collective: all_reduce}\ngpus: 4\n" + kFabric,
          "workload: {collective: all_reduce, size: 1 B, flows: f.csv}\ngpus: 4\n" + kFabric,
          "- 1\n",
      });
}

}  // namespace
}  // namespace loom::testing
