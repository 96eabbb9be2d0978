// Reads inputs and labels: NPY, IDX (the format of MNIST) or raw bytes, distinguished by their
// first bytes.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "loom/base/files.h"
#include "loom/photonic/network/network_files.h"
#include "loom/photonic/network/npy.h"

namespace loom::photonic {
namespace {

struct ByteArray {
  std::vector<std::int64_t> shape;  // empty if the file has no shape
  std::vector<std::uint8_t> values;
};

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

// Parses an IDX file of unsigned bytes: the bytes 0, 0 and 8, the number of dimensions, each
// dimension as a 4-byte big-endian number, and the values.
std::optional<ByteArray> parse_idx(std::string_view content) {
  const bool begins = content.size() >= 8 && content.substr(0, 3) == std::string_view("\0\0\10", 3);
  if (!begins || content[3] < 1 || content[3] > 4) return {};
  const std::size_t sides = static_cast<unsigned char>(content[3]);
  if (content.size() < 4 + 4 * sides) return {};
  ByteArray array;
  std::size_t count = 1;
  for (std::size_t s = 0; s < sides; ++s) {
    std::size_t side = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      side = side << 8 | static_cast<unsigned char>(content[4 + 4 * s + i]);
    }
    array.shape.push_back(static_cast<std::int64_t>(side));
    if (side != 0 && count > content.size() / side) return {};
    count *= side;
  }
  if (content.size() != 4 + 4 * sides + count) return {};
  array.values = bytes_of(content.substr(4 + 4 * sides));
  return array;
}

// The values of an array. Throws InputError unless they are integers from 0 to `max`.
template <typename Number>
std::vector<Number> npy_numbers(const NpyArray& array, int max, const SourceLocation& location) {
  std::vector<Number> values;
  for (const double value : numbers(array, location)) {
    if (!(value >= 0 && value <= max) || value != std::trunc(value)) {
      throw InputError(location,
                       fmt::format("a value is {}; integers from 0 to {} are needed", value, max));
    }
    values.push_back(static_cast<Number>(value));
  }
  return values;
}

ByteArray bytes_in(const std::string& content) {
  if (auto idx = parse_idx(content)) return *idx;
  return {{}, bytes_of(content)};
}

ByteArray read_bytes(const std::string& path, const SourceLocation& from) {
  const std::string content = read_file(path, from);
  if (!is_npy(content)) return bytes_in(content);
  const NpyArray array = parse_npy(content, location_of(path));
  if (array.type == "|u1") return {array.shape, bytes_of(array.bytes)};
  return {array.shape, npy_numbers<std::uint8_t>(array, kLargestMagnitude, location_of(path))};
}

std::vector<std::int32_t> label_numbers(const std::string& path, const SourceLocation& from) {
  const std::string content = read_file(path, from);
  if (is_npy(content)) {
    constexpr int kMaxLabel = std::numeric_limits<std::int32_t>::max();
    return npy_numbers<std::int32_t>(parse_npy(content, location_of(path)), kMaxLabel,
                                     location_of(path));
  }
  const std::vector<std::uint8_t> bytes = bytes_in(content).values;
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::uint8_t> read_photonic_inputs(const std::string& path, std::int64_t size,
                                               const SourceLocation& from) {
  ByteArray array = read_bytes(path, from);
  const auto count = static_cast<std::int64_t>(array.values.size());
  std::int64_t each = size;
  if (array.shape.size() > 1 && array.shape.front() > 0) each = count / array.shape.front();
  if (count > 0 && each == size && count % size == 0) return std::move(array.values);
  throw InputError(
      location_of(path),
      fmt::format("the file has {} values{}; the network takes {} per "
                  "input",
                  count, each == size ? "" : fmt::format(", {} per input", each), size));
}

std::vector<std::int32_t> read_labels(const std::string& path, std::int64_t inputs,
                                      std::int64_t outputs, const SourceLocation& from) {
  std::vector<std::int32_t> labels = label_numbers(path, from);
  if (static_cast<std::int64_t>(labels.size()) != inputs) {
    throw InputError(from, fmt::format("there are {} labels; one per input is needed, {} in total",
                                       labels.size(), inputs));
  }
  for (const std::int32_t label : labels) {
    if (label < outputs) continue;
    throw InputError(from, fmt::format("a label is {}; the network's {} outputs are 0 to {}", label,
                                       outputs, outputs - 1));
  }
  return labels;
}

}  // namespace loom::photonic
