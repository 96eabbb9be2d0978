// Routes that name a congestion control, read and written through the program `ip`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::bpf {

// A route as `ip` shows it. The address family is stored separately, because the line does not tell
// it: "default dev out" may be IPv4 or IPv6, and an IPv4 route may use an IPv6 gateway.
struct Route {
  std::string family;  // -4 or -6
  std::string line;
};

// Converts a line of `ip -o route show` to arguments of `ip route replace`: without the words that
// show a state, and without the congestion control.
std::vector<std::string> route_words(std::string_view line);

// The congestion control named in the line; "" if there is none.
std::string route_algorithm(std::string_view line);

// The congestion control with its lock flag, "cubic" or "lock cubic"; "" if there is none.
std::string route_choice(std::string_view line);

// Identifies a route within a network namespace: family, prefix, and table if not the main one.
std::string route_key(const Route& route);

bool is_ours(std::string_view algorithm);

// The route with exactly this prefix, such as "10.0.0.0/24" or "::/0"; "default" means IPv4. Throws
// InputError if there is no such route or more than one.
Route route_to(const std::string& prefix);

// Replaces the congestion control of a route; "" removes it.
void set_route_choice(const Route& route, const std::string& choice);

// Routes in all tables that name one of our algorithms.
std::vector<Route> our_routes();

}  // namespace loom::bpf
