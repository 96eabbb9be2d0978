// Invalid scenarios.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kWork = "workload: {collective: all_reduce, size: 1 MB, algorithm: ring}\n";
const std::string kGpus = "gpus: 4\n";
const std::string kFabric = "fabric: {kind: switch, bandwidth: 1 Gbps}\n";

const std::string kSizeUnits = "B, kB, MB, GB, TB, PB, KB, KiB, MiB, GiB, TiB";
const std::string kTimeUnits = "ps, ns, us, ms, s, µs, min, h";
const std::string kRateUnits =
    "bps, kbps, Mbps, Gbps, Tbps, Pbps, bit/s, Mbit/s, Gbit/s, Tbit/s, Mb/s, Gb/s, Tb/s, MB/s, "
    "GB/s, TB/s";
const std::string kKinds =
    "switch, cluster, nvl72, fat_tree, leaf_spine, rail, full_mesh, torus, dragonfly, "
    "random_regular, "
    "custom, sip_ocs, sip_ring, mordia, megaswitch, quartz, topoopt, oddl, rotornet, opera, "
    "sirius, "
    "shoal, helios, tpu_torus";

Hostile scenario(const std::string& name, const std::string& text, const std::string& message) {
  return {name, {{"s.yaml", text}}, {"compare", "s.yaml"}, message};
}

Hostile workload(const std::string& name, const std::string& inside, const std::string& message) {
  return scenario(name, "workload: {" + inside + "}\n" + kGpus + kFabric, "s.yaml:1: " + message);
}

Hostile fabric(const std::string& name, const std::string& inside, const std::string& message) {
  return scenario(name, kWork + kGpus + "fabric: {" + inside + "}\n", "s.yaml:3: " + message);
}

// Appended to the three lines of a valid scenario.
Hostile added(const std::string& name, const std::string& lines, const std::string& message) {
  return scenario(name, kWork + kGpus + kFabric + lines, message);
}

std::string gpus(const std::string& value) { return kWork + "gpus: " + value + "\n" + kFabric; }

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string numbers(int count) {
  std::string list = "1";
  for (int i = 2; i <= count; ++i) list += ", " + std::to_string(i);
  return "[" + list + "]";
}

std::string keys(int count) {
  std::string lines;
  for (int i = 1; i <= count; ++i) lines += fmt::format("k{}: 1\n", i);
  return lines;
}

