// Optimal time shifts, on a grid and in continuous time, against an integer program solved by Cbc.
//
// Each job takes one of its rotations; in every slot of a link's circle, excess is at least the
// demand beyond capacity. Stages last an integer number of slots, so that some optimum in
// continuous time lies on the grid.
#include <gtest/gtest.h>

#include "loom/jobs/cassini/shift_grid.h"
#include "loom/jobs/cassini/time_shifts_testing.h"
#include "tests/agree/cbc_solve.h"

namespace loom {
namespace {

using oracle::IntegerProgram;
using oracle::kUnlimited;

constexpr Duration kSlot = std::chrono::milliseconds(1);

struct Asked {
  std::size_t job = 0;
  std::vector<std::int64_t> rates;  // per slot
};

std::vector<Asked> asked_of(const jobs::SharedProfiles& profiles, int link) {
  std::vector<Asked> all;
  for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
    std::vector<std::int64_t> rates = rates_by_slot(profiles.jobs[j], link, kSlot);
    if (std::any_of(rates.begin(), rates.end(), [](std::int64_t it) { return it > 0; })) {
      all.push_back({j, std::move(rates)});
    }
  }
  return all;
}

// The score that the program proves optimal.
double certified(const jobs::SharedProfiles& profiles) {
  IntegerProgram program;
  std::vector<int> first;  // first rotation variable per job
  for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
    first.push_back(static_cast<int>(program.variables.size()));
    const std::int64_t rotations = j == 0 ? 1 : profiles.jobs[j].period() / kSlot;
    IntegerProgram::Row one{{}, 1, 1};
    for (std::int64_t k = 0; k < rotations; ++k) {
      one.terms.push_back({static_cast<int>(program.variables.size()), 1});
      program.variables.push_back({.upper = 1});
    }
    program.rows.push_back(std::move(one));
  }
  std::vector<std::vector<Asked>> contended;
  for (int l = 0; l < static_cast<int>(profiles.links.size()); ++l) {
    std::vector<Asked> on = asked_of(profiles, l);
    if (on.size() > 1) contended.push_back(std::move(on));
  }
  for (const std::vector<Asked>& on : contended) {
    std::int64_t perimeter = 1;
    for (const Asked& it : on) perimeter = std::lcm(perimeter, std::ssize(it.rates));
    const double weight = 1.0 / (10.0 * static_cast<double>(perimeter) * contended.size());
    for (std::int64_t t = 0; t < perimeter; ++t) {
      const int excess = static_cast<int>(program.variables.size());
      program.variables.push_back({.objective = -weight, .upper = 1000, .integer = false});
      IntegerProgram::Row row{{{excess, -1}}, -kUnlimited, 10};
      for (const Asked& it : on) {
        const std::int64_t period = std::ssize(it.rates);
        for (std::int64_t k = 0; k < (it.job == 0 ? 1 : period); ++k) {
          const auto slot = static_cast<std::size_t>((t - k + perimeter * period) % period);
          row.terms.push_back(
              {first[it.job] + static_cast<int>(k), static_cast<double>(it.rates[slot])});
        }
      }
      program.rows.push_back(std::move(row));
    }
  }
  return 1 + oracle::solve(program).value();
}

TEST(CbcCompatible, CertifiesTheOptimalShiftsOf60Instances) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random = random_stream(seed, 8);
    const int jobs = 2 + static_cast<int>(random(2));
    const int links = 1 + static_cast<int>(random(3));
    const jobs::SharedProfiles profiles = jobs::random_profiles(random, jobs, links, 6, kSlot);
    std::int64_t perimeter = 1;
    for (const jobs::JobProfile& it : profiles.jobs)
      perimeter = std::lcm(perimeter, it.period() / kSlot);
    const double best = certified(profiles);
    EXPECT_NEAR(best_shifts(profiles).score, best, 1e-6) << seed;
    const jobs::GridShifts grid = best_shifts_on_grid(profiles, static_cast<int>(perimeter * 2));
    EXPECT_TRUE(grid.proved) << seed;
    EXPECT_NEAR(grid.score, best, 1e-6) << seed;
  }
}

}  // namespace
}  // namespace loom
