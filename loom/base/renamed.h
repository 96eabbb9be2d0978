// Keys and values that were renamed. An old name is refused, and the message gives the new one.
//
// The table is in renamed.cc. It is consulted wherever an unknown key, column or choice is refused,
// so a reader of files needs no code of its own for old names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loom {

struct Tree;

// The new name of `given` if it is among `known`, the names valid at this point.
std::optional<std::string_view> renamed(std::string_view given,
                                        std::span<const std::string_view> known);

// What is wrong with `given`, which is none of the choices `known`: its new name, or all of them.
std::string choice_objection(std::string_view given, std::span<const std::string_view> known);

// For maps whose keys are not described by parameters: an InputError for the first key of `map`
// whose new name is among `known`.
void refuse_renamed_keys(const Tree& map, std::string_view title,
                         std::span<const std::string_view> known);

}  // namespace loom
