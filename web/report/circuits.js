// The circuits of a result: reads the field `circuits` of the report, and finds the kind of traffic
// that each circuit carries.
//
// The circuits of a pair of devices carry all traffic of the pair together. For colors they are
// divided among its kinds in proportion to the bytes, in whole circuits (largest remainders).
import { CATEGORIES, category_color, line_color } from './palette.js';
import { is_number } from './units.js';

const IDLE = 'no traffic';
const whole = (value) => Number.isInteger(value) && value >= 0;

// The classes that have a color: the categories of the kinds, or the kinds themselves, and circuits
// without traffic. Returns {classes: [{name, color(dark)}], of: class of each kind, idle}.
function classes_of(kinds) {
  const classes = [];
  const of = kinds.map((kind) => {
    const known = CATEGORIES.includes(kind?.category);
    const name = known ? kind.category : String(kind?.name ?? 'traffic');
    const found = classes.findIndex((each) => each.name === name);
    if (found >= 0) return found;
    const index = classes.length;
    const color = (dark) => (known ? category_color(name, dark) : line_color(index, dark));
    classes.push({ name, color });
    return index;
  });
  const order = classes
    .map((_, i) => i)
    .sort((a, b) => rank(classes[a].name) - rank(classes[b].name) || a - b);
  const place = order.map((_, i) => order.indexOf(i));
  return {
    classes: [
      ...order.map((i) => classes[i]),
      { name: IDLE, color: (dark) => category_color('idle', dark) },
    ],
    of: of.map((index) => place[index]),
    idle: classes.length,
  };
}

const rank = (name) => (CATEGORIES.indexOf(name) + 1 || CATEGORIES.length + 1);

// Divides `count` circuits in proportion to the bytes; returns a class per circuit.
export function divided(count, bytes, idle) {
  const all = bytes.reduce((sum, each) => sum + each, 0);
  if (all <= 0) return Array(count).fill(idle);
  const exact = bytes.map((each) => (each / all) * count);
  const given = exact.map(Math.floor);
  const left = count - given.reduce((sum, each) => sum + each, 0);
  const order = exact
    .map((_, i) => i)
    .sort((a, b) => exact[b] - given[b] - (exact[a] - given[a]) || bytes[b] - bytes[a] || a - b);
  for (let i = 0; i < left; ++i) ++given[order[i]];
  return given.flatMap((number, i) => Array(number).fill(i));
}

const key_of = (from, to) => `${from} ${to}`;

// The bytes of each pair: Map from "from to" to the bytes per kind.
function loads_of(rows, kinds) {
  const loads = new Map();
  for (const [from, to, ...bytes] of Array.isArray(rows) ? rows.filter(Array.isArray) : []) {
    loads.set(
      key_of(from, to),
      Array.from({ length: kinds }, (_, i) => (is_number(bytes[i]) ? bytes[i] : 0)),
    );
  }
  return loads;
}

// The pairs of one set: [{from, to, circuits, bytes, classes}], where `bytes` is per kind.
function pairs_of(set, devices, loads, { classes, of, idle }) {
  const pairs = new Map();
  for (const row of Array.isArray(set?.circuits) ? set.circuits : []) {
    const [from, to, plane = 0, wavelength = 0] = Array.isArray(row) ? row : [];
    if (!whole(from) || !whole(to) || from >= devices || to >= devices || from === to) continue;
    const key = key_of(from, to);
    if (!pairs.has(key)) pairs.set(key, { from, to, circuits: [], bytes: loads.get(key) ?? [] });
    pairs.get(key).circuits.push({ from, to, plane, wavelength });
  }
  for (const pair of pairs.values()) {
    const per_class = classes.slice(0, -1).map(() => 0);
    pair.bytes.forEach((bytes, kind) => {
      per_class[of[kind]] += bytes;
    });
    pair.total = pair.bytes.reduce((sum, each) => sum + each, 0);
    pair.classes = divided(pair.circuits.length, per_class, idle);
    pair.circuits.forEach((circuit, i) => {
      circuit.class = pair.classes[i];
      circuit.pair = pair;
    });
  }
  return [...pairs.values()];
}

// The fraction of the time for which the circuits of each pair send. A list of loads may belong to
// several sets.
function add_utilization(sets, circuit_bps) {
  const capacity = new Map();
  const keys = ({ loads }, { from, to }) => `${loads} ${from} ${to}`;
  for (const set of sets) {
    for (const pair of set.pairs) {
      const bits = (pair.circuits.length * circuit_bps * set.active) / 1e12;
      const key = keys(set, pair);
      capacity.set(key, (capacity.get(key) ?? 0) + bits);
    }
  }
  for (const set of sets) {
    for (const pair of set.pairs) {
      const bits = capacity.get(keys(set, pair));
      pair.utilization = bits > 0 ? (8 * pair.total) / bits : null;
    }
  }
}

function ports_of(given, devices, sets) {
  const used = Array(devices).fill(0);
  for (const set of sets) {
    const now = Array(devices).fill(0);
    for (const pair of set.pairs) now[pair.from] += pair.circuits.length;
    now.forEach((count, device) => {
      used[device] = Math.max(used[device], count);
    });
  }
  return used.map((count, device) => Math.max(count, whole(given?.[device]) ? given[device] : 0));
}

// Returns null if the result has no circuits.
export function circuits_of(result) {
  const given = result.circuits;
  if (!given || !whole(given.devices) || given.devices < 2) return null;
  const kinds = Array.isArray(given.kinds) ? given.kinds : [];
  const classified = classes_of(kinds);
  const loads = (Array.isArray(given.loads) ? given.loads : []).map((rows) =>
    loads_of(rows, kinds.length),
  );
  const sets = (Array.isArray(given.sets) ? given.sets : []).map((set, i) => ({
    name: String(set?.name || `set ${i + 1}`),
    loads: set?.loads ?? 0,
    active: is_number(set?.active_ps) ? set.active_ps : 0,
    pairs: pairs_of(set, given.devices, loads[set?.loads ?? 0] ?? new Map(), classified),
  }));
  if (!sets.some((set) => set.pairs.length > 0)) return null;
  const complete = given.complete !== false && !(given.all_sets > sets.length);
  if (complete && is_number(given.circuit_bps)) add_utilization(sets, given.circuit_bps);
  return {
    ...given,
    ring: given.limits === 'ring' && whole(given.wavelengths) && given.wavelengths > 0,
    kinds: kinds.map((kind) => String(kind?.name ?? 'traffic')),
    classes: classified.classes,
    idle: classified.idle,
    sets,
    complete,
    ports: ports_of(given.ports, given.devices, sets),
  };
}

// The classes that occur among these pairs, as entries of a legend.
export function legend_classes(circuits, pairs, dark) {
  const used = new Set(pairs.flatMap((pair) => pair.classes));
  return circuits.classes
    .filter((_, i) => used.has(i))
    .map(({ name, color }) => ({ name, color: color(dark) }));
}

export const plane_name = (circuits, plane) =>
  circuits.ring
    ? `${circuits.fibers > 1 ? `fiber ${(plane >> 1) + 1} ` : ''}${plane % 2 ? '←' : '→'}`
    : `switch ${plane + 1}`;

// Groups of consecutive devices, so that at most `max` are shown.
export function groups_of(devices, max) {
  const size = Math.ceil(devices / max);
  const count = Math.ceil(devices / size);
  return {
    size,
    count,
    of: (device) => Math.floor(device / size),
    name: (group) => {
      const last = Math.min(devices, (group + 1) * size) - 1;
      return size === 1 || last === group * size ? `${group * size}` : `${group * size}–${last}`;
    },
  };
}
