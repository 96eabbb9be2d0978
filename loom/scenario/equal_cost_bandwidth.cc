#include "loom/scenario/equal_cost_bandwidth.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "loom/cost/bill.h"
#include "loom/cost/same_cost.h"
#include "loom/scenario/fabric_costs.h"

namespace loom::scenario {
namespace {

constexpr std::string_view kSameCost = "same_cost_as";
constexpr std::string_view kSamePower = "same_power_as";

std::string label_of(const Tree& fabric) {
  for (const std::string_view key : {"name", "kind"}) {
    const Tree* found = fabric.find(key);
    if (found != nullptr && found->kind == Tree::Kind::scalar) return found->text;
  }
  return "";
}

// A bandwidth to compute: its key, and the fabric whose cost or power the result must match.
struct Asked {
  std::string key;
  std::string_view same;  // kSameCost or kSamePower
  std::string other;      // name of the other fabric
  SourceLocation location;
  const Tree* described = nullptr;  // the other fabric, if described in place

  bool of_power() const { return same == kSamePower; }
  // The amount to match: microdollars or microwatts.
  std::int64_t amount(const cost::Cost& cost) const {
    return of_power() ? cost.power.microwatts : cost.price.microdollars;
  }
  std::string costs(std::int64_t amount) const {
    return of_power() ? "draws " + readable(Power{amount}) : "costs " + readable(Money{amount});
  }
};

// The other fabric in a bandwidth's map, and the key that names it.
std::pair<std::string_view, const Tree*> other_in(const Tree& value) {
  if (value.kind != Tree::Kind::map) return {};
  for (const std::string_view same : {kSameCost, kSamePower}) {
    if (const Tree* other = value.find(same)) return {same, other};
  }
  return {};
}

std::optional<Asked> asked_in(const Tree& fabric) {
  std::optional<Asked> asked;
  for (const auto& [key, value] : fabric.entries) {
    const auto [same, other] = other_in(value);
    if (other == nullptr) continue;
    const bool described = other->kind == Tree::Kind::map;
    const bool named = other->kind == Tree::Kind::scalar && !other->text.empty();
    if (value.entries.size() != 1 || !(described || named)) {
      throw InputError(value.location,
                       fmt::format("fabric.{} is a map; {{{}: NAME or a fabric}} is "
                                   "needed",
                                   key, same));
    }
    if (asked) {
      throw InputError(value.location,
                       fmt::format("fabric.{} and fabric.{} are both to be computed; a "
                                   "value for one of them is needed",
                                   asked->key, key));
    }
    asked = {key, same, described ? label_of(*other) : other->text, other->location,
             described ? other : nullptr};
  }
  return asked;
}

const Tree* fabric_in(const PointTree& point) {
  const Tree* fabric = point.scenario.find("fabric");
  return fabric != nullptr && fabric->kind == Tree::Kind::map ? fabric : nullptr;
}

// The values of all axes outside the fabric. Two fabrics are compared only at points with equal
// values.
std::string surroundings(const PointTree& point) {
  std::string text;
  for (const auto& [path, value] : point.axes) {
    if (!path.starts_with("fabric.")) text += fmt::format("{}={}\n", path, value);
  }
  return text;
}

// Computes the cost of variants of a point's fabric, with the point's prices and number of devices.
class FabricPricing {
 public:
  FabricPricing(const PointTree& point, const Asked& asked)
      : asked_(asked), settings_(scenario_settings(point.scenario)), prices_(prices_of(settings_)) {
    if (!settings_.given("gpus")) {
      throw InputError(settings_.location(), fmt::format("scenario lacks 'gpus' (devices in the "
                                                         "cluster), which {} needs",
                                                         asked.same));
    }
  }

  // Throws InputError if the fabric cannot be built.
  std::int64_t cost(const Tree& fabric) const {
    return asked_.amount(cost_of(bill(fabric), prices_, fabric.location));
  }

