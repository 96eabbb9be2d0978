#include "loom/photonic/network/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loom/base/raw_numbers.h"
#include "loom/base/text.h"

namespace loom::photonic {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // alignment of the values, as in NumPy
constexpr std::int64_t kMaxElements = 2'000'000'000;

[[noreturn]] void refuse(const SourceLocation& location, const std::string& message) {
  throw InputError(location, message);
}

// The text after 'key': in the header's dictionary.
std::string_view after_key(std::string_view header, std::string_view key,
                           const SourceLocation& location) {
  const std::string quoted = fmt::format("'{}':", key);
  const std::size_t begin = header.find(quoted);
  if (begin == std::string_view::npos) {
    refuse(location, fmt::format("the NPY header has no '{}'; descr, fortran_order and shape are "
                                 "needed",
                                 key));
  }
  std::string_view rest = header.substr(begin + quoted.size());
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest;
}

std::string type_in(std::string_view header, const SourceLocation& location) {
  const std::string_view rest = after_key(header, "descr", location);
  const std::size_t end = rest.starts_with('\'') ? rest.find('\'', 1) : std::string_view::npos;
  if (end == std::string_view::npos) {
    refuse(location, "the NPY file holds records; an array of numbers is needed");
  }
  return std::string(rest.substr(1, end - 1));
}

std::vector<std::int64_t> shape_in(std::string_view header, const SourceLocation& location) {
  const std::string_view rest = after_key(header, "shape", location);
  const std::size_t end = rest.find(')');
  std::vector<std::int64_t> shape;
  std::int64_t size = 1;
  bool good = rest.starts_with('(') && end != std::string_view::npos;
  for (std::size_t i = 1; good && i < end;) {
    if (rest[i] == ' ' || rest[i] == ',' || rest[i] == 'L') {
      ++i;
      continue;
    }
    std::int64_t side = 0;
    const std::size_t begin = i;
    for (; i < end && rest[i] >= '0' && rest[i] <= '9' && side <= kMaxElements; ++i) {
      side = side * 10 + (rest[i] - '0');
    }
    good = i > begin && side <= kMaxElements && size * side <= kMaxElements;
    size *= side;
    shape.push_back(side);
  }
  if (!good) {
    refuse(location,
           fmt::format("the NPY shape is '{}'; at most {} values are possible",
                       shortened(rest.substr(0, std::min<std::size_t>(end, 40))), kMaxElements));
  }
  return shape;
}

int bytes_of(const NpyArray& array, const SourceLocation& location) {
  const std::string_view type = array.type;
  const bool known = type == "<f4" || type == "<f8" || type == "|u1" || type == "|i1" ||
                     type == "<i2" || type == "<u2" || type == "<i4" || type == "<u4" ||
                     type == "<i8" || type == "|b1";
  if (known) return type[2] - '0';
  refuse(location,
         fmt::format("the NPY type is '{}'; <f4, <f8, |u1, |i1, <i2, <u2, <i4, <u4 or <i8 "
                     "is needed",
                     shortened(type)));
}

}  // namespace

bool is_npy(std::string_view content) { return content.starts_with(kMagic); }

NpyArray parse_npy(std::string_view content, const SourceLocation& location) {
  if (!is_npy(content) || content.size() < 12) refuse(location, "this is not an NPY file");
  const int version = static_cast<unsigned char>(content[6]);
  const std::size_t width = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) {
    refuse(location, fmt::format("the NPY version is {}; 1 to 3 are known", version));
  }
  std::size_t size = 0;
  for (std::size_t i = width; i-- > 0;) {
    size = size << 8 | static_cast<unsigned char>(content[8 + i]);
  }
  if (size > content.size() - 8 - width) refuse(location, "the NPY file ends within its header");
  const std::string_view header = content.substr(8 + width, size);
  if (!after_key(header, "fortran_order", location).starts_with("False")) {
    refuse(location, "the NPY array is in Fortran order; C order is needed");
  }
  NpyArray array{type_in(header, location), shape_in(header, location), ""};
  array.bytes = content.substr(8 + width + size);
  const std::int64_t needed = elements(array) * bytes_of(array, location);
  if (static_cast<std::int64_t>(array.bytes.size()) != needed) {
    refuse(location, fmt::format("the NPY file has {} bytes of values; its shape needs {}",
                                 array.bytes.size(), needed));
  }
  return array;
}

std::string to_npy(const NpyArray& array) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", array.type,
                  fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  constexpr std::size_t kBefore = 10;
  while ((kBefore + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string content(kMagic);
  content +=
      {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return content + header + array.bytes;
}

std::int64_t elements(const NpyArray& array) {
  std::int64_t count = 1;
  for (const std::int64_t side : array.shape) count *= side;
  return count;
}

bool is_floating(const NpyArray& array) { return array.type == "<f4" || array.type == "<f8"; }

std::vector<double> numbers(const NpyArray& array, const SourceLocation& location) {
  bytes_of(array, location);
  if (array.type == "<f4") return raw_numbers<float>(array.bytes);
  if (array.type == "<f8") return raw_numbers<double>(array.bytes);
  if (array.type == "|u1" || array.type == "|b1") return raw_numbers<std::uint8_t>(array.bytes);
  if (array.type == "|i1") return raw_numbers<std::int8_t>(array.bytes);
  if (array.type == "<i2") return raw_numbers<std::int16_t>(array.bytes);
  if (array.type == "<u2") return raw_numbers<std::uint16_t>(array.bytes);
  if (array.type == "<i4") return raw_numbers<std::int32_t>(array.bytes);
  if (array.type == "<u4") return raw_numbers<std::uint32_t>(array.bytes);
  return raw_numbers<std::int64_t>(array.bytes);
}

}  // namespace loom::photonic
