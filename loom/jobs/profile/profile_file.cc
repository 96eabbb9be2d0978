#include "loom/jobs/profile/profile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "loom/base/files.h"
#include "loom/base/settings.h"
#include "loom/jobs/cassini/circle_periods.h"
#include "loom/jobs/profile/learned_profile.h"

namespace loom::jobs {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::size_t kMaxLinks = 10'000;
constexpr std::size_t kMaxJobs = 1'000;
constexpr std::size_t kMaxStages = 10'000;

[[noreturn]] void refuse(const Tree& at, const std::string& message) {
  throw InputError(at.location, message);
}

void check_keys(const Tree& map, const std::string& title, const Names& known) {
  if (map.kind != Tree::Kind::map) refuse(map, title + " is not a map; keys and values are needed");
  for (const TreeEntry& it : map.entries) {
    if (std::find(known.begin(), known.end(), it.key) != known.end()) continue;
    throw InputError(it.value.location,
                     fmt::format("{} has no '{}'{}", title, it.key, suggestion(it.key, known)));
  }
}

const Tree& needed(const Tree& map, std::string_view key, const std::string& title) {
  const Tree* found = map.find(key);
  if (found == nullptr) refuse(map, fmt::format("{} lacks '{}'; it is needed", title, key));
  return *found;
}

const std::vector<Tree>& list_of(const Tree& tree, const std::string& title, std::size_t max) {
  if (tree.kind != Tree::Kind::list || tree.items.empty()) {
    refuse(tree, title + " is not a list; at least one entry is needed");
  }
  if (tree.items.size() > max) {
    refuse(tree, fmt::format("{} has {} entries; at most {} are supported", title,
                             tree.items.size(), max));
  }
  return tree.items;
}

template <class Quantity>
Quantity quantity(const Tree& tree, const std::string& title,
                  std::optional<Quantity> (*parse)(std::string_view, std::string&), Quantity min,
                  Quantity max) {
  if (tree.kind != Tree::Kind::scalar)
    refuse(tree, title + " is not a single value; a quantity is needed");
  std::string why;
  const std::optional<Quantity> value = parse(tree.text, why);
  if (!value) refuse(tree, fmt::format("{} is {}; {}", title, tree.text, why));
  if (*value < min || *value > max) {
    refuse(tree, fmt::format("{} is {}; from {} to {} is needed", title, tree.text, exact(min),
                             exact(max)));
  }
  return *value;
}

Duration length_of(const Tree& tree, const std::string& title) {
  return quantity<Duration>(tree, title, parse_duration, Duration(1), kLongestPeriod);
}

Bandwidth rate_of(const Tree& tree, const std::string& title) {
  return quantity<Bandwidth>(tree, title, parse_bandwidth, Bandwidth{1}, kLargestBandwidth);
}

std::string text_of(const Tree& tree, const std::string& title) {
  if (tree.kind != Tree::Kind::scalar || tree.text.empty()) {
    refuse(tree, title + " is empty; a name is needed");
  }
  return tree.text;
}

// Max measured rate relative to the link's capacity, which short intervals may slightly exceed.
constexpr double kMeasuredAbove = 1.05;

class Reader {
 public:
  explicit Reader(const Tree& tree) : tree_(tree) {
    check_keys(tree, "the file", {"links", "jobs"});
    for (const Tree& it : list_of(needed(tree, "links", "the file"), "links", kMaxLinks)) {
      read_link(it);
    }
    for (const Tree& it : list_of(needed(tree, "jobs", "the file"), "jobs", kMaxJobs)) {
      read_job(it);
    }
  }

  ProfileFile take() {
    keep_measured_phases();
    return std::move(file_);
  }

 private:
  SharedProfiles& profiles() { return file_.profiles; }

  void read_link(const Tree& tree) {
    check_keys(tree, "link", {"name", "capacity"});
    SharedLink link{text_of(needed(tree, "name", "link"), "link.name"),
                    rate_of(needed(tree, "capacity", "link"), "link.capacity")};
    for (const SharedLink& it : profiles().links) {
      if (it.name == link.name) {
        refuse(tree, fmt::format("link.name is '{}'; another link has this name", link.name));
      }
    }
    profiles().links.push_back(std::move(link));
  }

  int link_of(const Tree& tree) const {
    const std::string name = text_of(tree, "link");
    Names known;
    const std::vector<SharedLink>& links = file_.profiles.links;
    for (const SharedLink& it : links) known.push_back(it.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      refuse(tree, fmt::format("there is no link '{}'{}; a name from 'links' is needed", name,
                               suggestion(name, known)));
    }
    return static_cast<int>(found - known.begin());
  }

