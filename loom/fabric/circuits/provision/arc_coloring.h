// Circular-arc coloring: assigns colors (wavelengths) to arcs of a ring, such that arcs that share
// a segment get different colors.
//
// A line needs as many colors as the max load of a segment; a ring may need more, and finding the
// minimum is NP-hard (Garey, Johnson, Miller and Papadimitriou, 1980). Heuristic: color the arcs
// across the least loaded segment first, then the others in order around the ring (Tucker, 1975),
// each with the first color free on all its segments. If no color is free, swap two colors along a
// Kempe chain, which nearly always frees one if arcs are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loom::fabric {

// `length` consecutive segments of the ring, starting at `first`.
struct Arc {
  int first = 0;
  int length = 1;
};

class ArcColoring {
 public:
  ArcColoring(int segments, int colors);

  // Arcs are numbered in the order in which they are added, and start uncolored.
  int add(Arc arc);
  bool add_if_free(Arc arc);  // adds and colors the arc, or does nothing

  // Colors the uncolored arcs, as far as possible.
  void color_all();

  bool place(int arc);              // uses the first free color
  bool place_by_exchange(int arc);  // frees a color along a Kempe chain first
  void remove(int arc);             // uncolors the arc

  // The arcs of this color that overlap the arc.
  std::vector<int> conflicting_arcs(int arc, int color) const;

  int color(int arc) const { return color_[static_cast<std::size_t>(arc)]; }  // -1: none
  int colors() const { return colors_; }
  int arcs() const { return static_cast<int>(arcs_.size()); }

 private:
  int segment(int arc, int step) const;
  int owner(int segment, int color) const;
  int first_free(int arc) const;
  void set(int arc, int color, int owner);
  bool overlap(int a, int b) const;
  int least_loaded() const;
  std::vector<int> order_of_coloring() const;
  bool one_free_everywhere(int arc, int a, int b) const;
  bool exchange_away(int arc, int color, int other);
  bool chain(int arc, int color, int other, std::vector<int>& arcs);

  int segments_;
  int colors_;
  std::vector<Arc> arcs_;
  std::vector<int> color_;
  std::vector<int> owner_;            // arc per segment and color; -1: none
  std::size_t words_;                 // words per segment: one bit per color
  std::vector<std::uint64_t> taken_;  // colors in use, per segment and word
  std::vector<int> seen_;             // last chain that visited the arc
  int chains_ = 0;
};

}  // namespace loom::fabric
