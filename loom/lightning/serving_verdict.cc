#include "loom/lightning/serving_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loom::lightning {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.3g} ms", seconds * 1e3); }

// The mean with its confidence interval; without an interval for a single run.
std::string interval(const photonic::Estimate& it) {
  return it.runs < 2 ? fmt::format("{:.3g}", it.mean)
                     : fmt::format("{:.3g}±{:.2g}", it.mean, it.half);
}

// Lists the networks that processor `a` answers faster, and slower, than processor `b` without
// contention.
std::string isolated_line(const ServingResult& result, std::size_t a, std::size_t b) {
  std::vector<std::string> sooner;
  std::vector<std::string> later;
  for (const int model : result.spec.mix) {
    const auto at = static_cast<std::size_t>(model);
    const double ratio = result.isolated[b][at] / result.isolated[a][at];
    const std::string& name = result.spec.models[at].name;
    if (ratio >= 1) sooner.push_back(fmt::format("{} ({:.3g}x)", name, ratio));
    if (ratio < 1) later.push_back(fmt::format("{} ({:.3g}x)", name, 1 / ratio));
  }
  const auto list = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
  };
  return fmt::format("Uncontended, {} vs. {}: faster on {}; slower on {}.",
                     photonic::name_of(result.spec.processors[a]),
                     photonic::name_of(result.spec.processors[b]), list(sooner), list(later));
}

// Lists the ratios of one processor at the loads at which it is stable, then the loads at which it
// is overloaded.
std::string load_line(const ServingResult& result, const std::string& name) {
  std::string stable;
  std::string unstable;
  for (const photonic::ServingPoint& it : result.points) {
    if (it.processor != name || it.horizon != result.spec.horizons.front()) continue;
    if (it.stable()) {
      stable += fmt::format("{}{} at {}", stable.empty() ? "" : ", ", interval(it.ratio),
                            readable(it.load));
    } else {
      unstable += fmt::format("{}{} ({:.3g} times its capacity)", unstable.empty() ? "" : ", ",
                              readable(it.load), it.offered);
    }
  }
  std::string line = fmt::format("{}: ratio {}", name, stable.empty() ? "at no load here" : stable);
  line += unstable.empty() ? "." : fmt::format("; no steady state at {}.", unstable);
  return line;
}

// Lists the ratios of one processor by horizon, at the first load.
std::string horizon_line(const ServingResult& result, const std::string& name) {
  std::string line;
  for (const photonic::ServingPoint& it : result.points) {
    if (it.processor != name || it.load != result.spec.loads.front()) continue;
    line += fmt::format("{}{:.3g} after {}", line.empty() ? "" : ", ", it.ratio.mean, it.horizon);
  }
  return fmt::format("{} at {} by horizon: ratio {} requests.", name,
                     readable(result.spec.loads.front()), line);
}

// Compares the first processor with another; `ratio` is the other's value relative to the first.
std::string versus(const photonic::Estimate& ratio, std::string_view what) {
  if (ratio.runs < 2) return fmt::format("{} in a ratio of {:.3g} (one run)", what, ratio.mean);
  const double low = ratio.mean - ratio.half;
  const double high = ratio.mean + ratio.half;
  if (low > 1) {
    return fmt::format("{:.3g} times less {} (interval {:.3g} to {:.3g})", ratio.mean, what, low,
                       high);
  }
  if (high < 1) {
    return fmt::format("{:.3g} times more {} (interval {:.3g} to {:.3g})", 1 / ratio.mean, what,
                       1 / high, 1 / low);
  }
  return fmt::format("no difference in {} is shown (interval {:.3g} to {:.3g})", what, low, high);
}

// Compares time and energy of two processors at the highest load that both can sustain.
std::string contest_line(const ServingResult& result, const std::string& a, const std::string& b) {
  const photonic::ServingPoint* one = nullptr;
  const photonic::ServingPoint* other = nullptr;
  for (const photonic::ServingPoint& it : result.points) {
    if (it.horizon != result.spec.horizons.front() || it.processor != a || !it.stable()) continue;
    if (one != nullptr && it.load <= one->load) continue;
    const auto found = std::find_if(
        result.points.begin(), result.points.end(), [&](const photonic::ServingPoint& point) {
          return point.processor == b && point.load == it.load && point.horizon == it.horizon;
        });
    if (found == result.points.end() || !found->stable()) continue;
    one = &it;
    other = &*found;
  }
  if (one == nullptr) return fmt::format("{} and {} have no load that both can sustain.", a, b);
  return fmt::format(
      "At {}, the highest load that both can sustain, {} vs. {} over all requests: {}; {}; "
      "99th percentiles {} and {}.",
      readable(one->load), a, b, versus(other->mean_ratio, "mean time"),
      versus(other->energy_ratio, "energy"), milliseconds(one->p99_seconds),
      milliseconds(other->p99_seconds));
}

}  // namespace

std::vector<std::string> serving_verdict(const ServingResult& result) {
  std::vector<std::string> lines;
  std::vector<std::string> names;
  for (const auto& it : result.spec.processors) names.push_back(photonic::name_of(it));
  const bool first_is_lightning = names.front().starts_with("Lightning");
  for (std::size_t p = 1; p < names.size() && first_is_lightning; ++p) {
    if (names[p].ends_with("-fair")) lines.push_back(isolated_line(result, 0, p));
  }
  const auto fed = std::find(names.begin(), names.end(), "Lightning-fed");
  for (std::size_t p = 0; p < names.size() && fed != names.end(); ++p) {
    if (!names[p].ends_with("-fair")) continue;
    lines.push_back(isolated_line(result, static_cast<std::size_t>(fed - names.begin()), p));
  }
  for (std::size_t p = 1; p < names.size(); ++p) lines.push_back(load_line(result, names[p]));
  for (std::size_t p = 1; p < names.size(); ++p) {
    if (result.spec.horizons.size() > 1) lines.push_back(horizon_line(result, names[p]));
  }
  for (std::size_t p = 1; p < names.size(); ++p) {
    if (names[p].ends_with("-fair")) {
      lines.push_back(contest_line(result, names.front(), names[p]));
    }
  }
  return lines;
}

}  // namespace loom::lightning
