#include "loom/jobs/profile/profile_file.h"

#include <gtest/gtest.h>

namespace loom::jobs {
namespace {

const std::string kText = R"(links:
  - {name: a, capacity: 100 Gbps}
  - {name: b, capacity: 40 Gbps}
jobs:
  - name: one
    count: 2
    stages:
      - compute: 20 ms
      - send: {links: [a, b], rate: 40 Gbps, length: 15 ms}
      - send: {links: [a], rate: 80 Gbps, size: 10 MB}
  - name: two
    stages:
      - {length: 5 ms, rates: {a: 1 Gbps, b: 2 Gbps}}
)";

SharedProfiles read(const std::string& text) {
  return read_profiles(parse_yaml(text, "p.yaml")).profiles;
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProfileFile, HasLinksAndJobsWithStages) {
  const SharedProfiles profiles = read(kText);
  ASSERT_EQ(profiles.links.size(), 2U);
  EXPECT_EQ(profiles.links[1].name, "b");
  EXPECT_EQ(profiles.links[1].capacity, 40_Gbps);
  ASSERT_EQ(profiles.jobs.size(), 3U);
  EXPECT_EQ(profiles.jobs[0].name, "one/1");
  EXPECT_EQ(profiles.jobs[1].name, "one/2");
  EXPECT_EQ(profiles.jobs[1].period(), 36_ms);
  ASSERT_EQ(profiles.jobs[0].stages.size(), 3U);
  EXPECT_TRUE(profiles.jobs[0].stages[0].rates.empty());
  EXPECT_EQ(profiles.jobs[0].stages[1].rates[1].link, 1);
  EXPECT_EQ(profiles.jobs[0].stages[2].length, 1_ms);
  EXPECT_EQ(profiles.jobs[2].stages[0].rates[1].rate, 2_Gbps);
}

TEST(ProfileFile, IsDistinguishedFromAScenarioByItsLinks) {
  EXPECT_TRUE(holds_profiles(parse_yaml(kText, "p.yaml")));
  EXPECT_FALSE(holds_profiles(parse_yaml("jobs: []", "p.yaml")));
}

TEST(ProfileFile, ReadingWhatWasWrittenGivesTheSameProfiles) {
  const SharedProfiles profiles = read(kText);
  const std::string text = profiles_yaml(profiles);
  const SharedProfiles again = read(text);
  EXPECT_EQ(profiles_yaml(again), text);
  ASSERT_EQ(again.jobs.size(), profiles.jobs.size());
  for (std::size_t j = 0; j < again.jobs.size(); ++j) {
    EXPECT_EQ(again.jobs[j].period(), profiles.jobs[j].period());
    EXPECT_EQ(again.jobs[j].stages.size(), profiles.jobs[j].stages.size());
  }
}

TEST(ProfileFile, ErrorsNameTheLine) {
  const std::string links = "links: [{name: a, capacity: 1 Gbps}]\n";
  EXPECT_EQ(refusal(links + "jobs: []\n"),
            "p.yaml:2: jobs is not a list; at least one entry is needed");
  EXPECT_EQ(refusal(links + "jobs:\n  - {name: j, stages: [{compute: 5}]}\n"),
            "p.yaml:3: stage.compute is 5; a time needs one of the units ps, ns, us, ms, s, µs, "
            "min, h");
  EXPECT_EQ(refusal(links + "jobs:\n  - name: j\n    stages:\n      - send: {links: [b], rate: 1 "
                            "Gbps, length: 1 ms}\n"),
            "p.yaml:5: there is no link 'b'; a name from 'links' is needed");
  EXPECT_EQ(refusal(links + "jobs:\n  - name: j\n    stages:\n      - send: {links: [a], rate: 2 "
                            "Gbps, length: 1 ms}\n"),
            "p.yaml:5: send.rate is 2 Gbps; link 'a' has a capacity of 1 Gbps");
  EXPECT_EQ(refusal(links + "jobs:\n  - {name: j, stages: [{compute: 1 ms, send: {}}]}\n"),
            "p.yaml:3: a stage is compute, or send, or length and rates; one of these is needed");
  EXPECT_EQ(refusal(links + "jobs:\n  - {name: j, stages: [{compute: 0 ms}]}\n"),
            "p.yaml:3: stage.compute is 0 ms; from 1 ps to 3600 s is needed");
}

}  // namespace
}  // namespace loom::jobs
