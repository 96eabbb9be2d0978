// Colours (wavelengths) for arcs of a ring, such that arcs with a common segment differ.
//
// On a line as many colours as the busiest segment has arcs are enough; on a ring up to half as
// many more may be needed, and finding the least number is NP-hard (Garey, Johnson, Miller and
// Papadimitriou, 1980). So: cut the ring at its least loaded segment, give the arcs over the cut
// colours of their own, take the others in order round the ring (Tucker, 1975), each the first
// colour free all along it. An arc that finds none is helped by exchanging two colours along the
// chain of arcs that overlap in them (Kempe), which where arcs are short nearly always ends well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loom {

// From segment `first` on, around the ring.
struct Arc {
  int first = 0;
  int length = 1;
};

class ArcColouring {
 public:
  ArcColouring(int segments, int colours);

  // Arcs are numbered as they are added; they have no colour at first.
  int add(Arc arc);
  bool add_if_free(Arc arc);  // in the first colour that is free for it; else not at all

  // Colours all arcs that have no colour, as far as that is possible.
  void colour_all();

  bool place(int arc);              // in the first colour that is free for it
  bool place_by_exchange(int arc);  // after exchanging two colours elsewhere
  void remove(int arc);             // takes its colour away

  // The arcs of the colour that overlap this one.
  std::vector<int> conflicting_arcs(int arc, int colour) const;

  int colour(int arc) const { return colour_[static_cast<std::size_t>(arc)]; }  // -1: none
  int colours() const { return colours_; }
  int arcs() const { return static_cast<int>(arcs_.size()); }

 private:
  int segment(int arc, int step) const;
  int owner(int segment, int colour) const;
  int first_free(int arc) const;
  void set(int arc, int colour, int owner);
  bool overlap(int a, int b) const;
  int least_loaded() const;
  std::vector<int> order_of_colouring() const;
  bool one_free_everywhere(int arc, int a, int b) const;
  bool exchange_away(int arc, int colour, int other);
  bool chain(int arc, int colour, int other, std::vector<int>& arcs);

  int segments_;
  int colours_;
  std::vector<Arc> arcs_;
  std::vector<int> colour_;
  std::vector<int> owner_;            // by segment and colour: the arc there; -1: none
  std::size_t words_;                 // for a bit for every colour
  std::vector<std::uint64_t> taken_;  // by segment, and word: the colours that have an owner
  std::vector<int> seen_;             // by arc: the last chain that had it
  int chains_ = 0;
};

}  // namespace loom
