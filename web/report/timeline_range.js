// Which part of a timeline is seen, and which of its spans: numbers only, no drawing.

const LEAST = 10; // picoseconds across: closer there is nothing to see

// A range of the same width or as wide as `whole`, moved to lie inside it.
export function within(whole, from, to) {
  const all = whole.to - whole.from;
  const width = Math.min(all, Math.max(to - from, Math.min(LEAST, all)));
  const start = Math.min(Math.max(from, whole.from), whole.to - width);
  return { from: start, to: start + width };
}

// Zoomed by the factor (below 1: closer) about a moment that stays where it is on the screen.
export function zoomed(whole, seen, factor, at) {
  const width = Math.max((seen.to - seen.from) * factor, LEAST);
  const from = at - (at - seen.from) * (width / (seen.to - seen.from));
  return within(whole, from, from + width);
}

export const moved = (whole, seen, by) => within(whole, seen.from + by, seen.to + by);

// A lane's spans sorted by start, and how far each prefix of them reaches: what a search needs.
export function prepare(lane) {
  const spans = (lane.spans ?? []).filter((span) => span[1] >= span[0]).sort((a, b) => a[0] - b[0]);
  let far = -Infinity;
  const reach = spans.map((span) => (far = Math.max(far, span[1])));
  return { name: String(lane.name ?? ''), spans, reach };
}

// The first place in a rising list whose value is above the bound.
function first_above(list, bound) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The spans to draw at `scale` pixels a picosecond. Those too thin to tell from the one before are
// left out, so that the cost is bounded by the pixels.
export function visible_spans(lane, seen, scale) {
  const shown = [];
  let drawn_to = -Infinity;
  for (let i = first_above(lane.reach, seen.from); i < lane.spans.length; ++i) {
    const [start, end] = lane.spans[i];
    if (start >= seen.to) break;
    if (end <= seen.from && end > start) continue;
    if ((end - drawn_to) * scale < 0.5) continue;
    shown.push(lane.spans[i]);
    drawn_to = Math.max(drawn_to, end);
  }
  return shown;
}

// The span at a moment, give or take; the latest to start wins, as it is drawn on top.
export function span_at(lane, at, give) {
  let found = null;
  for (let i = first_above(lane.reach, at - give); i < lane.spans.length; ++i) {
    if (lane.spans[i][0] > at + give) break;
    if (lane.spans[i][1] >= at - give) found = lane.spans[i];
  }
  return found;
}
