// Renamed options: an old name is refused with a message that gives the new name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loom::cli {

// The new name of the option `given`, such as "--min-bytes" for "--least", if it is among `known`,
// the options of the command. Names carry their dashes.
std::optional<std::string> renamed_option(std::string_view given,
                                          std::span<const std::string_view> known);

}  // namespace loom::cli
