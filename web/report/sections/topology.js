// The topology: devices, and the circuits between them by kind of traffic. Above 128 devices, groups
// of consecutive devices are drawn.
import { set_chooser } from '../circuit_sets.js';
import { pair_tip } from '../circuit_tips.js';
import { circuits_of, groups_of, legend_classes } from '../circuits.js';
import { choice, tip } from '../dom.js';
import { mix } from '../palette.js';
import { label, s, scene_figure } from '../scene.js';
import { text_width } from '../text.js';
import { LAYOUTS, positions } from '../topology_layout.js';
import { bytes } from '../units.js';

const MOST = 128;
const GROUPS = 64;

// The edges between nodes: one per ordered pair of nodes and class, [{from, to, class, pairs, count,
// bytes}], circuits without traffic first. Circuits within a group count for their node only.
function edges_of(circuits, set, groups) {
  const edges = new Map();
  for (const pair of set.pairs) {
    const [from, to] = [groups.of(pair.from), groups.of(pair.to)];
    pair.classes.forEach((kind) => {
      const key = `${from} ${to} ${kind}`;
      if (!edges.has(key)) edges.set(key, { from, to, class: kind, pairs: new Set(), count: 0 });
      const edge = edges.get(key);
      edge.pairs.add(pair);
      ++edge.count;
    });
  }
  const rank = (edge) => (edge.class === circuits.idle ? -1 : edge.class);
  return [...edges.values()].sort((a, b) => rank(a) - rank(b));
}

