// Invalid lists of jobs that share a cluster, and jobs that do not fit in it.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kModel =
    "model: transformer, layers: 4, hidden: 64, heads: 8, vocabulary: 256, sequence: 32, batch: 8";
const std::string kRest = "gpus: 8\naccelerator: a100\n";
const std::string kSwitch = "fabric: {kind: switch, bandwidth: 100 Gbps}\n";

Hostile scenario(const std::string& name, const std::string& text, const std::string& message,
                 int code = 2) {
  return {name, {{"s.yaml", text}}, {"compare", "s.yaml"}, message, code};
}

// `items` are the entries of the job list.
Hostile jobs(const std::string& name, const std::string& items, const std::string& message,
             const std::string& more = kSwitch) {
  return scenario(name, "jobs: [" + items + "]\n" + kRest + more, message);
}

std::string job(const std::string& more) { return "{" + kModel + more + "}"; }

const std::vector<Hostile> kJobs = {
    jobs("no_jobs", "", "s.yaml:1: jobs is an empty list; a map is needed"),
    scenario("jobs_not_a_list", "jobs: {model: vgg-16, gpus: 4}\n" + kRest + kSwitch,
             "s.yaml:1: jobs is not a list; a list of {model: …, gpus: …} is needed"),
    jobs("a_job_not_a_map", "vgg-16",
         "s.yaml:1: a job is not a map; a map with model and gpus is needed"),
    jobs("a_job_without_gpus", job(""), "s.yaml:1: job lacks 'gpus' (devices of the job)"),
    jobs("a_job_of_no_gpus", job(", gpus: 0"), "s.yaml:1: job.gpus is 0; at least 1 is needed"),
    jobs("no_such_jobs", job(", gpus: 4, count: 0"),
         "s.yaml:1: job.count is 0; at least 1 is needed"),
    jobs("a_start_without_a_unit", job(", gpus: 4, start: 5"),
         "s.yaml:1: job.start is 5; a time needs one of the units ps, ns, us, ms, s, µs, min, h"),
    jobs("a_job_of_flows", "{flows: flows.csv, gpus: 4}",
         "s.yaml:1: job.flows is given; in a list of jobs each needs a model"),
    jobs("a_job_of_a_collective", "{collective: all_reduce, size: 1 GB, gpus: 4}",
         "s.yaml:1: job.collective is given; in a list of jobs each needs a model"),
    jobs("iterations_of_one_job", job(", gpus: 4, iterations: 5"),
         "s.yaml:1: job.iterations is 5; iterations beside jobs is needed, the same for all of "
         "them"),
    jobs("too_many_devices", job(", gpus: 4, count: 2") + ", " + job(", gpus: 1"),
         "s.yaml:2: scenario.gpus is 8; the jobs need 9 in total"),
    jobs("very_many_devices", job(", gpus: 1048576, count: 1048576"),
         "s.yaml:2: scenario.gpus is 8; the jobs need 1099511627776 in total"),
    jobs("the_coarse_engine", job(", gpus: 4"),
         "s.yaml:4: scenario.engine is coarse; fluid is needed; jobs contend for links",
         "engine: coarse\n" + kSwitch),
    jobs("an_unknown_placement", job(", gpus: 4"),
         "s.yaml:4: scenario.placement is pack; one of packed, random, spread is needed (did you "
         "mean 'packed'?)",
         "placement: pack\n" + kSwitch),
    jobs("no_iterations", job(", gpus: 4"),
         "s.yaml:4: scenario.iterations is 0; at least 1 is needed", "iterations: 0\n" + kSwitch),
    jobs("fibers_through_all", job(", gpus: 4"),
         "s.yaml:4: the fibers of sip_ring pass through all devices; several jobs need circuit "
         "switches",
         "fabric: {kind: sip_ring, bandwidth: 100 Gbps}\n"),
    jobs("circuits_that_move", job(", gpus: 4"),
         "s.yaml:4: fabric.reconfigure is phases; circuits of several jobs are provisioned once; "
         "one_shot is needed",
         "fabric: {kind: sip_ocs, bandwidth: 100 Gbps, reconfigure: phases}\n"),
    scenario("jobs_and_a_workload",
             "jobs: [" + job(", gpus: 4") + "]\nworkload: {" + kModel + "}\n" + kRest + kSwitch,
             "s.yaml:1: both workload and jobs are given; one of them is needed"),
    scenario("a_placement_without_jobs",
             "workload: {" + kModel + "}\nplacement: random\n" + kRest + kSwitch,
             "s.yaml:2: scenario.placement is random; it belongs to jobs, and there are none"),
    scenario("jobs_without_an_accelerator", "jobs: [" + job(", gpus: 4") + "]\ngpus: 8\n" + kSwitch,
             "s.yaml:1: scenario lacks 'accelerator' (the kind of device; 'lightloom accelerators' "
             "lists them)"),
    {"jobs_explained",
     {{"s.yaml", "jobs: [" + job(", gpus: 4") + "]\n" + kRest + kSwitch}},
     {"explain", "s.yaml"},
     "s.yaml:1: the scenario has a list of jobs; a workload with one training job is needed"},
};

INSTANTIATE_TEST_SUITE_P(Jobs, Broken, ::testing::ValuesIn(kJobs), name_of);

TEST(SharedCluster, AJobThatDoesNotFitIsNamed) {
  const Folder folder;
  folder.write("s.yaml",
               "jobs:\n  - {model: resnet-50, gpus: 2}\n  - {model: gpt3-175b, gpus: 2, tensor: 2, "
               "batch: 2, recompute: full}\ngpus: 8\naccelerator: a100\n" +
                   kSwitch);
  const Ran ran = lightloom({"simulate", "s.yaml"}, folder.path("."));
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(ran.err.starts_with("switch: job gpt3-175b: gpt3-175b does not fit: with "))
      << ran.err;
}

}  // namespace
}  // namespace loom::testing
