#include "loom/scheduling/scheduling_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/scheduling/scheduling_kinds.h"

namespace loom::scheduling {
namespace {

constexpr std::array kTraceJob = {
    Parameter{.name = "gpus",
              .type = ValueType::integer,
              .summary = "requested devices",
              .required = true,
              .min = 1,
              .max = 1 << 16},
    Parameter{.name = "max_gpus",
              .type = ValueType::integer,
              .summary = "maximum number of devices that policy goodput may give the job",
              .min = 1,
              .max = 1 << 16},
    Parameter{.name = "arrival",
              .type = ValueType::duration,
              .summary = "arrival time",
              .fallback = "0 s"},
    Parameter{.name = "iterations",
              .type = ValueType::integer,
              .summary = "number of iterations on the requested devices; alternative to duration",
              .min = 1,
              .max = kMaxTraceIterations},
    Parameter{.name = "duration",
              .type = ValueType::duration,
              .summary = "total time of all iterations in isolation; alternative to iterations",
              .min = 1},
    Parameter{.name = "name", .type = ValueType::text, .summary = "label in tables"},
    kCriticalBatch,
};

void check_devices(const Settings& job, std::string_view key, int devices) {
  if (job.integer(key) > devices) {
    job.refuse(key, fmt::format("at most {}, the size of the cluster, is needed", devices));
  }
}

jobs::TraceJob job_of(const Settings& job, int devices) {
  check_devices(job, "gpus", devices);
  if (job.given("iterations") == job.given("duration")) {
    throw InputError(job.location(),
                     fmt::format("job has {}; one of iterations and duration is needed",
                                 job.given("duration") ? "both" : "neither"));
  }
  jobs::TraceJob made;
  made.devices = static_cast<int>(job.integer("gpus"));
  made.max_devices = std::min(devices, 2 * made.devices);
  if (job.given("max_gpus")) {
    check_devices(job, "max_gpus", devices);
    made.max_devices = static_cast<int>(job.integer("max_gpus"));
    if (made.max_devices < made.devices) job.refuse("max_gpus", "at least gpus is needed");
  }
  made.arrival = job.duration("arrival");
  if (job.given("iterations")) made.iterations = job.integer("iterations");
  if (job.given("duration")) made.duration = job.duration("duration");
  if (job.given("name")) made.name = job.text("name");
  return made;
}

// Names unnamed jobs, then sorts all by arrival.
void finish_jobs(SchedulingFile& file) {
  std::map<std::string, int> seen;  // several kinds may share a name
  for (jobs::TraceJob& it : file.jobs) {
    const std::string& kind = file.kinds[static_cast<std::size_t>(it.kind)].name;
    const int number = ++seen[kind];
    if (it.name.empty()) it.name = fmt::format("{}/{}", kind, number);
  }
  std::stable_sort(
      file.jobs.begin(), file.jobs.end(),
      [](const jobs::TraceJob& a, const jobs::TraceJob& b) { return a.arrival < b.arrival; });
}

void read_listed(const Tree& list, int devices, JobKinds& kinds, SchedulingFile& file) {
  if (list.kind != Tree::Kind::list || list.items.empty()) {
    throw InputError(list.location,
                     "jobs is not a list or is empty; a list of {model: …, gpus: "
                     "…} is needed");
  }
  for (const Tree& map : list.items) {
    check_kind(map, "a job");
    const Settings job(map, kTraceJob, "job", others_of(map, kTraceJob));
    jobs::TraceJob made = job_of(job, devices);
    made.kind = kinds.kind(map, kTraceJob, job, made.devices);
    file.jobs.push_back(std::move(made));
  }
  finish_jobs(file);
}

constexpr std::array kColumns = {
    CsvColumn{"arrival", ValueType::duration},
    CsvColumn{"model"},
    CsvColumn{"gpus", ValueType::integer},
    CsvColumn{"iterations", ValueType::integer, false},
    CsvColumn{"duration", ValueType::duration, false},
    CsvColumn{"batch_per_device", ValueType::integer, false},
    CsvColumn{"name", ValueType::text, false},
};

// Converts the nonempty cells of a row to a map like that of a job in `jobs`. `own` is the entry of
// the row's model in `models`, if there is one.
Tree row_map(const CsvTable& table, std::size_t row, const std::string& name, const Tree* own) {
  Tree map;
  if (own != nullptr) map = *own;
  map.kind = Tree::Kind::map;
  map.location = table.location(row);
  if (own == nullptr) map.entries.push_back({"model", scalar_tree(name, map.location)});
  for (const std::string_view key : {"gpus", "iterations", "batch_per_device", "name"}) {
    if (!table.has(key) || table.text(row, key).empty()) continue;
    map.entries.push_back(
        {std::string(key), scalar_tree(std::string(table.text(row, key)), map.location)});
  }
  map.entries.push_back(
      {"arrival", scalar_tree(exact(table.duration(row, "arrival")), map.location)});
  if (table.has("duration") && !table.text(row, "duration").empty()) {
    const Duration duration = table.duration(row, "duration");
    map.entries.push_back({"duration", scalar_tree(exact(duration), map.location)});
  }
  return map;
}

void read_table(const Tree& trace, const Tree* models, int devices, JobKinds& kinds,
                SchedulingFile& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;
  const std::string path =
      trace.location.line > 0 ? path_beside(*trace.location.source, trace.text) : trace.text;
  const CsvTable table = parse_csv(read_file(path, trace.location, kLargest), path, kColumns);
  if (table.rows() == 0 || table.rows() > static_cast<std::size_t>(kMaxTraceJobs)) {
    throw InputError(location_of(path), fmt::format("it has {} jobs; 1 to {} are needed",
                                                    table.rows(), kMaxTraceJobs));
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name(table.text(row, "model"));
    const Tree* own = models == nullptr ? nullptr : models->find(name);
    const Tree map = row_map(table, row, name, own);
    const Settings job(map, kTraceJob, "job", others_of(map, kTraceJob));
    jobs::TraceJob made = job_of(job, devices);
    made.kind = kinds.kind(map, kTraceJob, job, made.devices, own == nullptr ? "" : name);
    file.jobs.push_back(std::move(made));
  }
  finish_jobs(file);
}

void check_models(const Tree* models, const Tree* trace) {
  if (models == nullptr) return;
  if (trace == nullptr) {
    throw InputError(models->location,
                     "models is given without a trace; it is allowed with a trace only");
  }
  if (models->kind != Tree::Kind::map) {
    throw InputError(models->location,
                     "models is not a map; a map of names, each with a model, is needed");
  }
  for (const TreeEntry& entry : models->entries) check_kind(entry.value, entry.key);
}

}  // namespace

std::span<const Parameter> trace_job_parameters() { return kTraceJob; }

void read_trace_jobs(const Tree& source, const model::Accelerator& accelerator, int devices,
                     SchedulingFile& file) {
  const Tree* jobs = source.find("jobs");
  const Tree* arrivals = source.find("arrivals");
  const Tree* trace = source.find("trace");
  const int given =
      (jobs != nullptr ? 1 : 0) + (arrivals != nullptr ? 1 : 0) + (trace != nullptr ? 1 : 0);
  if (given != 1) {
    throw InputError(source.location,
                     fmt::format("the file has {} of jobs, arrivals and trace; one is "
                                 "needed",
                                 given == 0 ? "none" : "several"));
  }
  check_models(source.find("models"), trace);
  JobKinds kinds(accelerator, file);
  if (jobs != nullptr) return read_listed(*jobs, devices, kinds, file);
  if (arrivals != nullptr) return read_arrivals(*arrivals, devices, kinds, file);
  if (trace->kind != Tree::Kind::scalar) {
    throw InputError(trace->location, "trace is not a path; the path of a CSV file is needed");
  }
  read_table(*trace, source.find("models"), devices, kinds, file);
}

}  // namespace loom::scheduling