  std::optional<std::int64_t> cost_if_built(const Tree& fabric) const {
    const std::optional<fabric::Bill> components = bill_if_built(fabric);
    if (!components) return std::nullopt;
    return asked_.amount(cost_of(*components, prices_, fabric.location));
  }

  std::optional<fabric::Bill> bill_if_built(const Tree& fabric) const {
    try {
      return bill(fabric);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  bool refuses() const { return prices_.between == cost::BetweenRates::refuse; }

 private:
  fabric::Bill bill(const Tree& fabric) const {
    return cost::bill_of(fabric::read_fabric(fabric),
                         {static_cast<int>(settings_.integer("gpus")),
                          static_cast<std::uint64_t>(settings_.integer("seed")),
                          {},
                          prices_.floor});
  }

  const Asked& asked_;
  Settings settings_;
  cost::PriceTable prices_;
};

Tree with_bandwidth(Tree fabric, const Asked& asked, Bandwidth bandwidth) {
  *fabric.find(asked.key) = scalar_tree(exact(bandwidth), asked.location);
  return fabric;
}

// Refuses a fabric that is within the budget again at a bandwidth above `found`, up to twice as
// high: its cost does not rise with bandwidth, so `found` is not the highest one. A fabric that
// chooses components itself can behave so, such as a ring that chooses its number of fibers.
void check_rising(const Tree& fabric, const Asked& asked, const FabricPricing& pricing,
                  Bandwidth found, std::int64_t budget) {
  constexpr int kProbes = 16;
  for (int i = 1; i <= kProbes; ++i) {
    const std::int64_t more = found.bits_per_second / kProbes * i;
    const Tree faster = with_bandwidth(fabric, asked, {found.bits_per_second + more});
    const std::optional<std::int64_t> cost = pricing.cost_if_built(faster);
    if (!cost || *cost > budget) continue;
    throw InputError(
        asked.location,
        fmt::format("{} {} less at {} than at a lower bandwidth, because it chooses some of "
                    "its components itself; values for those are needed, such as fibers",
                    label_of(fabric), asked.of_power() ? "draws" : "costs",
                    faster.find(asked.key)->text));
  }
}

// The lowest bandwidth with the same bill of materials as `found`. The components cannot use the
// bandwidth between the two: a ring, for example, has an integer number of wavelengths.
Bandwidth min_with_same_components(const Tree& fabric, const Asked& asked,
                                   const FabricPricing& pricing, Bandwidth found) {
  constexpr std::int64_t kStep = 1'000'000;  // the step of largest_bandwidth()
  const auto components = pricing.bill_if_built(with_bandwidth(fabric, asked, found));
  const auto same_at = [&](std::int64_t steps) {
    return pricing.bill_if_built(with_bandwidth(fabric, asked, {steps * kStep})) == components;
  };
  std::int64_t high = found.bits_per_second / kStep;
  if (high < 2 || !same_at(high - 1)) return found;
  std::int64_t low = 0;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (same_at(middle) ? high : low) = middle;
  }
  return {high * kStep};
}

struct Bought {
  Bandwidth bandwidth;
  std::optional<Infeasible> unaffordable = {};
};

// The fabric at the lowest cost that it can have, if even that exceeds the budget.
Bought cheapest(const Asked& asked, const FabricPricing& pricing, const Tree& fabric,
                Bandwidth lowest, std::int64_t budget) {
  const auto at = [&](Bandwidth b) { return with_bandwidth(fabric, asked, b); };
  const std::int64_t min_cost = pricing.cost(at(lowest));
  const cost::SameCost highest =
      cost::largest_bandwidth(min_cost, [&](Bandwidth b) { return pricing.cost_if_built(at(b)); });
  const bool known = highest.outcome == cost::Affordable::found;
  return {known ? highest.bandwidth : lowest,
          Infeasible{fmt::format("{} {} at least, but {} {}", label_of(fabric),
                                 asked.costs(min_cost), asked.other, asked.costs(budget))}};
}

Bought bought(const Tree& fabric, const Asked& asked, const FabricPricing& pricing,
              std::int64_t budget) {
  const auto at = [&](Bandwidth b) { return with_bandwidth(fabric, asked, b); };
  const cost::SameCost found =
      cost::largest_bandwidth(budget, [&](Bandwidth b) { return pricing.cost_if_built(at(b)); });
  switch (found.outcome) {
    case cost::Affordable::found:
      break;
    case cost::Affordable::impossible:
      pricing.cost(at({100'000'000'000}));  // throws the reason
      break;
    case cost::Affordable::too_dear:
      return cheapest(asked, pricing, fabric, found.bandwidth, budget);
    case cost::Affordable::unlimited:
      throw InputError(
          asked.location,
          fmt::format("{} {}, more than {} can at any bandwidth; a fabric that {} less "
                      "is needed",
                      asked.other, asked.costs(budget), label_of(fabric),
                      asked.of_power() ? "draws" : "costs"));
  }
  check_rising(fabric, asked, pricing, found.bandwidth, budget);
  return {min_with_same_components(fabric, asked, pricing, found.bandwidth)};
}

// Computes the bandwidth of a point. Returns one point for each variant of the other fabric in
// `others`.
std::vector<PointTree> resolved(const PointTree& point, const Asked& asked,
                                const std::vector<const PointTree*>& others) {
  const Tree& fabric = *fabric_in(point);
  const FabricPricing pricing(point, asked);
  if (pricing.refuses()) {
    throw InputError(asked.location,
                     fmt::format("{} needs prices between the listed rates; between: lanes "
                                 "or linear is needed in the price file",
                                 asked.same));
  }
  std::vector<PointTree> points;
  for (const PointTree* other : others) {
    const Tree& reference = *fabric_in(*other);
    if (asked_in(reference)) {
      throw InputError(asked.location,
                       fmt::format("the bandwidth of {} is itself to be computed; a fabric with "
                                   "a given bandwidth is needed",
                                   asked.other));
    }
    Bought result = bought(fabric, asked, pricing, FabricPricing(*other, asked).cost(reference));
    PointTree found = point;
    *found.scenario.find("fabric") = with_bandwidth(fabric, asked, result.bandwidth);
    found.axes.emplace_back("fabric." + asked.key, exact(result.bandwidth));
    found.unaffordable = std::move(result.unaffordable);
    points.push_back(std::move(found));
  }
  return points;
}

}  // namespace

std::vector<PointTree> with_bought_bandwidths(std::vector<PointTree> points) {
  std::map<std::string, std::vector<const PointTree*>> by_name;
  bool any = false;
  for (const PointTree& point : points) {
    const Tree* fabric = fabric_in(point);
    if (fabric == nullptr) continue;
    by_name[surroundings(point) + label_of(*fabric)].push_back(&point);
    any = any || asked_in(*fabric);
  }
  if (!any) return points;
  std::vector<PointTree> all;
  for (const PointTree& point : points) {
    const Tree* fabric = fabric_in(point);
    const auto asked = fabric == nullptr ? std::nullopt : asked_in(*fabric);
    if (!asked) {
      all.push_back(point);
      continue;
    }
    PointTree other = point;
    if (asked->described != nullptr) *other.scenario.find("fabric") = *asked->described;
    const auto others = asked->described != nullptr ? std::vector<const PointTree*>{&other}
                                                    : by_name[surroundings(point) + asked->other];
    if (others.empty()) {
      throw InputError(asked->location,
                       fmt::format("fabric.{} has the same {} as {}; the name of "
                                   "another fabric is needed",
                                   asked->key, asked->of_power() ? "power" : "cost", asked->other));
    }
    for (PointTree& it : resolved(point, *asked, others)) all.push_back(std::move(it));
    if (all.size() > kMaxPoints) {
      throw InputError(asked->location,
                       fmt::format("the lists make more than {} points; fewer values "
                                   "are needed",
                                   kMaxPoints));
    }
  }
  return all;
}

}  // namespace loom::scenario
