// Job kinds of a scheduling file. A kind is a model, described as for a training job, or a list of
// measured stages.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/scheduling/scheduling_file.h"

namespace loom::scheduling {

inline constexpr std::int64_t kMaxTraceIterations = 1'000'000'000;
inline constexpr std::int64_t kMaxTraceJobs = 1'000'000;

inline constexpr Parameter kCriticalBatch{
    .name = "critical_batch",
    .type = ValueType::real,
    .summary =
        "batch size above which larger batches bring diminishing returns; if not given, that of "
        "the model, if known",
};

// Collects the kinds of a file. Identical maps are one kind.
class JobKinds {
 public:
  JobKinds(const model::Accelerator& accelerator, SchedulingFile& file)
      : accelerator_(accelerator), file_(file) {}

  // Returns the index of the kind that `map` describes. The keys of `own`, whose values are in
  // `read`, describe the job and not its kind, except for critical_batch. The kind is named `name`,
  // unless that is empty. Throws InputError if the kind cannot run on `devices` devices.
  int kind(const Tree& map, std::span<const Parameter> own, const Settings& read, int devices,
           const std::string& name = "");

 private:
  jobs::JobKind made(const Tree& rest, std::span<const Parameter> own, const Settings& read,
                     int devices) const;

  const model::Accelerator& accelerator_;
  SchedulingFile& file_;
  std::map<std::string, int> known_;
};

// The keys of a map that are read elsewhere: all except `own`.
std::vector<std::string_view> others_of(const Tree& map, std::span<const Parameter> own);

// Throws InputError unless the value is a map with either a model or stages.
void check_kind(const Tree& map, std::string_view what);

// Reads `arrivals`.
void read_arrivals(const Tree& map, int devices, JobKinds& kinds, SchedulingFile& file);

}  // namespace loom::scheduling
