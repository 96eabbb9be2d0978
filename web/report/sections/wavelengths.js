// The wavelength map of a ring: segments across, wavelengths down, one block per fiber and
// direction. A bar is a circuit: the segments on which it occupies its wavelength.
import { circuits_of, legend_classes, plane_name } from '../circuits.js';
import { set_chooser } from '../circuit_sets.js';
import { pair_tip } from '../circuit_tips.js';
import { box, label, s, scene_figure } from '../scene.js';
import { LABEL, text_width } from '../text.js';
import { percent } from '../units.js';

const COLUMNS = [
  'from',
  'to',
  'fiber',
  'direction',
  'wavelength',
  'segments',
  'kind',
  'bytes of the pair',
  'utilization',
];
const AXIS = 34;
const GAP = 10;

// The segments of a circuit, in the order of the ring: [[first, count]], two if it wraps around.
// Segment i lies between devices i and i + 1.
export function segments_of({ from, to, plane }, devices) {
  const [start, end] = plane % 2 ? [to, from] : [from, to];
  const count = (end - start + devices) % devices;
  return start + count <= devices
    ? [[start, count]]
    : [
        [start, devices - start],
        [0, start + count - devices],
      ];
}

const arc = (circuit, devices) =>
  segments_of(circuit, devices).reduce((sum, [, count]) => sum + count, 0);

const segments_text = (count) => `${count} segment${count === 1 ? '' : 's'}`;

function layout_of(circuits, width) {
  const planes = [];
  for (let fiber = 0; fiber < (circuits.fibers || 1); ++fiber) {
    for (let way = 0; way < (circuits.directions || 1); ++way) planes.push(2 * fiber + way);
  }
  const names = planes.map((plane) => plane_name(circuits, plane));
  const above = width < 560;
  const left = above ? 0 : Math.ceil(Math.max(...names.map((name) => text_width(name)))) + 12;
  const rows = planes.length * circuits.wavelengths;
  const row = Math.max(3, Math.min(14, Math.floor(560 / rows)));
  const head = above ? 20 : 0;
  const block = head + Math.max(row * circuits.wavelengths, above ? 0 : LABEL + 2) + GAP;
  const step = (width - left - 1) / circuits.devices;
  return {
    planes,
    names,
    left,
    row,
    step,
    above,
    top: (index) => index * block + head,
    height: planes.length * block + AXIS,
    bottom: planes.length * block,
  };
}

function axis(circuits, layout, colors) {
  const { left, step, bottom } = layout;
  const widest = text_width(String(circuits.devices - 1), 11) + 14;
  const rough = Math.max(1, Math.ceil(widest / step));
  const every = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].find((each) => each >= rough) ?? rough;
  const marks = [];
  const small = { fill: colors.soft, size: 11 };
  for (let device = 0; device < circuits.devices; device += every) {
    const x = left + device * step;
    const text = String(device);
    const half = text_width(text, 11) / 2;
    marks.push(
      box(x, bottom - GAP + 3, 1, 4, colors.soft),
      label(Math.max(left + half, x), bottom + 9, text, { ...small, anchor: 'middle' }),
    );
  }
  marks.push(label(left, bottom + 26, 'device at the start of a segment', small));
  return marks;
}

// The names of the planes, and a bar per wavelength that circuits may cover.
function background(circuits, layout, colors) {
  const { left, row, step } = layout;
  return layout.planes.flatMap((_, index) => {
    const top = layout.top(index);
    const middle = Math.max(top + (row * circuits.wavelengths) / 2 + 4, top + 10);
    const name = layout.names[index];
    const rows = Array.from({ length: circuits.wavelengths }, (_, wavelength) =>
      box(left, top + wavelength * row, step * circuits.devices, row - 1, colors.grid),
    );
    return [
      layout.above
        ? label(0, top - 6, name, { fill: colors.soft })
        : label(0, middle, name, { fill: colors.text }),
      ...rows,
    ];
  });
}

