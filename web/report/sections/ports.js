// The ports of each device by kind of traffic; ports without a circuit are outlined.
import { set_chooser } from '../circuit_sets.js';
import { circuits_of, groups_of, legend_classes } from '../circuits.js';
import { choice, tip } from '../dom.js';
import { box, label, scene_figure } from '../scene.js';
import { text_width } from '../text.js';

const SIDES = ['Sends', 'Receives'];
const AXIS = 24;
const TOP = 4;
const MOST = 64;

// Circuits per device and class.
function counts_of(circuits, set, side) {
  const counts = Array.from({ length: circuits.devices }, () =>
    Array(circuits.classes.length).fill(0),
  );
  for (const pair of set.pairs) {
    const device = side === SIDES[0] ? pair.from : pair.to;
    for (const kind of pair.classes) ++counts[device][kind];
  }
  return counts;
}

const sum_of = (values) => values.reduce((sum, each) => sum + each, 0);
const mean = (values) => sum_of(values) / values.length;

// One row per device, or per group of devices with the mean of the group.
function rows_of(circuits, counts) {
  const groups = groups_of(circuits.devices, MOST);
  return Array.from({ length: groups.count }, (_, group) => {
    const devices = counts.slice(group * groups.size, (group + 1) * groups.size);
    const ports = circuits.ports.slice(group * groups.size, (group + 1) * groups.size);
    return {
      name: groups.name(group),
      many: groups.size > 1,
      ports: mean(ports),
      counts: circuits.classes.map((_, kind) => mean(devices.map((device) => device[kind]))),
    };
  });
}

function row_tip(circuits, row, colors) {
  const text = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
  const lines = circuits.classes
    .map(({ name, color }, i) => [name, text(row.counts[i]), color(colors.dark)])
    .filter((_, i) => row.counts[i] > 0);
  const free = Math.max(0, row.ports - sum_of(row.counts));
  return tip(row.many ? `devices ${row.name}, mean` : `device ${row.name}`, [
    ...lines,
    ['without a circuit', text(free)],
  ]);
}

function ticks(most, plot) {
  let step = 1;
  while ((most / step) * 34 > plot) step *= 2;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

function layout_of(rows, width) {
  const widest = Math.max(...rows.map((row) => text_width(row.name, 11)));
  const left = Math.ceil(widest) + 10;
  const step = Math.max(8, Math.min(26, Math.floor(528 / rows.length)));
  const gap = step > 12 ? 4 : step > 9 ? 2 : 1;
  const most = Math.max(1, ...rows.map((row) => Math.max(row.ports, sum_of(row.counts))));
  const plot = width - left - 12;
  const x = (value) => left + (value / most) * plot;
  return { left, step, height: step - gap, most, plot, x, bottom: TOP + rows.length * step };
}

// The outline of all ports of a row, its circuits, and a line between ports if they can be told
// apart.
function row_marks(circuits, row, y, { x, height, most, plot }, colors) {
  const outline = { stroke: colors.line, 'stroke-width': 1 };
  const marks = [box(x(0) + 0.5, y + 0.5, x(row.ports) - x(0) - 1, height - 1, 'none', outline)];
  let sum = 0;
  row.counts.forEach((count, kind) => {
    const fill = circuits.classes[kind].color(colors.dark);
    if (count > 0) marks.push(box(x(sum), y, x(sum + count) - x(sum), height, fill));
    sum += count;
  });
  for (let port = 1; plot / most >= 5 && port < sum; ++port) {
    marks.push(box(x(port) - 0.5, y, 1, height, colors.surface));
  }
  return marks;
}

function row_item(circuits, row, y, { x, height, most }, colors) {
  const outline = { stroke: colors.text, 'stroke-width': 1.5 };
  return {
    at: [x(sum_of(row.counts) / 2), y + height / 2],
    tip: () => row_tip(circuits, row, colors),
    mark: () => [box(x(0) - 1.5, y - 1, x(most) - x(0) + 3, height + 2, 'none', outline)],
  };
}

function draw(circuits, rows, width, colors) {
  const layout = layout_of(rows, width);
  const { left, step, height, x, bottom } = layout;
  const small = { fill: colors.soft, size: 11 };
  const every = Math.max(1, Math.ceil(14 / step));
  const names = rows.flatMap((row, i) =>
    i % every === 0
      ? [label(left - 8, TOP + i * step + height / 2 + 4, row.name, { ...small, anchor: 'end' })]
      : [],
  );
  const bars = rows.flatMap((row, i) => row_marks(circuits, row, TOP + i * step, layout, colors));
  const axis = ticks(layout.most, layout.plot).map((tick) =>
    label(x(tick), bottom + 14, String(tick), { ...small, anchor: tick ? 'middle' : 'start' }),
  );
  const items = rows.map((row, i) => row_item(circuits, row, TOP + i * step, layout, colors));
  return {
    height: bottom + AXIS,
    marks: [...names, ...bars, ...axis],
    items,
    find: (_, y) => items[Math.floor((y - TOP) / step)] ?? null,
  };
}

export function ports(result) {
  const circuits = circuits_of(result);
  if (!circuits) return null;
  let side = SIDES[0];
  const chooser = set_chooser(circuits, 'Circuits at the ports', () => self.redraw());
  const build = (width, colors) => {
    const set = chooser.set();
    const rows = rows_of(circuits, counts_of(circuits, set, side));
    const used = sum_of(rows.map((row) => sum_of(row.counts)));
    const all = sum_of(rows.map((row) => row.ports));
    const legend = legend_classes(circuits, set.pairs, colors.dark);
    if (all > used) legend.push({ name: 'without a circuit (outline)', color: colors.line });
    return {
      ...draw(circuits, rows, width, colors),
      legend,
      label: `${((100 * used) / all).toFixed(0)} % of the ports have a circuit`,
    };
  };
  const port = circuits.ring ? 'wavelength' : 'port';
  const grouped = circuits.devices > MOST ? ', mean over groups of devices' : '';
  const self = scene_figure({
    id: 'ports',
    half: true,
    title: `${circuits.ring ? 'Wavelengths' : 'Ports'} per device`,
    note: `Circuits by kind of traffic${grouped}; an outline is a ${port} without a circuit.`,
    controls: [
      ...chooser.controls,
      choice('Direction', SIDES, side, (chosen) => {
        side = chosen;
        self.redraw();
      }),
    ],
    build,
    rows: () => [
      ['device', ...circuits.classes.map(({ name }) => name), 'ports'],
      ...counts_of(circuits, chooser.set(), side).map((counts, device) => [
        device,
        ...counts,
        circuits.ports[device],
      ]),
    ],
  });
  return self;
}
