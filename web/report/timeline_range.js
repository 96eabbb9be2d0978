// Computes the visible range of a timeline and the spans in it, without drawing.

const MIN_WIDTH = 10; // picoseconds: there is nothing to see at a higher zoom

// Returns the range moved, and shortened if necessary, to lie inside `whole`.
export function within(whole, from, to) {
  const all = whole.to - whole.from;
  const width = Math.min(all, Math.max(to - from, Math.min(MIN_WIDTH, all)));
  const start = Math.min(Math.max(from, whole.from), whole.to - width);
  return { from: start, to: start + width };
}

// Returns the range zoomed by a factor (below 1: closer) around the time point `at`, which keeps
// its position on the screen.
export function zoomed(whole, seen, factor, at) {
  const width = Math.max((seen.to - seen.from) * factor, MIN_WIDTH);
  const from = at - (at - seen.from) * (width / (seen.to - seen.from));
  return within(whole, from, from + width);
}

export const moved = (whole, seen, by) => within(whole, seen.from + by, seen.to + by);

// A lane prepared for searches: spans sorted by start, and the latest end of each prefix.
export function prepare(lane) {
  const spans = (lane.spans ?? []).filter((span) => span[1] >= span[0]).sort((a, b) => a[0] - b[0]);
  let far = -Infinity;
  const reach = spans.map((span) => (far = Math.max(far, span[1])));
  return { name: String(lane.name ?? ''), spans, reach };
}

// The first index in an ascending list whose value is above the bound.
function first_above(list, bound) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Returns the spans to draw at `scale` pixels per picosecond. Omits spans too thin to distinguish
// from the previous one, so that the cost is bounded by the number of pixels.
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

// Returns the span at a time point, within a tolerance. Of several, returns the one that starts
// last, because it is drawn on top.
export function span_at(lane, at, give) {
  let found = null;
  for (let i = first_above(lane.reach, at - give); i < lane.spans.length; ++i) {
    if (lane.spans[i][0] > at + give) break;
    if (lane.spans[i][1] >= at - give) found = lane.spans[i];
  }
  return found;
}
