// Is it text? What users give us must be UTF-8, because we print it and write it into JSON.
#pragma once

#include <string>
#include <string_view>

namespace loom {

// Where the first byte stands that is not part of a UTF-8 character (RFC 3629); the size if none
// is.
std::size_t first_not_utf8(std::string_view text);

// The text, or its beginning and "…" where it is long: for messages.
std::string shortened(std::string_view text);

}  // namespace loom