  std::vector<int> links_of(const Tree& tree, const std::string& title) const {
    std::vector<int> links;
    for (const Tree& it : list_of(tree, title, kMaxLinks)) {
      links.push_back(link_of(it));
      if (std::count(links.begin(), links.end(), links.back()) > 1) {
        refuse(it, fmt::format("{} has '{}' twice; once is needed", title, it.text));
      }
    }
    return links;
  }

  void add_rate(const Tree& at, const std::string& title, int link, Bandwidth rate,
                ProfileStage& stage) const {
    const SharedLink& on = file_.profiles.links[static_cast<std::size_t>(link)];
    if (rate > on.capacity) {
      refuse(at, fmt::format("{} is {}; link '{}' has a capacity of {}", title, exact(rate),
                             on.name, exact(on.capacity)));
    }
    stage.rates.push_back({link, rate});
  }

  ProfileStage send_of(const Tree& tree) const {
    check_keys(tree, "send", {"links", "rate", "length", "size"});
    const Tree& rate_tree = needed(tree, "rate", "send");
    const Bandwidth rate = rate_of(rate_tree, "send.rate");
    const Tree* length = tree.find("length");
    const Tree* size = tree.find("size");
    if ((length == nullptr) == (size == nullptr)) {
      refuse(tree, "send has both a length and a size, or neither; one of them is needed");
    }
    ProfileStage stage;
    if (length != nullptr) {
      stage.length = length_of(*length, "send.length");
    } else {
      const auto bytes = quantity<Bytes>(*size, "send.size", parse_bytes, Bytes{1}, kLargestSize);
      stage.length = transfer_time(bytes, rate);
    }
    for (const int link : links_of(needed(tree, "links", "send"), "send.links")) {
      add_rate(rate_tree, "send.rate", link, rate, stage);
    }
    return stage;
  }

  ProfileStage stage_of(const Tree& tree) const {
    check_keys(tree, "stage", {"compute", "send", "length", "rates"});
    const Tree* compute = tree.find("compute");
    const Tree* send = tree.find("send");
    const bool plain = compute == nullptr && send == nullptr;
    if (tree.entries.size() != (plain ? 2U : 1U)) {
      refuse(tree, "a stage is compute, or send, or length and rates; one of these is needed");
    }
    if (compute != nullptr) return {length_of(*compute, "stage.compute"), {}};
    if (send != nullptr) return send_of(*send);
    ProfileStage stage{length_of(needed(tree, "length", "stage"), "stage.length"), {}};
    const Tree& rates = needed(tree, "rates", "stage");
    if (rates.kind != Tree::Kind::map)
      refuse(rates, "stage.rates is not a map; a rate for each link is needed");
    for (const TreeEntry& it : rates.entries) {
      Tree name = scalar_tree(it.key, it.value.location);
      add_rate(it.value, "stage.rates", link_of(name), rate_of(it.value, "stage.rates"), stage);
    }
    return stage;
  }

  JobProfile staged(const Tree& tree, const std::string& name) const {
    JobProfile job{name, {}};
    const Tree& stages = needed(tree, "stages", "job");
    Duration period{0};
    for (const Tree& it : list_of(stages, "job.stages", kMaxStages)) {
      job.stages.push_back(stage_of(it));
      period += job.stages.back().length;
      if (period > kLongestPeriod) {
        refuse(it, fmt::format("the stages take {}; at most {} is supported", readable(period),
                               readable(kLongestPeriod)));
      }
    }
    return job;
  }

  JobProfile learned(const Tree& tree, const std::string& name) {
    const Tree& series = needed(tree, "series", "job");
    const std::string given = text_of(series, "job.series");
    const std::string path =
        path_beside(tree_.location.source ? *tree_.location.source : "", given);
    const Series measured = read_series(read_file(path, series.location), path, series.location);
    const Learned learned = learn_profile(measured, series.location);
    JobProfile job{name, {}};
    const std::vector<int> links = links_of(needed(tree, "links", "job"), "job.links");
    for (const LearnedPhase& phase : learned.phases) {
      ProfileStage stage{phase.length, {}};
      for (const int link : links) {
        if (phase.rate.bits_per_second == 0) continue;
        const SharedLink& on = profiles().links[static_cast<std::size_t>(link)];
        const auto max = static_cast<double>(on.capacity.bits_per_second) * kMeasuredAbove;
        if (static_cast<double>(phase.rate.bits_per_second) > max) {
          refuse(series, fmt::format("{} has a burst of {}; link '{}' has a capacity of {}", given,
                                     readable(phase.rate), on.name, exact(on.capacity)));
        }
        stage.rates.push_back({link, std::min(phase.rate, on.capacity)});
      }
      job.stages.push_back(std::move(stage));
    }
    const int number = static_cast<int>(profiles().jobs.size());
    file_.learned.push_back({number, learned.error, learned.periodicity});
    begins_.push_back(measured.begin + learned.offset);
    return job;
  }

