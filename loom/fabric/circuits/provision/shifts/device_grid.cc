#include "loom/fabric/circuits/provision/shifts/device_grid.h"

#include "loom/base/error.h"

namespace loom::fabric {

DeviceGrid::DeviceGrid(std::vector<int> extents) : extents_(std::move(extents)) {
  int devices = 1;
  for (const int extent : extents_) {
    LOOM_CHECK(extent >= 1, "a dimension of a grid has at least one device");
    strides_.push_back(devices);
    devices *= extent;
  }
  for (int device = 0; device < devices; ++device) {
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      coordinates_.push_back(device / strides_[i] % extents_[i]);
    }
  }
}

int DeviceGrid::at(int device, int shift) const {
  const int* a = coordinates(device);
  const int* b = coordinates(shift);
  int sum = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const int moved = a[i] + b[i];
    sum += (moved < extents_[i] ? moved : moved - extents_[i]) * strides_[i];
  }
  return sum;
}

int DeviceGrid::shift(int from, int to) const {
  const int* a = coordinates(from);
  const int* b = coordinates(to);
  int sum = 0;
  for (std::size_t i = 0; i < extents_.size(); ++i) {
    const int moved = b[i] - a[i];
    sum += (moved >= 0 ? moved : moved + extents_[i]) * strides_[i];
  }
  return sum;
}

}  // namespace loom::fabric
