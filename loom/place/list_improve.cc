#include "loom/place/list_improve.h"

#include <algorithm>

namespace loom::place {
namespace {

using Places = std::vector<std::vector<int>>;

// Budget of the search: number of operators placed, summed over all schedules tried. Takes about
// 0.1 s.
constexpr std::size_t kMaxPlacements = 5000;

class Improver {
 public:
  Improver(GroupPlacement start, const parallelize::Job& job, const ListRule& rule)
      : best_(std::move(start)), job_(job), rule_(rule) {
    tries_ = kMaxPlacements / std::max<std::size_t>(1, best_.operators.size());
    for (std::size_t op = 0; op < best_.operators.size(); ++op) {
      const int beside = best_.operators[op].beside;
      first_.push_back(beside < 0 ? op : first_[static_cast<std::size_t>(beside)]);
      family_.emplace_back();
      family_[first_[op]].push_back(op);
      together_.push_back({op});
      for (const int input : best_.operators[op].inputs) {
        together_[op].push_back(static_cast<std::size_t>(input));
        together_[static_cast<std::size_t>(input)].push_back(op);
      }
    }
  }

  GroupPlacement run() {
    if (tries_ < best_.operators.size() || rule_.devices == 1) return std::move(best_);
    all_on_one();
    while (round()) {
    }
    return std::move(best_);
  }

 private:
  bool whole(std::size_t op) const { return best_.operators[op].shards.size() == 1; }

  // Moves the operator, and all unpartitioned operators of its family, to a device.
  void move(Places& places, std::size_t op, int device) const {
    for (const std::size_t it : family_[first_[op]]) {
      if (whole(it)) places[it] = {device};
    }
  }

  bool attempt(const Places& places) {
    if (tries_ == 0 || places == best_.devices) return false;
    --tries_;
    auto next = schedule_as(best_.operators, places, job_, rule_);
    if (!next || next->length >= best_.length) return false;
    best_ = std::move(*next);
    return true;
  }

  void all_on_one() {
    Places places = best_.devices;
    for (std::size_t op = 0; op < places.size(); ++op) {
      if (whole(op)) places[op] = {0};
    }
    attempt(places);
  }

  // Tries to move each operator to each device. Returns whether the schedule became shorter and the
  // budget allows another round.
  bool round() {
    bool shorter = false;
    for (std::size_t op = 0; op < best_.operators.size(); ++op) {
      if (!whole(op)) continue;
      for (int device = 0; device < rule_.devices; ++device) {
        Places isolated = best_.devices;
        move(isolated, op, device);
        shorter = attempt(isolated) || shorter;
        Places all = best_.devices;
        for (const std::size_t it : together_[op]) {
          if (whole(it)) move(all, it, device);
        }
        shorter = attempt(all) || shorter;
        shorter = with_each(op, device) || shorter;
      }
    }
    return shorter && tries_ > 0;
  }

  bool with_each(std::size_t op, int device) {
    bool shorter = false;
    for (const std::size_t other : together_[op]) {
      Places both = best_.devices;
      move(both, op, device);
      if (whole(other)) move(both, other, device);
      shorter = attempt(both) || shorter;
    }
    return shorter;
  }

  GroupPlacement best_;
  const parallelize::Job& job_;
  const ListRule& rule_;
  std::size_t tries_ = 0;
  std::vector<std::size_t> first_;                  // first operator of each operator's family
  std::vector<std::vector<std::size_t>> family_;    // operators with shared weights, by the first
  std::vector<std::vector<std::size_t>> together_;  // each operator with its inputs and readers
};

}  // namespace

GroupPlacement improve(GroupPlacement start, const parallelize::Job& job, const ListRule& rule) {
  return Improver(std::move(start), job, rule).run();
}

}  // namespace loom::place