  // Rotates each learned job by its phase relative to the job that bursts first, so that unshifted
  // jobs run as they were measured. All series have the same clock.
  void keep_measured_phases() {
    if (begins_.empty()) return;
    const Duration first = *std::min_element(begins_.begin(), begins_.end());
    for (std::size_t l = 0; l < begins_.size(); ++l) {
      JobProfile& job = profiles().jobs[static_cast<std::size_t>(file_.learned[l].job)];
      job = delayed(job, begins_[l] - first);
    }
  }

  void read_job(const Tree& tree) {
    check_keys(tree, "job", {"name", "count", "stages", "series", "links"});
    const std::string name = text_of(needed(tree, "name", "job"), "job.name");
    const bool measured = tree.find("series") != nullptr;
    if (measured == (tree.find("stages") != nullptr)) {
      refuse(tree, "job has both stages and a series, or neither; one of them is needed");
    }
    if (measured && tree.find("count") != nullptr) {
      refuse(*tree.find("count"),
             "job.count is given with a series, which describes one job; it is allowed with stages "
             "only");
    }
    if (!measured && tree.find("links") != nullptr) {
      refuse(*tree.find("links"),
             "job.links is given with stages, which name their own links; it is allowed with a "
             "series only");
    }
    const std::int64_t count = count_of(tree);
    const JobProfile job = measured ? learned(tree, name) : staged(tree, name);
    for (std::int64_t i = 1; i <= count; ++i) {
      JobProfile one = job;
      if (count > 1) one.name = fmt::format("{}/{}", name, i);
      for (const JobProfile& it : profiles().jobs) {
        if (it.name != one.name) continue;
        refuse(tree, fmt::format("job.name is '{}'; another job has this name", one.name));
      }
      profiles().jobs.push_back(std::move(one));
    }
    if (profiles().jobs.size() > kMaxJobs) {
      refuse(tree, fmt::format("there are {} jobs; at most {} are supported",
                               profiles().jobs.size(), kMaxJobs));
    }
  }

  std::int64_t count_of(const Tree& tree) const {
    static constexpr std::array<Parameter, 1> kCount = {
        {{"count", ValueType::integer, "", "1", false, 1, kMaxJobs}}};
    static constexpr std::array<std::string_view, 4> kOthers = {"name", "stages", "series",
                                                                "links"};
    return Settings(tree, kCount, "job", kOthers).integer("count");
  }

  const Tree& tree_;
  ProfileFile file_;
  std::vector<Duration> begins_;  // start of the first measured burst, per learned job
};

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

bool holds_profiles(const Tree& tree) {
  return tree.kind == Tree::Kind::map && tree.find("links") != nullptr;
}

ProfileFile read_profiles(const Tree& tree) { return Reader(tree).take(); }

std::string profiles_yaml(const SharedProfiles& profiles) {
  std::string out = "links:\n";
  for (const SharedLink& it : profiles.links) {
    out += fmt::format("  - {{name: {}, capacity: {}}}\n", quoted(it.name), exact(it.capacity));
  }
  out += "jobs:\n";
  for (const JobProfile& job : profiles.jobs) {
    out += fmt::format("  - name: {}\n    stages:\n", quoted(job.name));
    for (const ProfileStage& stage : job.stages) {
      if (stage.rates.empty()) {
        out += fmt::format("      - compute: {}\n", exact(stage.length));
        continue;
      }
      std::string rates;
      for (const LinkRate& it : stage.rates) {
        rates += fmt::format("{}{}: {}", rates.empty() ? "" : ", ",
                             quoted(profiles.links[static_cast<std::size_t>(it.link)].name),
                             exact(it.rate));
      }
      out += fmt::format("      - {{length: {}, rates: {{{}}}}}\n", exact(stage.length), rates);
    }
  }
  return out;
}

}  // namespace loom::jobs