// The rectangles [x, y, width, height] of a circuit; none if the map has no such wavelength.
function rects_of(circuits, circuit, { left, row, step, planes, top }) {
  const index = planes.indexOf(circuit.plane);
  if (index < 0 || !(circuit.wavelength < circuits.wavelengths)) return [];
  const y = top(index) + circuit.wavelength * row;
  const gap = step > 4 ? 1 : 0;
  return segments_of(circuit, circuits.devices).map(([first, count]) => [
    left + first * step,
    y,
    Math.max(0.75, count * step - gap),
    row - 1,
  ]);
}

function item_of(circuits, circuit, rects, colors) {
  const outline = { stroke: colors.text, 'stroke-width': 2 };
  const facts = [
    ['wavelength', `${circuit.wavelength + 1} on ${plane_name(circuits, circuit.plane)}`],
    ['length', segments_text(arc(circuit, circuits.devices))],
  ];
  return {
    rects,
    at: [rects[0][0] + rects[0][2] / 2, rects[0][1]],
    tip: () => pair_tip(circuits, circuit.pair, facts),
    mark: () =>
      rects.map(([x, y, wide, high]) => box(x - 1, y - 1, wide + 2, high + 2, 'none', outline)),
  };
}

function draw(circuits, set, width, colors) {
  const layout = layout_of(circuits, width);
  const bars = s('g', {});
  const items = [];
  for (const circuit of set.pairs.flatMap((pair) => pair.circuits)) {
    const rects = rects_of(circuits, circuit, layout);
    if (rects.length === 0) continue;
    const fill = circuits.classes[circuit.class].color(colors.dark);
    bars.append(...rects.map((rect) => box(...rect, fill)));
    items.push(item_of(circuits, circuit, rects, colors));
  }
  items.sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]);
  const inside = (x, y) => (rect) =>
    x >= rect[0] && x < rect[0] + rect[2] + 1 && y >= rect[1] && y < rect[1] + rect[3] + 1;
  return {
    height: layout.height,
    marks: [...background(circuits, layout, colors), bars, ...axis(circuits, layout, colors)],
    items,
    find: (x, y) => items.find((item) => item.rects.some(inside(x, y))) ?? null,
  };
}

// The fraction of the wavelengths on all segments that circuits occupy.
function occupied(circuits, set) {
  const planes = (circuits.fibers || 1) * (circuits.directions || 1);
  const all = circuits.devices * circuits.wavelengths * planes;
  const used = set.pairs
    .flatMap((pair) => pair.circuits)
    .reduce((sum, circuit) => sum + arc(circuit, circuits.devices), 0);
  return used / all;
}

export function wavelengths(result) {
  const circuits = circuits_of(result);
  if (!circuits?.ring) return null;
  const chooser = set_chooser(circuits, 'Circuits on the map', () => self.redraw());
  const build = (width, colors) => {
    const set = chooser.set();
    const used = occupied(circuits, set);
    const share = percent(used, 0);
    return {
      ...draw(circuits, set, width, colors),
      legend: [
        ...legend_classes(circuits, set.pairs, colors.dark),
        ...(used < 1 ? [{ name: `not used: ${percent(1 - used, 0)}`, color: colors.grid }] : []),
      ],
      label: `${share} of the wavelengths on all segments are used`,
    };
  };
  const self = scene_figure({
    id: 'wavelengths',
    title: 'Wavelengths of the ring',
    note: 'A bar is a circuit: the segments of the ring on which it occupies a wavelength.',
    controls: chooser.controls,
    build,
    rows: () => [
      COLUMNS,
      ...chooser.set().pairs.flatMap((pair) =>
        pair.circuits.map((circuit) => [
          circuit.from,
          circuit.to,
          (circuit.plane >> 1) + 1,
          circuit.plane % 2 ? 'counterclockwise' : 'clockwise',
          circuit.wavelength + 1,
          arc(circuit, circuits.devices),
          circuits.classes[circuit.class].name,
          pair.total,
          pair.utilization,
        ]),
      ),
    ],
  });
  return self;
}
