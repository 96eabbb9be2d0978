// Arrays of NumPy's files (NPY 1.0 to 3.0), read and written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"

namespace loom {

struct NpyArray {
  std::string type;  // as NumPy writes it: "<f4", "<i2", "|u1", …
  std::vector<std::int64_t> shape;
  std::string bytes;  // in C order

  bool operator==(const NpyArray&) const = default;
};

bool is_npy(std::string_view content);

// InputError where it is no array, is in Fortran order, or has not the bytes of its shape.
NpyArray parse_npy(std::string_view content, const SourceLocation& location);

std::string to_npy(const NpyArray& array);

std::int64_t elements(const NpyArray& array);

// Its values. InputError where they are no numbers of 1, 2, 4 or 8 bytes in little-endian order.
std::vector<double> numbers(const NpyArray& array, const SourceLocation& location);

bool is_floating(const NpyArray& array);

}  // namespace loom
