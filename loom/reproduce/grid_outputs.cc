#include "loom/reproduce/grid_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "loom/base/error.h"
#include "loom/base/settings.h"
#include "loom/report/chart/plot.h"
#include "loom/reproduce/metric.h"

namespace loom::reproduce {
namespace {

constexpr std::array<Parameter, 5> kPlot = {{
    {.name = "file", .type = ValueType::text, .summary = "file name, NAME.svg", .required = true},
    {.name = "measure",
     .type = ValueType::choice,
     .summary = "measure on the y axis",
     .required = true,
     .choices = kMeasureNames},
    {.name = "x", .type = ValueType::text, .summary = "grid axis on the x axis", .required = true},
    {.name = "series",
     .type = ValueType::text,
     .summary = "grid axis of the lines",
     .required = true},
    {.name = "each", .type = ValueType::text, .summary = "grid axis of the charts, one per value"},
}};

// The value as a number in base units: 512e9 for "512 Gbps", 25e-6 for "25 us", 1024 for "1024".
double number_of(const std::string& text, double otherwise) {
  std::string why;
  if (const auto rate = parse_bandwidth(text, why))
    return static_cast<double>(rate->bits_per_second);
  if (const auto time = parse_duration(text, why)) return static_cast<double>(time->count()) / 1e12;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' ? value : otherwise;
}

bool counts(const GridStudy& study, const GridPoint& point, const GridPlot& plot) {
  return std::all_of(plot.where.begin(), plot.where.end(), [&](const auto& it) {
    return study.grid.value(point, study.grid.axis(it.first)) == it.second;
  });
}

// Draws one chart. Shows the minimum over points with the same x and series.
report::Plot one_plot(const GridStudy& study, const GridPlot& wanted, int each) {
  const int x = study.grid.axis(wanted.x);
  const int series = study.grid.axis(wanted.series);
  const int each_axis = wanted.each.empty() ? -1 : study.grid.axis(wanted.each);
  std::map<int, std::map<int, double>> lowest;
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const GridPoint& point = study.grid.points[i];
    if (each_axis >= 0 && point.at[static_cast<std::size_t>(each_axis)] != each) continue;
    const double value = measure(study.results[i], wanted.measure);
    if (!counts(study, point, wanted) || std::isnan(value)) continue;
    auto& line = lowest[point.at[static_cast<std::size_t>(series)]];
    const auto [at, first] = line.emplace(point.at[static_cast<std::size_t>(x)], value);
    if (!first) at->second = std::min(at->second, value);
  }
  report::Plot plot;
  plot.title = each_axis < 0 ? wanted.measure
                             : study.grid.axes[static_cast<std::size_t>(each_axis)]
                                   .values[static_cast<std::size_t>(each)]
                                   .name;
  plot.x_label = wanted.x;
  plot.y_label = wanted.measure;
  std::replace(plot.y_label.begin(), plot.y_label.end(), '_', ' ');
  plot.x_logarithmic = plot.y_logarithmic = true;
  for (const auto& line : lowest) {
    report::PlotSeries& one = plot.series.emplace_back();
    one.name = study.grid.axes[static_cast<std::size_t>(series)]
                   .values[static_cast<std::size_t>(line.first)]
                   .name;
    for (const auto& point : line.second) {
      const std::string& name = study.grid.axes[static_cast<std::size_t>(x)]
                                    .values[static_cast<std::size_t>(point.first)]
                                    .name;
      one.points.emplace_back(number_of(name, point.first), point.second);
    }
  }
  return plot;
}

std::string picture(const GridStudy& study, const GridPlot& wanted, const std::string& title) {
  const int each = wanted.each.empty() ? -1 : study.grid.axis(wanted.each);
  std::vector<report::Plot> plots;
  const std::size_t count =
      each < 0 ? 1 : study.grid.axes[static_cast<std::size_t>(each)].values.size();
  for (std::size_t i = 0; i < count; ++i) {
    plots.push_back(one_plot(study, wanted, static_cast<int>(i)));
  }
  constexpr int kColumns = 3;
  return to_svg_grid(plots, std::min(kColumns, static_cast<int>(count)), title);
}

}  // namespace

std::vector<GridPlot> plots_of(const Tree& section) {
  constexpr std::array<std::string_view, 1> kWhere = {"where"};
  std::vector<GridPlot> plots;
  const Tree* list = section.find("plots");
  for (const Tree& item : list == nullptr ? std::vector<Tree>{} : list->items) {
    const Settings settings(item, kPlot, "plot", kWhere);
    GridPlot& plot = plots.emplace_back();
    plot.file = settings.text("file");
    plot.measure = settings.text("measure");
    plot.x = settings.text("x");
    plot.series = settings.text("series");
    if (settings.given("each")) plot.each = settings.text("each");
    const Tree* where = item.find("where");
    for (const TreeEntry& it : where == nullptr ? std::vector<TreeEntry>{} : where->entries) {
      plot.where.emplace_back(it.key, it.value.text);
    }
    const Tree* grid = section.find("grid");
    std::vector<std::string> axes = {plot.x, plot.series};
    if (!plot.each.empty()) axes.push_back(plot.each);
    for (const auto& it : plot.where) axes.push_back(it.first);
    for (const std::string& axis : axes) {
      if (grid->find(axis) == nullptr) {
        throw InputError(item.location, fmt::format("there is no axis '{}'", axis));
      }
    }
  }
  return plots;
}

report::Table grid_table(const GridStudy& study) {
  const bool asks =
      std::any_of(study.results.begin(), study.results.end(),
                  [](const run::Report& it) { return it.outcome.grants.has_value(); });
  std::vector<std::string_view> measures = {"iteration_seconds", "training_seconds"};
  if (asks) measures.insert(measures.end(), {"control_messages", "control_messages_per_device"});
  report::Table table;
  for (const GridAxis& axis : study.grid.axes) table.columns.push_back(axis.name);
  table.columns.insert(table.columns.end(), {"strategy", "batch"});
  table.columns.insert(table.columns.end(), measures.begin(), measures.end());
  table.columns.emplace_back("infeasible");
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const run::Report& report = study.results[i];
    auto& row = table.rows.emplace_back();
    for (int a = 0; a < static_cast<int>(study.grid.axes.size()); ++a) {
      row.emplace_back(study.grid.value(study.grid.points[i], a));
    }
    const run::TrainingReport* job = report.trained();
    row.push_back(job != nullptr ? report::Cell(strategy_text(*job)) : report::Cell());
    row.push_back(job != nullptr ? report::Cell(job->batch) : report::Cell());
    for (const std::string_view name : measures) {
      const double value = measure(report, name);
      row.push_back(std::isnan(value) ? report::Cell() : report::Cell(value));
    }
    row.emplace_back(report.infeasible ? report.infeasible->why : "");
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> study_files(const Study& study) {
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t g = 0; g < study.grids.size(); ++g) {
    const std::string name = g == 0 ? "points.csv" : fmt::format("points_{}.csv", g + 1);
    files.emplace_back(name, to_csv(grid_table(study.grids[g])));
    for (const GridPlot& plot : study.grids[g].plots) {
      files.emplace_back(plot.file, picture(study.grids[g], plot, study.title));
    }
  }
  files.insert(files.end(), study.files.begin(), study.files.end());
  return files;
}

}  // namespace loom::reproduce
