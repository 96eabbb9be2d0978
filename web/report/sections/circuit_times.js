// Circuits over time, where they change: which set is in place when, per plane or per device, by
// kind of traffic. While circuits change, their lane is dark.
import { circuits_of, legend_classes, plane_name } from '../circuits.js';
import { choice, tip } from '../dom.js';
import { text_on } from '../palette.js';
import { box, label, s, scene_figure } from '../scene.js';
import { shorten, text_width } from '../text.js';
import { is_number, tick_time, time, time_ticks } from '../units.js';

const BAR = 20;
const AXIS = 26;
const MOST = 24;

// The intervals: [{from, to, set}], and for the time of a change {from, to, set, change: true}.
function intervals_of(circuits) {
  const { from_ps: begin, to_ps: end, switches_over_time: switches } = circuits;
  if (!Array.isArray(switches) || !is_number(begin) || !is_number(end) || end <= begin) return [];
  const known = switches.filter(
    (each) => Array.isArray(each) && each.every(is_number) && circuits.sets[each[2]],
  );
  const intervals = [];
  known.forEach(([start, ready, set], i) => {
    if (ready > start) intervals.push({ from: start, to: Math.min(ready, end), set, change: true });
    const next = known[i + 1]?.[0] ?? (circuits.complete ? end : ready);
    if (next > ready) intervals.push({ from: ready, to: Math.min(next, end), set });
  });
  return intervals;
}

// Circuits per class, of every set, for each lane: [{name, counts: [per set][per class]}]. Lanes
// with equal counts are drawn once.
function lanes_of(circuits, by_device) {
  const lanes = new Map();
  circuits.sets.forEach((set, index) => {
    for (const circuit of set.pairs.flatMap((pair) => pair.circuits)) {
      const key = by_device ? circuit.from : circuit.plane;
      if (!lanes.has(key)) {
        lanes.set(
          key,
          circuits.sets.map(() => Array(circuits.classes.length).fill(0)),
        );
      }
      ++lanes.get(key)[index][circuit.class];
    }
  });
  const equal = new Map();
  for (const key of [...lanes.keys()].sort((a, b) => a - b)) {
    const text = JSON.stringify(lanes.get(key));
    if (!equal.has(text)) equal.set(text, { keys: [], counts: lanes.get(key) });
    equal.get(text).keys.push(key);
  }
  return [...equal.values()].map(({ keys, counts }) => ({
    name: lane_name(circuits, keys, by_device),
    counts,
    most: Math.max(1, ...counts.map((each) => each.reduce((a, b) => a + b, 0))),
  }));
}

function lane_name(circuits, keys, by_device) {
  const name = (key) => (by_device ? `device ${key}` : plane_name(circuits, key));
  if (keys.length === 1) return name(keys[0]);
  const runs = [];
  for (const key of keys) {
    const last = runs.at(-1);
    if (last && key === last[1] + 1) last[1] = key;
    else runs.push([key, key]);
  }
  const shown = (key) => (by_device ? key : circuits.ring ? plane_name(circuits, key) : key + 1);
  const text = runs
    .map(([a, b]) => (a === b ? `${shown(a)}` : `${shown(a)}–${shown(b)}`))
    .join(', ');
  return `${by_device ? 'devices' : circuits.ring ? '' : 'switches'} ${text}`.trim();
}

function interval_tip(circuits, lane, { from, to, set, change }, colors) {
  const counts = lane.counts[set];
  return tip(lane.name, [
    [change ? 'changes to' : 'circuits', circuits.sets[set].name],
    ['from', time(from - circuits.from_ps)],
    ['for', time(to - from)],
    ...counts
      .map((count, i) => [circuits.classes[i].name, count, circuits.classes[i].color(colors.dark)])
      .filter(([, count]) => count > 0),
  ]);
}

function axis(circuits, left, plot, colors) {
  const length = circuits.to_ps - circuits.from_ps;
  const ticks = time_ticks(0, length, Math.max(2, Math.floor(plot / 110)));
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : length;
  return ticks.map((tick) => {
    const text = tick_time(tick, step);
    const half = text_width(text, 11) / 2;
    const x = left + (tick / length) * plot;
    const at = Math.min(Math.max(x, left + half), left + plot - half);
    return label(at, 12, text, { fill: colors.soft, size: 11, anchor: 'middle' });
  });
}

function layout_of(circuits, lanes, intervals, width) {
  const widest = Math.max(...lanes.map((lane) => text_width(lane.name)));
  const above = width < 560;
  const left = above ? 0 : Math.ceil(Math.min(widest, 0.24 * width)) + 12;
  const row = above ? BAR + 24 : BAR + 8;
  const plot = width - left;
  const scale = plot / (circuits.to_ps - circuits.from_ps);
  const changes = intervals.filter(({ change }) => change).length;
  return {
    above,
    left,
    row,
    plot,
    scale,
    name_room: above ? width : left - 12,
    x: (at) => left + (at - circuits.from_ps) * scale,
    top: (lane) => AXIS + lane * row + (above ? 18 : 0),
    // A change is 2 pixels wide or more, unless many of them would hide the rest.
    thinnest: Math.min(2, (0.12 * plot) / Math.max(changes, 1)),
  };
}

