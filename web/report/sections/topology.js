// The topology: devices, and the circuits between them by kind of traffic. Above 128 devices,
// groups of consecutive devices are drawn.
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

// The edges between nodes: one per ordered pair of nodes and class, [{from, to, class, pairs,
// count}], circuits without traffic first. Circuits within a group are edges of a node to itself.
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

const path = ({ points }) => {
  const text = (point) => point.map((value) => value.toFixed(1)).join(' ');
  const [from, middle, to] = points.map(text);
  return `M${from}Q${middle} ${to}`;
};

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

// The curves of all edges between different nodes, in pixels.
function curved(edges, points, layout, center) {
  const between = edges.filter((edge) => edge.from !== edge.to);
  add_offsets(between, layout === 'Ring' ? 1.2 : 0);
  for (const edge of between) {
    const [from, to] = [points[edge.from], points[edge.to]];
    edge.points = [from, curve(from, to, { layout, center, offset: edge.offset }), to];
  }
  return between;
}

// Node positions in pixels: {points, center, radius, size}.
function placed(groups, edges, layout, width) {
  const size = Math.min(width, 560);
  const key = ({ from, to }) => `${Math.min(from, to)} ${Math.max(from, to)}`;
  const links = [...new Set(edges.filter(({ from, to }) => from !== to).map(key))];
  const pairs = links.map((link) => link.split(' ').map(Number));
  const radius = radius_of(layout, size, groups.count);
  const widest = text_width(groups.name(groups.count - 1), 11);
  const outside = layout === 'Ring' && widest + 3 > 2 * radius;
  const margin = radius + 3 + (outside ? widest + 6 : 0);
  const inner = size - 2 * margin;
  const points = positions(layout, groups.count, pairs).map(([x, y]) => [
    (width - size) / 2 + margin + x * inner,
    margin + y * inner,
  ]);
  return { points, center: [width / 2, size / 2], radius, size };
}

// The kind of traffic of most circuits within each group of devices; -1 if there are none.
function inside_of(edges, groups) {
  const most = Array.from({ length: groups.count }, () => ({ class: -1, count: 0 }));
  for (const edge of edges) {
    if (edge.from === edge.to && edge.count > most[edge.from].count) most[edge.from] = edge;
  }
  return most.map((edge) => edge.class);
}

// How edges and nodes are drawn: {line(edge, more), wide(edge), dot(point, more)}.
function pens(circuits, between, radius, colors) {
  const most = Math.max(1, ...between.map((edge) => edge.count));
  return {
    wide: (edge) => stroke(edge, most),
    line: (edge, more) =>
      s('path', {
        d: path(edge),
        fill: 'none',
        stroke: circuits.classes[edge.class].color(colors.dark),
        'stroke-width': stroke(edge, most),
        'stroke-linecap': 'round',
        ...more,
      }),
    dot: ([x, y], more) => s('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: radius, ...more }),
  };
}

function node_item(node, { circuits, groups, points, edges, between, pen, colors }) {
  return {
    at: points[node],
    dims: true,
    tip: () => node_tip(circuits, groups, node, edges, colors),
    mark: () => [
      ...between.filter(({ from }) => from === node).map((edge) => pen.line(edge, { opacity: 1 })),
      pen.dot(points[node], { fill: 'none', stroke: colors.text, 'stroke-width': 2 }),
    ],
  };
}

function edge_item(edge, { circuits, groups, points, pen, colors }) {
  const ends = [edge.from, edge.to].map((node) => points[node]);
  const outline = { fill: 'none', stroke: colors.text, 'stroke-width': 1.5 };
  return {
    at: edge.points[1],
    dims: true,
    tip: () => edge_tip(circuits, groups, edge),
    mark: () => [
      pen.line(edge, { opacity: 1, 'stroke-width': pen.wide(edge) + 1.5 }),
      ...ends.map((end) => pen.dot(end, outline)),
    ],
  };
}

// Returns a function that finds the node, or else the nearest edge, at a point.
function finder(points, radius, nodes, between, edge_items) {
  return (x, y) => {
    const node = points.findIndex((point) => Math.hypot(point[0] - x, point[1] - y) <= radius + 2);
    if (node >= 0) return nodes[node];
    let [nearest, found] = [5, null];
    for (const edge of between) {
      const distance = distance_to(edge, x, y);
      if (distance < nearest) [nearest, found] = [distance, edge];
    }
    return found && edge_items.get(found);
  };
}

function draw(circuits, set, layout, width, colors) {
  const groups = groups_of(circuits.devices, circuits.devices > MOST ? GROUPS : MOST);
  const edges = edges_of(circuits, set, groups);
  const { points, center, radius, size } = placed(groups, edges, layout, width);
  const between = curved(edges, points, layout, center);
  const pen = pens(circuits, between, radius, colors);
  const strength = between.length > 600 ? 0.45 : 0.8;
  const opacity = (edge) => (edge.class === circuits.idle ? 0.5 : strength);
  const base = s(
    'g',
    {},
    between.map((edge) => pen.line(edge, { opacity: opacity(edge) })),
  );
  const plain = mix(colors.surface, colors.text, 0.12);
  const within = inside_of(edges, groups);
  const dots = points.map((point, i) => {
    const fill = within[i] < 0 ? plain : circuits.classes[within[i]].color(colors.dark);
    return pen.dot(point, { fill, stroke: colors.surface, 'stroke-width': 1.5 });
  });
  const drawing = { circuits, groups, points, edges, between, pen, colors };
  const nodes = points.map((_, node) => node_item(node, drawing));
  const edge_items = new Map(between.map((edge) => [edge, edge_item(edge, drawing)]));
  return {
    height: size,
    marks: [base, ...dots, ...names(groups, points, radius, layout, center, colors)],
    items: nodes,
    find: finder(points, radius, nodes, between, edge_items),
    base,
  };
}

export function topology(result) {
  const circuits = circuits_of(result);
  if (!circuits) return null;
  const grouped = circuits.devices > MOST;
  let layout = circuits.ring || circuits.devices <= 32 || grouped ? 'Ring' : 'Force';
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
  const { size } = groups_of(circuits.devices, GROUPS);
  const who = grouped ? `Groups of ${size} devices, colored by the circuits within,` : 'Devices';
  const caution = circuits.estimated ? ' Kinds of forwarded traffic are estimated.' : '';
  const self = scene_figure({
    id: 'topology',
    half: true,
    title: 'Topology',
    note: `${who} and the circuits between them; wider lines are more circuits.${caution}`,
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
