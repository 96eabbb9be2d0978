#include "loom/base/error.h"

#include <fmt/format.h>

#include <filesystem>

namespace loom {

std::string SourceLocation::text() const {
  if (!source) return "";
  return line > 0 ? fmt::format("{}:{}", *source, line) : *source;
}

SourceLocation location_of(std::string source, int line) {
  return {std::make_shared<const std::string>(std::move(source)), line};
}

InputError::InputError(const SourceLocation& location, const std::string& message)
    : std::runtime_error(location.source ? location.text() + ": " + message : message) {}

void belief_failed(const char* condition, const char* belief, const char* file, int line) {
  const std::string name = std::filesystem::path(file).filename().string();
  throw std::logic_error(
      fmt::format("internal error at {}:{}: {} does not hold: {}", name, line, condition, belief));
}

}  // namespace loom
