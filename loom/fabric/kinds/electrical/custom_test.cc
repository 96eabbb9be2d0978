#include "loom/fabric/kinds/electrical/custom.h"

#include "loom/base/files.h"
#include "loom/base/random.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

using Names = std::vector<std::string>;

const std::string kYaml =
    "links:\n"
    "  - {from: 0, to: leaf0, bandwidth: 100 Gbps, latency: 1 us}\n"
    "  - {from: 1, to: leaf0, bandwidth: 100 Gbps, duplex: false}\n"
    "  - {from: leaf0, to: 1, bandwidth: 50 Gbps, members: 2}\n";
const std::string kCsv =
    "from,to,bandwidth [Gbps],latency,duplex,members\n"
    "0,leaf0,100,1 us,true,1\n"
    "1,leaf0,100,0 ns,false,1\n"
    "leaf0,1,50,0 ns,true,2\n";

std::string csv_refusal(const std::string& rows) {
  return message_of([&] { read_custom_graph("from,to,bandwidth\n" + rows, "graph.csv", true); });
}

std::string yaml_refusal(const std::string& text) {
  return message_of([&] { read_custom_graph(text, "graph.yaml", false); });
}

TEST(Custom, YamlAndCsvGiveTheSameGraph) {
  const Network yaml = read_custom_graph(kYaml, "graph.yaml", false);
  const Network csv = read_custom_graph(kCsv, "graph.csv", true);
  EXPECT_EQ(yaml.devices, 2);
  EXPECT_EQ(yaml.nodes, 3);
  EXPECT_EQ(yaml.switch_names, Names{"leaf0"});
  ASSERT_EQ(yaml.links.size(), 5U);
  EXPECT_EQ(yaml.link_name(LinkId(0)), "0->leaf0");
  EXPECT_EQ(yaml.link_name(LinkId(1)), "leaf0->0");
  EXPECT_EQ(yaml.links[1].latency, 1_us);
  EXPECT_EQ(yaml.link_name(LinkId(2)), "1->leaf0");
  EXPECT_EQ(yaml.link_name(LinkId(3)), "leaf0->1");
  EXPECT_EQ(yaml.links[3].bandwidth, 100_Gbps);
  EXPECT_EQ(yaml.links[3].members, 2);
  EXPECT_EQ(to_text(yaml), to_text(csv));
}

TEST(Custom, AGraphAsTextReadsBackTheSame) {
  const Network graph = read_custom_graph(kYaml, "graph.yaml", false);
  EXPECT_EQ(to_text(graph),
            "links:\n"
            "  - {from: 0, to: leaf0, bandwidth: 100 Gbps, latency: 1 us}\n"
            "  - {from: 1, to: leaf0, bandwidth: 100 Gbps, latency: 0 ps, duplex: false}\n"
            "  - {from: leaf0, to: 1, bandwidth: 50 Gbps, latency: 0 ps, members: 2}\n");
  EXPECT_EQ(to_text(read_custom_graph(to_text(graph), "again.yaml", false)), to_text(graph));
}

TEST(Custom, UnusualSwitchNamesSurvive) {
  const Network graph = read_custom_graph(
      "from,to,bandwidth\n0,\"a: [\"\"b\"\", {c}]\",1 Gbps\n0,#d é,1 Gbps\n", "graph.csv", true);
  EXPECT_EQ(graph.switch_names, (Names{"a: [\"b\", {c}]", "#d é"}));
  EXPECT_EQ(read_custom_graph(to_text(graph), "again.yaml", false).switch_names,
            graph.switch_names);
}

TEST(Custom, TheFileIsFoundBesideTheOneThatNamesIt) {
  const std::string folder = testing::TempDir();
  write_file(folder + "custom_beside.csv", "from,to,bandwidth\n0,1,1 Gbps\n1,2,1 Gbps\n");
  const Tree map = parse_yaml("kind: custom\nfile: custom_beside.csv", folder + "scenario.yaml");
  const Network network = build_network(read_fabric(map), {3, 1});
  expect_sound_routes(network);
  EXPECT_EQ(names_of(network, route_of(network, 0, 2)), (Names{"0->1", "1->2"}));
}

