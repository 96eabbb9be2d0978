// Load that shifted jobs put on a link, and the excess (load beyond the link's capacity) that one
// more job would add.
//
// All rates are relative to the link's capacity, and an excess is a mean over time, so one
// repetition of the load suffices. For a job of period T and a load that repeats every L, shifts
// are equivalent modulo gcd(T, L). The load is therefore folded to that length once, after which
// the excess at any shift costs two lookups per burst.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::jobs {

// An interval of an iteration in which a job sends at a constant rate. Between bursts the job sends
// nothing.
struct Burst {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // at most the period
  double rate = 0;       // above 0
};

// A change of a job's rate, at a time on the job's circle.
struct RateStep {
  std::int64_t at = 0;
  bool up = false;
};
std::vector<RateStep> steps_of(const std::vector<Burst>& bursts, std::int64_t period);

// Load beyond the link's capacity.
inline double excess(double load) { return load > 1 ? load - 1 : 0; }

class LinkLoad {
 public:
  std::int64_t length() const { return length_; }  // the load repeats after this time
  double mean_excess() const;
  double mean_room() const;  // mean unused capacity
  // The changes of the load.
  std::vector<RateStep> steps() const;

  void add(const std::vector<Burst>& bursts, std::int64_t period, std::int64_t shift);

  struct Piece {
    std::int64_t begin = 0;
    double rate = 0;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }
  std::int64_t end_of(std::size_t piece) const {
    return piece + 1 < pieces_.size() ? pieces_[piece + 1].begin : length_;
  }

 private:
  std::int64_t length_ = 1;
  std::vector<Piece> pieces_ = {{0, 0.0}};  // sorted by time; the first begins at 0
};

// A change of slope in the excess that a job adds, as a function of the job's shift.
struct Kink {
  std::int64_t at = 0;
  double by = 0;  // change of the slope

  bool operator<(const Kink& other) const { return at < other.at; }
};

// The excess that a job would add to a load, as a function of the job's shift.
class AddedExcess {
 public:
  AddedExcess(const LinkLoad& load, const std::vector<Burst>& bursts, std::int64_t period);

  double at(std::int64_t shift) const;
  std::int64_t repeats() const { return repeats_; }  // shifts are equivalent modulo this
  // All changes of slope at shifts below repeats().
  std::vector<Kink> kinks() const;
  // The slope just below shift 0, to which the changes in kinks() are added.
  double first_slope() const;

 private:
  // The integral, from 0 to a time point, of the excess that a burst of this rate adds.
  struct Integral {
    double rate = 0;
    std::vector<std::int64_t> at;
    std::vector<double> sum;    // integral up to each time point
    std::vector<double> slope;  // slope of the integral after each time point
    double cycle = 0;           // integral from 0 to `repeats`

    double until(std::int64_t time_point, std::int64_t repeats) const;
    double slope_before(std::int64_t time_point, std::int64_t repeats) const;
  };

  Integral integral(const LinkLoad& load, double rate) const;

  const std::vector<Burst>& bursts_;
  std::int64_t period_;
  std::int64_t repeats_;
  std::vector<Integral> integrals_;  // one per distinct rate
  std::vector<std::size_t> of_;      // index into integrals_, per burst
};

}  // namespace loom::jobs
