#include "loom/reproduce/grid_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "loom/base/error.h"
#include "loom/base/settings.h"
#include "loom/reproduce/metric.h"

namespace loom::reproduce {
namespace {

constexpr std::array<std::string_view, 2> kExtremes = {"max", "min"};
constexpr std::array<std::string_view, 3> kSelectors = {"of", "over", "where"};

constexpr auto kGridClaim = claim_parameters(
    kReportMeasure,
    {{.name = "before",
      .type = ValueType::text,
      .summary = "axis on which `over` has the previous value"},
     {.name = "each", .type = ValueType::text, .summary = "axis of the groups of ratios"},
     {.name = "take",
      .type = ValueType::choice,
      .summary = "minimum or maximum of the ratios, for each value of `each`",
      .fallback = "max",
      .choices = kExtremes},
     {.name = "then",
      .type = ValueType::choice,
      .summary = "minimum or maximum of these over the values of `each`",
      .fallback = "min",
      .choices = kExtremes}});

// The selected values by axis. The word `last` selects the last value that the axis has in this
// run, which may be reduced.
using Selector = std::map<int, std::set<std::string>>;

int axis_of(const PaperGrid& grid, const std::string& name, const SourceLocation& location) {
  const int axis = grid.axis(name);
  if (axis < 0) throw InputError(location, fmt::format("there is no axis '{}'", name));
  return axis;
}

Selector read_selector(const Tree& claim, std::string_view key, const PaperGrid& grid) {
  Selector selector;
  const Tree* map = claim.find(key);
  for (const TreeEntry& entry : map == nullptr ? std::vector<TreeEntry>{} : map->entries) {
    const int axis = axis_of(grid, entry.key, entry.value.location);
    auto& values = selector[axis];
    const std::string& text = entry.value.text;
    const std::string& last = grid.axes[static_cast<std::size_t>(axis)].values.back().name;
    if (entry.value.kind == Tree::Kind::scalar) values.insert(text == "last" ? last : text);
    for (const Tree& item : entry.value.items) values.insert(item.text);
  }
  return selector;
}

bool matches(const PaperGrid& grid, const GridPoint& point, const Selector& selector) {
  return std::all_of(selector.begin(), selector.end(), [&](const auto& it) {
    return it.second.count(grid.value(point, it.first)) > 0;
  });
}

class GridClaim {
 public:
  GridClaim(const ClaimEntry& claim, const PaperGrid& grid, const std::vector<run::Report>& reports)
      : measure_(claim.claim.measure),
        settings_(claim.settings),
        grid_(grid),
        reports_(reports),
        where_(read_selector(*claim.map, "where", grid)),
        of_(read_selector(*claim.map, "of", grid)),
        over_(read_selector(*claim.map, "over", grid)),
        divides_(claim.map->find("over") != nullptr) {
    if (settings_.given("before")) before_ = axis("before");
    if (settings_.given("each")) each_ = axis("each");
  }

  Found found() const {
    const Extreme decided = taken();
    return {.value = decided.value, .at = decided.at, .reason = reason(decided)};
  }

 private:
  using Key = std::vector<int>;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Lowest {
    double value = 0;
    std::size_t point = kNone;
  };
  struct Extreme {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::string at;
    std::size_t of = kNone;  // the points with this ratio
    std::size_t over = kNone;
  };

  int axis(std::string_view key) const {
    return axis_of(grid_, settings_.text(key), settings_.location(key));
  }

  // The coordinates that a point of `of` and one of `over` must share to form a ratio; -1 on axes
  // that `of` or `over` selects. With `before`, a point of `over` counts at the next value of that
  // axis.
  Key key_of(const GridPoint& point, bool over) const {
    Key key = point.at;
    for (int a = 0; a < static_cast<int>(key.size()); ++a) {
      if (of_.count(a) + over_.count(a) > 0) key[static_cast<std::size_t>(a)] = -1;
    }
    if (over && before_ >= 0) ++key[static_cast<std::size_t>(before_)];
    return key;
  }

