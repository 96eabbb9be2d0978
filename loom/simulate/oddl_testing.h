// Reference model for tests of request-grant control: the protocol of ODDL, written as simply as
// possible, time point by time point, without regard for run time or memory.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "loom/base/units.h"

namespace loom::simulate {

struct PlainMessage {
  int source;
  int destination;
  Bytes size;
  Duration start;
  int after = -1;  // starts when this one has arrived, if later
};

struct PlainGrid {
  int devices;
  int columns;
  Duration control;
  Duration switching;
  Duration latency;
  Bandwidth bandwidth;  // per port
  std::vector<PlainMessage> messages;
};

class PlainOddl : PlainGrid {
 public:
  explicit PlainOddl(PlainGrid grid) : PlainGrid(std::move(grid)) {}

  // Arrival times of all messages.
  std::vector<Duration> run() {
    for (std::size_t m = 0; m < messages.size(); ++m) all_.push_back({.path = path_of(m)});
    for (Duration now = earliest(Duration(-1)); now < kForever; now = earliest(now)) {
      while (something_happens(now)) {
      }
    }
    std::vector<Duration> ends;
    for (const State& it : all_) ends.push_back(it.arrived);
    return ends;
  }

 private:
  // A port: a device, and whether it leads to the row (0) or the column (1).
  using Port = std::pair<int, int>;
  struct State {
    std::vector<int> path;  // devices along the path
    std::size_t at = 0;     // current position on the path
    Duration here{-1};      // time since which it waits there
    bool sending = false;
    Duration leg_ends = kForever;
    Duration arrived = kForever;
  };
  enum class Word { request, grant, decline };
  struct Note {  // a control message in flight
    Word word;
    Port from;
    Port to;
    Duration comes;
  };

  std::vector<int> path_of(std::size_t m) const {
    const int a = messages[m].source;
    const int b = messages[m].destination;
    if (a / columns == b / columns || a % columns == b % columns) return {a, b};
    const int corner = a / columns * columns + b % columns;
    return {a, corner < devices ? corner : b / columns * columns + a % columns, b};
  }

  Port port(int device, int other) const {
    return {device, device / columns == other / columns ? 0 : 1};
  }
  Port out_port(const State& it) const { return port(it.path[it.at], it.path[it.at + 1]); }
  Port in_port(const State& it) const { return port(it.path[it.at + 1], it.path[it.at]); }

  Duration starts(std::size_t m) const {
    const int after = messages[m].after;
    if (after < 0) return messages[m].start;
    const Duration before = all_[static_cast<std::size_t>(after)].arrived;
    return before == kForever ? kForever : std::max(messages[m].start, before);
  }

  Duration earliest(Duration after) const {
    Duration next = kForever;
    const auto consider = [&](Duration t) {
      if (t > after && t < next) next = t;
    };
    for (std::size_t m = 0; m < all_.size(); ++m) {
      if (all_[m].here < Duration(0)) consider(starts(m));
      if (all_[m].sending) consider(all_[m].leg_ends);
    }
    for (const Note& it : notes_) consider(it.comes);
    return next;
  }

  // One round of everything that happens now, in the order of the rules; false if nothing did.
  bool something_happens(Duration now) {
    bool any = arrivals(now);
    any |= begin(now);
    if (any) return true;  // starts and ends come first
    any |= hear(now);
    any |= decide(now);
    return any;
  }

  bool begin(Duration now) {
    bool any = false;
    for (std::size_t m = 0; m < all_.size(); ++m) {
      if (all_[m].here >= Duration(0) || starts(m) > now) continue;
      all_[m].here = now;
      any = true;
    }
    ask(now);
    return any;
  }

  bool arrivals(Duration now) {
    bool any = false;
    for (State& it : all_) {
      if (!it.sending || it.leg_ends > now) continue;
      any = true;
      it.sending = false;
      sends_[out_port(it)] = false;
      held_[in_port(it)] = false;
      if (++it.at + 1 == it.path.size()) {
        it.arrived = now;
      } else {
        it.here = now;
      }
    }
    return any;
  }

  bool waits(const State& it) const {
    return it.here >= Duration(0) && !it.sending && it.at + 1 < it.path.size();
  }

  // Every free port sends one request to every receiver for which it has a message.
  void ask(Duration now) {
    for (const State& it : all_) {
      if (!waits(it) || sends_[out_port(it)] || asked_[{out_port(it), in_port(it)}]) continue;
      asked_[{out_port(it), in_port(it)}] = true;
      notes_.push_back({Word::request, out_port(it), in_port(it), now + control});
    }
  }

  // Index of the message that has waited longest at port `from` for receiver `to`; -1 if there is
  // none.
  int head(const Port& from, const Port& to) const {
    int found = -1;
    for (std::size_t m = 0; m < all_.size(); ++m) {
      const State& it = all_[m];
      if (!waits(it) || out_port(it) != from || in_port(it) != to) continue;
      if (found < 0 || it.here < all_[static_cast<std::size_t>(found)].here) {
        found = static_cast<int>(m);
      }
    }
    return found;
  }

  bool hear(Duration now) {
    std::vector<Note> now_heard;
    std::vector<Note> later;
    for (const Note& it : notes_) (it.comes <= now ? now_heard : later).push_back(it);
    notes_ = later;
    for (const Note& it : now_heard) {
      if (it.word == Word::request) requests_[it.to].push_back({now, it.from});
      if (it.word == Word::decline) held_[it.to] = false;
    }
    std::vector<std::tuple<Duration, int, Port, Port>> offers;
    for (const Note& it : now_heard) {
      if (it.word != Word::grant) continue;
      const int m = head(it.from, it.to);
      offers.emplace_back(all_[static_cast<std::size_t>(m)].here, m, it.from, it.to);
    }
    std::sort(offers.begin(), offers.end());
    for (const auto& [since, m, from, to] : offers) {
      asked_[{from, to}] = false;
      if (sends_[from]) {
        notes_.push_back({Word::decline, from, to, now + control});
        continue;
      }
      State& it = all_[static_cast<std::size_t>(m)];
      sends_[from] = true;
      it.sending = true;
      it.leg_ends = now + switching + latency +
                    transfer_time(messages[static_cast<std::size_t>(m)].size, bandwidth);
    }
    return !now_heard.empty();
  }

  bool decide(Duration now) {
    bool any = false;
    for (auto& request : requests_) {
      const auto& to = request.first;
      auto& waiting = request.second;
      if (held_[to] || waiting.empty()) continue;
      const auto turn = [&](const auto& it) {
        return std::pair(it.first, (it.second.first - to.first + devices) % devices);
      };
      const auto best =
          std::min_element(waiting.begin(), waiting.end(),
                           [&](const auto& a, const auto& b) { return turn(a) < turn(b); });
      notes_.push_back({Word::grant, best->second, to, now + control});
      waiting.erase(best);
      held_[to] = true;
      any = true;
    }
    return any;
  }

  std::vector<State> all_;
  std::vector<Note> notes_;
  std::map<Port, bool> sends_;
  std::map<Port, bool> held_;
  std::map<std::pair<Port, Port>, bool> asked_;
  std::map<Port, std::vector<std::pair<Duration, Port>>> requests_;
};

}  // namespace loom::simulate
