#include "loom/photonic/server/assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

using Outcome = Assembly::Outcome;

std::vector<std::uint8_t> input_of(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 256);
  return bytes;
}

Packet fragment_of(std::span<const std::uint8_t> input, std::size_t offset, std::size_t size,
                   std::uint64_t request = 1) {
  Packet packet;
  packet.request = request;
  packet.total = static_cast<std::uint32_t>(input.size());
  packet.offset = static_cast<std::uint32_t>(offset);
  packet.payload = input.subspan(offset, std::min(size, input.size() - offset));
  return packet;
}

TEST(Assembly, FragmentsInAnyOrderAndRepeatedMakeTheInput) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random = random_stream(seed);
    const std::vector<std::uint8_t> input = input_of(600 + random(5000));
    std::vector<Packet> fragments;
    for (std::size_t at = 0; at < input.size(); at += 600)
      fragments.push_back(fragment_of(input, at, 600));
    std::shuffle(fragments.begin(), fragments.end(), random);
    Assembly assembly;
    std::vector<std::uint8_t> whole;
    for (std::size_t i = 0; i < fragments.size(); ++i) {
      const bool last = i + 1 == fragments.size();
      ASSERT_EQ(assembly.take("a", fragments[i], {}, whole),
                last ? Outcome::whole : Outcome::waiting);
      if (last) break;
      ASSERT_EQ(assembly.take("a", fragments[i], {}, whole), Outcome::waiting);
    }
    EXPECT_EQ(whole, input);
    EXPECT_EQ(assembly.unfinished(), 0U);
    EXPECT_EQ(assembly.bytes(), 0U);
  }
}

TEST(Assembly, FragmentsOfDifferentSendersAreNotMixed) {
  const std::vector<std::uint8_t> input = input_of(1000);
  Assembly assembly;
  std::vector<std::uint8_t> whole;
  EXPECT_EQ(assembly.take("a", fragment_of(input, 0, 600), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("b", fragment_of(input, 600, 400), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.unfinished(), 2U);
  EXPECT_EQ(assembly.take("a", fragment_of(input, 600, 400), {}, whole), Outcome::whole);
}

TEST(Assembly, ContradictoryFragmentsDropTheInput) {
  const std::vector<std::uint8_t> input = input_of(3000);
  Assembly assembly;
  std::vector<std::uint8_t> whole;
  assembly.take("a", fragment_of(input, 600, 600), {}, whole);
  EXPECT_EQ(assembly.take("a", fragment_of(input, 0, 601), {}, whole), Outcome::contradiction);
  assembly.take("a", fragment_of(input, 600, 600), {}, whole);
  EXPECT_EQ(assembly.take("a", fragment_of(input, 700, 600), {}, whole), Outcome::contradiction);
  assembly.take("a", fragment_of(input, 600, 600), {}, whole);
  Packet other = fragment_of(input, 0, 600);
  other.total = 2000;
  EXPECT_EQ(assembly.take("a", other, {}, whole), Outcome::contradiction);
  EXPECT_EQ(assembly.unfinished(), 0U);
  EXPECT_EQ(assembly.bytes(), 0U);
}

TEST(Assembly, AFragmentWithOtherContentRestartsTheInput) {
  const std::vector<std::uint8_t> first = input_of(1800);
  const std::vector<std::uint8_t> second(1800, 7);
  Assembly assembly;
  std::vector<std::uint8_t> whole;
  EXPECT_EQ(assembly.take("a", fragment_of(first, 0, 600), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("a", fragment_of(first, 600, 600), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("a", fragment_of(second, 0, 600), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("a", fragment_of(second, 1200, 600), {}, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("a", fragment_of(second, 600, 600), {}, whole), Outcome::whole);
  EXPECT_EQ(whole, second);
  EXPECT_EQ(assembly.bytes(), 0U);
}

TEST(Assembly, WhenFullNewInputsWaitAndOldOnesAreDropped) {
  const std::vector<std::uint8_t> input = input_of(1000);
  Assembly assembly({2, 1500, std::chrono::milliseconds(10)});
  std::vector<std::uint8_t> whole;
  const ArrivalTime now{};
  EXPECT_EQ(assembly.take("a", fragment_of(input, 0, 600, 1), now, whole), Outcome::waiting);
  EXPECT_EQ(assembly.take("a", fragment_of(input, 0, 600, 2), now, whole), Outcome::full);
  EXPECT_EQ(assembly.expire(now + std::chrono::milliseconds(10)), 0U);
  EXPECT_EQ(assembly.expire(now + std::chrono::milliseconds(11)), 1U);
  EXPECT_EQ(assembly.take("a", fragment_of(input, 0, 600, 2), now, whole), Outcome::waiting);
}

}  // namespace
}  // namespace loom::photonic