  std::map<Key, Lowest> lowest(const Selector& selector, bool over) const {
    std::map<Key, Lowest> found;
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const GridPoint& point = grid_.points[i];
      if (!matches(grid_, point, where_) || !matches(grid_, point, selector)) continue;
      const double value = measure(reports_[i], measure_);
      if (std::isnan(value)) continue;
      const auto [at, first] = found.emplace(key_of(point, over), Lowest{value, i});
      if (!first && value < at->second.value) at->second = {value, i};
    }
    return found;
  }

  std::string place_of(const Key& key) const {
    std::string text;
    for (std::size_t a = 0; a < key.size(); ++a) {
      if (key[a] < 0 || grid_.axes[a].values.size() < 2) continue;
      text += fmt::format("{}{}", text.empty() ? "" : ", ",
                          grid_.axes[a].values[static_cast<std::size_t>(key[a])].name);
    }
    return text;
  }

  static void keep(Extreme& kept, const std::string& which, const Extreme& other) {
    const bool better = which == "max" ? other.value > kept.value : other.value < kept.value;
    if (std::isnan(kept.value) || better) kept = other;
  }

  // The time breakdown of the points with the ratio found.
  std::string reason(const Extreme& decided) const {
    if (decided.of == kNone) return "no point has a result";
    std::string text = shares(decided.of);
    if (decided.over != kNone) text += " over " + shares(decided.over);
    return text;
  }

  std::string shares(std::size_t point) const {
    const run::Report& report = reports_[point];
    std::string text;
    for (const auto& chosen : of_) {
      text += (text.empty() ? "" : ", ") + grid_.value(grid_.points[point], chosen.first);
    }
    const run::TrainingReport* job = report.trained();
    if (job == nullptr || job->explanation.stages.empty()) return text;
    const run::Explanation& it = job->explanation;
    std::vector<run::TimeShare> time_shares = it.stages[it.busiest].shares;
    std::stable_sort(
        time_shares.begin(), time_shares.end(),
        [](const run::TimeShare& a, const run::TimeShare& b) { return a.time > b.time; });
    constexpr std::size_t kShown = 3;
    text += fmt::format(" ({}:", strategy_text(*job));
    for (std::size_t i = 0; i < std::min(kShown, time_shares.size()); ++i) {
      text += fmt::format("{} {} {:.0f} %", i == 0 ? "" : ",", time_shares[i].name,
                          100 * static_cast<double>(time_shares[i].time.count()) /
                              static_cast<double>(job->iteration_time.count()));
    }
    return text + ")";
  }

  Extreme taken() const {
    const std::map<Key, Lowest> of = lowest(of_, false);
    const std::map<Key, Lowest> over = divides_ ? lowest(over_, true) : std::map<Key, Lowest>{};
    std::map<int, Extreme> each;
    for (const auto& it : of) {
      Extreme here{it.second.value, place_of(it.first), it.second.point, kNone};
      if (divides_) {
        const auto found = over.find(it.first);
        if (found == over.end()) continue;
        here.value /= found->second.value;
        here.over = found->second.point;
      }
      const int group = each_ < 0 ? 0 : it.first[static_cast<std::size_t>(each_)];
      keep(each[group], settings_.text("take"), here);
    }
    Extreme last;
    for (const auto& it : each) keep(last, settings_.text("then"), it.second);
    return last;
  }

  const std::string& measure_;
  const Settings& settings_;
  const PaperGrid& grid_;
  const std::vector<run::Report>& reports_;
  Selector where_;
  Selector of_;
  Selector over_;
  bool divides_;
  int before_ = -1;
  int each_ = -1;
};

}  // namespace

std::vector<ClaimEntry> read_grid_claims(const Tree& section) {
  return read_claims(section, kGridClaim, kSelectors);
}

Found measure_grid(const ClaimEntry& claim, const PaperGrid& grid,
                   const std::vector<run::Report>& reports) {
  return GridClaim(claim, grid, reports).found();
}

}  // namespace loom::reproduce
