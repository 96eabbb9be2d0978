// A study of jobs that share a link. Each job is simulated in isolation for its profile; then
// groups of jobs run together under several transports.
//
//   sharing:
//     scenario: a training job on the hardware of the study
//     jobs: {VGG11: {workload.model: vgg-11}, pair: {send: 100 ms, compute: 150 ms}}
//     groups: {VGG11 twice: [VGG11, VGG11]}     # all on one link
//     runs: {fair: {transport: fair}, unfair: {transport: weighted, weights: 60x40}}
//     link: 50 Gbps
//     iterations: 1000, settle: 100             # the first `settle` are ignored
//   claims: [{id, claim, measure, group, groups, job, of: run, over: run, published, rule}]
//
// Measures of a group:
//   speedup, p99_speedup  iteration time in run `of` over that in run `over`, of one job (numbered
//                         from 1) or, without `job`, of the mean over jobs
//   min_speedup           speedup of the job that gains least
//   slowdown              of the most affected job in run `of`, relative to isolation
//   compatible            1 if the jobs can interleave, else 0
// Measures of a group of two equal jobs:
//   shift_error           error of the simulated shift relative to MLTCP's Shift(D), in percent
//   iterations_apart      iterations until a start difference of 1 % of the communication time has
//                         grown to 95 %
// Without `group`, the largest value counts, over `groups`: all, compatible, or others (the
// incompatible ones).
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/contention/periodic_run.h"
#include "loom/report/table.h"
#include "loom/reproduce/claim.h"
#include "loom/run/isolated_profile.h"
#include "loom/run/run.h"

namespace loom::reproduce {

struct SharingGroup {
  std::string name;
  jobs::SharedProfiles profiles;
};

struct SharingRun {
  std::string name;
  jobs::PeriodicOptions options;
};

struct JobTimes {
  double mean = 0;  // seconds
  double p99 = 0;
  std::vector<Duration> all;  // times of all iterations
};

struct SharingStudy {
  std::vector<run::IsolatedProfile> jobs;
  std::vector<SharingGroup> groups;
  std::vector<SharingRun> runs;
  std::int64_t settle = 0;
  std::vector<std::vector<std::vector<JobTimes>>> times;  // by group, run and job
  std::vector<double>
      interleaved_slowdown;  // by group: largest slowdown at the best interleaving found
};

// Runs a section of a paper that has `sharing`.
SharingStudy run_sharing(const Tree& sharing, const run::RunOptions& options);

// Reads the claims of a section that has `sharing`.
std::vector<ClaimEntry> read_sharing_claims(const Tree& section);

// Computes the value for a claim. Throws InputError if the claim names a group, job or run that the
// study lacks.
Found measure_sharing(const ClaimEntry& claim, const SharingStudy& study);

// Tables: the isolated profile of each job, and one row per group, run and job.
report::Table sharing_jobs_table(const SharingStudy& study);
report::Table sharing_table(const SharingStudy& study);
// Names, with a suffix, and contents of the output files: tables, and charts of the iteration times
// of each group.
std::vector<std::pair<std::string, std::string>> sharing_files(const SharingStudy& study,
                                                               const std::string& suffix);

}  // namespace loom::reproduce
