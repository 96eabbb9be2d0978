#include "loom/foreign/rostam.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "loom/base/files.h"
#include "loom/base/testing.h"
#include "loom/foreign/testing.h"

namespace loom::foreign {
namespace {

std::string refusal(const std::string& content) {
  const std::vector<RostamFile> files = {{1, "m_bs1.pb", content}};
  return message([&] { parse_rostam(files); });
}

std::string refusal_of_second(const std::string& first, const std::string& second) {
  const std::vector<RostamFile> files = {{1, "m_bs1.pb", first}, {8, "m_bs8.pb", second}};
  return message([&] { parse_rostam(files); });
}

RostamProfile profile_of(const std::vector<RostamFile>& files) { return parse_rostam(files); }

// A new folder for the test's files.
std::string fresh_folder(const std::string& name) {
  std::string folder = ::testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

std::string one_node(std::uint64_t time, std::uint64_t output) {
  return rostam_op({.name = "a", .time = time, .bytes = 4 * output, .output = output});
}

TEST(Rostam, ANodeIsReadWithAllItsFields) {
  const RostamProfile profile = profile_of(
      {{4, "m_bs4.pb",
        rostam_op(
            {.name = "w/read", .time = 3, .bytes = 5, .type = 1, .memory = 2, .output = 7})}});
  EXPECT_EQ(profile.source, "m_bs4.pb");
  EXPECT_EQ(profile.batches, std::vector<int>{4});
  EXPECT_EQ(profile.nodes, (std::vector<RostamNode>{{.name = "w/read",
                                                     .type = RostamType::memory,
                                                     .memory = RostamMemory::read_variable,
                                                     .successors = {},
                                                     .measured = {{3_us, 5_B, 7_B}}}}));
}

TEST(Rostam, EveryNodePrecedesItsSuccessors) {
  const RostamProfile profile = profile_of(
      {{1, "m",
        rostam_op({.name = "c"}) + rostam_op({.name = "a"}) + rostam_op({.name = "b"}) +
            rostam_edges("a", {"c", "b"}) + rostam_edges("b", {"c"}) + rostam_edges("a", {"b"})}});
  ASSERT_EQ(profile.nodes.size(), 3U);
  EXPECT_EQ(profile.nodes[0].name, "a");
  EXPECT_EQ(profile.nodes[0].successors, (std::vector<int>{1, 2}));
  EXPECT_EQ(profile.nodes[1].name, "b");
  EXPECT_EQ(profile.nodes[1].successors, std::vector<int>{2});
  EXPECT_EQ(profile.nodes[2].name, "c");
}

TEST(Rostam, TheOrderOfNodesMayDifferBetweenFiles) {
  const std::string a = rostam_op({.name = "a", .time = 1});
  const std::string b = rostam_op({.name = "b", .time = 2});
  const std::string edge = rostam_edges("a", {"b"});
  const RostamProfile profile = profile_of(
      {{1, "m", a + b + edge},
       {2, "m", rostam_op({.name = "b", .time = 20}) + edge + rostam_op({.name = "a"})}});
  EXPECT_EQ(profile.nodes[1].measured[1].time, 20_us);
  EXPECT_EQ(profile.batches, (std::vector<int>{1, 2}));
}

TEST(Rostam, AFileThatIsNotAProfileIsRefused) {
  const std::string no_profile =
      "m_bs1.pb: the file is not a Rostam profile; a protobuf message Profile is needed";
  const std::string no_nodes = "m_bs1.pb: the profile has no nodes; at least one is needed";
  EXPECT_EQ(refusal("hello"), no_profile);
  EXPECT_EQ(refusal(one_node(1, 1).substr(0, 5)), no_profile);
  EXPECT_EQ(refusal(""), no_nodes);
  EXPECT_EQ(refusal(foreign::number_field(9, 9)), no_nodes);
}

TEST(Rostam, AnInvalidNodeIsRefused) {
  const std::string unnamed =
      "m_bs1.pb: node 0 has an invalid name; UTF-8 text without spaces is needed";
  EXPECT_EQ(refusal(rostam_op({})), unnamed);
  EXPECT_EQ(refusal(rostam_op({.name = "a b"})), unnamed);
  EXPECT_EQ(refusal(rostam_op({.name = "\xff"})), unnamed);
  EXPECT_EQ(refusal(one_node(1, 1) + one_node(2, 2)),
            "m_bs1.pb: node 'a' is listed twice; a unique name is needed");
  EXPECT_EQ(refusal(rostam_op({.name = "a", .type = 3})),
            "m_bs1.pb: node 'a' has op_type 3 and mem_type 0; 0 to 2 and 0 to 3 are known");
  EXPECT_EQ(refusal(rostam_op({.name = "a", .memory = 9})),
            "m_bs1.pb: node 'a' has op_type 0 and mem_type 9; 0 to 2 and 0 to 3 are known");
}

TEST(Rostam, ANumberThatIsNegativeOrTooLargeIsRefused) {
  EXPECT_EQ(refusal(rostam_op({.name = "a", .time = ~std::uint64_t{0}})),
            "m_bs1.pb: node 'a' has comp_time_us -1; 0 to 1000000000000 are possible");
  EXPECT_EQ(
      refusal(rostam_op({.name = "a", .bytes = 2'000'000'000'000'000})),
      "m_bs1.pb: node 'a' has num_bytes 2000000000000000; 0 to 1000000000000000 are possible");
  EXPECT_EQ(refusal(rostam_op({.name = "a", .output = ~std::uint64_t{4}})),
            "m_bs1.pb: node 'a' has output_bytes -5; 0 to 1000000000000000 are possible");
}

TEST(Rostam, AnEdgeOfAnUnknownNodeIsRefused) {
  EXPECT_EQ(refusal(one_node(1, 1) + rostam_edges("a", {"b"})),
            "m_bs1.pb: 'b', a successor of 'a', is not a node; an edge needs two existing nodes");
  EXPECT_EQ(refusal(one_node(1, 1) + rostam_edges("b", {"a"})),
            "m_bs1.pb: 'b', which has successors, is not a node; an edge needs two existing nodes");
  EXPECT_EQ(refusal(one_node(1, 1) + rostam_edges("a", {"\x01"})),
            "m_bs1.pb: an invalid name, a successor of 'a', is not a node; an edge needs two "
            "existing nodes");
}

TEST(Rostam, ACycleIsReportedWithANodeOnIt) {
  EXPECT_EQ(refusal(one_node(1, 1) + rostam_edges("a", {"a"})),
            "m_bs1.pb: node 'a' waits for itself; a graph without cycles is needed");
  std::string graph;
  for (const char* name : {"s", "x", "y", "end"}) graph += rostam_op({.name = name});
  graph += rostam_edges("s", {"x"}) + rostam_edges("x", {"y"}) + rostam_edges("y", {"x", "end"});
  EXPECT_EQ(refusal(graph),
            "m_bs1.pb: node 'x' waits for itself; a graph without cycles is needed");
}

TEST(Rostam, FilesThatDisagreeAreReportedWithFileAndNode) {
  const std::string both = rostam_op({.name = "a"}) + rostam_op({.name = "b"});
  const std::string rest = "; the same graph as in m_bs1.pb is needed";
  EXPECT_EQ(refusal_of_second(both, rostam_op({.name = "a"})),
            "m_bs8.pb: node 'b' is missing" + rest);
  EXPECT_EQ(refusal_of_second(rostam_op({.name = "a"}), both),
            "m_bs8.pb: node 'b' is not in the first file" + rest);
  EXPECT_EQ(refusal_of_second(both, both + rostam_edges("a", {"b"})),
            "m_bs8.pb: node 'a' has different successors" + rest);
  EXPECT_EQ(refusal_of_second(both, rostam_op({.name = "a", .type = 1}) + rostam_op({.name = "b"})),
            "m_bs8.pb: node 'a' has a different type" + rest);
}

TEST(Rostam, AProfileIsTheFilesThatExist) {
  const std::string prefix = fresh_folder("rostam_files") + "/net";
  write_file(prefix + "_bs2.pb", one_node(10, 1));
  write_file(prefix + "_bs512.pb", one_node(520, 1));
  EXPECT_FALSE(read_rostam(prefix).accuracy);
  write_file(prefix + "_iter.prof", "256, 1000\n512, 600\n");
  const RostamProfile profile = read_rostam(prefix);
  EXPECT_EQ(profile.batches, (std::vector<int>{2, 512}));
  EXPECT_EQ(profile.nodes[0].measured[1].time, 520_us);
  ASSERT_TRUE(profile.accuracy);
  EXPECT_EQ(iterations_to_accuracy(*profile.accuracy, 512), 600);
}

TEST(Rostam, AProfileWithoutFilesIsRefused) {
  EXPECT_EQ(message([] { read_rostam("/no/such/net", location_of("s.yaml", 3)); }),
            "s.yaml:3: no file '/no/such/net_bs1.pb' to '/no/such/net_bs512.pb' exists; a "
            "profile needs at least one");
  const std::string prefix = fresh_folder("rostam_folder") + "/net";
  std::filesystem::create_directory(prefix + "_bs1.pb");
  EXPECT_EQ(message([&] { read_rostam(prefix); }),
            "'" + prefix + "_bs1.pb' is a folder; a file is needed");
}

TEST(Rostam, AFileTooLargeIsRefused) {
  const std::string prefix = fresh_folder("rostam_large") + "/net";
  write_file(prefix + "_bs1.pb", "");
  std::filesystem::resize_file(prefix + "_bs1.pb", (std::size_t{1} << 25) + 1);
  EXPECT_EQ(message([&] { read_rostam(prefix); }),
            "'" + prefix + "_bs1.pb' is larger than 33554432 bytes");
}

}  // namespace
}  // namespace loom::foreign
