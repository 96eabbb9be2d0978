// Invalid job profiles and options of `compatible`.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kLinks = "links:\n  - {name: a, capacity: 10 Gbps}\n";
const std::string kJob = "  - {name: j, stages: [{compute: 1 ms}]}\n";

Hostile profiles(const std::string& name, const std::string& text, const std::string& message,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"compatible", "p.yaml"};
  words.insert(words.end(), more.begin(), more.end());
  return {name, {{"p.yaml", text}}, words, message, 2};
}

const std::vector<Hostile> kProfiles = {
    profiles("no_jobs", kLinks, "p.yaml:1: the file lacks 'jobs'; it is needed"),
    profiles("links_not_a_list", "links: 3\njobs:\n" + kJob,
             "p.yaml:1: links is not a list; at least one entry is needed"),
    profiles("an_unknown_key", kLinks + "jobs:\n" + kJob + "gpu: 3\n",
             "p.yaml:5: the file has no 'gpu'"),
    profiles("a_link_twice", kLinks + "  - {name: a, capacity: 1 Gbps}\njobs:\n" + kJob,
             "p.yaml:3: link.name is 'a'; another link has this name"),
    profiles("a_job_twice", kLinks + "jobs:\n" + kJob + kJob,
             "p.yaml:5: job.name is 'j'; another job has this name"),
    profiles("a_link_without_capacity", "links:\n  - {name: a, capacity: 0 Gbps}\njobs:\n" + kJob,
             "p.yaml:2: link.capacity is 0 Gbps; from 1 bps to 1 Pbps is needed"),
    profiles("no_stages", kLinks + "jobs:\n  - {name: j}\n",
             "p.yaml:4: job has both stages and a series, or neither; one of them is needed"),
    profiles("a_misspelled_key", kLinks + "jobs:\n  - {name: j, stage: []}\n",
             "p.yaml:4: job has no 'stage' (did you mean 'stages'?)"),
    profiles("a_computation_that_is_too_long",
             kLinks + "jobs:\n  - {name: j, stages: [{compute: 24 h}]}\n",
             "p.yaml:4: stage.compute is 24 h; from 1 ps to 3600 s is needed"),
    profiles("a_size_and_a_length",
             kLinks + "jobs:\n  - name: j\n    stages:\n      - send: {links: [a], rate: 1 Gbps, "
                      "length: 1 ms, size: 1 MB}\n",
             "p.yaml:6: send has both a length and a size, or neither; one of them is needed"),
    profiles("the_same_link_twice",
             kLinks +
                 "jobs:\n  - name: j\n    stages:\n      - send: {links: [a, a], rate: 1 Gbps, "
                 "length: 1 ms}\n",
             "p.yaml:6: send.links has 'a' twice; once is needed"),
    profiles("a_series_that_is_not_there",
             kLinks + "jobs:\n  - {name: j, series: none.csv, links: [a]}\n",
             "p.yaml:4: cannot read 'none.csv': No such file or directory"),
    profiles("set_in_profiles", kLinks + "jobs:\n" + kJob,
             "--set gpus=4: the file has profiles; a scenario is needed for --set",
             {"--set", "gpus=4"}),
    profiles("a_percentage_without_its_sign", kLinks + "jobs:\n" + kJob,
             "--padding: 5 is given; a percentage is a number with %, such as 5%; see 'lightloom "
             "compatible --help'",
             {"--padding", "5"}),
    profiles("a_percentage_above_its_limit", kLinks + "jobs:\n" + kJob,
             "--tolerance: 60% is given; a percentage from 0% to 50% is needed; see 'lightloom "
             "compatible --help'",
             {"--tolerance", "60%"}),
    profiles("an_old_option", kLinks + "jobs:\n" + kJob,
             "--jitter was renamed; write --phase-error", {"--jitter", "5"}),
    {"a_scenario_without_jobs",
     {{"s.yaml",
       "workload: {collective: all_reduce, size: 1 GB}\ngpus: 4\n"
       "fabric: {kind: switch, bandwidth: 100 Gbps}\n"}},
     {"compatible", "s.yaml"},
     "s.yaml:1: the scenario has no jobs; a list of jobs that share its fabric is needed",
     2},
};

INSTANTIATE_TEST_SUITE_P(Compatible, Broken, ::testing::ValuesIn(kProfiles), name_of);

}  // namespace
}  // namespace loom::testing
