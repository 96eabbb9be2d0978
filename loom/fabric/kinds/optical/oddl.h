// The grid of ODDL (Li et al., "Accelerate Distributed Deep Learning with a Fast Reconfigurable
// Optical Network", OFC 2024): every device has one port to the wavelength-selective switch of its
// row and one to that of its column, and light is switched for every message.
//
// Device d stands in row d / columns and column d % columns, so the last row may be short. Two
// devices that share neither row nor column reach each other through the one that stands in the row
// of the first and the column of the second. Where the columns are a power of two, the partners of
// halving-doubling over a power of two of devices differ in one bit of d and so share a row or a
// column; that is why they are by default.
#pragma once

#include <vector>

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kOddlKind;

struct OddlGrid {
  int devices = 0;
  int rows = 1;
  int columns = 1;

  int row(int device) const { return device / columns; }
  int column(int device) const { return device % columns; }

  // A row or column of all needs no port to the other.
  int ports() const { return rows > 1 && columns > 1 ? 2 : 1; }

  // The device through which the two reach each other; -1 if they share a row or column.
  int between(int source, int destination) const;
};

// As square as can be with a power of two of columns.
OddlGrid square_grid(int devices);

// The devices in an order in which neighbours share a row or a column, the last and the first too:
// row by row, or column by column, each entered where the one before was left. Where there is no
// such order, that of their numbers.
std::vector<int> snake_order(const OddlGrid& grid);

}  // namespace loom
