// The link model of a rotating schedule against a slot-by-slot simulation.
//
// Bounds, with C the cycle. A direct message ends at most C/2 later than in the link model and at
// most 3C/2 earlier: it can just miss or just catch its circuit, can end with a full or a partial
// slot, and the link model adds the mean wait. Two-hop traffic agrees within 2C and 2 %.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "loom/base/random.h"
#include "tests/agree/collective_times.h"
#include "tests/agree/slot_run.h"

namespace loom {
namespace {

using oracle::SlotMessage;
using oracle::SlotRouting;

struct Rotating {
  int devices = 8;
  int planes = 2;
  fabric::RotationClock clock{100_us, 10_us};
  Bandwidth egress = 100_Gbps;

  fabric::Rotation rotation() const { return fabric::cyclic_rotation(devices, planes); }
  fabric::AverageCircuit circuit() const { return average_circuit(rotation(), clock, egress); }
  double cycle() const { return seconds(circuit().cycle); }
  fabric::Network network(bool valiant) const {
    return fabric::fabric_of(fmt::format("kind: rotornet, bandwidth: {}, switches: {}, slot: {}, "
                                         "switch_time: {}, routing: {}",
                                         exact(egress), planes, exact(clock.hold),
                                         exact(clock.switch_time), valiant ? "valiant" : "direct"),
                             devices);
  }
  // Bytes that a circuit carries per cycle.
  double slot_bytes() const {
    return static_cast<double>(circuit().bandwidth.bits_per_second) / 8 * cycle();
  }
};

Rotating random_rotating(Random& random) {
  Rotating it;
  it.devices = 8 + static_cast<int>(random(9));
  it.planes = 1 + static_cast<int>(random(4));
  it.clock.switch_time = Duration(1'000'000 * random(40));
  return it;
}

// Rounded to integer bytes, so that both simulations send the same.
SlotMessage message(int from, int to, double bytes, double start = 0) {
  return {from, to, std::floor(bytes), start};
}

std::vector<double> by_links(const fabric::Network& network,
                             const std::vector<SlotMessage>& messages) {
  workload::Workload workload;
  workload.devices = network.devices;
  for (const SlotMessage& it : messages) {
    workload::Operation operation{.kind = workload::OperationKind::message};
    operation.source = it.from;
    operation.destination = it.to;
    operation.size = {static_cast<std::int64_t>(it.bytes)};
    operation.start = Duration(static_cast<std::int64_t>(it.start * 1e12));
    workload.operations.push_back(operation);
  }
  const simulate::Outcome outcome = simulate::simulate_fluid(workload, network, {}, {});
  EXPECT_FALSE(outcome.deadlock.has_value());
  std::vector<double> ends;
  for (const TimePoint end : outcome.operation_end) {
    ends.push_back(seconds(elapsed(end)));
  }
  return ends;
}

std::vector<double> by_slots(const Rotating& it, const std::vector<SlotMessage>& messages,
                             SlotRouting routing) {
  return oracle::slot_run(it.rotation(), it.clock, it.egress, messages, routing);
}

double last(const std::vector<double>& ends) { return *std::max_element(ends.begin(), ends.end()); }

// Every pair has its own size and start.
TEST(ARotation, EndsDirectMessagesWithinACycleAndAHalfOfItsLinks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random = random_stream(seed, 1);
    const Rotating it = random_rotating(random);
    std::vector<SlotMessage> messages;
    for (int from = 0; from < it.devices; ++from) {
      for (int to = 0; to < it.devices; ++to) {
        if (from == to || random(3) == 0) continue;
        // A slot boundary: the slot simulation starts messages only there.
        const double start = random(30) * seconds(it.clock.hold);
        messages.push_back(message(from, to, it.slot_bytes() * (1 + random(3000)) / 100.0, start));
      }
    }
    const std::vector<double> slots = by_slots(it, messages, SlotRouting::direct);
    const std::vector<double> links = by_links(it.network(false), messages);
    for (std::size_t m = 0; m < messages.size(); ++m) {
      ASSERT_LE(slots[m], links[m] + 0.5 * it.cycle() * (1 + 1e-6)) << m;
      ASSERT_GE(slots[m], links[m] - 1.5 * it.cycle() * (1 + 1e-6)) << m;
    }
  }
}

// Each device sends the same size to some others.
std::vector<SlotMessage> random_equal(const Rotating& it, Random& random) {
  std::vector<SlotMessage> messages;
  const std::uint32_t one_in = 1 + random(6);
  const double bytes = it.slot_bytes() * (20 + random(50));
  for (int from = 0; from < it.devices; ++from) {
    for (int to = 0; to < it.devices; ++to) {
      if (from != to && random(one_in) == 0) messages.push_back(message(from, to, bytes));
    }
  }
  if (messages.empty()) messages.push_back(message(0, 1, bytes));
  return messages;
}

TEST(ARotation, EndsRelayedTrafficWithinTwoCyclesAndTwoPercentOfItsLinks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random = random_stream(seed, 2);
    const Rotating it = random_rotating(random);
    const std::vector<SlotMessage> messages = random_equal(it, random);
    const double slots = last(by_slots(it, messages, SlotRouting::valiant));
    const double links = last(by_links(it.network(true), messages));
    EXPECT_NEAR(slots, links, 2 * it.cycle() + 0.02 * links)
        << fmt::format("seed {}, {} devices, {} planes, {} messages, cycle {}", seed, it.devices,
                       it.planes, messages.size(), it.cycle());
  }
}

