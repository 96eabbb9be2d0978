#include "loom/photonic/datapath/engine.h"

#include <gtest/gtest.h>

#include "loom/photonic/testing.h"

namespace loom::photonic {
namespace {

void expect_same(const EngineOutcome& outcome, const PhotonicResult& expected) {
  ASSERT_EQ(outcome.fault, std::nullopt);
  const PhotonicResult& given = outcome.result;
  ASSERT_EQ(given.layers.size(), expected.layers.size());
  for (std::size_t l = 0; l < given.layers.size(); ++l) {
    EXPECT_EQ(given.layers[l].sums, expected.layers[l].sums);
    EXPECT_EQ(given.layers[l].activations, expected.layers[l].activations);
  }
  EXPECT_EQ(given.logits, expected.logits);
  EXPECT_EQ(given.log_probabilities, expected.log_probabilities);
  EXPECT_EQ(given.label, expected.label);
  EXPECT_EQ(given.cycles, expected.cycles);
  EXPECT_EQ(given.overflows, expected.overflows);
  EXPECT_EQ(given.clipped, expected.clipped);
}

PhotonicDatapath random_datapath(Random& random) {
  PhotonicDatapath datapath;
  datapath.lanes = 4 << between(random, 0, 3);
  datapath.wavelengths = random(2) == 0 ? 1 : between(random, 2, 5);
  datapath.dac_bits = random(2) == 0 ? 8 : between(random, 2, 8);
  datapath.adc_bits = random(2) == 0 ? 8 : between(random, 4, 8);
  if (random(3) == 0) datapath.adc_range = between(random, 0, range_of(datapath));
  datapath.loss_decibel = random(3) == 0 ? between(random, 0, 6) : 0;
  datapath.mask_zero_operands = random(3) != 0;
  return datapath;
}

// Compares bits and cycles; half of the networks use the prototype's datapath, half a random one.
TEST(Engine, GivesTheBitsAndCyclesOfTheFunctionalPath) {
  constexpr int kSeed = 41;
  Random random = random_stream(kSeed);
  for (int i = 0; i < 240; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", network " + std::to_string(i));
    const PhotonicNetwork network = random_network(random);
    const auto input = random_input(random, input_size(network));
    const PhotonicDatapath datapath = i % 2 == 0 ? PhotonicDatapath{} : random_datapath(random);
    const int skew = between(random, -40, 40);
    const PhotonicLink link{between(random, 0, datapath.lanes - 1), skew, skew};
    PhotonicRunOptions options{{}, random(100), true};
    if (i % 3 == 0) options.noise = {1.657, i % 6 == 0 ? 1.657 : 0, random(100)};
    PhotonicEngine engine(datapath, link);
    engine.load(network);
    expect_same(engine.run(input, options, false), run(network, input, options, datapath));
  }
}

TEST(Engine, IsReconfiguredByLoadingAnotherNetwork) {
  Random random = random_stream(2);
  PhotonicEngine engine;
  for (int i = 0; i < 8; ++i) {
    const PhotonicNetwork network = random_network(random);
    const auto input = random_input(random, input_size(network));
    engine.load(network);
    expect_same(engine.run(input, {.keep_layers = true}),
                run(network, input, {.keep_layers = true}));
  }
}

TEST(Engine, FindsSamplesAtEveryOffset) {
  Random random = random_stream(3);
  const PhotonicNetwork network = dense_network(random, {50, 12, 5});
  const auto input = random_input(random, 50);
  for (int offset = 0; offset < 16; ++offset) {
    PhotonicEngine engine({}, {.offset = offset});
    engine.load(network);
    expect_same(engine.run(input, {.keep_layers = true}),
                run(network, input, {.keep_layers = true}));
  }
}

// Every skew of 16 offsets and 50 cycles except the compensated one, with either modulator late,
// and with the prototype's noise.
TEST(Engine, WrongSkewIsAlwaysReported) {
  Random random = random_stream(4);
  const PhotonicNetwork network = dense_network(random, {20, 4});
  const auto input = random_input(random, 20);
  for (int skew = 0; skew < 16 * 50; ++skew) {
    for (const int sign : {1, -1}) {
      PhotonicEngine engine({}, {.offset = skew % 16, .skew = sign * skew});
      engine.load(network);
      const PhotonicNoise noise{.sample_sigma = skew / 16 % 2 == 0 ? 0 : 1.657};
      const EngineOutcome outcome = engine.run(input, {noise, 0, false});
      EXPECT_EQ(outcome.fault.has_value(), skew != 0) << sign * skew;
    }
  }
}

// A skew of whole cycles leaves the preamble intact, so only the known answer reveals it. At every
// offset, with and without noise.
TEST(Engine, ASkewOfWholeCyclesIsReportedAtEveryOffset) {
  for (int cycles = 1; cycles < 50; ++cycles) {
    for (const int skew : {16 * cycles, -16 * cycles}) {
      for (int offset = 0; offset < 16; ++offset) {
        PhotonicEngine engine({}, {.offset = offset, .skew = skew});
        for (const double sigma : {0.0, 1.657}) {
          const auto seed = static_cast<std::uint64_t>(offset);
          EXPECT_TRUE(engine.known_answer_fault({.sample_sigma = sigma, .seed = seed}))
              << skew << " at " << offset << " with " << sigma;
        }
      }
    }
  }
}

TEST(Engine, ADeadlockPointsToSkew) {
  PhotonicEngine engine({}, {.skew = 16});
  const std::string fault = engine.known_answer_fault().value_or("none");
  EXPECT_TRUE(fault.ends_with("; modulators are skewed by whole cycles, or a module stalls"))
      << fault;
}

TEST(Engine, CompensatedSkewIsNoFault) {
  for (const int skew : {1, 7, 16, 333, 799, -1, -16, -640}) {
    PhotonicEngine engine({}, {.offset = 3, .skew = skew, .compensation = skew});
    EXPECT_EQ(engine.known_answer_fault({.sample_sigma = 1.657}), std::nullopt) << skew;
  }
}

TEST(Engine, TheSearchFindsTheSkew) {
  for (const int skew : {0, 5, -9, 16, 37}) {
    EXPECT_EQ(find_compensation({}, {.offset = 11, .skew = skew}, 3), skew);
  }
  EXPECT_EQ(find_compensation({}, {.skew = 100}, 2), std::nullopt);
}

TEST(Engine, ASkewedPreambleTimesOut) {
  PhotonicEngine engine({}, {.skew = 3});
  EXPECT_EQ(engine.known_answer_fault(),
            "no preamble at any offset: modulators are skewed, or there is too little light");
}

TEST(Engine, TooLittleLightIsReported) {
  PhotonicEngine engine({.loss_decibel = 30}, {});
  EXPECT_EQ(engine.known_answer_fault(),
            "no preamble at any offset: modulators are skewed, or there is too little light");
}

// Truncation with at least four bits and the prototype's noise are allowed.
TEST(Engine, CorrectLightIsNoFault) {
  for (const PhotonicDatapath& datapath : {PhotonicDatapath{},
                                           {.adc_bits = 4},
                                           {.dac_bits = 4},
                                           {.dac_bits = 4, .adc_bits = 5},
                                           {.loss_decibel = 9},
                                           {.lanes = 4},
                                           {.lanes = 256},
                                           {.wavelengths = 8},
                                           {.wavelengths = 64, .adc_bits = 4},
                                           {.wavelengths = 256}}) {
    PhotonicEngine engine(datapath, {});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      EXPECT_EQ(engine.known_answer_fault({.sample_sigma = 1.657, .seed = seed}), std::nullopt);
    }
  }
}