const std::vector<Hostile> kYaml = {
    scenario("nothing", "", "s.yaml:1: the file is empty"),
    scenario("only_a_comment", "# later\n", "s.yaml:1: the file is empty"),
    scenario("a_list", "- 1\n",
             "s.yaml:1: the scenario is not a map; a map with workload, gpus and fabric is needed"),
    scenario("a_word", "hello\n",
             "s.yaml:1: the scenario is not a map; a map with workload, gpus and fabric is needed"),
    scenario("a_value_in_a_value", "gpus: 4: 5\n", "s.yaml:1: not YAML: illegal map value"),
    scenario("an_open_bracket", "gpus: [4\n", "s.yaml:2: not YAML: end of sequence flow not found"),
    scenario(
        "an_open_brace", "{gpus: 4\n",
        "s.yaml:1: a list or map is used as a key, or a bracket is not closed; a key is a plain "
        "word"),
    scenario("a_bracket_too_many", kWork + "gpus: 4\n]\n" + kFabric,
             "s.yaml:3: not YAML: illegal flow end"),
    scenario("a_tab_before_a_key", kWork + "\tgpus: 4\n",
             "s.yaml:2: a tab begins this line; YAML is indented by spaces"),
    scenario("a_control_byte", kWork + "gpus: 4\x01\n",
             "s.yaml:2: byte 0x01 is not allowed; YAML must be plain UTF-8 text"),
    scenario("a_zero_byte", std::string("gpus: 4") + '\0' + "\n",
             "s.yaml:1: byte 0x00 is not allowed; YAML must be plain UTF-8 text"),
    scenario("utf16", std::string("\xff\xfeg\0", 4),
             "s.yaml:1: byte 0xff is not allowed; YAML must be plain UTF-8 text"),
    scenario("not_utf8", kWork + kGpus + "fabric: {kind: switch, name: \xc3(}\n",
             "s.yaml:3: byte 0xc3 is not allowed; YAML must be plain UTF-8 text"),
    scenario("an_escaped_line_break", gpus(R"("4\n")"),
             "s.yaml:2: a value holds the byte 0x0a; plain text on one line is needed"),
    scenario("a_key_twice", kWork + kGpus + kGpus + kFabric,
             "s.yaml:3: key 'gpus' appears twice; once is enough"),
    scenario("an_anchor", gpus("&many 4"),
             "s.yaml:2: an anchor (&name) is not allowed; write each value out"),
    scenario("an_alias_of_nothing", gpus("*many"),
             "s.yaml:2: not YAML: the referenced anchor is not defined"),
    scenario("a_merge_key", kWork + kGpus + "fabric: {<<: {kind: switch}, bandwidth: 1 Gbps}\n",
             "s.yaml:3: fabric lacks 'kind' (" + kKinds + ")"),
    scenario("a_tag", gpus("!!int 4"),
             "s.yaml:2: a tag (tag:yaml.org,2002:int) is not allowed; remove it"),
    scenario("a_second_document", kWork + kGpus + kFabric + "---\ngpus: 8\n",
             "s.yaml:4: a second document begins here; only one is read"),
    scenario(
        "a_list_as_a_key", "? [a, b]\n: 4\n",
        "s.yaml:1: a list or map is used as a key, or a bracket is not closed; a key is a plain "
        "word"),
    scenario("deep_nesting", "gpus: " + nested(40) + "\n",
             "s.yaml:1: lists and maps are nested here; at most 32 deep is possible"),
    scenario("very_deep_nesting", "gpus: " + nested(100'000) + "\n",
             "s.yaml:1: lists and maps are nested here; at most 32 deep is possible"),
    scenario("many_keys", keys(1001),
             "s.yaml:1001: a map has more than 1000 keys; at most 1000 are possible"),
    scenario("a_long_key", "? " + std::string(300, 'k') + "\n: 1\n",
             "s.yaml:1: a key has 300 bytes; at most 200 are possible"),
};

const std::vector<Hostile> kTop = {
    scenario(
        "no_workload", kGpus + kFabric,
        "s.yaml:1: scenario lacks 'workload' (a map with a model, a collective, flows, a file, "
        "profiles or a task graph)"),
    scenario("no_fabric", kWork + kGpus,
             "s.yaml:1: scenario lacks 'fabric' (a map with a kind and its parameters)"),
    scenario("no_gpus", kWork + kFabric,
             "s.yaml:1: scenario lacks 'gpus' (devices in the cluster)"),
    scenario("gpus_in_words", gpus("four"),
             "s.yaml:2: scenario.gpus is four; an integer is needed"),
    scenario("a_fraction_of_a_gpu", gpus("4.5"),
             "s.yaml:2: scenario.gpus is 4.5; an integer is needed"),
    scenario("gpus_below_zero", gpus("-4"), "s.yaml:2: scenario.gpus is -4; at least 1 is needed"),
    scenario("no_gpus_at_all", gpus("0"), "s.yaml:2: scenario.gpus is 0; at least 1 is needed"),
    scenario("gpus_beyond_the_limit", gpus("1048577"),
             "s.yaml:2: scenario.gpus is 1048577; at most 1048576 is possible"),
    scenario("gpus_beyond_63_bits", gpus("99999999999999999999"),
             "s.yaml:2: scenario.gpus is 99999999999999999999; an integer is needed"),
    scenario("gpus_empty", gpus(""), "s.yaml:2: scenario.gpus is empty; an integer is needed"),
    scenario("gpus_a_map", gpus("{a: 1}"),
             "s.yaml:2: scenario.gpus is a map; a single value is needed"),
    scenario("gpus_an_empty_list", gpus("[]"),
             "s.yaml:2: gpus is an empty list; a value is needed"),
    scenario("gpus_lists_in_a_list", gpus("[[4]]"),
             "s.yaml:2: gpus is a list of lists; a list of single values is needed"),
    scenario("a_long_value", gpus(std::string(1000, '9')),
             "s.yaml:2: scenario.gpus is " + std::string(200, '9') + "…; an integer is needed"),
    added("an_unknown_key", "enginge: fluid\n",
          "s.yaml:4: scenario has no key 'enginge' (did you mean 'engine'?); known are workload, "
          "fabric, fabrics, changes, accelerator, jobs, placement, iterations, keep_running, gpus, "
          "engine, max_messages, seed, sharing, jitter, folding, prices, gpus_per_rack, "
          "racks_per_row"),
    added("an_unknown_engine", "engine: packet\n",
          "s.yaml:4: scenario.engine is packet; one of auto, fluid, coarse is needed"),
    added("an_unknown_sharing", "sharing: unfair\n",
          "s.yaml:4: scenario.sharing is unfair; one of fair, weighted, messages is needed (did "
          "you mean "
          "'fair'?)"),
    added("a_seed_below_zero", "seed: -1\n", "s.yaml:4: scenario.seed is -1; at least 0 is needed"),
    scenario("too_many_points",
             kWork + "gpus: " + numbers(200) + "\nseed: " + numbers(51) + "\n" + kFabric,
             "s.yaml:3: the lists make more than 10000 points; fewer values are needed"),
    added("both_fabric_and_fabrics", "fabrics:\n  - {kind: switch, bandwidth: 1 Gbps}\n",
          "s.yaml:5: both fabric and fabrics are given; one of them is needed"),
    scenario("fabrics_not_a_list", kWork + kGpus + "fabrics: {kind: switch, bandwidth: 1 Gbps}\n",
             "s.yaml:3: fabrics is not a list of maps; a list of {kind: switch, …} is needed"),
    scenario("fabrics_empty", kWork + kGpus + "fabrics: []\n",
             "s.yaml:3: fabrics is not a list of maps; a list of {kind: switch, …} is needed"),
    scenario("one_of_the_fabrics_a_word",
             kWork + kGpus + "fabrics:\n  - {kind: switch, bandwidth: 1 Gbps}\n  - torus\n",
             "s.yaml:5: fabric is not a map; a map with a kind and its parameters is needed"),
};

const std::vector<Hostile> kWorkload = {
    scenario("a_word", "workload: all_reduce\n" + kGpus + kFabric,
             "s.yaml:1: workload is not a map; a map with a model, a collective, flows, a file, "
             "profiles or a task graph is needed"),
    workload("nothing", "",
             "workload names none of model, collective, flows, file, rostam and flexflow; one is "
             "needed"),
    workload(
        "two_things", "flows: f.csv, file: w.yaml",
        "workload names several of model, collective, flows, file, rostam and flexflow; one is "
        "needed"),
    workload("a_misspelled_key", "colective: all_reduce, size: 1 MB",
             "workload has no key 'colective' (did you mean 'collective'?); known are collective, "
             "size, algorithm, chunks, levels, ring_steps, ranks, sizes, flows, file, rostam, "
             "flexflow, batch, "
             "group, quantum"),
    workload("a_group_of_nothing", "collective: all_reduce, size: 1 MB, group: 2",
             "workload.group is 2; it belongs to a model or to profiles, and there are none"),
    workload("a_misspelled_collective", "collective: allreduce, size: 1 MB",
             "workload.collective is allreduce; one of all_reduce, reduce_scatter, all_gather, "
             "all_to_all, broadcast, point_to_point is needed (did you mean 'all_reduce'?)"),
    workload("no_size", "collective: all_reduce",
             "workload has neither size nor sizes; one of them is needed"),
    workload("both_size_and_sizes", "collective: all_to_all, size: 1 MB, sizes: s.csv",
             "workload has both size and sizes; one of them is needed"),
    workload("a_bare_size", "collective: all_reduce, size: 5",
             "workload.size is 5; a size needs one of the units " + kSizeUnits),
    workload("an_unknown_unit", "collective: all_reduce, size: 5 XB",
             "workload.size is 5 XB; a size needs one of the units " + kSizeUnits),
    workload("a_size_in_bits", "collective: all_reduce, size: 5 Gb",
             "workload.size is 5 Gb; a size needs one of the units " + kSizeUnits),
    workload("a_size_below_zero", "collective: all_reduce, size: -5 MB",
             "workload.size is -5 MB; a size is a number and a unit, at least 0"),
    workload("half_a_byte", "collective: all_reduce, size: 0.5 B",
             "workload.size is 0.5 B; a size must be an integer number of bytes"),
    workload("a_size_beyond_the_limit", "collective: all_reduce, size: 2 PB",
             "workload.size is 2 PB; the largest is 1 PB"),
    workload("a_size_beyond_128_bits",
             "collective: all_reduce, size: 99999999999999999999999999999999999999999999 PB",
             "workload.size is 99999999999999999999999999999999999999999999 PB; a size is a number "
             "and a unit, at least 0"),
    workload("a_misspelled_algorithm", "collective: all_reduce, size: 1 B, algorithm: rinq",
             "workload.algorithm is rinq; one of auto, tree, ring, bidirectional_ring, "
             "double_binary_tree, halving_doubling, direct, pairwise, hierarchical, rings, line "
             "is needed (did you mean 'ring'?)"),
    workload("an_old_algorithm_name", "collective: all_reduce, size: 1 B, algorithm: two_way_ring",
             "workload.algorithm is two_way_ring; it was renamed; write bidirectional_ring"),
    workload("rings_without_steps", "collective: all_reduce, size: 1 B, algorithm: rings",
             "steps is empty; the step of each ring is needed"),
    workload("an_algorithm_of_others", "collective: all_reduce, size: 1 B, algorithm: pairwise",
             "all_reduce by pairwise; one of ring, bidirectional_ring, double_binary_tree, "
             "halving_doubling, direct, hierarchical, rings, line is needed"),
    workload("no_chunks", "collective: all_reduce, size: 1 B, chunks: 0",
             "workload.chunks is 0; at least 1 is needed"),
    workload("too_many_chunks", "collective: all_reduce, size: 1 B, chunks: 65537",
             "chunks is 65537; from 1 to 65536 are needed"),
    workload("levels_that_do_not_fit",
             "collective: all_reduce, size: 1 B, algorithm: hierarchical, levels: 2x3",
             "levels is 2x3; numbers whose product is 4 are needed"),
    workload("levels_that_do_not_fit_with_auto", "collective: all_reduce, size: 1 B, levels: 2x3",
             "levels is 2x3; numbers whose product is 4 are needed"),
    workload("levels_that_are_none",
             "collective: all_reduce, size: 1 B, algorithm: hierarchical, levels: 2x",
             "workload.levels is 2x; positive integers separated by x are needed, such as 8x16"),
    workload("no_levels", "collective: all_reduce, size: 1 B, algorithm: hierarchical",
             "levels is empty; numbers whose product is 4 are needed"),
    workload("levels_of_a_ring", "collective: all_reduce, size: 1 B, algorithm: ring, levels: 2x2",
             "levels with ring; only hierarchical has levels"),
    workload("a_rank_out_of_range", "collective: all_reduce, size: 1 B, ranks: 0-4",
             "workload.ranks is 0-4; devices from 0 to 3 are needed"),
    workload("a_rank_twice", "collective: all_reduce, size: 1 B, ranks: \"0,1,0\"",
             "workload.ranks is 0,1,0; 0 appears twice; once is enough"),
    workload("ranks_backwards", "collective: all_reduce, size: 1 B, ranks: 3-1",
             "workload.ranks is 3-1; 3-1 runs backward; the smaller number must come first"),
    workload("ranks_in_words", "collective: all_reduce, size: 1 B, ranks: all",
             "workload.ranks is all; ranks are written as 0-7,16,24-31 or 0-56/8"),
    workload("a_pair_of_four", "collective: point_to_point, size: 1 B",
             "point_to_point over 4 ranks; exactly 2 are needed"),
    workload("a_size_without_a_collective", "flows: f.csv, size: 1 MB",
             "workload.size is 1 MB; it belongs to a collective, and there is none"),
    workload("a_missing_file", "flows: f.csv", "cannot read 'f.csv': No such file or directory"),
    workload("a_folder_for_a_file", "file: .", "'.' is a folder; a file is needed"),
    {"sizes_out_of_range",
     {{"s.yaml", "workload: {collective: all_to_all, sizes: z.csv}\n" + kGpus + kFabric},
      {"z.csv", "source,destination,size\n0,4,1 B\n"}},
     {"compare", "s.yaml"},
     "z.csv:2: destination is 4; at most 3 is possible"},
    {"sizes_that_need_all_memory",
     {{"s.yaml", "workload: {collective: all_to_all, sizes: z.csv}\ngpus: 1000000\n" + kFabric},
      {"z.csv", "source,destination,size\n0,1,1 B\n"}},
     {"compare", "s.yaml"},
     "s.yaml:1: all_to_all by direct among 1000000 ranks takes 1000000000000 channels; at most "
     "16777216 are possible"},
};

const std::vector<Hostile> kFabrics = {
    scenario("a_word", kWork + kGpus + "fabric: switch\n",
             "s.yaml:3: fabric is not a map; a map with a kind and its parameters is needed"),
    fabric("no_kind", "bandwidth: 1 Gbps", "fabric lacks 'kind' (" + kKinds + ")"),
    fabric("a_misspelled_kind", "kind: swich, bandwidth: 1 Gbps",
           "fabric.kind is swich; one of " + kKinds + " is needed (did you mean 'switch'?)"),
    fabric("a_misspelled_key", "kind: switch, bandwith: 1 Gbps",
           "fabric has no key 'bandwith' (did you mean 'bandwidth'?); known are kind, name, "
           "bandwidth, latency, radix"),
    fabric(
        "no_bandwidth", "kind: switch",
        "fabric lacks 'bandwidth' (bandwidth between one device and the network, per direction)"),
    fabric("a_bare_bandwidth", "kind: switch, bandwidth: 10",
           "fabric.bandwidth is 10; a bandwidth needs one of the units " + kRateUnits),
    fabric("no_bits_a_second", "kind: switch, bandwidth: 0 Gbps",
           "fabric.bandwidth is 0 Gbps; at least 1 bps is needed"),
    fabric("a_bare_latency", "kind: switch, bandwidth: 1 Gbps, latency: 5",
           "fabric.latency is 5; a time needs one of the units " + kTimeUnits),
    fabric("a_latency_of_weeks", "kind: switch, bandwidth: 1 Gbps, latency: 300 h",
           "fabric.latency is 300 h; the largest is 1000000 s"),
    fabric("an_odd_radix", "kind: fat_tree, radix: 7, bandwidth: 1 Gbps",
           "fabric.radix is 7; an even number is needed"),
    fabric("a_small_radix", "kind: fat_tree, radix: 2, bandwidth: 1 Gbps",
           "fabric.radix is 2; it holds 2 devices; room for 4 is needed"),
    fabric("undersubscription", "kind: fat_tree, bandwidth: 1 Gbps, oversubscription: 0.5",
           "fabric.oversubscription is 0.5; at least 1 is needed"),
    fabric("a_ratio_in_words", "kind: fat_tree, bandwidth: 1 Gbps, oversubscription: 2:1",
           "fabric.oversubscription is 2:1; a number from 0 to 1e9 is needed, such as 1.5"),
    fabric("an_unknown_routing", "kind: fat_tree, bandwidth: 1 Gbps, routing: valiant",
           "fabric.routing is valiant; one of shortest, ecmp, split is needed"),
    fabric("a_shape_of_others", "kind: torus, shape: 2x3, bandwidth: 1 Gbps",
           "fabric.shape is 2x3; sizes whose product is 4 are needed"),
    fabric("a_shape_that_is_none", "kind: torus, shape: 2 by 2, bandwidth: 1 Gbps",
           "fabric.shape is 2 by 2; positive integers separated by x are needed, such as 8x16"),
    fabric("neither_bandwidth_nor_egress", "kind: torus, shape: 2x2",
           "fabric has neither bandwidth nor egress; exactly one is needed"),
    fabric("both_bandwidth_and_egress",
           "kind: torus, shape: 2x2, bandwidth: 1 Gbps, egress: 1 Gbps",
           "fabric has both bandwidth and egress; exactly one is needed"),
    fabric("more_links_than_switches", "kind: random_regular, degree: 4, bandwidth: 1 Gbps",
           "fabric.degree is 4; less than 4, the number of vertices, is needed"),
    scenario("a_mesh_of_millions",
             kWork + "gpus: 10000\nfabric: {kind: full_mesh, bandwidth: 1 "
                     "Gbps}\n",
             "s.yaml:3: the fabric has 99990000 links; at most 20000000 are possible"),
    fabric("a_graph_that_is_not_there", "kind: custom, file: g.yaml",
           "cannot read 'g.yaml': No such file or directory"),
    added("changes_not_a_list", "changes: {at: 1 ms}\n",
          "s.yaml:4: changes is not a list; a list of {at: …, link: …, bandwidth: …} is needed"),
    added("a_change_in_words", "changes: [later]\n",
          "s.yaml:4: a change is not a map; a map with at, link and bandwidth is needed"),
    added("a_change_of_nothing", "changes:\n  - {at: 1 ms}\n",
          "s.yaml:5: change lacks 'link' (link, named by its two ends, such as 0->leaf0)"),
    added("a_change_at_no_time", "changes:\n  - {at: 1, link: 0->switch, bandwidth: 1 Gbps}\n",
          "s.yaml:5: change.at is 1; a time needs one of the units " + kTimeUnits),
    added("a_change_of_no_link", "changes:\n  - {at: 1 ms, link: 0->leaf, bandwidth: 1 Gbps}\n",
          "s.yaml:5: change.link is 0->leaf; the fabric has no such link; 'lightloom dump --stage "
          "links' lists them"),
    added("changes_in_closed_form",
          "engine: coarse\nchanges:\n  - {at: 1 ms, link: 0->switch, bandwidth: 1 Gbps}\n",
          "s.yaml:6: changes are given with engine coarse; the fluid engine is needed"),
};

INSTANTIATE_TEST_SUITE_P(Yaml, Broken, ::testing::ValuesIn(kYaml), name_of);
INSTANTIATE_TEST_SUITE_P(Scenario, Broken, ::testing::ValuesIn(kTop), name_of);
INSTANTIATE_TEST_SUITE_P(Workload, Broken, ::testing::ValuesIn(kWorkload), name_of);
INSTANTIATE_TEST_SUITE_P(Fabric, Broken, ::testing::ValuesIn(kFabrics), name_of);

}  // namespace
}  // namespace loom::testing
