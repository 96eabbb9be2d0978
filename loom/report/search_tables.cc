#include "loom/report/search_tables.h"

#include <fmt/format.h>

#include "loom/report/chart/plot.h"
#include "loom/report/job_tables.h"

namespace loom::report {

void add_search_facts(const plan::SearchReport& report,
                      std::vector<std::pair<std::string, Cell>>& facts) {
  std::int64_t proposals = 0;
  for (const plan::SearchRound& it : report.rounds) proposals += it.proposals;
  facts.emplace_back("predicted_time", report.predicted);
  facts.emplace_back("data_parallel_predicted", report.data_parallel);
  if (!report.data_parallel_fits) {
    facts.emplace_back("data_parallel_fits", "no: it needs more memory than a device has");
  }
  facts.emplace_back("proposals", proposals);
}

Table rounds_table(const plan::SearchReport& report) {
  Table table{{"round", "before", "strategy_found", "topology_found", "proposals", "accepted",
               "out_of_memory"},
              {}};
  for (std::size_t r = 0; r < report.rounds.size(); ++r) {
    const plan::SearchRound& it = report.rounds[r];
    table.rows.push_back({static_cast<std::int64_t>(r + 1), it.before, it.found, it.after,
                          it.proposals, it.accepted, it.refused});
  }
  return table;
}

Table configurations_table(const plan::SearchReport& report) {
  Table table{{"operator", "partition", "servers"}, {}};
  for (const plan::SearchReport::Row& it : report.operators) {
    table.rows.push_back({it.name, it.partition, it.servers});
  }
  return table;
}

Table convergence_table(const plan::SearchReport& report) {
  Table table{{"round", "proposal", "best"}, {}};
  std::int64_t before = 0;
  for (std::size_t r = 0; r < report.rounds.size(); ++r) {
    for (const plan::SearchPoint& it : report.rounds[r].steps) {
      table.rows.push_back({static_cast<std::int64_t>(r + 1), before + it.proposal, it.best});
    }
    before += report.rounds[r].proposals;
  }
  return table;
}

// Draws a step function: the best time stays until a better one is found.
std::string convergence_svg(const plan::SearchReport& report, const std::string& model) {
  Plot plot;
  plot.title = fmt::format("{}: MCMC search over operator configurations", model);
  plot.x_label = "proposals";
  plot.y_label = "predicted iteration time, ms";
  double before = 0;
  for (std::size_t r = 0; r < report.rounds.size(); ++r) {
    const plan::SearchRound& round = report.rounds[r];
    PlotSeries series;
    series.name = fmt::format("round {}", r + 1);
    double best = 0;
    for (const plan::SearchPoint& it : round.steps) {
      const double x = before + static_cast<double>(it.proposal);
      if (!series.points.empty()) series.points.emplace_back(x, best);
      best = static_cast<double>(it.best.count()) / 1e9;
      series.points.emplace_back(x, best);
    }
    before += static_cast<double>(round.proposals);
    series.points.emplace_back(before, best);
    plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

std::vector<std::pair<std::string, std::string>> search_files(const run::TrainingReport& job) {
  if (!job.search_report) {
    return {{"ranking.csv", to_csv(ranking_table(job.search, job.search.ranking.size()))}};
  }
  return {{"configurations.csv", to_csv(configurations_table(*job.search_report))},
          {"convergence.csv", to_csv(convergence_table(*job.search_report))},
          {"convergence.svg", convergence_svg(*job.search_report, job.model)}};
}

}  // namespace loom::report
