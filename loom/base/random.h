// Seeded random numbers: one stream per purpose, the same numbers on every machine.
#pragma once

#include <cstdint>
#include <pcg_random.hpp>

namespace loom {

// random(bound) returns an integer from 0 to bound - 1. The distributions of the standard library
// are not used, because their results differ between implementations.
using Random = pcg32;

inline Random random_stream(std::uint64_t seed, std::uint64_t stream = 0) { return {seed, stream}; }

// A well-mixed hash of two numbers (the finalizer of SplitMix64, Steele et al., OOPSLA 2014).
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9e3779b97f4a7c15ULL + b;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace loom
