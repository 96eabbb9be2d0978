// Circuits over time, where they change: which set is in place when, per plane or per device, by kind
// of traffic. While circuits change, their lane is dark.
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
    number: keys.length,
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
  const text = runs.map(([a, b]) => (a === b ? `${shown(a)}` : `${shown(a)}–${shown(b)}`)).join(', ');
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

function draw(circuits, lanes, intervals, width, colors) {
  const widest = Math.max(...lanes.map((lane) => text_width(lane.name)));
  const above = width < 560;
  const left = above ? 0 : Math.ceil(Math.min(widest, 0.24 * width)) + 12;
  const row = above ? BAR + 24 : BAR + 8;
  const plot = width - left;
  const scale = plot / (circuits.to_ps - circuits.from_ps);
  const x = (at) => left + (at - circuits.from_ps) * scale;
  const marks = axis(circuits, left, plot, colors);
  const items = [];
  // Changes are drawn on top, 2 pixels wide or more, unless many of them would hide the rest.
  const changes = intervals.filter(({ change }) => change);
  const thinnest = Math.min(2, (0.12 * plot) / Math.max(changes.length, 1));
  lanes.forEach((lane, i) => {
    const top = AXIS + i * row + (above ? 18 : 0);
    const most = Math.max(1, ...lane.counts.map((counts) => counts.reduce((a, b) => a + b, 0)));
    const name = shorten(lane.name, above ? width : left - 12);
    marks.push(label(0, above ? top - 5 : top + 14, name, { fill: above ? colors.soft : colors.text }));
    marks.push(box(left, top, plot, BAR, colors.grid));
    for (const interval of intervals) {
      const [begin, wide] = [x(interval.from), (interval.to - interval.from) * scale];
      if (!interval.change) {
        let y = top + BAR;
        const counts = lane.counts[interval.set];
        counts.forEach((count, kind) => {
          const high = (count / most) * BAR;
          y -= high;
          if (count > 0) marks.push(box(begin, y, Math.max(wide, 0.75), high, circuits.classes[kind].color(colors.dark)));
        });
        const main = counts.indexOf(Math.max(...counts));
        const text = shorten(circuits.sets[interval.set].name, wide - 12, (each) => text_width(each, 11));
        if (circuits.sets.length <= 8 && wide > 48 && text && counts[main] >= 0.7 * most) {
          const fill = text_on(circuits.classes[main].color(colors.dark));
          marks.push(label(begin + 5, top + 14, text, { fill, size: 11 }));
        }
      }
      items.push({
        interval,
        lane: i,
        at: [begin + wide / 2, top + BAR / 2],
        tip: () => interval_tip(circuits, lane, interval, colors),
        mark: () => [
          box(begin - 1, top - 1, Math.max(wide, 2) + 2, BAR + 2, 'none', {
            stroke: colors.text,
            'stroke-width': 1.5,
          }),
        ],
      });
    }
    for (const { from, to } of changes) {
      marks.push(box(x(from), top, Math.max(thinnest, (to - from) * scale), BAR, colors.text));
    }
  });
  const find = (at_x, at_y) => {
    const lane = Math.floor((at_y - AXIS) / row);
    const mine = items.filter((item) => item.lane === lane);
    const reach = (item) => (item.interval.change ? 2 : 0);
    return (
      [...mine.filter((item) => item.interval.change), ...mine].find(
        (item) => at_x >= x(item.interval.from) - reach(item) && at_x <= x(item.interval.to) + reach(item),
      ) ?? null
    );
  };
  return { height: AXIS + lanes.length * row, marks: [s('g', {}, marks)], items, find };
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
        ...(lanes.length > MOST ? [{ name: `the first ${MOST} of ${lanes.length} lanes`, color: 'transparent' }] : []),
      ],
      label: `${changes} changes between ${circuits.sets.length} sets of circuits`,
    };
  };
  const self = scene_figure({
    id: 'circuit_times',
    title: 'Circuits over time',
    note: `${changes} changes between ${circuits.all_sets ?? circuits.sets.length} sets of circuits; each takes ${time(circuits.switch_time_ps)}. Lanes that are equal are drawn once.${circuits.complete ? '' : ' The page holds the first sets only.'}`,
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
