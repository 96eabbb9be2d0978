// Profiles of jobs as a file: links, and what each job asks of them.
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
// A send may give a size instead of its length. A count makes several jobs alike. A series is a
// table of time and bytes, from which the profile is learned (learned_profile.h).
#pragma once

#include <string>
#include <vector>

#include "loom/base/tree.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom {

// How well a profile that was learned fits what was measured.
struct LearnedJob {
  int job = 0;
  double error = 0;  // of bytes, as a part of all
  double periodicity = 0;
};

struct ProfileFile {
  SharedProfiles profiles;
  std::vector<LearnedJob> learned;
};

// Whether a file holds profiles, and not a scenario.
bool holds_profiles(const Tree& tree);

// InputError at the first thing wrong. Paths of series are seen from the file's folder.
ProfileFile read_profiles(const Tree& tree);

// As read_profiles takes it, stage by stage.
std::string profiles_yaml(const SharedProfiles& profiles);

}  // namespace loom