// With mixed sizes the link model takes longer: a message that is slowed on one link is slowed on
// all of its links.
TEST(ARotation, EndsRelayedTrafficNoLaterThanItsLinks) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random = random_stream(seed, 3);
    const Rotating it = random_rotating(random);
    std::vector<SlotMessage> messages = random_equal(it, random);
    for (SlotMessage& each : messages) each.bytes = std::floor(each.bytes * (1 + random(9)) / 4);
    const double slots = last(by_slots(it, messages, SlotRouting::valiant));
    const double links = last(by_links(it.network(true), messages));
    EXPECT_LE(slots, links * 1.02 + 2 * it.cycle()) << "seed " << seed;
  }
}

// As rotornet.h claims: uniform traffic goes directly, a permutation is relayed.
TEST(RotorLb, MatchesTheBetterOfDirectAndRelayedRouting) {
  const Rotating it{.devices = 12, .planes = 1};
  const double bytes = std::floor(it.slot_bytes() * 40);
  std::vector<SlotMessage> even;
  std::vector<SlotMessage> shifted;
  for (int from = 0; from < it.devices; ++from) {
    for (int to = 0; to < it.devices; ++to) {
      if (from != to) even.push_back(message(from, to, bytes));
    }
    shifted.push_back(message(from, (from + 5) % it.devices, 10 * bytes));
  }
  const double even_slots = last(by_slots(it, even, SlotRouting::rotor_lb));
  EXPECT_NEAR(even_slots, last(by_links(it.network(false), even)),
              1.5 * it.cycle() + 0.02 * even_slots);
  const double shifted_slots = last(by_slots(it, shifted, SlotRouting::rotor_lb));
  EXPECT_NEAR(shifted_slots, last(by_links(it.network(true), shifted)),
              2 * it.cycle() + 0.05 * shifted_slots);
}

// It splits mixed traffic better than either routing, guided by the queues.
TEST(RotorLb, IsNoSlowerThanDirectOrRelayedRouting) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random = random_stream(seed, 4);
    const Rotating it = random_rotating(random);
    const std::vector<SlotMessage> messages = random_equal(it, random);
    const double slots = last(by_slots(it, messages, SlotRouting::rotor_lb));
    const double links = std::min(last(by_links(it.network(false), messages)),
                                  last(by_links(it.network(true), messages)));
    EXPECT_LE(slots, links * 1.02 + 2 * it.cycle()) << "seed " << seed;
    EXPECT_GE(slots, links / 2 - 2 * it.cycle()) << "seed " << seed;
  }
}

// If all devices send and receive equally, one link into and out of each device is equivalent to
// one link per pair.
TEST(ARotation, IsTheSamePerDeviceAsPerPairIfAllSendEqually) {
  using enum workload::CollectiveKind;
  using enum workload::Algorithm;
  const std::vector<workload::Collective> collectives = {
      {.kind = all_to_all, .algorithm = direct, .size = 10_MB},
      {.kind = all_to_all, .algorithm = pairwise, .size = 10_MB},
      {.kind = all_reduce, .algorithm = ring, .size = 10_MB},
      {.kind = all_reduce, .algorithm = bidirectional_ring, .size = 10_MB},
      {.kind = all_reduce, .algorithm = direct, .size = 10_MB},
      {.kind = all_reduce, .algorithm = halving_doubling, .size = 10_MB}};
  for (const std::string kind : {"rotornet", "sirius, grating: 4", "shoal"}) {
    for (const int devices : {4, 8, 16}) {
      const std::string text = fmt::format("kind: {}, bandwidth: 100 Gbps", kind);
      const fabric::Network pairs = fabric::fabric_of(text + ", links: pairs", devices);
      const fabric::Network halves = fabric::fabric_of(text + ", links: devices", devices);
      for (const workload::Collective& it : collectives) {
        const auto exact = static_cast<double>(fluid_time(it, pairs).count());
        EXPECT_NEAR(static_cast<double>(fluid_time(it, halves).count()), exact, 1e-6 * exact)
            << kind << " " << devices;
      }
    }
  }
}

}  // namespace
}  // namespace loom
