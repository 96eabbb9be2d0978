// Job profiles as a file: links, and each job's rates on them.
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
// A send may give a size instead of a length. `count` makes several identical jobs. A series is a
// table of time and bytes from which the profile is learned (learned_profile.h).
#pragma once

#include <string>
#include <vector>

#include "loom/base/tree.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// How well a learned profile fits the measurement.
struct LearnedJob {
  int job = 0;
  double error = 0;  // fraction of bytes misplaced in time
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

// The inverse of read_profiles, stage by stage.
std::string profiles_yaml(const SharedProfiles& profiles);

}  // namespace loom::jobs