TEST(Custom, WithoutForwardingPathsPassThroughSwitchesOnly) {
  const std::string file = testing::TempDir() + "custom_forwarding.csv";
  write_file(file,
             "from,to,bandwidth\n0,1,1 Gbps\n1,2,1 Gbps\n0,a,1 Gbps\na,b,1 Gbps\nb,2,1 Gbps\n");
  const Network network = fabric_of("kind: custom, forwarding: false, file: " + file, 3);
  EXPECT_EQ(names_of(network, route_of(network, 0, 2)), (Names{"0->a", "a->b", "b->2"}));
}

TEST(Custom, AWrongNumberOfDevicesIsRefused) {
  const std::string file = testing::TempDir() + "custom_devices.csv";
  write_file(file, "from,to,bandwidth\n0,1,1 Gbps\n");
  EXPECT_EQ(refusal_of("kind: custom, file: " + file, 4),
            "test.yaml:1: fabric.file is " + file + "; it has 2 devices; 4 are needed");
  EXPECT_EQ(refusal_of("kind: custom, file: /nowhere.csv", 4),
            "test.yaml:1: cannot read '/nowhere.csv': No such file or directory");
}

TEST(Custom, DevicesAreNumberedFromZeroWithoutGaps) {
  EXPECT_EQ(csv_refusal("0,1,1 Gbps\n1,5,1 Gbps\n0,5,1 Gbps\n"),
            "graph.csv:3: device 5 is named here but device 2 nowhere; devices are numbered from 0 "
            "without gaps");
  EXPECT_EQ(csv_refusal("a,b,1 Gbps\n"),
            "graph.csv:1: no link names a device; devices are integers from 0");
  EXPECT_EQ(csv_refusal(""),
            "graph.csv:1: no link names a device; devices are integers from "
            "0");
  for (const std::string device : {"-1", "007", "1048576", "99999999999999999999"}) {
    EXPECT_EQ(csv_refusal("0," + device + ",1 Gbps\n"),
              "graph.csv:2: device " + device +
                  " is named; a number from 0 to 1048575 without leading zeros is needed");
  }
}

TEST(Custom, BrokenLinksAreRefusedByLine) {
  EXPECT_EQ(csv_refusal("0,0,1 Gbps\n"),
            "graph.csv:2: a link leads from 0 to 0; two different nodes are needed");
  EXPECT_EQ(csv_refusal("0,,1 Gbps\n"),
            "graph.csv:2: a node is empty; a device's number or a switch's name on one line is "
            "needed");
  EXPECT_EQ(csv_refusal("0,\"a\nb\",1 Gbps\n"),
            "graph.csv:2: a node is named over several lines; a device's number or a switch's name "
            "on one line is needed");
  EXPECT_EQ(csv_refusal("0,1,0 Gbps\n"),
            "graph.csv:2: bandwidth is 0 bps; at least 1 bps is needed");
  EXPECT_EQ(yaml_refusal("links:\n- {from: 0, to: 1, bandwidth: 1 Pbps, members: 1000000}"),
            "graph.yaml:2: members is 1000000; that many links of 1 Pbps exceed the maximum "
            "of 1000 Pbps");
  EXPECT_EQ(
      yaml_refusal("links:\n- {from: 0, to: 1, bandwidth: 5}"),
      "graph.yaml:2: link.bandwidth is 5; a bandwidth needs one of the units bps, kbps, Mbps, "
      "Gbps, Tbps, Pbps, bit/s, Mbit/s, Gbit/s, Tbit/s, Mb/s, Gb/s, Tb/s, MB/s, GB/s, TB/s");
  EXPECT_EQ(yaml_refusal("links:\n- 5"),
            "graph.yaml:2: a link is a map such as {from: 0, to: leaf0, bandwidth: 100 Gbps, "
            "latency: 1 us}");
  for (const std::string text : {"5", "links: 5", "link: []", "{links: [], more: 1}", "[]"}) {
    EXPECT_EQ(yaml_refusal(text), "graph.yaml:1: a graph is one key 'links' with a list of links");
  }
}

TEST(Custom, AnyBytesGiveAGraphOrOneMessage) {
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    Random random = random_stream(seed);
    const bool is_csv = seed % 2 == 0;
    std::string text = is_csv ? kCsv : kYaml;
    for (std::uint32_t changes = 1 + random(4); changes > 0; --changes) {
      text[random(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random(256));
    }
    try {
      const Network graph = read_custom_graph(text, "graph", is_csv);
      EXPECT_EQ(to_text(read_custom_graph(to_text(graph), "again", false)), to_text(graph))
          << "seed " << seed;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 6), "graph:") << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace loom::fabric
