// Invalid tables, graphs, workloads and traces.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kTimeUnits = "ps, ns, us, ms, s, µs, min, h";
const std::string kSizeUnits = "B, kB, MB, GB, TB, PB, KB, KiB, MiB, GiB, TiB";
const std::string kFlowColumns = "start, source, destination, size, weight";
const std::string kGraphColumns = "from, to, bandwidth, latency, duplex, members";

Hostile flows(const std::string& name, const std::string& text, const std::string& message) {
  return {name,
          {{"f.csv", text}},
          {"flows", "f.csv", "--fabric", "switch", "--bandwidth", "1Gbps"},
          message};
}

Hostile rows(const std::string& name, const std::string& lines, const std::string& message) {
  return flows(name, "start,source,destination,size\n" + lines, message);
}

Hostile graph(const std::string& name, const std::string& file, const std::string& text,
              const std::string& message) {
  return {name,
          {{file, text}},
          {"collective", "all_gather", "--size", "1MB", "--gpus", "2", "--fabric", "custom",
           "--file", file},
          message};
}

Hostile links(const std::string& name, const std::string& lines, const std::string& message) {
  return graph(name, "g.yaml", "links:\n" + lines, message);
}

const std::string kWorkScenario =
    "workload: {file: w.yaml}\nfabric: {kind: switch, bandwidth: 1 Gbps}\n";

Hostile work(const std::string& name, const std::string& text, const std::string& message) {
  return {name, {{"s.yaml", kWorkScenario}, {"w.yaml", text}}, {"simulate", "s.yaml"}, message};
}

// A workload of two devices whose operations begin on line 3.
Hostile operations(const std::string& name, const std::string& lines, const std::string& message) {
  return work(name, "devices: 2\noperations:\n" + lines, message);
}

const std::string kRing =
    "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\ngpus: 2\n"
    "fabric: {kind: switch, bandwidth: 1 Gbps}\n";

Hostile trace(const std::string& name, const std::string& text, const std::string& message) {
  return {name,
          {{"s.yaml", kRing}, {"t.csv", text}},
          {"simulate", "s.yaml", "--from", "trace=t.csv"},
          message};
}

Hostile traced(const std::string& name, const std::string& line, const std::string& message) {
  return trace(name, "operation,source,destination,size,start,end\n" + line, message);
}

const std::vector<Hostile> kFlows = {
    flows("nothing", "", "f.csv:1: the file is empty; a line with column names is needed"),
    rows("no_flow", "",
         "flows f.csv: workload.flows is f.csv; the file lists no flows; a flow, or the number of "
         "gpus, is needed"),
    flows("a_missing_column", "start,source,size\n",
          "f.csv:1: column 'destination' is missing; known are " + kFlowColumns),
    flows("an_unknown_column", "start,source,destination,size,color\n",
          "f.csv:1: column 'color' is not known; known are " + kFlowColumns),
    flows(
        "a_misspelled_column", "start,sorce,destination,size\n",
        "f.csv:1: column 'sorce' is not known (did you mean 'source'?); known are " + kFlowColumns),
    flows("a_column_twice", "start,source,destination,size,size\n",
          "f.csv:1: column 'size' appears twice; once is enough"),
    flows(
        "an_unknown_unit", "start [days],source,destination,size\n",
        "f.csv:1: column 'start' has the unit 'days'; a time needs one of the units " + kTimeUnits),
    flows("a_unit_of_a_number", "start,source [m],destination,size\n",
          "f.csv:1: column 'source' has the unit 'm'; no unit is allowed"),
    rows("a_short_row", "0 s,0,1\n", "f.csv:2: the row has 3 cells; the header names 4 columns"),
    rows("a_long_row", "0 s,0,1,1 B,2\n",
         "f.csv:2: the row has 5 cells; the header names 4 columns"),
    rows("a_bare_time", "0 s,0,1,1 B\n5,0,1,1 B\n",
         "f.csv:3: start is 5; a time needs one of the units " + kTimeUnits),
    rows("a_bare_size", "0 s,0,1,5\n",
         "f.csv:2: size is 5; a size needs one of the units " + kSizeUnits),
    rows("an_empty_cell", "0 s,,1,1 B\n", "f.csv:2: source is empty; an integer is needed"),
    rows("a_flow_to_itself", "0 s,1,1,1 B\n",
         "f.csv:2: destination is 1; a device other than the source is needed"),
    rows("a_device_below_zero", "0 s,-1,1,1 B\n", "f.csv:2: source is -1; at least 0 is needed"),
    rows("a_device_of_millions", "0 s,0,1048576,1 B\n",
         "f.csv:2: destination is 1048576; at most 1048575 is possible"),
    rows("a_size_below_zero", "0 s,0,1,-1 B\n",
         "f.csv:2: size is -1 B; a size is a number and a unit, at least 0"),
    flows("no_weight", "start,source,destination,size,weight\n0 s,0,1,1 B,0\n",
          "f.csv:2: weight is 0; at least 1 is needed"),
    rows("an_open_quote", "0 s,0,1,\"1 B\n", "f.csv:2: a quote opens here and is never closed"),
    rows("a_quote_inside", "0 s,0,1,1 \"B\"\n",
         "f.csv:2: a quote is inside an unquoted cell; quote the whole cell, write \"\" for a "
         "quote in "
         "it"),
    rows("a_control_byte", "0 s,0,1,1 B\x02\n",
         "f.csv:2: byte 0x02 is not allowed; CSV must be plain UTF-8 text"),
    rows("not_utf8", "0 s,0,1,1 \xb5\n",
         "f.csv:2: byte 0xb5 is not allowed; CSV must be plain UTF-8 text"),
    {"more_devices_than_gpus",
     {{"f.csv", "start,source,destination,size\n0 s,0,5,1 B\n"}},
     {"flows", "f.csv", "--fabric", "switch", "--bandwidth", "1Gbps", "--gpus", "4"},
     "f.csv:2: destination is 5; at most 3 is possible"},
};

