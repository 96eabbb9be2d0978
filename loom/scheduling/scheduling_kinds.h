// The kinds of job that a cluster's day has: models as a training job gives them, or stages that
// were measured.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/scheduling/scheduling_file.h"

namespace loom {

inline constexpr std::int64_t kMaxTraceIterations = 1'000'000'000;
inline constexpr std::int64_t kMaxTraceJobs = 1'000'000;

inline constexpr Parameter kCriticalBatch{
    .name = "critical_batch",
    .type = ValueType::real,
    .summary = "samples of a batch above which more help little; the model's if it is known",
};

// The kinds of a file, each once: maps that say the same are one kind.
class JobKinds {
 public:
  JobKinds(const Accelerator& accelerator, SchedulingFile& file)
      : accelerator_(accelerator), file_(file) {}

  // Of what `map` says beside the keys of `own`, which `read` has; called `name` if that is not
  // empty. `devices` is a number for which it is tried.
  int kind(const Tree& map, std::span<const Parameter> own, const Settings& read, int devices,
           const std::string& name = "");

 private:
  JobKind made(const Tree& rest, std::span<const Parameter> own, const Settings& read,
               int devices) const;

  const Accelerator& accelerator_;
  SchedulingFile& file_;
  std::map<std::string, int> known_;
};

// The keys of a map that others read: all there are but `own`.
std::vector<std::string_view> others_of(const Tree& map, std::span<const Parameter> own);

// Refuses what is no map with either a model or stages.
void check_kind(const Tree& map, std::string_view what);

// `arrivals` of a day.
void read_arrivals(const Tree& map, int devices, JobKinds& kinds, SchedulingFile& file);

}  // namespace loom
