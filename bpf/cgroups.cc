#include "bpf/cgroups.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bpf/object.h"
#include "bpf/pins.h"
#include "loom/base/error.h"

namespace loom::bpf {
namespace {

// Prefix of the pin of an attachment, cgroup_ALGORITHM_NUMBER, where NUMBER is the cgroup's id. The
// counters of the attachment are pinned as counts_NUMBER.
constexpr std::string_view kPrefix = "cgroup_";

std::uint64_t number_of(const std::string& path) {
  struct statfs system = {};
  struct stat about = {};
  if (::statfs(path.c_str(), &system) != 0 || ::stat(path.c_str(), &about) != 0) {
    throw InputError({}, fmt::format("--cgroup {}: {}; the folder of a cgroup is needed", path,
                                     std::strerror(errno)));
  }
  if (static_cast<unsigned long>(system.f_type) != CGROUP2_SUPER_MAGIC) {
    throw InputError({}, fmt::format("--cgroup {}: not a cgroup of version 2; 'mount -t "
                                     "cgroup2' shows where they are mounted",
                                     path));
  }
  return about.st_ino;
}

// The mount point of cgroups of version 2; "" if they are not mounted.
std::string mount_point() {
  std::ifstream mounts("/proc/mounts");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string device;
    std::string place;
    std::string type;
    words >> device >> place >> type;
    if (type == "cgroup2") return place;
  }
  return "";
}

std::string path_of(std::uint64_t number) {
  namespace fs = std::filesystem;
  struct stat about = {};
  std::string top = mount_point();
  if (::stat(top.c_str(), &about) == 0 && about.st_ino == number) return top;
  std::error_code none;
  for (const auto& it :
       fs::recursive_directory_iterator(top, fs::directory_options::skip_permission_denied, none)) {
    if (it.is_directory(none) && ::stat(it.path().c_str(), &about) == 0 && about.st_ino == number) {
      return it.path().string();
    }
  }
  return fmt::format("a removed cgroup ({})", number);
}

struct Pin {
  std::string name;
  std::string algorithm;
  std::string number;
};

std::vector<Pin> cgroup_pins() {
  std::vector<Pin> pins;
  for (const std::string& name : pin_names()) {
    const auto end = name.rfind('_');
    if (!name.starts_with(kPrefix) || end <= kPrefix.size()) continue;
    pins.push_back(
        Pin{name, name.substr(kPrefix.size(), end - kPrefix.size()), name.substr(end + 1)});
  }
  return pins;
}

void remove(const Pin& pin) {
  remove_pin(pin.name);
  remove_pin("counts_" + pin.number);
}

}  // namespace

void choose_in_cgroup(const std::string& algorithm, const std::string& path) {
  const std::string number = std::to_string(number_of(path));
  for (const Pin& it : cgroup_pins()) {
    if (it.number == number) {
      throw InputError({},
                       fmt::format("--cgroup {}: {} is already attached; 'lightloom mltcp detach' "
                                   "removes it",
                                   path, it.algorithm));
    }
  }
  Object object("choose");
  std::array<char, 16> name{};
  algorithm.copy(name.data(), name.size() - 1);
  object.set_constant("choose_algorithm", name);
  object.load();
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<bpf_link, int (*)(bpf_link*)> link(
      bpf_program__attach_cgroup(object.program("choose"), folder.number()), bpf_link__destroy);
  const Pin pin{fmt::format("{}{}_{}", kPrefix, algorithm, number), algorithm, number};
  const std::string path_of_link = fmt::format("{}/{}", kPins, pin.name);
  const std::string path_of_counts = fmt::format("{}/counts_{}", kPins, number);
  if (link == nullptr || bpf_link__pin(link.get(), path_of_link.c_str()) != 0 ||
      bpf_map__pin(object.map("choose_counts"), path_of_counts.c_str()) != 0) {
    const int error = errno;
    remove(pin);  // a link left pinned would keep setting the algorithm
    throw InputError({}, fmt::format("--cgroup {}: the kernel refused the attachment: {}; a "
                                     "kernel with CONFIG_CGROUP_BPF is needed",
                                     path, std::strerror(error)));
  }
}

bool unchoose_in_cgroup(const std::string& path) {
  const std::string number = std::to_string(number_of(path));
  bool found = false;
  for (const Pin& it : cgroup_pins()) {
    if (it.number != number) continue;
    remove(it);
    found = true;
  }
  return found;
}

std::vector<Attachment> chosen_in_cgroups() {
  std::vector<Attachment> all;
  for (const Pin& it : cgroup_pins()) {
    const Descriptor counts(bpf_obj_get(fmt::format("{}/counts_{}", kPins, it.number).c_str()));
    std::array<std::uint64_t, 2> seen{};
    for (std::uint32_t i = 0; i < seen.size(); ++i) {
      if (counts) bpf_map_lookup_elem(counts.number(), &i, &seen.at(i));
    }
    all.push_back({.algorithm = it.algorithm,
                   .kind = "cgroup",
                   .place = path_of(std::stoull(it.number)),
                   .chosen = static_cast<std::int64_t>(seen[0]),
                   .refused = static_cast<std::int64_t>(seen[1])});
  }
  return all;
}

void unchoose_everywhere() {
  for (const Pin& it : cgroup_pins()) remove(it);
}

}  // namespace loom::bpf
