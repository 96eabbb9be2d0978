// The devices of a fabric as points of a grid that wraps around, such as 2 ranks of tensor by 8 of
// expert by 4 of data parallelism.
//
// Devices are numbered along the innermost dimension first. A shift is the way from one device to
// another, written as the device that it leads to from device 0: on a grid it is the same for all
// replicas of a job, so circuits and routes are found once for all of them.
#pragma once

#include <vector>

namespace loom::fabric {

class DeviceGrid {
 public:
  DeviceGrid() = default;
  explicit DeviceGrid(std::vector<int> extents);  // innermost first; the product counts the devices

  int devices() const { return static_cast<int>(coordinates_.size() / extents_.size()); }
  const std::vector<int>& extents() const { return extents_; }

  // The device at this shift from a device.
  int at(int device, int shift) const;

  // The shift from one device to another.
  int shift(int from, int to) const;

 private:
  const int* coordinates(int device) const {
    return coordinates_.data() + static_cast<std::size_t>(device) * extents_.size();
  }

  std::vector<int> extents_;
  std::vector<int> strides_;
  std::vector<int> coordinates_;  // per device and dimension
};

}  // namespace loom::fabric
