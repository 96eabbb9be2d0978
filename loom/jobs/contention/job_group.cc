#include "loom/jobs/contention/job_group.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loom/base/units.h"
#include "loom/jobs/contention/transports/transport.h"

namespace loom::jobs {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();
// Hysteresis of srpt between events: a sender keeps its priority until another has at least one
// packet of 1,500 bytes less to send.
constexpr double kPacket = 8 * 1500;

// The time point `time` picoseconds after `since`, rounded up; always later than `since`.
Duration after(Duration since, double time) {
  constexpr double kEnd = 9e18;
  if (!(time < kEnd - static_cast<double>(since.count()))) return kForever;
  return since + Duration(std::max(std::int64_t{1}, static_cast<std::int64_t>(std::ceil(time))));
}

}  // namespace

std::vector<int> shortest_first(const Contention& contention) {
  std::vector<int> order(contention.senders.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto bits = [&](int i) {
    const Sender& it = contention.senders[static_cast<std::size_t>(i)];
    return bits_to_send(it, it.left);
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return bits(a) < bits(b); });
  return order;
}

bool JobGroup::changes(const GroupTools& tools) const {
  const auto weights_change = tools.transport.kind->weights_change;
  return !free() && jobs.size() > 1 && weights_change != nullptr && weights_change(tools.transport);
}

void JobGroup::set_speeds(GroupTools& tools) {
  speeds.assign(jobs.size(), 1);
  if (free()) return;
  if (tools.transport.kind->strict_priority()) {
    return fill_in_order(contention, shortest_first(contention), speeds);
  }
  tools.weights.clear();
  for (const Sender& it : contention.senders) {
    tools.weights.push_back(tools.transport.kind->weight(it, it.left, tools.transport));
  }
  tools.filling.fill(contention, tools.weights, speeds);
}

// Time until a sender has one packet less to send than the sender before it in the order. Senders
// that share no link are also compared, which costs an event but changes no speed.
double JobGroup::until_overtaken() const {
  double first = kForEver;
  const std::vector<int> order = shortest_first(contention);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto ahead = static_cast<std::size_t>(order[i - 1]);
    const auto behind = static_cast<std::size_t>(order[i]);
    const Sender& a = contention.senders[ahead];
    const Sender& b = contention.senders[behind];
    const double gain = b.rate * speeds[behind] - a.rate * speeds[ahead];
    const double lead = bits_to_send(b, b.left) - bits_to_send(a, a.left);
    if (gain > 0) first = std::min(first, (lead + kPacket) / gain * kPicosecondsPerSecond);
  }
  return first;
}

// Time until a stage ends or the speeds change.
double JobGroup::first_end(GroupTools& tools) const {
  if (changes(tools)) {
    tools.left.clear();
    for (const Sender& it : contention.senders) tools.left.push_back(it.left);
    return tools.mltcp.move(contention, tools.transport, tools.left, kForEver);
  }
  const bool overtaking = !free() && tools.transport.kind->strict_priority();
  double first = overtaking ? until_overtaken() : kForEver;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (speeds[i] > 0) first = std::min(first, contention.senders[i].left / speeds[i]);
  }
  return first;
}

void JobGroup::set_off(GroupTools& tools) {
  set_speeds(tools);
  due = after(since, first_end(tools));
}

void JobGroup::move_to(Duration time_point, GroupTools& tools) {
  const auto time = static_cast<double>((time_point - since).count());
  since = time_point;
  if (!changes(tools)) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      double& left = contention.senders[i].left;
      left = std::max(0.0, left - speeds[i] * time);
    }
    return;
  }
  tools.left.clear();
  for (const Sender& it : contention.senders) tools.left.push_back(it.left);
  tools.mltcp.move(contention, tools.transport, tools.left, time);
  for (std::size_t i = 0; i < jobs.size(); ++i) contention.senders[i].left = tools.left[i];
}

}  // namespace loom::jobs
