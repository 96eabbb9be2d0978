#include "loom/photonic/network/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

struct Point {
  double x;
  double y;
};

// Strokes in a square from −1 to 1, with y pointing down; a stroke is a polyline.
using Stroke = std::vector<Point>;

const std::array<std::vector<Stroke>, 10>& strokes() {
  static const std::array<std::vector<Stroke>, 10> kStrokes = {{
      {{{-.5, -.6},
        {0, -.9},
        {.5, -.6},
        {.6, 0},
        {.5, .6},
        {0, .9},
        {-.5, .6},
        {-.6, 0},
        {-.5, -.6}}},
      {{{-.35, -.5}, {.1, -.9}, {.1, .9}}},
      {{{-.5, -.5}, {-.2, -.85}, {.3, -.85}, {.55, -.45}, {.3, 0}, {-.55, .85}, {.6, .85}}},
      {{{-.5, -.8}, {.2, -.85}, {.5, -.45}, {0, -.05}, {.55, .4}, {.2, .85}, {-.5, .75}}},
      {{{.3, .9}, {.3, -.9}, {-.6, .3}, {.6, .3}}},
      {{{.5, -.85}, {-.4, -.85}, {-.45, -.1}, {.2, -.2}, {.55, .3}, {.2, .85}, {-.5, .75}}},
      {{{.4, -.85}, {-.2, -.5}, {-.5, .2}, {-.2, .85}, {.4, .75}, {.5, .25}, {0, 0}, {-.45, .3}}},
      {{{-.55, -.85}, {.55, -.85}, {-.1, .9}}},
      {{{0, -.05},
        {-.45, -.45},
        {0, -.9},
        {.45, -.45},
        {0, -.05},
        {-.5, .45},
        {0, .9},
        {.5, .45},
        {0, -.05}}},
      {{{.45, -.35}, {0, -.05}, {-.45, -.4}, {0, -.9}, {.45, -.4}, {.4, .3}, {0, .9}}},
  }};
  return kStrokes;
}

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy);
  const double t = std::clamp(along, 0.0, 1.0);
  const double x = p.x - a.x - t * dx;
  const double y = p.y - a.y - t * dy;
  return std::sqrt(x * x + y * y);
}

double distance(const Point& p, std::span<const Stroke> drawn) {
  double nearest = 10;
  for (const Stroke& stroke : drawn) {
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      nearest = std::min(nearest, distance(p, stroke[i - 1], stroke[i]));
    }
  }
  return nearest;
}

// Random distortion of one image.
struct Hand {
  double shift_x, shift_y, turn, slant, scale, thickness;
};

// A uniformly distributed number from −size to size.
double even(Random& random, double size) { return size * (random(20'001) / 10'000.0 - 1); }

Hand a_hand(Random& random) {
  Hand hand{};
  hand.shift_x = even(random, .22);
  hand.shift_y = even(random, .22);
  hand.turn = even(random, .35);
  hand.slant = even(random, .45);
  hand.scale = 1.15 + even(random, .3);
  hand.thickness = .13 + even(random, .06);
  return hand;
}

// Maps a point of the image to the coordinates of the strokes.
Point seen(const Point& p, const Hand& hand) {
  const double x = (p.x - hand.shift_x) * hand.scale;
  const double y = (p.y - hand.shift_y) * hand.scale;
  // Small-angle rotation without the library's sine, which differs between machines.
  return {x - hand.turn * y + hand.slant * y, y + hand.turn * x};
}

void draw(int digit, int side, Random& random, std::vector<std::uint8_t>& pixels) {
  constexpr double kSoft = .18;  // width over which a stroke fades
  const Hand hand = a_hand(random);
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const Point p{(2 * column + 1.0) / side - 1, (2 * row + 1.0) / side - 1};
      const double far = distance(seen(p, hand), strokes()[static_cast<std::size_t>(digit)]);
      const double light = std::clamp(1 - (far - hand.thickness) / kSoft, 0.0, 1.0);
      const bool speck = random(100) < 6;
      const double value = speck ? random(256) : 255 * light;
      pixels.push_back(static_cast<std::uint8_t>(std::floor(value)));
    }
  }
}

}  // namespace

LabeledInputs make_digits(int count, std::uint64_t seed, int side) {
  Random random = random_stream(seed, 7);
  LabeledInputs set;
  set.side = side;
  for (int i = 0; i < count; ++i) {
    const auto digit = static_cast<int>(random(10));
    set.labels.push_back(digit);
    draw(digit, side, random, set.inputs);
  }
  return set;
}

}  // namespace loom::photonic
