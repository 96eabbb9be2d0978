// Invalid training jobs, and infeasible ones.
#include "tests/hostile/hostile.h"

namespace loom::testing {
namespace {

const std::string kFabric = "fabric: {kind: switch, bandwidth: 100 Gbps}\n";
const std::string kModel =
    "model: transformer, layers: 4, hidden: 64, heads: 8, vocabulary: 256, sequence: 32, batch: 8";

Hostile scenario(const std::string& name, const std::string& text, const std::string& message,
                 int code = 2) {
  return {name, {{"s.yaml", text}}, {"compare", "s.yaml"}, message, code};
}

Hostile job(const std::string& name, const std::string& more, const std::string& message,
            int code = 2) {
  return scenario(name, "workload: {" + kModel + more + "}\ngpus: 8\naccelerator: a100\n" + kFabric,
                  message, code);
}

Hostile accelerator(const std::string& name, const std::string& value, const std::string& message) {
  return scenario(
      name, "workload: {" + kModel + "}\ngpus: 8\naccelerator: " + value + "\n" + kFabric, message);
}

Hostile kernel_times(const std::string& name, const std::string& text, const std::string& message) {
  Hostile it = job(name, ", kernel_times: k.csv", message);
  it.files["k.csv"] = text;
  return it;
}

const std::vector<Hostile> kJobs = {
    scenario("an_unknown_model", "workload: {model: gtp}\ngpus: 8\naccelerator: a100\n" + kFabric,
             "s.yaml:1: workload.model is gtp; one of resnet-50, resnet-101, resnet-152, vgg-11, "
             "vgg-16, vgg-19, transformer-big, bert-large, gpt2-1.5b, megatron-8.3b, gpt3-175b, "
             "llama3-8b, llama3-70b, llama3-405b, mixtral-8x7b, dlrm, dlrm-mlperf, candle-uno, "
             "candle-uno-released, ncf, ncf-mlperf, transformer, vgg, resnet, mlp, recommender, "
             "collaborative, towers is needed (did you mean 'mlp'?)"),
    scenario("no_accelerator", "workload: {" + kModel + "}\ngpus: 8\n" + kFabric,
             "s.yaml:1: scenario lacks 'accelerator' (the kind of device; 'lightloom accelerators' "
             "lists them)"),
    accelerator("an_unknown_accelerator", "a10",
                "s.yaml:3: accelerator is a10; one of v100, a100, a100-40gb, h100, h200, b200, "
                "gb200, mi300x, tpu-v4, tpu-v5p, ascend-910, "
                "or a map with its values, is needed (did you mean 'a100'?)"),
    accelerator("an_empty_accelerator", "{}",
                "s.yaml:3: accelerator lacks 'memory' (memory of one device)"),
    accelerator("an_accelerator_without_memory", "{fp16: 1 Tflop/s, memory_bandwidth: 1 GB/s}",
                "s.yaml:3: accelerator lacks 'memory' (memory of one device)"),
    accelerator("more_than_the_peak", "{base: a100, sustained: 1.5}",
                "s.yaml:3: accelerator.sustained is 1.5; a value above 0 and at most 1 is needed"),
    accelerator("no_speed_at_all", "{memory: 5 GB, memory_bandwidth: 1 GB/s}",
                "s.yaml:1: workload.precision is auto; own supports none of bf16, fp16 and fp32"),
    job("a_precision_that_it_lacks", ", precision: fp8",
        "s.yaml:1: workload.precision is fp8; a100 supports fp32, tf32, fp16, bf16"),
    job("an_unknown_precision", ", precision: int8",
        "s.yaml:1: workload.precision is int8; one of fp32, tf32, fp16, bf16, fp8 is needed, or "
        "auto"),
    job("no_tensor", ", tensor: 0",
        "s.yaml:1: workload.tensor is 0; at least 1 is needed, or auto"),
    job("a_fourth_stage_of_zero", ", zero: 4",
        "s.yaml:1: workload.zero is 4; at most 3 is possible, or auto"),
    job("an_order_with_a_dimension_twice", ", order: \"tensor,tensor\"",
        "s.yaml:1: workload.order is tensor,tensor; tensor, context, expert, data and pipeline in "
        "any order, or auto, is needed"),
    job("an_order_of_unknowns", ", order: \"tensor,time\"",
        "s.yaml:1: workload.order is tensor,time; tensor, context, expert, data and pipeline in "
        "any order, or auto, is needed"),
    job("a_traffic_weight_without_a_number", ", traffic_weights: tensor",
        "s.yaml:1: workload.traffic_weights is tensor; 'tensor' is not a weight; NAME=WEIGHT is "
        "needed, NAME tensor, context, expert, data or pipeline, WEIGHT from 1 to 10000"),
    job("a_traffic_weight_twice", ", traffic_weights: \"data=2,data=3\"",
        "s.yaml:1: workload.traffic_weights is data=2,data=3; it names data twice"),
    job("half_a_capacity", ", capacity: 0.5",
        "s.yaml:1: workload.capacity is 0.5; a number from 1 to 1000 is needed"),
    job("no_imbalance", ", imbalance: 0",
        "s.yaml:1: workload.imbalance is 0; a number from 1 to 1000 is needed"),
    job("no_batch", ", micro_batch: -1",
        "s.yaml:1: workload.micro_batch is -1; at least 1 is needed, or auto"),
    job("two_batches", ", batch_per_device: 2",
        "s.yaml:1: workload.batch_per_device is 2; batch is given too; one of the two is needed"),
    job("an_unknown_schedule", ", schedule: zero_bubble",
        "s.yaml:1: workload.schedule is zero_bubble; one of gpipe, 1f1b, interleaved is needed"),
    job("partitions_of_no_dimension", ", partition: operators, manual_partitions: \"*=time/2\"",
        "s.yaml:1: workload.manual_partitions is *=time/2; '*=time/2' is not a partition; "
        "NAME=sample/4, or parameter or attribute instead of sample, is needed"),
    job("partitions_of_degree_zero", ", partition: operators, manual_partitions: \"*=sample/0\"",
        "s.yaml:1: workload.manual_partitions is *=sample/0; '*=sample/0' is not a partition; "
        "NAME=sample/4, or parameter or attribute instead of sample, is needed"),
    job("partitions_of_no_operator",
        ", partition: operators, manual_partitions: \"conv*=sample/2\"",
        "s.yaml:1: workload.manual_partitions is conv*=sample/2; no operator of transformer "
        "matches 'conv*'; a name such as 'head.loss' is needed"),
    job("manual_partitions_of_uniform_layers", ", manual_partitions: \"*=sample/2\"",
        "s.yaml:1: workload.manual_partitions is *=sample/2; it belongs to partition operators or "
        "auto"),
    job("no_iterations", ", iterations: 0",
        "s.yaml:1: workload.iterations is 0; at least 1 is needed"),
    kernel_times("times_without_a_header", "embedding.tokens,forward,1 us\n",
                 "k.csv:1: column 'embedding.tokens' is not known; known are operator, pass, time"),
    kernel_times("times_without_a_unit", "operator,pass,time\nembedding.tokens,forward,1\n",
                 "k.csv:2: time is 1; a time needs one of the units ps, ns, us, ms, s, µs, min, h"),
    kernel_times("times_of_an_unknown_pass", "operator,pass,time\nembedding.tokens,both,1 us\n",
                 "k.csv:2: pass is both; forward or backward is needed"),
    job("times_that_are_not_there", ", kernel_times: none.csv",
        "s.yaml:1: cannot read 'none.csv': No such file or directory"),
};

// Valid input without a feasible answer: a comparison continues with its other points.
const std::vector<Hostile> kInfeasible = {
    job("a_product_of_other_devices", ", tensor: 3",
        "switch: transformer on 8 devices: tensor 3 × pipeline 1 × context 1 on 8 devices; the "
        "product must divide the number of devices",
        3),
    job("too_large_a_product", ", tensor: 4, pipeline: 4",
        "switch: transformer on 8 devices: tensor 4 × pipeline 4 × context 1 on 8 devices; the "
        "product must divide the number of devices",
        3),
    job("a_batch_that_does_not_divide", ", data: 8, micro_batch: 3",
        "switch: transformer on 8 devices: a batch of 8 over 8 data ranks in micro-batches of 3; a "
        "multiple of 24 is needed",
        3),
    scenario(
        "heads_that_do_not_divide",
        "workload: {" + kModel + ", tensor: 16}\ngpus: 16\naccelerator: a100\n" + kFabric,
        "switch: transformer on 16 devices: 8 attention heads over tensor 16; a divisor is needed",
        3),
    job("more_stages_than_layers", ", pipeline: 8",
        "switch: transformer on 8 devices: 8 stages of 1 chunks for 4 blocks; at most one chunk "
        "per block is possible",
        3),
    job("experts_of_a_model_without", ", expert: 2",
        "switch: transformer on 8 devices: 0 experts over expert 2; a divisor is needed", 3),
    scenario(
        "a_model_that_does_not_fit",
        "workload: {model: gpt3-175b, batch: 8, tensor: 8, zero: 0, micro_batch: 1, "
        "recompute: full}\n"
        "gpus: 8\naccelerator: a100\n" +
            kFabric,
        "switch: gpt3-175b does not fit: with tensor 8, micro-batch 1, sequence parallel, full "
        "recomputation a device of stage 0 needs 394.4 GB (weights 43.70 GB, gradients 87.41 "
        "GB, optimizer 262.2 GB, activations 1.030 GB); a100 has 85.90 GB, "
        "of which 4 GB are reserved",
        3),
};

class Infeasible : public ::testing::TestWithParam<Hostile> {};

TEST_P(Infeasible, JobsAreReportedWithTheReason) {
  const Folder folder;
  for (const auto& [name, content] : GetParam().files) folder.write(name, content);
  const Ran ran = lightloom(GetParam().words, folder.path("."));
  EXPECT_EQ(ran.err, GetParam().message + "\n");
  EXPECT_EQ(ran.code, GetParam().code);
  EXPECT_NE(ran.out.find("infeasible"), std::string::npos) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Job, Broken, ::testing::ValuesIn(kJobs), name_of);
INSTANTIATE_TEST_SUITE_P(Job, Infeasible, ::testing::ValuesIn(kInfeasible), name_of);

}  // namespace
}  // namespace loom::testing
