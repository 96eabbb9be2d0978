// Routes that name a congestion control, read and written through the program `ip`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loom::bpf {

// What `ip -o route show` says of one route, as words that `ip route replace` takes back: without
// what only describes its state, and without a congestion control.
std::vector<std::string> route_words(std::string_view line);

// The congestion control that the line names; "" where it names none.
std::string route_algorithm(std::string_view line);

// What it says of it in full, "cubic" or "lock cubic"; "" for nothing.
std::string route_choice(std::string_view line);

// By what a route is told from others of a network namespace: prefix, and table if not the main
// one.
std::string route_key(std::string_view line);

bool is_ours(std::string_view algorithm);

// The only route to exactly this prefix ("10.0.0.0/24", "default") as `ip` shows it; InputError
// where there is none, or several.
std::string route_line(const std::string& prefix);

// The route as before, with this choice for connections over it; "" for none.
void set_route_choice(std::string_view line, const std::string& choice);

// Routes of all tables that name one of our algorithms.
std::vector<std::string> our_routes();

}  // namespace loom::bpf
