// Inputs and labels: NPY, IDX (the format of MNIST) or raw bytes, told apart by how they begin.
#include <fmt/format.h>

#include <optional>

#include "loom/base/files.h"
#include "loom/photonic/network_files.h"
#include "loom/photonic/npy.h"

namespace loom {
namespace {

struct ByteArray {
  std::vector<std::int64_t> shape;  // empty where the file does not say
  std::vector<std::uint8_t> values;
};

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

// IDX of unsigned bytes: 0, 0, 8, the number of sides, each side in four bytes, big end first.
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

std::vector<std::uint8_t> npy_bytes(const NpyArray& array, const Place& place) {
  if (array.type == "|u1") return bytes_of(array.bytes);
  std::vector<std::uint8_t> values;
  for (const double value : numbers(array, place)) {
    if (value < 0 || value > 255 || value != static_cast<int>(value)) {
      throw InputError(place,
                       fmt::format("a value is {}; whole numbers from 0 to 255 are needed", value));
    }
    values.push_back(static_cast<std::uint8_t>(value));
  }
  return values;
}

ByteArray read_bytes(const std::string& path, const Place& from) {
  const std::string content = read_file(path, from);
  const Place place = place_of(path);
  if (is_npy(content)) {
    const NpyArray array = parse_npy(content, place);
    return {array.shape, npy_bytes(array, place)};
  }
  if (auto idx = parse_idx(content)) return *idx;
  return {{}, bytes_of(content)};
}

}  // namespace

std::vector<std::uint8_t> read_photonic_inputs(const std::string& path, std::int64_t size,
                                               const Place& from) {
  ByteArray array = read_bytes(path, from);
  const auto count = static_cast<std::int64_t>(array.values.size());
  std::int64_t each = size;
  if (array.shape.size() > 1 && array.shape.front() > 0) each = count / array.shape.front();
  if (count > 0 && each == size && count % size == 0) return std::move(array.values);
  throw InputError(
      place_of(path),
      fmt::format("the file has {} values{}; the network takes {} for "
                  "each input",
                  count, each == size ? "" : fmt::format(", {} for each input", each), size));
}

std::vector<std::uint8_t> read_labels(const std::string& path, const Place& from) {
  return read_bytes(path, from).values;
}

}  // namespace loom
