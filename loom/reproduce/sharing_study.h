// A study of jobs that share a link: each job's profile is what our own model of it does alone, and
// groups of them run together under several transports.
//
//   sharing:
//     scenario: a training job on the hardware of the study
//     jobs: {VGG11: {workload.model: vgg-11}, pair: {send: 100 ms, compute: 150 ms}}
//     groups: {VGG11 twice: [VGG11, VGG11]}     # all on one link
//     runs: {fair: {transport: fair}, unfair: {transport: weighted, weights: 60x40}}
//     link: 50 Gbps
//     iterations: 1000, settle: 100             # the first of which do not count
//   claims: [{claim, measure, group, job, of: run, over: run, published, rule}]
//
// A measure is of a group and run: speedup, p99_speedup (time of `of` over that of `over`, of one
// job from 1 on, or of the jobs' mean), slowdown (of the job that suffers most, over alone),
// min_speedup (of the job that gains least), compatible (1 if the jobs can take turns, else 0);
// without a group the largest of all groups, or of those that are compatible, or of the others. Of
// two jobs of one kind and a run: shift_error, in percent of Shift(D), and iterations_apart, from a
// difference of a hundredth of their communication until 95 % of it.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/contention/periodic_run.h"
#include "loom/report/table.h"
#include "loom/reproduce/reproduce.h"
#include "loom/run/isolated_profile.h"

namespace loom {

struct SharingGroup {
  std::string name;
  SharedProfiles profiles;
};

struct SharingRun {
  std::string name;
  PeriodicOptions options;
};

struct JobTimes {
  double mean = 0;  // seconds
  double p99 = 0;
  std::vector<Duration> all;  // of every iteration
};

struct SharingStudy {
  std::vector<IsolatedProfile> jobs;
  std::vector<SharingGroup> groups;
  std::vector<SharingRun> runs;
  std::int64_t settle = 0;
  std::vector<std::vector<std::vector<JobTimes>>> times;  // by group, run and job
  std::vector<double> turns;  // by group: slowdown of who suffers most when they take turns best
};

// Of the part of a paper that has `sharing`.
SharingStudy run_sharing(const Tree& sharing, const RunOptions& options);

Claim judge_sharing(const Tree& tree, const SharingStudy& study);

// What each job does alone; a row for each group, run and job.
Table sharing_jobs_table(const SharingStudy& study);
Table sharing_table(const SharingStudy& study);
// File names, with a suffix, and what goes into them: tables, and the iterations of each group.
std::vector<std::pair<std::string, std::string>> sharing_files(const SharingStudy& study,
                                                               const std::string& suffix);

}  // namespace loom
