// What jobs that were turned already put on a link, and what one more would add in excess.
//
// All rates are in units of the link's capacity and all excesses are means over time, so nothing
// here depends on the perimeter of a circle: of the load only what repeats matters. A job of period
// T meets a load that repeats every L in every way that differs by a multiple of gcd(T, L), so the
// load is folded to that length once and each turn of the job then costs two lookups a burst.
#pragma once

#include <cstdint>
#include <vector>

namespace loom {

// A piece of an iteration in which a job asks for the same rate; what lies between asks for none.
struct Burst {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // at most the period
  double rate = 0;       // above 0
};

// Where a job's rate changes, around its circle.
struct RateStep {
  std::int64_t at = 0;
  bool up = false;
};
std::vector<RateStep> steps_of(const std::vector<Burst>& bursts, std::int64_t period);

// What a link cannot carry of a load.
inline double excess(double load) { return load > 1 ? load - 1 : 0; }

class LinkLoad {
 public:
  std::int64_t length() const { return length_; }  // it repeats after so long
  double mean_excess() const;
  double mean_room() const;  // below the capacity
  // Where it changes.
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
  std::vector<Piece> pieces_ = {{0, 0.0}};  // from 0 on, each until the next
};

// Where the excess that a job adds begins to grow faster with its shift, or slower.
struct Bend {
  std::int64_t at = 0;
  double by = 0;  // of the slope

  bool operator<(const Bend& other) const { return at < other.at; }
};

// What a job would add in excess to a load, for any turn of its circle.
class AddedExcess {
 public:
  AddedExcess(const LinkLoad& load, const std::vector<Burst>& bursts, std::int64_t period);

  double at(std::int64_t shift) const;
  std::int64_t repeats() const { return repeats_; }  // the shifts that differ by so much are alike
  // By shift, below `repeats`.
  std::vector<Bend> bends() const;
  // Until the first bend; one at shift 0 comes after it.
  double first_slope() const;

 private:
  // The integral, from 0 to a moment, of what a rate adds.
  struct Integral {
    double rate = 0;
    std::vector<std::int64_t> at;
    std::vector<double> sum;    // until each moment
    std::vector<double> slope;  // after it
    double cycle = 0;           // of a whole turn

    double until(std::int64_t time_point, std::int64_t repeats) const;
    double slope_before(std::int64_t time_point, std::int64_t repeats) const;
  };

  Integral integral(const LinkLoad& load, double rate) const;

  const std::vector<Burst>& bursts_;
  std::int64_t period_;
  std::int64_t repeats_;
  std::vector<Integral> integrals_;  // one for each rate
  std::vector<std::size_t> of_;      // burst
};

}  // namespace loom
