#include "loom/fabric/circuits/provision/topology/ring_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::fabric {
namespace {

bool is_prime(int number) {
  for (int d = 2; d * d <= number; ++d) {
    if (number % d == 0) return false;
  }
  return number > 1;
}

// Bit set of the positions within a number of hops of position 0.
class Reached {
 public:
  explicit Reached(int n)
      : n_(n), now_(static_cast<std::size_t>(n + 63) / 64, 0), next_(now_), last_(~0ULL) {
    if (n % 64 != 0) last_ = (1ULL << (n % 64)) - 1;
  }

  std::size_t words() const { return now_.size(); }

  RingDistances measure(std::span<const int> steps, bool bidirectional,
                        const RingDistances& limit) {
    std::fill(now_.begin(), now_.end(), 0);
    now_[0] = 1;
    RingDistances distances;
    for (int here = 1; here < n_;) {
      distances.hops += n_ - here;
      ++distances.diameter;
      if (distances > limit) return distances;
      next_ = now_;
      for (const int step : steps) {
        add_shifted(step);
        if (bidirectional) add_shifted(n_ - step);
      }
      next_.back() &= last_;
      std::swap(now_, next_);
      int there = 0;
      for (const std::uint64_t word : now_) there += __builtin_popcountll(word);
      if (there == here) return {kNoPath, 0};
      here = there;
    }
    return distances;
  }

 private:
  // Position p becomes p + step, wrapping around at the end.
  void add_shifted(int step) {
    add_up(step);
    add_down(n_ - step);
  }

  void add_up(int by) {
    const auto words = static_cast<std::size_t>(by / 64);
    const int bits = by % 64;
    for (std::size_t w = words; w < now_.size(); ++w) {
      next_[w] |= now_[w - words] << bits;
      if (bits > 0 && w > words) next_[w] |= now_[w - words - 1] >> (64 - bits);
    }
  }

  void add_down(int by) {
    const auto words = static_cast<std::size_t>(by / 64);
    const int bits = by % 64;
    for (std::size_t w = words; w < now_.size(); ++w) {
      next_[w - words] |= now_[w] >> bits;
      if (bits > 0 && w > words) next_[w - words - 1] |= now_[w] << (64 - bits);
    }
  }

  int n_;
  std::vector<std::uint64_t> now_;
  std::vector<std::uint64_t> next_;
  std::uint64_t last_;  // mask of the valid bits of the last word
};

constexpr RingDistances kUnlimited{kNoPath, std::int64_t{1} << 60};

// Distinct steps: on bidirectional rings +s and +(n - s) are the same ring.
std::vector<int> candidate_steps(int n, bool bidirectional) {
  std::vector<int> steps = totient_steps(n);
  if (bidirectional && n > 2) std::erase_if(steps, [&](int step) { return 2 * step > n; });
  return steps;
}

std::vector<int> geometric_steps(int n, int rings, const std::vector<int>& candidates) {
  const double x = std::pow(n, 1.0 / rings);
  std::vector<int> left = candidates;
  std::vector<int> steps;
  for (int i = 0; i < rings; ++i) {
    const double wanted = std::pow(x, i);
    const auto nearest = std::min_element(left.begin(), left.end(), [&](int a, int b) {
      return std::abs(a - wanted) < std::abs(b - wanted);
    });
    steps.push_back(*nearest);
    left.erase(nearest);
  }
  return steps;
}

class StepSearch {
 public:
  StepSearch(int n, int rings, bool bidirectional, std::vector<int> candidates)
      : n_(n),
        free_(rings - 1),
        bidirectional_(bidirectional),
        candidates_(std::move(candidates)),
        reached_(n) {}

  ChosenSteps run() {
    best_ = {geometric_steps(n_, free_ + 1, candidates_), {}, false};
    best_.distances = measure(best_.steps, kUnlimited);
    best_.exhaustive = sets_to_try() * cost_of_one() <= kMaxWork;
    if (best_.exhaustive) {
      std::vector<int> steps = {1};
      try_all(steps, 1);
    } else {
      descend_from_many();
    }
    return best_;
  }

 private:
  // Maximum number of words of bit sets to process, which takes about a third of a second.
  static constexpr double kMaxWork = 4e8;

  RingDistances measure(std::span<const int> steps, const RingDistances& limit) {
    ++measured_;
    return reached_.measure(steps, bidirectional_, limit);
  }

