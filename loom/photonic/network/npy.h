// Reads and writes arrays in NumPy's file format (NPY 1.0 to 3.0).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"

namespace loom::photonic {

struct NpyArray {
  std::string type;  // NumPy's notation: "<f4", "<i2", "|u1", …
  std::vector<std::int64_t> shape;
  std::string bytes;  // in C order

  bool operator==(const NpyArray&) const = default;
};

bool is_npy(std::string_view content);

// Parses the content of an NPY file. Throws InputError if it is not an array of numbers, is in
// Fortran order, or has a size that differs from its shape.
NpyArray parse_npy(std::string_view content, const SourceLocation& location);

std::string to_npy(const NpyArray& array);

std::int64_t elements(const NpyArray& array);

// The values of an array. Throws InputError unless they are little-endian numbers of 1, 2, 4 or 8
// bytes.
std::vector<double> numbers(const NpyArray& array, const SourceLocation& location);

bool is_floating(const NpyArray& array);

}  // namespace loom::photonic