// Spreads the classes of one pair of nodes side by side; returns the offset of each edge in pixels.
function add_offsets(edges, bend) {
  const beside = new Map();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.to}`;
    const before = beside.get(key) ?? 0;
    beside.set(key, before + 1);
    edge.offset = bend + 5 * before;
  }
}

// A curve that leaves the straight line to the right of its direction, so that both directions of a
// pair can be seen. On a ring it bends toward the center.
function curve(from, to, { layout, center, offset }) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.max(Math.hypot(dx, dy), 1e-6);
  const side = layout === 'Ring' ? offset : offset + 0.06 * length;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const inward = layout === 'Ring' ? Math.min(0.55, (0.35 * length + 6) / center[1]) : 0;
  return [
    middle[0] + (center[0] - middle[0]) * inward - (dy / length) * side * 2,
    middle[1] + (center[1] - middle[1]) * inward + (dx / length) * side * 2,
  ];
}

// Leaves room between neighbors for the circuits.
function radius_of(layout, size, count) {
  const apart = layout === 'Ring' ? (Math.PI * size * 0.85) / count : size / Math.sqrt(count);
  return Math.max(2.5, Math.min(14, apart * (layout === 'Ring' ? 0.2 : 0.18)));
}

const path = (edge) =>
  `M${edge.points.map((point) => point.map((value) => value.toFixed(1)).join(' ')).join('Q').replace(/Q([^Q]*)$/, ' $1')}`;

function distance_to(edge, x, y) {
  const [a, b, c] = edge.points;
  let nearest = Infinity;
  for (let t = 0.04; t <= 0.96; t += 0.04) {
    const u = 1 - t;
    const dx = u * u * a[0] + 2 * u * t * b[0] + t * t * c[0] - x;
    const dy = u * u * a[1] + 2 * u * t * b[1] + t * t * c[1] - y;
    nearest = Math.min(nearest, Math.hypot(dx, dy));
  }
  return nearest;
}

const stroke = (edge, most) => 1.4 + 2.6 * Math.sqrt((edge.count - 1) / Math.max(most - 1, 1));

function edge_tip(circuits, groups, edge) {
  const [first] = edge.pairs;
  if (edge.pairs.size === 1 && groups.size === 1) return pair_tip(circuits, first);
  const total = [...edge.pairs].reduce((sum, pair) => sum + pair.total, 0);
  return tip(`devices ${groups.name(edge.from)} → ${groups.name(edge.to)}`, [
    [`circuits (${circuits.classes[edge.class].name})`, edge.count],
    ['pairs of devices', edge.pairs.size],
    ['bytes of these pairs', bytes(total)],
  ]);
}

function node_tip(circuits, groups, node, edges, colors) {
  const sent = Array(circuits.classes.length).fill(0);
  for (const edge of edges) if (edge.from === node) sent[edge.class] += edge.count;
  const first = node * groups.size;
  const ports = circuits.ports
    .slice(first, first + groups.size)
    .reduce((sum, each) => sum + each, 0);
  const used = sent.reduce((sum, each) => sum + each, 0);
  const lines = sent
    .map((count, i) => [circuits.classes[i].name, count, circuits.classes[i].color(colors.dark)])
    .filter(([, count]) => count > 0);
  const name = groups.size === 1 ? `device ${node}` : `devices ${groups.name(node)}`;
  return tip(name, [
    ['circuits sent', used],
    ...lines,
    ...(ports > used ? [['ports without a circuit', ports - used]] : []),
  ]);
}

// The names of nodes: inside if they fit, else outside the ring, every n-th if they would touch.
function names(groups, points, radius, layout, center, colors) {
  const texts = points.map((_, i) => groups.name(i));
  const widest = Math.max(...texts.map((text) => text_width(text, 11)));
  if (widest + 3 <= 2 * radius) {
    return points.map(([x, y], i) =>
      label(x, y + 4, texts[i], { fill: colors.text, size: 11, anchor: 'middle' }),
    );
  }
  if (layout !== 'Ring') return [];
  const around = 2 * Math.PI * Math.hypot(points[0][0] - center[0], points[0][1] - center[1]);
  const every = Math.max(1, Math.ceil((points.length * (widest + 7)) / around));
  return points.flatMap(([x, y], i) => {
    if (i % every !== 0 || (i > 0 && points.length - i < every)) return [];
    const out = Math.hypot(x - center[0], y - center[1]);
    const reach = (out + radius + 5 + widest / 2) / out;
    const at = [center[0] + (x - center[0]) * reach, center[1] + (y - center[1]) * reach];
    return [label(at[0], at[1] + 4, texts[i], { fill: colors.soft, size: 11, anchor: 'middle' })];
  });
}

function draw(circuits, set, layout, width, colors) {
  const groups = groups_of(circuits.devices, circuits.devices > MOST ? GROUPS : MOST);
  const size = Math.min(width, 560);
  const edges = edges_of(circuits, set, groups);
  const between = edges.filter((edge) => edge.from !== edge.to);
  const links = [...new Set(between.map(({ from, to }) => `${Math.min(from, to)} ${Math.max(from, to)}`))];
  const spots = positions(
    layout,
    groups.count,
    links.map((link) => link.split(' ').map(Number)),
  );
  const radius = radius_of(layout, size, groups.count);
  const widest = text_width(groups.name(groups.count - 1), 11);
  const outside = layout === 'Ring' && widest + 3 > 2 * radius;
  const margin = radius + 3 + (outside ? widest + 6 : 0);
  const left = (width - size) / 2;
  const points = spots.map(([x, y]) => [
    left + margin + x * (size - 2 * margin),
    margin + y * (size - 2 * margin),
  ]);
  const center = [width / 2, size / 2];
  const most = Math.max(1, ...between.map((edge) => edge.count));
  add_offsets(between, layout === 'Ring' ? 1.2 : 0);
  for (const edge of between) {
    const [from, to] = [points[edge.from], points[edge.to]];
    edge.points = [from, curve(from, to, { layout, center, offset: edge.offset }), to];
  }
  const many = between.length > 600;
  const color = (edge) => circuits.classes[edge.class].color(colors.dark);
  const line = (edge, more) =>
    s('path', {
      d: path(edge),
      fill: 'none',
      stroke: color(edge),
      'stroke-width': stroke(edge, most),
      'stroke-linecap': 'round',
      ...more,
    });
  const base = s(
    'g',
    {},
    between.map((edge) =>
      line(edge, { opacity: edge.class === circuits.idle ? 0.5 : many ? 0.45 : 0.8 }),
    ),
  );
  const dot = ([x, y], more) => s('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: radius, ...more });
  const fill = mix(colors.surface, colors.text, 0.12);
  const nodes = points.map((point) =>
    dot(point, { fill, stroke: colors.surface, 'stroke-width': 1.5 }),
  );
  const texts = names(groups, points, radius, layout, center, colors);
  const node_items = points.map((point, node) => ({
    at: point,
    dims: true,
    tip: () => node_tip(circuits, groups, node, edges, colors),
    mark: () => [
      ...between.filter((edge) => edge.from === node).map((edge) => line(edge, { opacity: 1 })),
      dot(point, { fill: 'none', stroke: colors.text, 'stroke-width': 2 }),
    ],
  }));
  const edge_items = new Map(
    between.map((edge) => [
      edge,
      {
        at: edge.points[1],
        dims: true,
        tip: () => edge_tip(circuits, groups, edge),
        mark: () => [
          line(edge, { opacity: 1, 'stroke-width': stroke(edge, most) + 1.5 }),
          ...[edge.from, edge.to].map((node) =>
            dot(points[node], { fill: 'none', stroke: colors.text, 'stroke-width': 1.5 }),
          ),
        ],
      },
    ]),
  );
  const find = (x, y) => {
    const node = points.findIndex((point) => Math.hypot(point[0] - x, point[1] - y) <= radius + 2);
    if (node >= 0) return node_items[node];
    let best = [5, null];
    for (const edge of between) {
      const distance = distance_to(edge, x, y);
      if (distance < best[0]) best = [distance, edge];
    }
    return best[1] ? edge_items.get(best[1]) : null;
  };
  return { height: size, marks: [base, ...nodes, ...texts], items: node_items, find, base, groups };
}

export function topology(result) {
  const circuits = circuits_of(result);
  if (!circuits) return null;
  let layout = circuits.ring || circuits.devices <= 32 ? 'Ring' : 'Force';
  const chooser = set_chooser(circuits, 'Circuits in the topology', () => self.redraw());
  const build = (width, colors) => {
    const set = chooser.set();
    const drawn = draw(circuits, set, layout, width, colors);
    const count = set.pairs.reduce((sum, pair) => sum + pair.circuits.length, 0);
    return {
      ...drawn,
      legend: legend_classes(circuits, set.pairs, colors.dark),
      label: `${count} circuits between ${set.pairs.length} pairs of ${circuits.devices} devices`,
    };
  };
  const grouped = circuits.devices > MOST;
  const self = scene_figure({
    id: 'topology',
    half: true,
    title: 'Topology',
    note: `${grouped ? `Groups of ${groups_of(circuits.devices, GROUPS).size} devices` : 'Devices'} and the circuits between them; wider lines are more circuits.${circuits.estimated ? ' Kinds of forwarded traffic are estimated.' : ''}`,
    controls: [
      ...chooser.controls,
      choice('Layout', LAYOUTS, layout, (chosen) => {
        layout = chosen;
        self.redraw();
      }),
    ],
    build,
    rows: () => [
      ['from', 'to', 'circuits', ...circuits.kinds.map((kind) => `${kind} [B]`), 'utilization'],
      ...chooser
        .set()
        .pairs.map((pair) => [
          pair.from,
          pair.to,
          pair.circuits.length,
          ...circuits.kinds.map((_, i) => pair.bytes[i] ?? 0),
          pair.utilization,
        ]),
    ],
  });
  return self;
}
