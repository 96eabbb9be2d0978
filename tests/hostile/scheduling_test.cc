// Invalid cluster traces: jobs, arrivals and job tables.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

Hostile scheduling(const std::string& name, const std::string& text, const std::string& message,
                   int code = 2) {
  return {name, {{"d.yaml", text}}, {"cluster", "d.yaml"}, message, code};
}

Hostile table(const std::string& name, const std::string& text, const std::string& message) {
  return {name, {{"jobs.csv", text}}, {"cluster", "jobs.csv"}, message, 2};
}

const std::string kStages = "stages: [{length: 10 ms}]";

std::string arrivals(const std::string& more) {
  return "arrivals: {jobs: 3, models: [{" + kStages + "}]" + more + "}\n";
}

const std::vector<Hostile> kSchedulingFiles = {
    scheduling("a_trace_without_jobs", "gpus: 8\n",
               "d.yaml:1: the file has none of jobs, arrivals and trace; one is needed"),
    scheduling("a_trace_that_is_a_list", "[1, 2]\n",
               "d.yaml:1: the file is not a map; a map with jobs, arrivals or trace is needed"),
    scheduling("a_trace_with_two_kinds_of_jobs", "jobs: []\ntrace: jobs.csv\n",
               "d.yaml:1: the file has several of jobs, arrivals and trace; one is needed"),
    scheduling("a_trace_of_no_jobs", "jobs: []\n",
               "d.yaml:1: jobs is not a list or is empty; a list of {model: …, gpus: …} is needed"),
    scheduling(
        "a_trace_job_without_a_model", "jobs: [{gpus: 2, iterations: 5}]\n",
        "d.yaml:1: a job is not a map with either a model or stages; one of the two is needed"),
    scheduling("a_trace_job_without_a_length", "jobs: [{gpus: 2, " + kStages + "}]\n",
               "d.yaml:1: job has neither; one of iterations and duration is needed"),
    scheduling("a_trace_job_with_two_lengths",
               "jobs: [{gpus: 2, iterations: 5, duration: 5 s, " + kStages + "}]\n",
               "d.yaml:1: job has both; one of iterations and duration is needed"),
    scheduling("a_trace_job_larger_than_the_cluster",
               "gpus: 4\njobs:\n  - {gpus: 5, iterations: 5, " + kStages + "}\n",
               "d.yaml:3: job.gpus is 5; at most 4, the size of the cluster, is needed"),
    scheduling("a_trace_job_with_stages_and_a_batch",
               "jobs: [{gpus: 2, iterations: 5, batch: 4, " + kStages + "}]\n",
               "d.yaml:1: a job has stages and other keys of a model; one of the two is needed"),
    scheduling("a_stage_of_no_length",
               "jobs: [{gpus: 2, iterations: 5, stages: [{length: 0 s}]}]\n",
               "d.yaml:1: stage.length is 0 s; at least 1 ps is needed"),
    scheduling(
        "an_unknown_policy", "policy: themis\njobs: [{gpus: 2, iterations: 5, " + kStages + "}]\n",
        "d.yaml:1: scheduling.policy is themis; one of random, locality, fair, goodput is needed"),
    scheduling("a_padding_without_its_sign",
               "padding: 0.05\njobs: [{gpus: 2, iterations: 5, " + kStages + "}]\n",
               "d.yaml:1: scheduling.padding is 0.05; a percentage is a number with %, such as 5%"),
    scheduling("a_tolerance_above_its_limit",
               "tolerance: 60 %\njobs: [{gpus: 2, iterations: 5, " + kStages + "}]\n",
               "d.yaml:1: scheduling.tolerance is 60 %; a percentage from 0% to 50% is needed"),
    scheduling("an_old_key_of_a_job",
               "jobs: [{gpus: 2, most_gpus: 4, iterations: 5, " + kStages + "}]\n",
               "d.yaml:1: job.most_gpus was renamed; write max_gpus"),
    scheduling("a_loss_that_no_job_has",
               "transport: srpt\ncontention_loss: 0.1\njobs: [{gpus: 2, iterations: 5, " + kStages +
                   "}]\n",
               "d.yaml:2: scheduling.contention_loss has no effect under srpt; transport fair or "
               "mltcp is "
               "needed"),
    scheduling("arrivals_without_a_rate", arrivals(", gpus: 1, iterations: 5"),
               "d.yaml:1: arrivals has neither; one of rate and load is needed"),
    scheduling("arrivals_at_no_rate", arrivals(", gpus: 1, iterations: 5, rate: 5"),
               "d.yaml:1: arrivals.rate is 5; a number of jobs per s, min or h, such as 12/h, is "
               "needed"),
    scheduling(
        "arrivals_of_too_many_devices", arrivals(", gpus: 1 to 99, iterations: 5, rate: 1/s"),
        "d.yaml:1: arrivals.gpus is 1 to 99; an integer, a range 'A to B', or a list, from 1 to "
        "24, is needed"),
    scheduling(
        "arrivals_without_devices", arrivals(", iterations: 5, rate: 1/s"),
        "d.yaml:1: arrivals lacks 'gpus'; an integer, a range 'A to B', or a list, from 1 to "
        "24, "
        "is needed"),
    scheduling("a_model_that_does_not_fit",
               "jobs: [{model: gpt3-175b, gpus: 1, iterations: 5, batch_per_device: 1}]\n",
               "job gpt3-175b/1: gpt3-175b on 1 device: no strategy fits in the memory of the "
               "devices",
               3),
    scheduling("a_ring_of_circuits",
               "fabric: {kind: sip_ring, bandwidth: 200 Gbps}\njobs: [{gpus: 2, iterations: 5, " +
                   kStages + "}]\n",
               "d.yaml:1: jobs arrive and leave; a fixed network, or circuit switches configured "
               "once for each job "
               "(one_shot), are needed"),
    table("a_table_without_arrivals", "model,gpus,iterations\nvgg-16,4,5\n",
          "jobs.csv:1: column 'arrival' is missing; known are arrival, model, gpus, iterations, "
          "duration, batch_per_device, name"),
    table("a_table_with_an_unknown_model", "arrival,model,gpus,iterations\n0 s,vgg-99,4,5\n",
          "jobs.csv:2: job.model is vgg-99; one of resnet-50, resnet-101, resnet-152, vgg-11, "
          "vgg-16, "
          "vgg-19, transformer-big, bert-large, gpt2-1.5b, megatron-8.3b, gpt3-175b, llama3-8b, "
          "llama3-70b, llama3-405b, mixtral-8x7b, dlrm, dlrm-mlperf, candle-uno, "
          "candle-uno-released, ncf, ncf-mlperf, transformer, vgg, resnet, mlp, recommender, "
          "collaborative, towers is needed (did you mean 'vgg-19'?)"),
    table("a_table_of_nothing", "arrival,model,gpus,iterations\n",
          "jobs.csv: it has 0 jobs; 1 to 1000000 are needed"),
};

INSTANTIATE_TEST_SUITE_P(Scheduling, Broken, ::testing::ValuesIn(kSchedulingFiles), name_of);

}  // namespace
}  // namespace loom::testing
