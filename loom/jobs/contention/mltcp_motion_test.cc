#include "loom/jobs/contention/mltcp_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/base/random.h"
#include "loom/jobs/contention/transports/transports.h"

namespace loom::jobs {
namespace {

constexpr double kNever = 1e18;

// Senders on one link of 50 Gbps that each could fill by itself, at random points of their
// iterations.
Contention random_contention(Random& random) {
  Contention all;
  all.capacity = {5e10};
  const int senders = 2 + static_cast<int>(random(4));
  for (int i = 0; i < senders; ++i) {
    Sender sender{.rate = 5e10, .weight = 1.0 + random(3), .left = 1e9 + 1e3 * random(1 << 30)};
    sender.bits_left = random(2) == 0 ? 0 : 1e7 * random(100);
    sender.bits = bits_to_send(sender, sender.left) * (1 + random(100) / 50.0);
    sender.first_hop = all.hops.size();
    sender.hop_count = 1;
    all.hops.push_back({0, 1});
    all.senders.push_back(sender);
  }
  return all;
}

std::vector<double> left_of(const Contention& all) {
  std::vector<double> left;
  for (const Sender& it : all.senders) left.push_back(it.left);
  return left;
}

TEST(MltcpMotion, StepsAgreeWithTheClosedForm) {
  constexpr std::uint64_t kSeed = 20241;
  Random random = random_stream(kSeed);
  MltcpMotion motion;
  for (int instance = 0; instance < 400; ++instance) {
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", instance " << instance);
    const Contention all = random_contention(random);
    ASSERT_TRUE(MltcpMotion::has_closed_form(all));
    JobTransport transport{.kind = &kMltcp, .slope = 0.1 + random(50) / 10.0};
    transport.share = random(2) == 0 ? MltcpShare::linear : MltcpShare::square_root;
    std::vector<double> exact = left_of(all);
    std::vector<double> stepped = exact;
    const double longest = *std::max_element(exact.begin(), exact.end());
    const double time = random(3) == 0 ? 1e8 * (1 + random(100)) : kNever;
    const double gone = motion.move(all, transport, exact, time);
    EXPECT_NEAR(motion.move_by_steps(all, transport, stepped, time), gone, 1e-8 * longest);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_NEAR(stepped[i], exact[i], 1e-8 * longest);
    }
  }
}

TEST(MltcpMotion, BitsSentEqualCapacityTimesTime) {
  Random random = random_stream(7);
  MltcpMotion motion;
  for (int instance = 0; instance < 100; ++instance) {
    const Contention all = random_contention(random);
    const JobTransport transport{.kind = &kMltcp};
    std::vector<double> left = left_of(all);
    const double gone = motion.move(all, transport, left, kNever);
    double sent = 0;
    for (std::size_t i = 0; i < left.size(); ++i) sent += all.senders[i].left - left[i];
    EXPECT_NEAR(sent / gone, 1, 1e-9);
  }
}

TEST(MltcpMotion, ADecreasingFactorIsIntegratedToo) {
  Random random = random_stream(8);
  MltcpMotion motion;
  const Contention all = random_contention(random);
  for (const MltcpShare share : {MltcpShare::linear, MltcpShare::square_root}) {
    const JobTransport transport{.kind = &kMltcp, .slope = -0.75, .intercept = 1, .share = share};
    std::vector<double> exact = left_of(all);
    std::vector<double> stepped = exact;
    const double gone = motion.move(all, transport, exact, kNever);
    EXPECT_NEAR(motion.move_by_steps(all, transport, stepped, kNever) / gone, 1, 1e-8);
  }
}

}  // namespace
}  // namespace loom::jobs
