// How far a circuit goes round a fibre ring before its light needs an amplifier.
//
// Losses in decibels add up. Light enters the sender's chip from the laser, is modulated, and then
// for each segment leaves one chip and enters the next. On every chip it passes the micro-ring
// resonators of the other wavelengths, which take a little of it though they are out of resonance
// (SiP-Ring: SiP-ML, section 3.3). What arrives must be no less than the receiver can read. The
// worst wavelength counts: its ring is the first of the sender and the last of the receiver.
//
// Amplifiers, noise and crosstalk are left out: beyond reach() a circuit needs more than this sum.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"

namespace loom {

// Powers in dBm, losses in dB, none negative. A default without a source is an assumption.
struct LossBudget {
  // 20 dBm, a fibre of class VHP of OIF's external lasers (ELSFP, 11 to 26 dBm), divided over 32
  // wavelengths, which is 15.1 dB less for each.
  double laser_power = 4.9;
  // At the photodiode, at 25 Gbps: -9.7 dBm was measured before couplers said to lose 6 dB
  // ("Silicon Photonics Transmitter with SOA and Semiconductor Mode-Locked Laser", Scientific
  // Reports 7:13857, 2017, figure 13 and table 1).
  double receiver_sensitivity = -15.7;
  double modulator_loss = 8.4;  // the modulation penalty of the ring modulator there, table 1
  // Each time light enters or leaves a chip. This, the drop and the ring are as in DSENT's photonic
  // model (MIT, 2012); the grating couplers of the transmitter above lost 4.8 dB.
  double coupling_loss = 1;
  double drop_loss = 1;  // of the receiver's own ring
  // Of a ring out of resonance. A filter of 32 rings had an insertion loss of 1.91 dB (arXiv
  // 2411.15025), so no more than 0.06 dB for each.
  double ring_loss = 0.01;
  int rings_per_device = 32;  // that a wavelength passes, in its direction
  double device_loss = 0;     // of whatever else it meets in a device it passes, such as waveguides
  double fibre_loss = 0.0008;  // of a segment: 0.4 dB/km (ITU-T G.652, 1310 nm) over 2 m
  double reserve = 3;          // kept for age, heat and dirt
};

// One line of the sum: so many times so much.
struct LossTerm {
  std::string_view what;
  int times = 0;
  double each = 0;

  double total() const { return times * each; }
};

// The losses of a circuit over so many segments, from the laser to the receiver, then the reserve.
// Needs segments >= 1, as do all below.
std::vector<LossTerm> loss_terms(const LossBudget& budget, int segments);

// Their sum.
double loss(const LossBudget& budget, int segments);

// What is left of the power at the receiver above what it needs; negative where it cannot read.
double margin(const LossBudget& budget, int segments);

inline constexpr int kLongestReach = 1'000'000;

// The most segments that leave a margin, up to kLongestReach; 0 where not even a neighbour can be
// reached (which is not the 0 of RingLimits, where it means any).
int reach(const LossBudget& budget);

// As users write it.
constexpr Parameter loss_parameter(std::string_view name, std::string_view fallback,
                                   std::string_view summary) {
  return {.name = name, .type = ValueType::decibel, .summary = summary, .fallback = fallback};
}

inline constexpr std::array<Parameter, 10> kLossParameters = {{
    {.name = "laser_power",
     .type = ValueType::decibel_milliwatt,
     .summary = "of a wavelength, before it enters the sender's chip",
     .fallback = "4.9 dBm"},
    {.name = "receiver_sensitivity",
     .type = ValueType::decibel_milliwatt,
     .summary = "the least power that a photodiode reads",
     .fallback = "-15.7 dBm"},
    loss_parameter("modulator_loss", "8.4 dB", "modulation penalty of the sender"),
    loss_parameter("coupling_loss", "1 dB", "each time light enters or leaves a chip"),
    loss_parameter("drop_loss", "1 dB", "of the micro-ring that picks the wavelength"),
    loss_parameter("ring_loss", "0.01 dB", "of a micro-ring passed out of resonance"),
    {.name = "rings_per_device",
     .type = ValueType::integer,
     .summary = "micro-rings that a wavelength passes in a device",
     .fallback = "32",
     .max = 100'000},
    loss_parameter("device_loss", "0 dB", "of whatever else light meets in a device it passes"),
    loss_parameter("fibre_loss", "0.0008 dB", "of the fibre between two neighbours"),
    loss_parameter("reserve", "3 dB", "kept for age, heat and dirt"),
}};

LossBudget loss_budget(const Settings& settings);

}  // namespace loom
