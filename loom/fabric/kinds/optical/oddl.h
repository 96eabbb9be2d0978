// The grid of ODDL (Li et al., "Accelerate Distributed Deep Learning with a Fast Reconfigurable
// Optical Network", OFC 2024): every device has a port on the wavelength-selective switch of its
// row and a port on that of its column, and circuits are set up for every message.
//
// Device d is in row d / columns and column d % columns, so the last row may be partial. Two
// devices that share neither row nor column communicate through the device in the row of the first
// and the column of the second. By default the number of columns is a power of two. If the number
// of devices is also a power of two, partners in halving-doubling differ in one bit of d, and so
// share a row or a column.
#pragma once

#include <vector>

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kOddlKind;

struct OddlGrid {
  int devices = 0;
  int rows = 1;
  int columns = 1;

  int row(int device) const { return device / columns; }
  int column(int device) const { return device % columns; }

  // A single row or column needs only one port per device.
  int ports() const { return rows > 1 && columns > 1 ? 2 : 1; }

  // The device that relays between source and destination; -1 if they share a row or column.
  int between(int source, int destination) const;
};

// The grid closest to square whose number of columns is a power of two.
OddlGrid square_grid(int devices);

// Ring order in which neighbors, including the last and the first, share a row or a column. The
// order goes row by row or column by column. It is numerical if there is no such ring.
std::vector<int> snake_order(const OddlGrid& grid);

}  // namespace loom::fabric
