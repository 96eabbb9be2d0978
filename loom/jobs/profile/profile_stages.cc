#include "loom/jobs/profile/profile_stages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "loom/base/error.h"

namespace loom::jobs {
namespace {

// A slice of the iteration and the bits that each link carries in it, by link index.
struct Slice {
  Duration length{0};
  std::map<int, double> bits;

  double rate(double of_bits) const {
    return length.count() == 0 ? 0 : of_bits / static_cast<double>(length.count());
  }
};

void append(Slice& slice, const Slice& other) {
  slice.length += other.length;
  for (const auto& it : other.bits) slice.bits[it.first] += it.second;
}

// The bits that a merge of the two slices moves in time, over all links.
double moved_bits(const Slice& a, const Slice& b) {
  const auto here = static_cast<double>(a.length.count());
  const auto there = static_cast<double>(b.length.count());
  const auto difference = [&](double in_a, double in_b) {
    return std::abs(in_a * there - in_b * here) / (here + there);
  };
  double sum = 0;
  for (const auto& it : a.bits) {
    const auto other = b.bits.find(it.first);
    sum += difference(it.second, other == b.bits.end() ? 0 : other->second);
  }
  for (const auto& it : b.bits) {
    if (!a.bits.contains(it.first)) sum += difference(0, it.second);
  }
  return sum;
}

// The slices between consecutive changes; consecutive slivers are joined into one slice.
class Slices {
 public:
  Slices(TimePoint begin, TimePoint end, Duration sliver)
      : now_(begin), end_(end), sliver_(sliver) {}

  void change(const LoadChange& it) {
    if (it.at > now_) go_to(std::min(it.at, end_));
    if (it.load.bits_per_second > 0) {
      loads_[it.link] = it.load;
    } else {
      loads_.erase(it.link);
    }
  }

  std::vector<Slice> finish() {
    if (end_ > now_) go_to(end_);
    close();
    return std::move(slices_);
  }

 private:
  void go_to(TimePoint at) {
    Slice slice;
    slice.length = at - now_;
    for (const auto& it : loads_) {
      slice.bits[it.first] = static_cast<double>(it.second.bits_per_second) * seconds(slice.length);
    }
    now_ = at;
    if (slice.length >= sliver_) {
      close();
      slices_.push_back(std::move(slice));
      return;
    }
    append(row_, slice);
    if (row_.length >= sliver_) close();
  }

  void close() {
    if (row_.length.count() > 0) slices_.push_back(std::exchange(row_, {}));
  }

  TimePoint now_;
  TimePoint end_;
  Duration sliver_;
  std::map<int, Bandwidth> loads_;
  Slice row_;
  std::vector<Slice> slices_;
};

// Merges the most similar adjacent slices until at most max_stages are left and every further merge
// would move more than the tolerance.
void merge_similar(std::vector<Slice>& slices, const StageOptions& options) {
  double all = 0;
  for (const Slice& it : slices) {
    for (const auto& link : it.bits) all += link.second;
  }
  std::vector<double> moved;
  for (std::size_t i = 0; i + 1 < slices.size(); ++i) {
    moved.push_back(moved_bits(slices[i], slices[i + 1]));
  }
  while (!moved.empty()) {
    const auto smallest = std::min_element(moved.begin(), moved.end());
    if (slices.size() <= options.max_stages && *smallest > options.tolerance * all) break;
    const auto i = static_cast<std::size_t>(smallest - moved.begin());
    append(slices[i], slices[i + 1]);
    slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    moved.erase(smallest);
    if (i < moved.size()) moved[i] = moved_bits(slices[i], slices[i + 1]);
    if (i > 0) moved[i - 1] = moved_bits(slices[i - 1], slices[i]);
  }
}

ProfileStage stage_of(const Slice& slice) {
  ProfileStage stage;
  stage.length = slice.length;
  for (const auto& it : slice.bits) {
    const auto rate = static_cast<std::int64_t>(slice.rate(it.second) * 1e12);
    if (rate > 0) stage.rates.push_back({it.first, {rate}});
  }
  return stage;
}

}  // namespace

std::vector<ProfileStage> profile_stages(const std::vector<LoadChange>& changes, TimePoint begin,
                                         TimePoint end, const StageOptions& options) {
  LOOM_CHECK(end > begin, "an iteration takes more than 0");
  Slices collect(begin, end, (end - begin) / options.slivers);
  for (const LoadChange& it : changes) {
    if (it.at < end) collect.change(it);
  }
  std::vector<Slice> slices = collect.finish();
  merge_similar(slices, options);
  std::vector<ProfileStage> stages;
  for (const Slice& it : slices) stages.push_back(stage_of(it));
  return stages;
}

}  // namespace loom::jobs