// A stack of the kinds of traffic, and the name of the set if it fits on one color.
function interval_marks(circuits, lane, { from, to, set }, top, { x, scale }, colors) {
  const [begin, wide] = [x(from), (to - from) * scale];
  const counts = lane.counts[set];
  const color = (kind) => circuits.classes[kind].color(colors.dark);
  const marks = [];
  let y = top + BAR;
  counts.forEach((count, kind) => {
    const high = (count / lane.most) * BAR;
    y -= high;
    if (count > 0) marks.push(box(begin, y, Math.max(wide, 0.75), high, color(kind)));
  });
  const main = counts.indexOf(Math.max(...counts));
  const measure = (each) => text_width(each, 11);
  const text = wide > 48 ? shorten(circuits.sets[set].name, wide - 12, measure) : '';
  if (circuits.sets.length <= 8 && text && counts[main] >= 0.9 * lane.most) {
    marks.push(label(begin + 5, top + 14, text, { fill: text_on(color(main)), size: 11 }));
  }
  return marks;
}

function lane_marks(circuits, lane, intervals, top, layout, colors) {
  const { above, left, plot, x, scale, thinnest, name_room } = layout;
  const fill = above ? colors.soft : colors.text;
  const wide = ({ from, to }) => Math.max(thinnest, (to - from) * scale);
  return [
    label(0, above ? top - 5 : top + 14, shorten(lane.name, name_room), { fill }),
    box(left, top, plot, BAR, colors.grid),
    ...intervals
      .filter(({ change }) => !change)
      .flatMap((each) => interval_marks(circuits, lane, each, top, layout, colors)),
    ...intervals
      .filter(({ change }) => change)
      .map((each) => box(x(each.from), top, wide(each), BAR, colors.text)),
  ];
}

function interval_item(circuits, lane, interval, top, { x, scale }, colors) {
  const [begin, wide] = [x(interval.from), (interval.to - interval.from) * scale];
  const outline = { stroke: colors.text, 'stroke-width': 1.5 };
  return {
    interval,
    at: [begin + wide / 2, top + BAR / 2],
    tip: () => interval_tip(circuits, lane, interval, colors),
    mark: () => [box(begin - 1, top - 1, Math.max(wide, 2) + 2, BAR + 2, 'none', outline)],
  };
}

// The interval of a lane at a place; changes are found within 2 pixels.
function interval_at(items, at, { x }) {
  const covers = ({ interval: { from, to, change } }) => {
    const reach = change ? 2 : 0;
    return at >= x(from) - reach && at <= x(to) + reach;
  };
  const found = items.filter(covers);
  return found.find(({ interval }) => interval.change) ?? found[0] ?? null;
}

function draw(circuits, lanes, intervals, width, colors) {
  const layout = layout_of(circuits, lanes, intervals, width);
  const marks = axis(circuits, layout.left, layout.plot, colors);
  const items = lanes.map((lane, i) => {
    const top = layout.top(i);
    marks.push(...lane_marks(circuits, lane, intervals, top, layout, colors));
    return intervals.map((each) => interval_item(circuits, lane, each, top, layout, colors));
  });
  return {
    height: AXIS + lanes.length * layout.row,
    marks: [s('g', {}, marks)],
    items: items.flat(),
    find: (x, y) => interval_at(items[Math.floor((y - AXIS) / layout.row)] ?? [], x, layout),
  };
}

export function circuit_times(result) {
  const circuits = circuits_of(result);
  if (!circuits) return null;
  const intervals = intervals_of(circuits);
  if (!intervals.some(({ change }) => change) && intervals.length < 2) return null;
  const sides = [circuits.ring ? 'Per fiber' : 'Per switch', 'Per device'];
  let side = sides[0];
  const changes = intervals.filter(({ change }) => change).length;
  const build = (width, colors) => {
    const lanes = lanes_of(circuits, side === sides[1]);
    const shown = lanes.slice(0, MOST);
    const pairs = circuits.sets.flatMap((set) => set.pairs);
    return {
      ...draw(circuits, shown, intervals, width, colors),
      legend: [
        ...legend_classes(circuits, pairs, colors.dark),
        { name: 'changing', color: colors.text },
        ...(lanes.length > MOST ? [{ name: hidden(lanes.length), color: 'transparent' }] : []),
      ],
      label: `${changes} changes between ${circuits.sets.length} sets of circuits`,
    };
  };
  const hidden = (all) => `the first ${MOST} of ${all} lanes`;
  const number = circuits.all_sets ?? circuits.sets.length;
  const note =
    `${changes} changes between ${number} sets of circuits; each takes ` +
    `${time(circuits.switch_time_ps)}. Lanes that are equal are drawn once.` +
    (circuits.complete ? '' : ' The page holds only the first of them.');
  const self = scene_figure({
    id: 'circuit_times',
    title: 'Circuits over time',
    note,
    controls: [
      choice('Lanes', sides, side, (chosen) => {
        side = chosen;
        self.redraw();
      }),
    ],
    build,
    rows: () => [
      ['start [ps]', 'end [ps]', 'state', 'set', 'circuits'],
      ...intervals.map(({ from, to, set, change }) => [
        from,
        to,
        change ? 'changing' : 'in place',
        circuits.sets[set].name,
        circuits.sets[set].pairs.reduce((sum, pair) => sum + pair.circuits.length, 0),
      ]),
    ],
  });
  return self;
}