  double cost_of_one() const {
    const int links = (free_ + 1) * (bidirectional_ ? 2 : 1);
    return static_cast<double>(reached_.words()) * links * std::min(best_.distances.diameter, n_);
  }

  double sets_to_try() const {
    double sets = 1;
    const auto others = static_cast<double>(candidates_.size()) - 1;
    for (int i = 0; i < free_; ++i) sets = sets * (others - i) / (i + 1);
    return sets;
  }

  void keep_if_better(const std::vector<int>& steps) {
    const RingDistances distances = measure(steps, best_.distances);
    if (distances < best_.distances) {
      best_.steps = steps;
      best_.distances = distances;
    }
  }

  void try_all(std::vector<int>& steps, std::size_t from) {
    if (static_cast<int>(steps.size()) == free_ + 1) {
      keep_if_better(steps);
      return;
    }
    for (std::size_t c = from; c < candidates_.size(); ++c) {
      steps.push_back(candidates_[c]);
      try_all(steps, c + 1);
      steps.pop_back();
    }
  }

  void descend_from_many() {
    Random random = random_stream(static_cast<std::uint64_t>(n_), static_cast<unsigned>(free_));
    const double max_measured = kMaxWork / cost_of_one();
    descend(best_.steps, best_.distances);
    while (static_cast<double>(measured_) < max_measured) {
      std::vector<int> steps = sampled(random);
      const RingDistances distances = measure(steps, kUnlimited);
      descend(std::move(steps), distances);
    }
  }

  std::vector<int> sampled(Random& random) const {
    std::vector<int> left(candidates_.begin() + 1, candidates_.end());
    std::vector<int> steps = {1};
    for (int i = 0; i < free_; ++i) {
      const auto at = left.begin() + random(static_cast<std::uint32_t>(left.size()));
      steps.push_back(*at);
      left.erase(at);
    }
    return steps;
  }

  // Replaces one step at a time by the best alternative, until no replacement improves.
  void descend(std::vector<int> steps, RingDistances distances) {
    std::size_t unchanged = 0;
    for (std::size_t at = 1; unchanged < steps.size() - 1;
         at = at + 1 < steps.size() ? at + 1 : 1) {
      const RingDistances before = distances;
      exchange(at, steps, distances);
      unchanged = distances < before ? 0 : unchanged + 1;
    }
    if (distances < best_.distances) {
      std::sort(steps.begin(), steps.end());
      best_.steps = std::move(steps);
      best_.distances = distances;
    }
  }

  void exchange(std::size_t at, std::vector<int>& steps, RingDistances& distances) {
    int best = steps[at];
    for (const int candidate : candidates_) {
      if (std::find(steps.begin(), steps.end(), candidate) != steps.end()) continue;
      const int before = std::exchange(steps[at], candidate);
      const RingDistances here = measure(steps, distances);
      steps[at] = before;
      if (here < distances) {
        distances = here;
        best = candidate;
      }
    }
    steps[at] = best;
  }

  int n_;
  int free_;  // number of steps besides 1
  bool bidirectional_;
  std::vector<int> candidates_;
  Reached reached_;
  ChosenSteps best_;
  std::int64_t measured_ = 0;
};

}  // namespace

std::vector<int> totient_steps(int n) {
  std::vector<int> steps;
  for (int step = 1; step < n; ++step) {
    if (n > kAllSteps && step > 1 && !is_prime(step)) continue;
    if (std::gcd(step, n) == 1) steps.push_back(step);
  }
  return steps;
}

RingDistances ring_distances(int n, std::span<const int> steps, bool bidirectional) {
  if (n < 2) return {};
  return Reached(n).measure(steps, bidirectional, kUnlimited);
}

ChosenSteps choose_steps(int n, int rings, bool bidirectional, StepChoice choice) {
  LOOM_CHECK(n >= 2 && rings >= 1, "a ring has at least two members");
  const std::vector<int> candidates = candidate_steps(n, bidirectional);
  const int distinct = std::min(rings, static_cast<int>(candidates.size()));
  ChosenSteps chosen;
  if (choice == StepChoice::geometric) {
    chosen.steps = geometric_steps(n, distinct, candidates);
    chosen.distances = ring_distances(n, chosen.steps, bidirectional);
  } else {
    chosen = StepSearch(n, distinct, bidirectional, candidates).run();
  }
  for (int i = distinct; i < rings; ++i) {
    chosen.steps.push_back(chosen.steps[static_cast<std::size_t>(i - distinct)]);
  }
  return chosen;
}

}  // namespace loom::fabric
