// Routes that name a congestion control, read and written through the program `ip`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::bpf {

// A route as `ip` shows it. The line does not tell the family: "default dev out" may be either, and
// an IPv4 route may use an IPv6 gateway.
struct Route {
  std::string family;  // -4 or -6
  std::string line;
};

// One route as `ip -o route show` prints it, as words that `ip route replace` accepts: without
// state words and without a congestion control.
std::vector<std::string> route_words(std::string_view line);

// The congestion control named in the line; "" if there is none.
std::string route_algorithm(std::string_view line);

// The congestion control with its lock, "cubic" or "lock cubic"; "" if there is none.
std::string route_choice(std::string_view line);

// Identifies a route within a network namespace: family, prefix, and table if not the main one.
std::string route_key(const Route& route);

bool is_ours(std::string_view algorithm);

// The only route with exactly this prefix ("10.0.0.0/24", "::/0"; "default" means IPv4); InputError
// if there is none or more than one.
Route route_to(const std::string& prefix);

// Replaces the route's congestion control; "" for none.
void set_route_choice(const Route& route, const std::string& choice);

// Routes in all tables that name one of our algorithms.
std::vector<Route> our_routes();

}  // namespace loom::bpf
