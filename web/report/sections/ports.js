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

const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;

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
  const used = row.counts.reduce((sum, each) => sum + each, 0);
  const text = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
  return tip(row.many ? `devices ${row.name}, mean` : `device ${row.name}`, [
    ...row.counts
      .map((count, i) => [circuits.classes[i].name, text(count), circuits.classes[i].color(colors.dark)])
      .filter((_, i) => row.counts[i] > 0),
    ['without a circuit', text(Math.max(0, row.ports - used))],
  ]);
}

function ticks(most, plot) {
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].find((each) => (most / each) * 34 <= plot) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

function draw(circuits, rows, width, colors) {
  const widest = Math.max(...rows.map((row) => text_width(row.name, 11)));
  const left = Math.ceil(widest) + 10;
  const step = Math.max(8, Math.min(26, Math.floor(528 / rows.length)));
  const most = Math.max(1, ...rows.map((row) => Math.max(row.ports, row.counts.reduce((a, b) => a + b, 0))));
  const plot = width - left - 12;
  const x = (value) => left + (value / most) * plot;
  const every = Math.max(1, Math.ceil(14 / step));
  const gap = step > 12 ? 4 : step > 9 ? 2 : 1;
  const marks = [];
  const items = [];
  rows.forEach((row, i) => {
    const y = TOP + i * step;
    if (i % every === 0) {
      marks.push(label(left - 8, y + (step - gap) / 2 + 4, row.name, { fill: colors.soft, size: 11, anchor: 'end' }));
    }
    const height = step - gap;
    marks.push(
      box(x(0) + 0.5, y + 0.5, x(row.ports) - x(0) - 1, height - 1, 'none', {
        stroke: colors.line,
        'stroke-width': 1,
      }),
    );
    let sum = 0;
    row.counts.forEach((count, kind) => {
      if (count > 0) {
        marks.push(box(x(sum), y, x(sum + count) - x(sum), height, circuits.classes[kind].color(colors.dark)));
      }
      sum += count;
    });
    // A line between ports, as long as they can be told apart.
    if (plot / most >= 5) {
      for (let port = 1; port < sum; ++port) marks.push(box(x(port) - 0.5, y, 1, height, colors.surface));
    }
    items.push({
      at: [x(sum / 2), y + height / 2],
      tip: () => row_tip(circuits, row, colors),
      mark: () => [
        box(x(0) - 1.5, y - 1, x(most) - x(0) + 3, height + 2, 'none', {
          stroke: colors.text,
          'stroke-width': 1.5,
        }),
      ],
    });
  });
  const bottom = TOP + rows.length * step;
  for (const tick of ticks(most, plot)) {
    marks.push(
      label(x(tick), bottom + 14, String(tick), { fill: colors.soft, size: 11, anchor: tick === 0 ? 'start' : 'middle' }),
    );
  }
  return {
    height: bottom + AXIS,
    marks,
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
    const used = rows.reduce((sum, row) => sum + row.counts.reduce((a, b) => a + b, 0), 0);
    const all = rows.reduce((sum, row) => sum + row.ports, 0);
    const legend = legend_classes(circuits, set.pairs, colors.dark);
    if (all > used) legend.push({ name: 'without a circuit (outline)', color: colors.line });
    return {
      ...draw(circuits, rows, width, colors),
      legend,
      label: `${((100 * used) / all).toFixed(0)} % of the ports have a circuit`,
    };
  };
  const what = circuits.ring ? 'Wavelengths' : 'Ports';
  const self = scene_figure({
    id: 'ports',
    half: true,
    title: `${what} per device`,
    note: `Circuits of each device by kind of traffic${circuits.devices > MOST ? ', mean over groups of devices' : ''}; an outline is a ${circuits.ring ? 'wavelength' : 'port'} without a circuit.`,
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
