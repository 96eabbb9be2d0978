#include "loom/place/more_iterations.h"

#include <algorithm>

namespace loom::place {
namespace {

class Repetition {
 public:
  Repetition(const workload::Workload& workload, std::span<const OperationTag> tags) {
    job_.workload = workload;
    job_.tags.assign(tags.begin(), tags.end());
    for (const OperationTag& tag : tags) last_ = std::max<int>(last_, tag.iteration);
    position_.resize(tags.size());
    for (std::uint32_t o = 0; o < tags.size(); ++o) {
      auto* const list = list_of(tags[o].iteration);
      if (list == nullptr) continue;
      position_[o] = static_cast<std::uint32_t>(list->size());
      list->push_back(o);
    }
  }

  bool possible() const {
    if (last_ < 1 || before_.size() != current_.size() || !job_.workload.names.empty())
      return false;
    for (std::size_t p = 0; p < current_.size(); ++p) {
      const workload::Operation& now = job_.workload.operations[current_[p]];
      const workload::Operation& then = job_.workload.operations[before_[p]];
      if (now.kind != then.kind || now.start.count() > 0) return false;
      for (const std::uint32_t after : job_.workload.waits_for(current_[p])) {
        if (job_.tags[after].iteration < last_ - 1) return false;
      }
    }
    return true;
  }

  // Appends a copy of the last iteration, which becomes the last.
  void repeat() {
    std::vector<std::uint32_t> added;
    const auto begin = static_cast<std::uint32_t>(job_.workload.operations.size());
    const auto moved = [&](std::uint32_t o) {
      return job_.tags[o].iteration == last_ ? begin + position_[o] : current_[position_[o]];
    };
    for (const std::uint32_t o : current_) {
      workload::Operation copy = job_.workload.operations[o];
      std::vector<std::uint32_t> after;
      for (const std::uint32_t it : job_.workload.waits_for(o)) after.push_back(moved(it));
      if (copy.behind >= 0) {
        copy.behind = static_cast<std::int32_t>(moved(static_cast<std::uint32_t>(copy.behind)));
      }
      copy.first_after = static_cast<std::uint32_t>(job_.workload.after.size());
      job_.workload.after.insert(job_.workload.after.end(), after.begin(), after.end());
      added.push_back(static_cast<std::uint32_t>(job_.workload.operations.size()));
      job_.workload.operations.push_back(copy);
      OperationTag tag = job_.tags[o];
      ++tag.iteration;
      job_.tags.push_back(tag);
      position_.push_back(position_[o]);
    }
    before_ = std::move(current_);
    current_ = std::move(added);
    ++last_;
  }

  int iterations() const { return last_ + 1; }

  LoweredJob take() {
    job_.iterations = iterations();
    return std::move(job_);
  }

 private:
  std::vector<std::uint32_t>* list_of(int iteration) {
    return iteration == last_ ? &current_ : iteration == last_ - 1 ? &before_ : nullptr;
  }

  LoweredJob job_;
  int last_ = 0;
  std::vector<std::uint32_t> before_;    // operations of the last iteration but one
  std::vector<std::uint32_t> current_;   // operations of the last iteration
  std::vector<std::uint32_t> position_;  // per operation: position in its iteration
};

}  // namespace

std::optional<LoweredJob> more_iterations(const workload::Workload& workload,
                                          std::span<const OperationTag> tags, int iterations) {
  Repetition repetition(workload, tags);
  if (!repetition.possible()) return std::nullopt;
  while (repetition.iterations() < iterations) repetition.repeat();
  return repetition.take();
}

}  // namespace loom::place
