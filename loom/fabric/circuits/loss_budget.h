// Optical loss budget: the number of segments of a fiber ring that a circuit can span without
// amplification.
//
// Losses in decibels add up. Light enters the sender's chip from the laser, is modulated, and for
// each segment leaves one chip and enters the next. On every chip it passes the micro-ring
// resonators of the other wavelengths, which absorb a little although out of resonance (SiP-Ring:
// SiP-ML, section 3.3). The received power must reach the receiver's sensitivity. The budget is
// that of the worst wavelength, whose ring is first at the sender and last at the receiver, so that
// light passes all other rings. Amplifiers, noise and crosstalk are not modeled.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"

namespace loom::fabric {

// Powers in dBm; losses in dB, none of them negative. A default without a source is an assumption.
struct LossBudget {
  // Power per wavelength. A fiber of class VHP of OIF's external lasers (ELSFP, 11 to 26 dBm)
  // carries 20 dBm, divided over 32 wavelengths, which is 15.1 dB less per wavelength.
  double laser_power = 4.9;
  // Power at the photodiode, at 25 Gbps: -9.7 dBm was measured in front of couplers with a stated
  // loss of 6 dB ("Silicon Photonics Transmitter with SOA and Semiconductor Mode-Locked Laser",
  // Scientific Reports 7:13857, 2017, figure 13 and table 1).
  double receiver_sensitivity = -15.7;
  double modulator_loss = 8.4;  // modulation penalty of the same paper's ring modulator, table 1
  // Loss per coupling into or out of a chip. This value, the drop loss and the ring loss follow
  // DSENT's photonic model (MIT, 2012); the grating couplers of the transmitter above lost 4.8 dB.
  double coupling_loss = 1;
  double drop_loss = 1;  // at the receiver's own ring
  // Loss per ring that light passes out of resonance. A filter of 32 rings had an insertion loss of
  // 1.91 dB (arXiv 2411.15025), so at most 0.06 dB each.
  double ring_loss = 0.01;
  int rings_per_device = 32;   // rings a wavelength passes in one device
  double device_loss = 0;      // other loss in a device passed, such as waveguides
  double fiber_loss = 0.0008;  // per segment: 0.4 dB/km (ITU-T G.652, 1310 nm) over 2 m
  double reserve = 3;          // margin for aging, temperature and dirt
};

// One line of the loss budget.
struct LossTerm {
  std::string_view what;
  int times = 0;
  double each = 0;

  double total() const { return times * each; }
};

// The losses of a circuit of `segments` segments, from the laser to the receiver, then the reserve.
// Needs segments >= 1, as do loss() and margin().
std::vector<LossTerm> loss_terms(const LossBudget& budget, int segments);

// Sum of loss_terms().
double loss(const LossBudget& budget, int segments);

// Received power above the receiver's sensitivity; negative if the signal is too weak.
double margin(const LossBudget& budget, int segments);

inline constexpr int kLongestReach = 1'000'000;

// The max number of segments with a non-negative margin, up to kLongestReach; 0 if light does not
// even reach a neighbor (unlike RingLimits::reach, where 0 means unlimited).
int reach(const LossBudget& budget);

// Parameters as written in a scenario.
constexpr Parameter loss_parameter(std::string_view name, std::string_view fallback,
                                   std::string_view summary) {
  return {.name = name, .type = ValueType::decibel, .summary = summary, .fallback = fallback};
}

inline constexpr std::array<Parameter, 10> kLossParameters = {{
    {.name = "laser_power",
     .type = ValueType::decibel_milliwatt,
     .summary = "laser power per wavelength, before it enters the sender's chip",
     .fallback = "4.9 dBm"},
    {.name = "receiver_sensitivity",
     .type = ValueType::decibel_milliwatt,
     .summary = "minimum optical power that a photodiode can detect",
     .fallback = "-15.7 dBm"},
    loss_parameter("modulator_loss", "8.4 dB", "modulation penalty of the sender"),
    loss_parameter("coupling_loss", "1 dB", "loss of each coupling into or out of a chip"),
    loss_parameter("drop_loss", "1 dB",
                   "loss of the micro-ring that drops the wavelength at the receiver"),
    loss_parameter("ring_loss", "0.01 dB", "loss of a micro-ring passed out of resonance"),
    {.name = "rings_per_device",
     .type = ValueType::integer,
     .summary = "micro-rings that a wavelength passes in a device",
     .fallback = "32",
     .max = 100'000},
    loss_parameter("device_loss", "0 dB", "other loss in a device that light passes"),
    loss_parameter("fiber_loss", "0.0008 dB", "loss of the fiber between two neighbors"),
    loss_parameter("reserve", "3 dB", "margin for aging, temperature and dirt"),
}};

LossBudget loss_budget(const Settings& settings);

}  // namespace loom::fabric
