// Routes that name a congestion control, read and written through the program `ip`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::bpf {

// A route as `ip` shows it. The family cannot be told from the line: "default dev out" may be of
// either, and one of IPv4 may lead over a gateway of IPv6.
struct Route {
  std::string family;  // -4 or -6
  std::string line;
};

// What `ip -o route show` says of one route, as words that `ip route replace` takes back: without
// what only describes its state, and without a congestion control.
std::vector<std::string> route_words(std::string_view line);

// The congestion control that the line names; "" where it names none.
std::string route_algorithm(std::string_view line);

// What it says of it in full, "cubic" or "lock cubic"; "" for nothing.
std::string route_choice(std::string_view line);

// By what a route is told from others of a network namespace: family, prefix, and table if not the
// main one.
std::string route_key(const Route& route);

bool is_ours(std::string_view algorithm);

// The only route to exactly this prefix ("10.0.0.0/24", "::/0"; "default" is of IPv4); InputError
// where there is none, or several.
Route route_to(const std::string& prefix);

// The route as before, with this choice for connections over it; "" for none.
void set_route_choice(const Route& route, const std::string& choice);

// Routes of all tables that name one of our algorithms.
std::vector<Route> our_routes();

}  // namespace loom::bpf