TEST(Engine, LightThatIsTooWeakTooCoarseOrClippedIsReported) {
  const auto fault = [](const PhotonicDatapath& datapath) {
    return PhotonicEngine(datapath, {}).known_answer_fault().value_or("none");
  };
  EXPECT_EQ(fault({.loss_decibel = 20}),
            "known answer: the sum is 2700 instead of 6306 (tolerance 619), and 0 samples "
            "exceed the ADC's range; a lower loss, larger range or more bits are needed");
  for (const PhotonicDatapath& datapath : {PhotonicDatapath{.adc_bits = 1},
                                           {.adc_bits = 2},
                                           {.adc_bits = 3},
                                           {.dac_bits = 1},
                                           {.adc_range = 6},
                                           {.loss_decibel = 3, .compensate_loss = false},
                                           {.wavelengths = 2, .adc_range = 0},
                                           {.wavelengths = 16, .adc_range = 2}}) {
    EXPECT_TRUE(fault(datapath).starts_with("known answer: the sum is"))
        << datapath.dac_bits << " " << datapath.adc_bits << " " << datapath.wavelengths << " "
        << datapath.adc_range << " " << datapath.loss_decibel << ": " << fault(datapath);
  }
}

TEST(Engine, TheKnownAnswerCostsNoCyclesOfTheRequest) {
  Random random = random_stream(7);
  PhotonicEngine engine;
  const PhotonicNetwork network = dense_network(random, {20, 5});
  engine.load(network);
  const auto input = random_input(random, 20);
  const EngineOutcome with = engine.run(input);
  const EngineOutcome without = engine.run(input, {}, false);
  EXPECT_EQ(with.result.cycles, without.result.cycles);
  EXPECT_EQ(with.check_cycles, network_cycles(known_answer_network()));
  EXPECT_EQ(without.check_cycles, 0);
}

}  // namespace
}  // namespace loom::photonic
