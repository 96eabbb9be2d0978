// Keys and values that were renamed. An old name is refused, and the message gives the new one.
//
// The table is in renamed.cc. It is consulted wherever an unknown key, column or choice is refused,
// so that no code that reads files has to handle old names itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loom {

struct Tree;

// Returns the new name of `given` if that name is among `known`, the names valid at this point;
// otherwise nothing.
std::optional<std::string_view> renamed(std::string_view given,
                                        std::span<const std::string_view> known);

// Explains why `given` is not among the choices `known`: gives its new name, or lists all choices.
std::string choice_objection(std::string_view given, std::span<const std::string_view> known);

// Throws an InputError for the first key of `map` whose new name is among `known`. For maps whose
// keys are not described by parameters.
void refuse_renamed_keys(const Tree& map, std::string_view title,
                         std::span<const std::string_view> known);

}  // namespace loom
