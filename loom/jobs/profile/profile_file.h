// File format of job profiles: shared links, and each job's rates on them.
//
//   links:
//     - {name: uplink, capacity: 100 Gbps}
//   jobs:
//     - name: vgg19
//       stages:
//         - compute: 20 ms
//         - send: {links: [uplink], rate: 40 Gbps, length: 15 ms}
//         - {length: 5 ms, rates: {uplink: 10 Gbps}}
//     - {name: measured, series: throughput.csv, links: [uplink]}
//
// A send may have a size instead of a length. `count` adds several identical jobs. A series is a
// CSV of time and bytes from which the profile is learned (learned_profile.h).
#pragma once

#include <string>
#include <vector>

#include "loom/base/tree.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// Measures of how well a learned profile fits the measurement.
struct LearnedJob {
  int job = 0;
  double error = 0;  // fraction of the bytes that the profile misplaces in time
  double periodicity = 0;
};

struct ProfileFile {
  SharedProfiles profiles;
  std::vector<LearnedJob> learned;
};

// Whether a file holds profiles rather than a scenario.
bool holds_profiles(const Tree& tree);

// Throws InputError at the first error. Paths of series are relative to the file's folder.
ProfileFile read_profiles(const Tree& tree);

// Writes profiles in the format that read_profiles() reads, stage by stage.
std::string profiles_yaml(const SharedProfiles& profiles);

}  // namespace loom::jobs
