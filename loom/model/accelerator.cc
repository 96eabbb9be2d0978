#include "loom/model/accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "loom/base/error.h"

namespace loom::model {
namespace {

// Sources of the two efficiency fractions, `sustained` and `memory_share`.
//
// `sustained` of the A100, 0.74, is the plateau of the efficiency curve that brings the mean error
// closest to zero over the eight end-to-end runs of Korthikanti et al. (arXiv 2205.05198, table 5:
// 22 B to 1 T parameters, full and selective recomputation); docs/validation.md has the table. It
// is 0.852 times the fraction of peak that the fastest measured product reaches on an A100, 271.2
// of 312 Tflop/s ("Maximum Achievable Matmul FLOPS", S. Bekman, Machine Learning Engineering,
// chapter Accelerators). Other accelerators get 0.852 times their own measured fraction: H100 794.5
// of 989 (and H200: "the same"), B200 1745 of 2250, GB200 1822 of 2500, MI300X 668.4 of 1307.4
// (same source), V100 113 of 125 (CUTLASS, NVIDIA technical blog, 2017). Accelerators without such
// a measurement get the value of the A100.
//
// `memory_share` of every accelerator is the fraction that a memory stream reaches on an A100, 1.33
// of 1.555 TB/s (Tsai, Cojean and Anzt, arXiv 2008.08478).
constexpr std::string_view kMemoryShare = "0.86";
constexpr std::string_view kSustained = "0.74";

// Source of `launch`: the time between kernels of one stream, measured for CUDA streams and graphs
// (NVIDIA technical blog, "Getting Started with CUDA Graphs": 2.9 us kernels every 3.8 us, less
// with graphs).
constexpr std::string_view kLaunch = "1 us";

// Basis of `memory_reserve`, an assumption: what a process holds besides the tensors of the model.
// The CUDA context and the kernels of the libraries take 0.5 to 1 GB, NCCL's buffers 1 to 2 GB at
// large scale, and the allocator of PyTorch loses some memory to fragmentation.
constexpr std::string_view kReserve = "4 GB";

// In the tables, `memory` is the size that the driver reports, as published in logs: nvidia-smi
// shows 40,960 and 81,920 MiB on an A100, 81,559 on an H100, 143,771 on an H200, 183,359 on a B200
// and 189,471 on a GB200; rocm-smi shows 206,141,652,992 bytes (196,592 MiB) on an MI300X; libtpu
// shows 102,803,439,616 bytes (98,041 MiB) on a v5p (test of google/cloud-accelerator-diagnostics).
// For the others it is an assumption: the size on the datasheet, in GiB.

using Values = std::pair<std::string_view, std::string_view>;

constexpr std::array<Values, 9> kV100 = {{{"fp32", "15.7 Tflop/s"},
                                          {"fp16", "125 Tflop/s"},
                                          {"memory", "32 GiB"},
                                          {"memory_bandwidth", "900 GB/s"},
                                          {"units", "80"},
                                          {"sustained", "0.770"},
                                          {"memory_share", kMemoryShare},
                                          {"launch", kLaunch},
                                          {"name", "v100"}}};
constexpr std::array<Values, 11> kA100 = {{{"fp32", "19.5 Tflop/s"},
                                           {"tf32", "156 Tflop/s"},
                                           {"fp16", "312 Tflop/s"},
                                           {"bf16", "312 Tflop/s"},
                                           {"memory", "80 GiB"},
                                           {"memory_bandwidth", "2039 GB/s"},
                                           {"units", "108"},
                                           {"sustained", kSustained},
                                           {"memory_share", kMemoryShare},
                                           {"launch", kLaunch},
                                           {"name", "a100"}}};
constexpr std::array<Values, 11> kA100Of40GB = {{{"fp32", "19.5 Tflop/s"},
                                                 {"tf32", "156 Tflop/s"},
                                                 {"fp16", "312 Tflop/s"},
                                                 {"bf16", "312 Tflop/s"},
                                                 {"memory", "40 GiB"},
                                                 {"memory_bandwidth", "1555 GB/s"},
                                                 {"units", "108"},
                                                 {"sustained", kSustained},
                                                 {"memory_share", kMemoryShare},
                                                 {"launch", kLaunch},
                                                 {"name", "a100-40gb"}}};
constexpr std::array<Values, 12> kH100 = {{{"fp32", "67 Tflop/s"},
                                           {"tf32", "494 Tflop/s"},
                                           {"fp16", "989 Tflop/s"},
                                           {"bf16", "989 Tflop/s"},
                                           {"fp8", "1979 Tflop/s"},
                                           {"memory", "81559 MiB"},
                                           {"memory_bandwidth", "3350 GB/s"},
                                           {"units", "132"},
                                           {"sustained", "0.684"},
                                           {"memory_share", kMemoryShare},
                                           {"launch", kLaunch},
                                           {"name", "h100"}}};
constexpr std::array<Values, 12> kH200 = {{{"fp32", "67 Tflop/s"},
                                           {"tf32", "494 Tflop/s"},
                                           {"fp16", "989 Tflop/s"},
                                           {"bf16", "989 Tflop/s"},
                                           {"fp8", "1979 Tflop/s"},
                                           {"memory", "143771 MiB"},
                                           {"memory_bandwidth", "4800 GB/s"},
                                           {"units", "132"},
                                           {"sustained", "0.684"},
                                           {"memory_share", kMemoryShare},
                                           {"launch", kLaunch},
                                           {"name", "h200"}}};
constexpr std::array<Values, 12> kB200 = {{{"fp32", "75 Tflop/s"},
                                           {"tf32", "1125 Tflop/s"},
                                           {"fp16", "2250 Tflop/s"},
                                           {"bf16", "2250 Tflop/s"},
                                           {"fp8", "4500 Tflop/s"},
                                           {"memory", "183359 MiB"},
                                           {"memory_bandwidth", "7700 GB/s"},
                                           {"units", "148"},
                                           {"sustained", "0.661"},
                                           {"memory_share", kMemoryShare},
                                           {"launch", kLaunch},
                                           {"name", "b200"}}};
constexpr std::array<Values, 12> kGb200 = {{{"fp32", "80 Tflop/s"},
                                            {"tf32", "1250 Tflop/s"},
                                            {"fp16", "2500 Tflop/s"},
                                            {"bf16", "2500 Tflop/s"},
                                            {"fp8", "5000 Tflop/s"},
                                            {"memory", "189471 MiB"},
                                            {"memory_bandwidth", "8000 GB/s"},
                                            {"units", "152"},
                                            {"sustained", "0.621"},
                                            {"memory_share", kMemoryShare},
                                            {"launch", kLaunch},
                                            {"name", "gb200"}}};
// Speeds without sparsity; `fp32` is that of the vector units.
constexpr std::array<Values, 12> kMi300x = {{{"fp32", "163.4 Tflop/s"},
                                             {"tf32", "653.7 Tflop/s"},
                                             {"fp16", "1307.4 Tflop/s"},
                                             {"bf16", "1307.4 Tflop/s"},
                                             {"fp8", "2614.9 Tflop/s"},
                                             {"memory", "196592 MiB"},
                                             {"memory_bandwidth", "5300 GB/s"},
                                             {"units", "304"},
                                             {"sustained", "0.436"},
                                             {"memory_share", kMemoryShare},
                                             {"launch", kLaunch},
                                             {"name", "mi300x"}}};
// `units` of a TPU counts the matrix units of 128 × 128: 4 in each of 2 TensorCores.
constexpr std::array<Values, 8> kTpuV4 = {{{"bf16", "275 Tflop/s"},
                                           {"memory", "32 GiB"},
                                           {"memory_bandwidth", "1228 GB/s"},
                                           {"units", "8"},
                                           {"sustained", kSustained},
                                           {"memory_share", kMemoryShare},
                                           {"launch", kLaunch},
                                           {"name", "tpu-v4"}}};
constexpr std::array<Values, 8> kTpuV5p = {{{"bf16", "459 Tflop/s"},
                                            {"memory", "98041 MiB"},
                                            {"memory_bandwidth", "2765 GB/s"},
                                            {"units", "8"},
                                            {"sustained", kSustained},
                                            {"memory_share", kMemoryShare},
                                            {"launch", kLaunch},
                                            {"name", "tpu-v5p"}}};
// `units` counts the Da Vinci Max cores.
constexpr std::array<Values, 8> kAscend910 = {{{"fp16", "256 Tflop/s"},
                                               {"memory", "32 GiB"},
                                               {"memory_bandwidth", "1200 GB/s"},
                                               {"units", "32"},
                                               {"sustained", kSustained},
                                               {"memory_share", kMemoryShare},
                                               {"launch", kLaunch},
                                               {"name", "ascend-910"}}};

constexpr std::array<AcceleratorPreset, 11> kPresets = {{
    {"v100", "NVIDIA V100 SXM2, 32 GB", kV100, "NVIDIA V100 datasheet, 2020"},
    {"a100", "NVIDIA A100 SXM4, 80 GB", kA100, "NVIDIA A100 datasheet, 2022"},
    {"a100-40gb", "NVIDIA A100 SXM4, 40 GB", kA100Of40GB, "NVIDIA A100 datasheet, 2021"},
    {"h100", "NVIDIA H100 SXM5, 80 GB", kH100, "NVIDIA H100 datasheet, 2023"},
    {"h200", "NVIDIA H200 SXM, 141 GB", kH200, "NVIDIA H200 datasheet, 2024"},
    {"b200", "NVIDIA B200 (HGX), 180 GB", kB200, "NVIDIA HGX B200 datasheet, 2024"},
    {"gb200", "one NVIDIA Blackwell GPU of a GB200 NVL72, 186 GB", kGb200,
     "NVIDIA GB200 NVL72 datasheet, 2024: a 72nd of the rack"},
    {"mi300x", "AMD Instinct MI300X, 192 GB", kMi300x, "AMD Instinct MI300X data sheet, 2023"},
    {"tpu-v4", "Google TPU v4, 32 GiB", kTpuV4, "Jouppi et al., ISCA 2023, arXiv 2304.01433"},
    {"tpu-v5p", "Google TPU v5p, 95 GB", kTpuV5p, "Google Cloud TPU documentation, TPU v5p"},
    {"ascend-910", "Huawei Ascend 910, 32 GB", kAscend910, "Liao et al., HPCA 2021"},
}};

constexpr std::array kPresetNames = [] {
  std::array<std::string_view, kPresets.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kPresets[i].name;
  return names;
}();

constexpr Parameter speed(std::string_view precision, std::string_view summary) {
  return {.name = precision, .type = ValueType::flop_rate, .summary = summary, .min = 1};
}

constexpr std::array<Parameter, 14> kAcceleratorParameters = {{
    {.name = "name", .type = ValueType::text, .summary = "name in reports", .fallback = "own"},
    {.name = "base",
     .type = ValueType::choice,
     .summary = "built-in accelerator that supplies the values not given",
     .choices = kPresetNames},
    speed("fp32", "peak speed in fp32"),
    speed("tf32", "peak speed in tf32, dense"),
    speed("fp16", "peak speed in fp16, dense"),
    speed("bf16", "peak speed in bf16, dense"),
    speed("fp8", "peak speed in fp8, dense"),
    {.name = "memory",
     .type = ValueType::size,
     .summary = "memory of one device",
     .required = true,
     .min = 1},
    {.name = "memory_reserve",
     .type = ValueType::size,
     .summary = "memory that a plan leaves free for libraries, buffers and fragmentation",
     .fallback = kReserve},
    {.name = "memory_bandwidth",
     .type = ValueType::bandwidth,
     .summary = "memory bandwidth, such as 2039 GB/s",
     .required = true,
     .min = 1'000'000},
    {.name = "units",
     .type = ValueType::integer,
     .summary = "number of parallel compute units, such as SMs",
     .fallback = "1",
     .min = 1,
     .max = 100'000},
    {.name = "sustained",
     .type = ValueType::real,
     .summary =
         "fraction of peak that the largest matrix products reach; greater than 0, at most 1",
     .fallback = kSustained},
    {.name = "memory_share",
     .type = ValueType::real,
     .summary =
         "fraction of memory bandwidth that memory-bound kernels reach; greater than 0, at most 1",
     .fallback = kMemoryShare},
    {.name = "launch",
     .type = ValueType::duration,
     .summary = "overhead of each kernel launch",
     .fallback = kLaunch},
}};

const AcceleratorPreset& find_preset(std::string_view name, const SourceLocation& location) {
  const auto* found = std::find_if(kPresets.begin(), kPresets.end(),
                                   [&](const AcceleratorPreset& it) { return it.name == name; });
  if (found != kPresets.end()) return *found;
  throw InputError(
      location, fmt::format("accelerator is {}; one of {}, or a map with its values, is "
                            "needed{}",
                            name, fmt::join(kPresetNames, ", "), suggestion(name, kPresetNames)));
}

double share(const Settings& settings, std::string_view name) {
  const double value = settings.real(name);
  if (value <= 0 || value > 1) settings.refuse(name, "a value above 0 and at most 1 is needed");
  return value;
}

}  // namespace

int bytes_of(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

std::string memory_text(const Accelerator& accelerator) {
  const std::string memory =
      fmt::format("{} has {}", accelerator.name, readable(accelerator.memory));
  if (accelerator.memory_reserve.count == 0) return memory;
  return fmt::format("{}, of which {} are reserved", memory, exact(accelerator.memory_reserve));
}

std::span<const AcceleratorPreset> accelerator_presets() { return kPresets; }
std::span<const Parameter> accelerator_parameters() { return kAcceleratorParameters; }

Accelerator read_accelerator(const Tree& tree) {
  Tree map = tree;
  if (tree.kind == Tree::Kind::scalar) {
    map = Tree{};
    map.kind = Tree::Kind::map;
    map.location = tree.location;
    map = filled_in(std::move(map), find_preset(tree.text, tree.location).values);
  } else if (tree.kind != Tree::Kind::map) {
    throw InputError(tree.location, "accelerator is a list; a name or a map is needed");
  } else if (const Tree* base = tree.find("base"); base != nullptr) {
    map = filled_in(std::move(map), find_preset(base->text, base->location).values);
  }
  const Settings settings(map, kAcceleratorParameters, "accelerator");
  Accelerator it;
  it.name = settings.text("name");
  for (std::size_t p = 0; p < kPrecisionNames.size(); ++p) {
    if (settings.has(kPrecisionNames[p])) it.peak[p] = settings.flop_rate(kPrecisionNames[p]);
  }
  it.memory = settings.size("memory");
  it.memory_reserve = settings.size("memory_reserve");
  if (it.memory_reserve >= it.memory) {
    settings.refuse("memory_reserve",
                    fmt::format("less than the memory, {}, is needed", readable(it.memory)));
  }
  it.memory_bandwidth = settings.bandwidth("memory_bandwidth");
  it.launch = settings.duration("launch");
  it.units = static_cast<int>(settings.integer("units"));
  it.sustained = share(settings, "sustained");
  it.memory_share = share(settings, "memory_share");
  return it;
}

}  // namespace loom::model
