#include "loom/report/chart/circles.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "loom/base/error.h"
#include "loom/report/chart/sector.h"
#include "loom/report/chart/svg.h"

namespace loom::report {
namespace {

constexpr double kCirclesWidth = 1140;
constexpr double kCirclesEdge = 28;
constexpr double kTitleHeight = 64;
constexpr double kRowHeight = 424;
constexpr double kJobsWidth = 250;
constexpr double kJobRadius = 44;
constexpr double kInner = 62;     // inner radius of a link's circle
constexpr double kOuter = 144;    // radius of the highest load
constexpr double kMinTop = 1.25;  // minimum end of the scale, in capacities
constexpr std::string_view kExcess = "#c1121f";
constexpr std::string_view kTrack = "#f1f1f4";
constexpr std::string_view kCapacity = "#222";
constexpr std::size_t kMaxPieces = 1440;  // maximum pieces of a circle: a quarter of a degree each
constexpr std::size_t kMaxJobsShown = 6;

std::int64_t modulo(std::int64_t value, std::int64_t length) {
  const std::int64_t rest = value % length;
  return rest < 0 ? rest + length : rest;
}

double rate_at(const jobs::JobProfile& job, int link, std::int64_t time_point) {
  std::int64_t end = 0;
  for (const jobs::ProfileStage& stage : job.stages) {
    end += stage.length.count();
    if (time_point >= end) continue;
    for (const jobs::LinkRate& it : stage.rates) {
      if (it.link == link) return static_cast<double>(it.rate.bits_per_second);
    }
    return 0;
  }
  return 0;
}

// The times at which rates on a circle may change, from 0 to the perimeter; evenly spaced times if
// there are more changes than a picture can show.
std::vector<std::int64_t> edges_of(const jobs::SharedProfiles& profiles,
                                   const std::vector<int>& jobs, std::span<const Duration> shifts,
                                   std::int64_t perimeter) {
  std::vector<std::int64_t> edges = {0, perimeter};
  for (const int j : jobs) {
    const jobs::JobProfile& job = profiles.jobs[static_cast<std::size_t>(j)];
    const std::int64_t period = job.period().count();
    std::int64_t at = shifts[static_cast<std::size_t>(j)].count();
    for (const jobs::ProfileStage& stage : job.stages) {
      for (std::int64_t rotation = 0; rotation < perimeter; rotation += period) {
        edges.push_back(modulo(at + rotation, perimeter));
        if (edges.size() > 64 * kMaxPieces) break;
      }
      at += stage.length.count();
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.size() <= kMaxPieces) return edges;
  edges.clear();
  for (std::size_t p = 0; p <= kMaxPieces; ++p) {
    edges.push_back(static_cast<std::int64_t>(static_cast<Int128>(perimeter) * p / kMaxPieces));
  }
  return edges;
}

struct Piece {
  double from = 0;  // fractions of the circle
  double to = 0;
  std::vector<double> rates;  // by job on the link, relative to the link's capacity
};

std::vector<Piece> pieces_of(const CirclePicture& picture, int link, const std::vector<int>& jobs,
                             std::span<const Duration> shifts) {
  const std::int64_t perimeter = perimeter_of(picture.profiles, link).count();
  const auto capacity = static_cast<double>(
      picture.profiles.links[static_cast<std::size_t>(link)].capacity.bits_per_second);
  const std::vector<std::int64_t> edges = edges_of(picture.profiles, jobs, shifts, perimeter);
  std::vector<Piece> pieces;
  for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
    Piece piece{static_cast<double>(edges[e]) / static_cast<double>(perimeter),
                static_cast<double>(edges[e + 1]) / static_cast<double>(perimeter),
                {}};
    const std::int64_t middle = edges[e] + (edges[e + 1] - edges[e]) / 2;
    for (const int j : jobs) {
      const jobs::JobProfile& job = picture.profiles.jobs[static_cast<std::size_t>(j)];
      const std::int64_t time_point =
          modulo(middle - shifts[static_cast<std::size_t>(j)].count(), job.period().count());
      piece.rates.push_back(rate_at(job, link, time_point) / capacity);
    }
    if (!pieces.empty() && pieces.back().rates == piece.rates) {
      pieces.back().to = piece.to;
    } else {
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

double highest(const std::vector<Piece>& pieces) {
  double max = 0;
  for (const Piece& it : pieces) {
    max = std::max(max, std::accumulate(it.rates.begin(), it.rates.end(), 0.0));
  }
  return max;
}

// A time without trailing zeros, to save space: "30 ms" instead of "30.00 ms".
std::string shortened(Duration time) {
  std::string text = readable(time);
  const std::size_t unit = text.find(' ');
  if (text.find('.') < unit) {
    std::size_t end = unit;
    while (text[end - 1] == '0') --end;
    if (text[end - 1] == '.') --end;
    text.erase(end, unit - end);
  }
  return text;
}

std::string_view color_of(int job) {
  return svg::series_style(static_cast<std::size_t>(job)).color;
}

// Time labels at the quarters of a circle.
std::string ticks(svg::Point center, double radius, Duration perimeter) {
  std::string out;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double rotation = quarter / 4.0;
    const svg::Point a = svg::on_circle(center, radius + 3, rotation);
    const svg::Point b = svg::on_circle(center, radius + 8, rotation);
    out += svg::rule(a, b, "#999");
    svg::Point at = svg::on_circle(center, radius + 13, rotation);
    at.y += quarter == 0 ? 0 : quarter == 2 ? 9 : 4;
    const std::string_view anchor = quarter == 1 ? "start" : quarter == 3 ? "end" : "middle";
    out += svg::text(at, quarter == 0 ? "0" : shortened(Duration(perimeter.count() / 4 * quarter)),
                     {.size = 11, .color = svg::kPale, .anchor = anchor});
  }
  return out;
}

// Draws the rates of all jobs stacked on each other, red above the capacity.
std::string link_circle(const std::vector<Piece>& pieces, const std::vector<int>& jobs,
                        svg::Point center, double top) {
  const double unit = (kOuter - kInner) / top;
  std::string out =
      svg::circle(center, (kInner + kInner + unit) / 2,
                  fmt::format("fill='none' stroke='{}' stroke-width='{:.1f}'", kTrack, unit));
  for (const Piece& piece : pieces) {
    double below = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const double above = std::min(1.0, below + piece.rates[j]);
      if (above > below) {
        out += svg::sector(
            {center, kInner + unit * below, kInner + unit * above, piece.from, piece.to},
            color_of(jobs[j]));
      }
      below = std::max(below, above);
    }
    const double all = std::accumulate(piece.rates.begin(), piece.rates.end(), 0.0);
    if (all > 1 + 1e-9) {
      out +=
          svg::sector({center, kInner + unit, kInner + unit * all, piece.from, piece.to}, kExcess);
    }
  }
  out += svg::circle(center, kInner, "fill='none' stroke='#bbb'");
  return out + svg::circle(center, kInner + unit,
                           fmt::format("fill='none' stroke='{}' stroke-width='1.4' "
                                       "stroke-dasharray='5 4'",
                                       kCapacity));
}

std::string unified(const std::vector<Piece>& pieces, const std::vector<int>& jobs,
                    svg::Point center, double top, std::string_view word, double score,
                    Duration perimeter) {
  std::string out = link_circle(pieces, jobs, center, top);
  out += ticks(center, kOuter, perimeter);
  out += svg::text({center.x, center.y - 16}, word,
                   {.size = 13, .color = svg::kPale, .anchor = "middle"});
  const bool perfect = score > 1 - 1e-9;
  out += svg::text(
      {center.x, center.y + 12}, fmt::format("{:.3f}", score),
      {.size = 26, .color = perfect ? "#00795a" : svg::kInk, .anchor = "middle", .bold = true});
  return out + svg::text({center.x, center.y + 31}, "score",
                         {.size = 12, .color = svg::kPale, .anchor = "middle"});
}

std::string job_circle(const CirclePicture& picture, int link, int job, svg::Point center) {
  const jobs::JobProfile& profile = picture.profiles.jobs[static_cast<std::size_t>(job)];
  const auto capacity = static_cast<double>(
      picture.profiles.links[static_cast<std::size_t>(link)].capacity.bits_per_second);
  const auto period = static_cast<double>(profile.period().count());
  constexpr double kHole = kJobRadius * 0.64;
  std::string out = svg::circle(
      center, (kHole + kJobRadius) / 2,
      fmt::format("fill='none' stroke='{}' stroke-width='{:.1f}'", kTrack, kJobRadius - kHole));
  double at = 0;
  for (const jobs::ProfileStage& stage : profile.stages) {
    const double end = at + static_cast<double>(stage.length.count()) / period;
    for (const jobs::LinkRate& it : stage.rates) {
      if (it.link != link) continue;
      const double fraction =
          std::min(1.0, static_cast<double>(it.rate.bits_per_second) / capacity);
      out += svg::sector({center, kHole, kHole + (kJobRadius - kHole) * fraction, at, end},
                         color_of(job));
    }
    at = end;
  }
  out += svg::circle(center, kJobRadius, "fill='none' stroke='#ccc' stroke-dasharray='3 3'");
  out += svg::text({center.x, center.y + 4}, shortened(profile.period()),
                   {.size = 10.5, .color = svg::kInk, .anchor = "middle"});
  const std::string name = svg::fitted(profile.name, 12.5, kJobsWidth / 2 - 10);
  out += svg::text({center.x, center.y + kJobRadius + 17}, name,
                   {.size = 12.5, .color = color_of(job), .anchor = "middle", .bold = true});
  const Duration shift =
      picture.after[static_cast<std::size_t>(job)] - picture.before[static_cast<std::size_t>(job)];
  return out + svg::text({center.x, center.y + kJobRadius + 32},
                         shift.count() == 0 ? "not shifted" : "shifted by " + shortened(shift),
                         {.size = 11, .color = svg::kPale, .anchor = "middle"});
}

std::string job_circles(const CirclePicture& picture, int link, const std::vector<int>& jobs,
                        double top) {
  std::string out;
  const std::size_t shown = std::min(jobs.size(), kMaxJobsShown);
  const std::size_t columns = shown <= 2 ? 1 : 2;
  const std::size_t rows = (shown + columns - 1) / columns;
  const double step = 126;
  const double first = top + 212 - step * (static_cast<double>(rows) - 1) / 2 - 16;
  for (std::size_t j = 0; j < shown; ++j) {
    const double column = static_cast<double>(j % columns) + 0.5;
    const std::size_t row = j / columns;
    out += job_circle(picture, link, jobs[j],
                      {kCirclesEdge + kJobsWidth / static_cast<double>(columns) * column,
                       first + step * static_cast<double>(row)});
  }
  if (shown < jobs.size()) {
    out += svg::text({kCirclesEdge + kJobsWidth / 2, first + step * static_cast<double>(rows) - 48},
                     fmt::format("and {} more", jobs.size() - shown),
                     {.size = 11, .color = svg::kPale, .anchor = "middle"});
  }
  return out;
}

std::string row(const CirclePicture& picture, int link, double top) {
  const auto at = static_cast<std::size_t>(link);
  const jobs::SharedLink& on = picture.profiles.links[at];
  const std::vector<int> jobs = jobs_on(picture.profiles, link);
  const Duration perimeter = perimeter_of(picture.profiles, link);
  const std::vector<Piece> before = pieces_of(picture, link, jobs, picture.before);
  const std::vector<Piece> after = pieces_of(picture, link, jobs, picture.after);
  const double highest_load = std::max({kMinTop, highest(before), highest(after)});
  std::string out = svg::rule({kCirclesEdge, top}, {kCirclesWidth - kCirclesEdge, top}, svg::kGrid);
  out += svg::text({kCirclesEdge, top + 26}, svg::fitted(on.name, 15, kCirclesWidth / 2),
                   {.size = 15, .bold = true});
  out += svg::text({kCirclesWidth - kCirclesEdge, top + 26},
                   fmt::format("{} · circle of {} · {} jobs", readable(on.capacity),
                               shortened(perimeter), jobs.size()),
                   {.size = 12.5, .color = svg::kPale, .anchor = "end"});
  out += job_circles(picture, link, jobs, top);
  const double middle = top + 222;
  const double space = (kCirclesWidth - kCirclesEdge - kJobsWidth) / 2;
  const double left = kCirclesEdge + kJobsWidth + space / 2 - kCirclesEdge / 2;
  out += unified(before, jobs, {left, middle}, highest_load, "without shifts",
                 picture.score_before[at], perimeter);
  return out + unified(after, jobs, {left + space, middle}, highest_load, "shifted",
                       picture.score_after[at], perimeter);
}

}  // namespace

std::vector<int> jobs_on(const jobs::SharedProfiles& profiles, int link) {
  std::vector<int> jobs;
  for (std::size_t j = 0; j < profiles.jobs.size(); ++j) {
    const auto& stages = profiles.jobs[j].stages;
    const bool uses =
        std::any_of(stages.begin(), stages.end(), [&](const jobs::ProfileStage& stage) {
          return std::any_of(stage.rates.begin(), stage.rates.end(),
                             [&](const jobs::LinkRate& it) { return it.link == link; });
        });
    if (uses) jobs.push_back(static_cast<int>(j));
  }
  return jobs;
}

Duration perimeter_of(const jobs::SharedProfiles& profiles, int link) {
  Int128 perimeter = 1;
  for (const int job : jobs_on(profiles, link)) {
    const std::int64_t period = profiles.jobs[static_cast<std::size_t>(job)].period().count();
    const auto rest = static_cast<std::int64_t>(perimeter % period);
    perimeter *= period / std::gcd(rest, period);
    LOOM_CHECK(perimeter < kForever.count(), "circles are short enough to be searched");
  }
  return Duration(static_cast<std::int64_t>(perimeter));
}

std::vector<int> links_to_draw(const CirclePicture& picture, std::size_t max) {
  std::vector<int> links;
  for (int link = 0; link < static_cast<int>(picture.profiles.links.size()); ++link) {
    if (jobs_on(picture.profiles, link).size() > 1) links.push_back(link);
  }
  if (links.empty()) {
    for (int link = 0; link < static_cast<int>(picture.profiles.links.size()); ++link) {
      if (!jobs_on(picture.profiles, link).empty()) links.push_back(link);
    }
  }
  std::stable_sort(links.begin(), links.end(), [&](int a, int b) {
    return picture.score_before[static_cast<std::size_t>(a)] <
           picture.score_before[static_cast<std::size_t>(b)];
  });
  if (links.size() > max) links.resize(max);
  return links;
}

std::string circles_svg(const CirclePicture& picture, std::span<const int> links) {
  const double height = kTitleHeight + kRowHeight * static_cast<double>(links.size());
  std::string inside =
      svg::text({kCirclesEdge, 40}, svg::fitted(picture.title, 19, kCirclesWidth * 0.6),
                {.size = 19, .bold = true});
  inside += svg::circle({kCirclesWidth - 318, 34}, 7,
                        "fill='none' stroke='#222' stroke-width='1.4' stroke-dasharray='4 3'");
  inside +=
      svg::text({kCirclesWidth - 305, 38}, "link capacity", {.size = 12, .color = svg::kPale});
  inside += fmt::format("<rect x='{}' y='28' width='13' height='13' rx='2' fill='{}'/>\n",
                        kCirclesWidth - 156, kExcess);
  inside +=
      svg::text({kCirclesWidth - 137, 38}, "excess demand", {.size = 12, .color = svg::kPale});
  for (std::size_t l = 0; l < links.size(); ++l) {
    inside += row(picture, links[l], kTitleHeight + kRowHeight * static_cast<double>(l));
  }
  return svg::document(kCirclesWidth, height, picture.title, inside);
}

}  // namespace loom::report