const std::vector<Hostile> kGraphs = {
    graph("nothing", "g.yaml", "", "g.yaml:1: the file is empty"),
    graph("no_links", "g.yaml", "edges: []\n",
          "g.yaml:1: a graph is one key 'links' with a list of links"),
    graph("links_in_words", "g.yaml", "links: many\n",
          "g.yaml:1: a graph is one key 'links' with a list of links"),
    graph("no_devices", "g.yaml", "links: []\n",
          "g.yaml:1: no link names a device; devices are integers from 0"),
    links("a_link_in_words", "  - 0 to 1\n",
          "g.yaml:2: a link is a map such as {from: 0, to: leaf0, bandwidth: 100 Gbps, latency: 1 "
          "us}"),
    links("no_bandwidth", "  - {from: 0, to: 1}\n",
          "g.yaml:2: link lacks 'bandwidth' (bandwidth of each link, per direction)"),
    links("zero_bandwidth", "  - {from: 0, to: 1, bandwidth: 0 bps}\n",
          "g.yaml:2: link.bandwidth is 0 bps; at least 1 bps is needed"),
    links("a_link_to_itself", "  - {from: a, to: a, bandwidth: 1 Gbps}\n",
          "g.yaml:2: a link leads from a to a; two different nodes are needed"),
    links("a_gap_in_the_devices", "  - {from: 0, to: 2, bandwidth: 1 Gbps}\n",
          "g.yaml:2: device 2 is named here but device 1 nowhere; devices are numbered from 0 "
          "without gaps"),
    links("a_device_below_zero", "  - {from: -1, to: 0, bandwidth: 1 Gbps}\n",
          "g.yaml:2: device -1 is named; a number from 0 to 1048575 without leading zeros is "
          "needed"),
    links("a_device_with_a_leading_zero", "  - {from: 0, to: 01, bandwidth: 1 Gbps}\n",
          "g.yaml:2: device 01 is named; a number from 0 to 1048575 without leading zeros is "
          "needed"),
    links("a_device_of_millions", "  - {from: 0, to: 9999999, bandwidth: 1 Gbps}\n",
          "g.yaml:2: device 9999999 is named; a number from 0 to 1048575 without leading zeros is "
          "needed"),
    links("only_switches", "  - {from: a, to: b, bandwidth: 1 Gbps}\n",
          "g.yaml:1: no link names a device; devices are integers from 0"),
    links("no_members", "  - {from: 0, to: 1, bandwidth: 1 Gbps, members: 0}\n",
          "g.yaml:2: link.members is 0; at least 1 is needed"),
    links("a_trunk_beyond_the_limit", "  - {from: 0, to: 1, bandwidth: 1 Pbps, members: 1001}\n",
          "g.yaml:2: members is 1001; that many links of 1 Pbps exceed the maximum of 1000 Pbps"),
    links("perhaps_duplex", "  - {from: 0, to: 1, bandwidth: 1 Gbps, duplex: perhaps}\n",
          "g.yaml:2: link.duplex is perhaps; true or false is needed"),
    links("more_devices_than_gpus",
          "  - {from: 0, to: 1, bandwidth: 1 Gbps}\n  - {from: 1, to: 2, bandwidth: 1 Gbps}\n",
          "--file g.yaml: fabric.file is g.yaml; it has 3 devices; 2 are needed"),
    graph("csv_without_a_column", "g.csv", "from,to\n0,1\n",
          "g.csv:1: column 'bandwidth' is missing; known are " + kGraphColumns),
    graph("csv_with_an_unknown_column", "g.csv", "from,to,bandwidth,kind\n",
          "g.csv:1: column 'kind' is not known; known are " + kGraphColumns),
    graph("csv_with_zero_bandwidth", "g.csv", "from,to,bandwidth\n0,1,0 Gbps\n",
          "g.csv:2: bandwidth is 0 bps; at least 1 bps is needed"),
    graph("csv_with_an_empty_node", "g.csv", "from,to,bandwidth\n0,,1 Gbps\n",
          "g.csv:2: a node is empty; a device's number or a switch's name on one line is needed"),
};

const std::vector<Hostile> kWorkloads = {
    work("nothing", "", "w.yaml:1: the file is empty"),
    work("no_devices", "devices: 0\n", "w.yaml:1: workload.devices is 0; at least 1 is needed"),
    work("an_unknown_key", "devices: 2\nops: []\n",
         "w.yaml:2: workload has no key 'ops'; known are groups, operations, devices"),
    operations("no_kind", "  - {name: a}\n",
               "w.yaml:3: operation has no kind; one of the keys compute, message, receive, "
               "collective is needed"),
    operations("a_device_out_of_range", "  - {compute: 1 ms, device: 2}\n",
               "w.yaml:3: operation.device is 2; devices are 0 to 1"),
    operations("a_computation_nowhere", "  - {compute: 1 ms}\n",
               "w.yaml:3: operation has neither groups nor device; one of them is needed"),
    operations("an_unknown_operation", "  - {name: send, compute: 1 ms, device: 1, after: sent}\n",
               "w.yaml:3: operation.after is sent; no operation is called sent (did you mean "
               "'send'?)"),
    operations("an_unknown_group", "  - {compute: 1 ms, groups: all}\n",
               "w.yaml:3: operation.groups is all; the name of an entry of groups is needed"),
    operations("a_message_out_of_range", "  - {message: 0 -> 2, size: 1 B}\n",
               "w.yaml:3: operation.message is 0 -> 2; devices are 0 to 1"),
    operations("a_message_to_itself", "  - {message: 0 -> 0, size: 1 B}\n",
               "w.yaml:3: operation.message is 0 -> 0; two different devices are needed, such as 0 "
               "-> 1"),
    operations("a_bare_size", "  - {message: 0 -> 1, size: 1}\n",
               "w.yaml:3: operation.size is 1; a size needs one of the units " + kSizeUnits),
    operations("a_name_twice",
               "  - {name: a, compute: 1 ms, device: 1}\n  - {name: a, compute: 1 ms, device: 0}\n",
               "w.yaml:4: operation.name is a; a unique name is needed"),
    operations("both_groups_and_ranks",
               "  - {collective: all_reduce, groups: g, ranks: 0-1, size: 1 B}\n",
               "w.yaml:3: operation has both groups and ranks; one of them is needed"),
    work("a_member_out_of_range", "devices: 2\ngroups:\n  - {name: g, members: 0-2}\n",
         "w.yaml:3: group.members is 0-2; devices are 0 to 1"),
    work("groups_of_unequal_size", "devices: 2\ngroups:\n  - {name: g, size: 3, members: 0-1}\n",
         "w.yaml:3: group.size is 3; a divisor of the 2 members is needed"),
    {"more_devices_than_gpus",
     {{"s.yaml", kWorkScenario}, {"w.yaml", "devices: 8\n"}},
     {"simulate", "s.yaml", "--set", "gpus=4"},
     "--set gpus=4: scenario.gpus is 4; the workload needs at least 8"},
};

const std::vector<Hostile> kTraces = {
    trace("nothing", "", "t.csv:1: the file is empty; a line with column names is needed"),
    trace("a_missing_column", "operation,source,destination,size,start\n",
          "t.csv:1: column 'end' is missing; known are operation, source, destination, size, "
          "start, end"),
    traced("an_operation_out_of_range", "1,0,1,1 B,0 s,1 s\n",
           "t.csv:2: operation is 1; at most 0 is possible"),
    traced("a_device_out_of_range", "0,0,2,1 B,0 s,1 s\n",
           "t.csv:2: destination is 2; at most 1 is possible"),
    traced("an_end_before_the_start", "0,0,1,1 B,2 s,1 s\n",
           "t.csv:2: end is 1 s; an end after the start at 2 s is needed"),
    traced("a_bare_time", "0,0,1,1 B,0,1 s\n",
           "t.csv:2: start is 0; a time needs one of the units " + kTimeUnits),
    {"a_trace_in_closed_form",
     {{"s.yaml", kRing + "engine: coarse\n"}},
     {"dump", "s.yaml", "--stage", "trace"},
     "s.yaml:4: scenario.engine is coarse; fluid is needed for a trace or timeline"},
};

INSTANTIATE_TEST_SUITE_P(Flows, Broken, ::testing::ValuesIn(kFlows), name_of);
INSTANTIATE_TEST_SUITE_P(Graph, Broken, ::testing::ValuesIn(kGraphs), name_of);
INSTANTIATE_TEST_SUITE_P(WorkloadFile, Broken, ::testing::ValuesIn(kWorkloads), name_of);
INSTANTIATE_TEST_SUITE_P(Trace, Broken, ::testing::ValuesIn(kTraces), name_of);

}  // namespace
}  // namespace loom::testing
